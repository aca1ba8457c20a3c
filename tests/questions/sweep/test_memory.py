"""The law of memory: ten times as many points need no more of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.questions.sweep.design import ROOT

MODEL = "param n; param m = 1; L = par (p = 1, P) { seq (i = 1, n) sum_double[p]; delay(m); }; param P;\n"
MEASURE = """
import resource, sys
from pathlib import Path
from apet.cli.main import main
assert main(sys.argv[1:]) == 0
status = Path("/proc/self/status")
# Elsewhere than in Linux's own figure, a process starts with the peak of the one that started it.
lines = status.read_text().splitlines() if status.exists() else []
peak = [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")]
scale = 1 if sys.platform == "darwin" else 1024
print(peak[0] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale)
"""


def _bytes(call: list[str]) -> int:
    """Peak resident bytes of a command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-c", MEASURE, *call]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1])


def _peak(folder: Path, points: int, form: str) -> int:
    """Peak resident bytes of a sweep over so many points."""
    (folder / "m.pam").write_text(MODEL, encoding="utf-8")
    vary = ["--vary", "P=1,2", "--vary", f"n=1:{points // 20}", "--vary", "m=1:10"]
    call = ["sweep", str(folder / "m.pam"), "-m", "two-nodes", *vary, "-o", str(folder / f"s{points}.{form}")]
    return _bytes(call)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_million_points_need_hardly_more_memory_than_a_hundred_thousand(form: str, tmp_path: Path) -> None:
    small, large = _peak(tmp_path, 10**5, form), _peak(tmp_path, 10**6, form)
    assert large - small < 40e6, (small, large)


NESTED = """param N = 16 in [1, 10000]; param targets = 4; resource mds; resource ost[k];
L = par (c = 1, N) seq (i = 1, 50) { delay(1); use(mds, 2); use(ost[1 + (c + i) % targets], 3) };
"""


def test_loops_over_what_varies_keep_no_arrays(tmp_path: Path) -> None:
    (tmp_path / "m.pam").write_text(NESTED, encoding="utf-8")
    vary = ["--vary", "N=16:256:16", "--vary", "targets=1:2"]
    assert _bytes(["sweep", str(tmp_path / "m.pam"), "-m", "cores=4", *vary]) < 200e6
