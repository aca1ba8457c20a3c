"""`fit`: golden texts, the documented JSON, formulas, pictures, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from apet.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
GOLDEN_FOLDER = ROOT / "tests" / "data" / "cli"
NBODY = str(ROOT / "samples" / "runs" / "nbody.csv")
GOLDEN: dict[str, list[str]] = {
    "fit": ["fit", NBODY, "--parameters", "n,P", "--to", "n=8192,P=64", "--tree", "--next"],
    "fit-default": ["fit", NBODY],
    "fit-phase": ["fit", NBODY, "--phase", "ring", "--to", "P=64"],
    "fit-plan": ["fit", "--plan", "n=100:1600,P=1:16"],
    "fit-emitted": ["fit", NBODY, "--emit", "formula"],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_output_is_the_golden_text(
    name: str, assert_golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(GOLDEN[name]) == 0
    assert_golden(GOLDEN_FOLDER / f"{name}.txt", capsys.readouterr().out)


def test_json_has_the_predictions_in_the_order_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", NBODY, "--to", "P=32,n=8192", "--to", "n=2x", "--json", "--tree", "--next"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [p["at"] for p in answer["predictions"]] == [{"n": 8192, "P": 32}, {"n": 8192, "P": 16}]
    for p in answer["predictions"]:
        assert 0 < p["tmin_s"] < p["estimate_s"] < p["tmax_s"]
        assert sum(p["phases_s"].values()) == pytest.approx(p["estimate_s"])
    assert sum(t["share"] for t in answer["formula"]["terms"]) == pytest.approx(1)
    assert {"path", "share", "share_min", "share_max", "growth", "work_grows"} <= set(answer["tree"][0])
    assert answer["trust"] in ("high", "fair", "low")


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "fit.svg"
    assert main(["fit", NBODY, "--to", "n=8192,P=64", "--plot", str(picture), "-o", str(tmp_path / "x.txt")]) == 0
    assert "<svg" in picture.read_text(encoding="utf-8")


REFUSED: dict[str, list[str]] = {
    "--to n: 'n' is neither a number": ["fit", NBODY, "--to", "n"],
    "--to x: 'x' is neither a number nor a range": ["fit", NBODY, "--to", "n=x"],
    "--to 0: 0 is not between": ["fit", NBODY, "--to", "n=0"],
    "--to n=2: n is set twice": ["fit", NBODY, "--to", "n=1,n=2"],
    "--role P=cores: a role is size or procs": ["fit", NBODY, "--role", "P=cores"],
    "--phase rings: there is no such call path": ["fit", NBODY, "--phase", "rings"],
    "--plan n=5: a range has two ends": ["fit", "--plan", "n=5"],
    "--plan n=5:2: the range": ["fit", "--plan", "n=5:2"],
    "no file of runs is named": ["fit"],
    "--method is for runs over one parameter": ["extrapolate", NBODY, "--method", "powerlaw"],
    "no run has P = 3": ["speedup", NBODY, "--where", "P=3"],
    "no parameter is named Q": ["predict", NBODY, "--where", "Q=3"],
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_is_refused(message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(REFUSED[message]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    "call",
    [
        ["predict", "--set", "n=8192", "-P", "64"],
        ["explain", "--set", "n=8192", "-P", "64"],
        ["solve", "--for", "n", "--deadline", "1 s", "-P", "64"],
        ["sweep", "--vary", "n=4096,8192", "-P", "32,64"],
        ["regions", "--for", "n=256..65536", "-P", "64"],
        ["compile"],
    ],
    ids=lambda call: call[0],
)
def test_every_question_can_be_asked_of_a_fit(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    verb, *options = call
    assert main([verb, NBODY, "--parameters", "n,P", *options]) == 0
    assert capsys.readouterr().out


def test_the_page_of_a_fit_has_its_call_paths(tmp_path: Path) -> None:
    page = tmp_path / "fit.html"
    assert main(["report", NBODY, "--parameters", "n,P", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Call paths" in text
    assert "ring" in text


def test_a_design_is_measured_and_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = str(tmp_path / "runs.csv")
    call = ["measure", "--vary", "n=1:9", "--vary", "k=2:4", "-o", runs, "--", "true", "{n}", "{k}"]
    assert main([*call[:1], "--repeat", "1", *call[1:]]) == 0
    rows = Path(runs).read_text(encoding="utf-8").splitlines()
    assert rows[0] == "# command: true {n} {k}"
    assert len(rows) == 2 + 8

    assert main([*call[:1], "--repeat", "2", *call[1:]]) == 0
    assert len(Path(runs).read_text(encoding="utf-8").splitlines()) == 2 + 16
    assert "16 runs at 8 points" in capsys.readouterr().out
    assert main([*call[:-3], "false", "{n}", "{k}"]) == 2
    assert main([*call[:-1], "-"]) == 2


def test_runs_over_several_parameters_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", NBODY]) == 0
    wrong = tmp_path / "x.csv"
    wrong.write_text("n,P,t\n1,1,1\n2,1,0\n1,2,3\n2,2,3\n")
    assert main(["check", str(wrong)]) == 2 or "above 0" in capsys.readouterr().out
