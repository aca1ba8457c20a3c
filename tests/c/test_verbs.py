"""C functions by the verbs: a profile prints what runs count, a validation what was measured and predicted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("clang.cindex")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
SIEVE = str(Path(__file__).parents[2] / "samples" / "c" / "sieve.c")


def test_a_profile_prints_the_parameters_that_runs_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", SIEVE, "--set", "n=100,1000", "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    # Of the numbers from 2 to n all but the 25 and 168 primes are crossed out.
    assert [run["values"]["q_8"] for run in runs] == pytest.approx([74 / 99, 831 / 999])


def test_validation_measures_functions_beside_their_interval(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sizes = tmp_path / "sizes.json"
    sizes.write_text('{"primes": [20000]}', encoding="utf-8")
    call = ["validate", SIEVE, "--sizes", str(sizes), "-m", "xeon-gcc12-O2", "--forks", "2"]
    assert main([*call, "--json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)
    assert len(point["forks_s"]) == 2
    # Another machine runs it, loaded or not: of the measured time this is the order.
    assert point["tmin"] / 100 < point["measured_s"] < point["tmax"] * 100
    assert main([*call, "--profile"]) == 2
    assert "--profile has no effect" in capsys.readouterr().err
    sizes.write_text('{"squares": [1]}', encoding="utf-8")
    assert main(call) == 2


def test_one_timed_run_at_another_size_narrows_a_prediction(capsys: pytest.CaptureFixture[str]) -> None:
    matrix = str(Path(SIEVE).with_name("matrix.c"))
    call = ["predict", matrix, "--entry", "multiply", "--set", "n=90", "-m", "xeon-gcc12-O2", "-P", "1", "--json"]
    widths = []
    for option in ([], ["--calibrate-at", "n=40"], ["--calibrate", "n"]):
        assert main([*call, *option]) == 0
        estimate = json.loads(capsys.readouterr().out)["predictions"][0]["estimate"]
        widths.append(estimate["tmax"] / estimate["tmin"])
    assert max(widths[1:]) < widths[0]


def test_points_of_a_sweep_wrap_around_as_their_types_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "task.c").write_text(
        "int f(int n) { int s = 0; for (unsigned i = 0; i < (unsigned) (n - 20); i++) s++; return s; }\n",
        encoding="utf-8",
    )
    call = ["sweep", str(tmp_path / "task.c"), "--entry", "f", "-m", "xeon-gcc12-O2", "--vary", "n=10,30", "--json"]
    assert main(call) == 0
    few, many = (one["estimate"]["tmax"] for one in json.loads(capsys.readouterr().out)["predictions"])
    assert few > 1000 * many
