"""Laws of recording under Open MPI: the same messages as under MPICH."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.traces.mpi_programs import DATA, SAMPLES, SMALL, folder, needs_mpi, program

from apet import api
from apet.cli.main import main

HEADERS = any(Path("/usr/lib").glob("*/openmpi/include/mpi.h"))
needs_open_mpi = pytest.mark.skipif(
    shutil.which("mpicc.openmpi") is None or not HEADERS, reason="Open MPI is not installed (Debian: libopenmpi-dev)"
)


def _messages(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if not re.match(r"#|\d+ compute", line)]


@needs_mpi
@needs_open_mpi
@pytest.mark.parametrize("name", ["cg", "panels"])
def test_open_mpi_and_mpich_give_the_same_messages(name: str, tmp_path: Path) -> None:
    own = str(folder() / f"{name}-open-mpi")
    subprocess.run(["mpicc.openmpi", "-O2", "-w", str(SAMPLES / f"{name}.c"), "-o", own, "-lm"], check=True)
    other = program(SAMPLES / f"{name}.c", counting=False)
    for target, command in (("open-mpi.txt", own), ("mpich.txt", other)):
        assert main(["trace", "acquire", "-n", "3", "-o", str(tmp_path / target), "--", command, *SMALL[name]]) == 0

    assert _messages(tmp_path / "open-mpi.txt") == _messages(tmp_path / "mpich.txt")
    assert "# MPI: Open MPI" in (tmp_path / "open-mpi.txt").read_text()


@needs_open_mpi
def test_processes_started_at_run_time_are_named_and_leave_the_trace_whole(tmp_path: Path) -> None:
    own, path = str(folder() / "spawning-open-mpi"), tmp_path / "t.txt"
    subprocess.run(["mpicc.openmpi", "-O2", str(DATA / "mpi" / "spawning.c"), "-o", own], check=True)
    assert main(["trace", "acquire", "-n", "2", "-o", str(path), "--", own]) == 0
    report = api.check_trace(path)
    assert not report.findings
    assert "messages from and to processes started at run time" in {gap.what for gap in report.gaps}
    assert report.ranks == 2
