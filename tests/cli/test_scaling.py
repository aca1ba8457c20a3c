"""`extrapolate` and `speedup`: golden texts, documented JSON, formulas, pictures, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.work import run_source

import apet
from apet.api import extrapolate, read_runs
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.notation import targets

ROOT = Path(__file__).resolve().parents[2]
RUNS = ROOT / "samples" / "runs"
GOLDEN_FOLDER = ROOT / "tests" / "data" / "cli"
KMEANS, OPENMP, CG = (str(RUNS / name) for name in ("kmeans.json", "sp-openmp.csv", "cg.txt"))

GOLDEN: dict[str, list[str]] = {
    "extrapolate": ["extrapolate", KMEANS, "--to", "32000,64000"],
    "extrapolate-fractal": ["extrapolate", KMEANS, "--to", "64000", "--method", "fractal"],
    "extrapolate-within": ["extrapolate", CG, "--to", "3280", "--within", "10 s"],
    "extrapolate-far": ["extrapolate", KMEANS, "--to", "10:1e6:100000x"],
    "speedup": ["speedup", OPENMP, "--to", "32,64"],
    "speedup-adept": ["speedup", OPENMP, "--method", "adept", "--efficiency", "0.9,0.5,0.25"],
    "speedup-json": ["speedup", OPENMP, "--to", "24", "--within", "11", "--json"],
    "speedup-usl": ["speedup", OPENMP, "--to", "32", "--method", "usl"],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_output_is_the_golden_text(
    name: str, assert_golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(GOLDEN[name]) == 0
    printed = capsys.readouterr().out
    if name.endswith("json"):
        printed = json.dumps(_rounded(json.loads(printed)), indent=1) + "\n"
    assert_golden(GOLDEN_FOLDER / f"{name}.txt", printed)


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items() if k != "apet"}
    if isinstance(value, list):
        return [_rounded(v) for v in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


REFUSED: dict[str, list[str]] = {
    "--to 0: 0 is not between": ["extrapolate", KMEANS, "--to", "0"],
    "--to 5,x: 'x' is neither a number nor a range": ["extrapolate", KMEANS, "--to", "5,x"],
    "--to 9:3:2x: the range": ["extrapolate", KMEANS, "--to", "9:3:2x"],
    "--to 1:9:1x: the factor": ["extrapolate", KMEANS, "--to", "1:9:1x"],
    "no file of runs is named": ["extrapolate", "--to", "5"],
    "--at 5: a number above 0": ["extrapolate", "--at", "5"],
    "no method for sizes is named adpt": ["extrapolate", KMEANS, "--method", "adpt"],
    "no method for processors is named fractal": ["speedup", OPENMP, "--method", "fractal"],
    "--efficiency 2: 2 is not between 0 and 100 %": ["speedup", OPENMP, "--efficiency", "2"],
    "cannot draw x.gif": ["speedup", OPENMP, "--plot", "x.gif"],
    "cannot read nowhere.csv": ["speedup", "nowhere.csv"],
    "no curve is named b": ["extrapolate", KMEANS, "--curve", "b"],
    "--deadline soon": ["extrapolate", KMEANS, "--within", "soon"],
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_wrong_call_is_refused(message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(REFUSED[message]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_targets_are_numbers_and_ranges() -> None:
    assert targets("--to", "1e3, 2_000") == [1000, 2000]
    assert targets("--to", "100:800:2x,50") == [100, 200, 400, 800, 50]
    assert targets("--to", "2:8:3") == [2, 5, 8]
    with pytest.raises(ApetError):
        targets("--to", "1:1e9:1")


@pytest.mark.parametrize("form", ["formula", "latex", "mathml", "sympy", "python", "json"])
def test_a_fit_is_a_formula_in_every_form(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["speedup", OPENMP, "--method", "adept", "--emit", form]) == 0
    printed = capsys.readouterr().out
    if form == "python":
        names = run_source(printed, tmp_path)
        law = extrapolate(read_runs(OPENMP, kind="procs").curve, [32], "adept").law
        from apet.runs.scaling_laws import seconds

        assert law is not None
        assert float(names["seconds"](32)) == pytest.approx(seconds(law, 32))
    assert printed.strip()


@pytest.mark.parametrize("view", ["time", "speedup", "efficiency"])
def test_a_picture_is_drawn_and_the_same_each_time(tmp_path: Path, view: str) -> None:
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    for path in (first, second):
        assert (
            main(["speedup", OPENMP, "--to", "32", "--view", view, "--plot", str(path), "-o", str(tmp_path / "o")]) == 0
        )
    assert first.read_bytes() == second.read_bytes()
    assert b"<svg" in first.read_bytes()


def test_predictions_from_python_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    found = apet.extrapolate(apet.read_runs("runs/kmeans.json").curve, [32000])
    assert main(["extrapolate", KMEANS, "--to", "32000", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["predictions"][0]
    assert printed["t"] == found.predictions[0].t


def test_no_heavy_library_is_imported() -> None:
    code = f"""
import sys
from apet.cli.main import main
assert main(["speedup", {OPENMP!r}, "--to", "32"]) == 0
print(sorted({{"scipy", "sympy", "pandas", "matplotlib"}} & set(sys.modules)))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"
