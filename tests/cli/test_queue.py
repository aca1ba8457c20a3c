"""Laws of `apet queue` and of `apet predict --backend queueing`: JSON keys, formulas that run, pictures, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.work import run_source

from apet.cli.main import main

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TERMINALS = str(SAMPLES / "queueing" / "terminals.toml")
QUERY = str(SAMPLES / "queueing" / "bi-pipelined.toml")
PI = str(SAMPLES / "pamela" / "pi.pam")
LOAD = ["predict", PI, "--machines", "join-2005", "-P", "4,8", "--backend", "queueing"]


def called(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    return shown.err


def test_every_number_of_an_uncertain_network_is_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    found = called(["queue", TERMINALS], capsys)
    low, high = found["throughput"][0]
    assert low < high
    assert found["ends"] == "proved"
    assert found["points"] == 8
    assert found["iterations"] == 0
    assert len(found["queue_length"][0][1]) == 2


def test_uncertain_bounds_are_single_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(TERMINALS).read_text(encoding="utf-8")
    assert "servers = 2" in text
    assert "single servers" in refused(["queue", TERMINALS, "--method", "bounds"], capsys)


@pytest.mark.parametrize("form", ["formula", "latex", "json"])
def test_formulas_are_printed(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", TERMINALS, "--emit", form]) == 0
    assert "D" in capsys.readouterr().out


def test_emitted_python_gives_the_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", TERMINALS, "--emit", "python"]) == 0
    names = run_source(capsys.readouterr().out, tmp_path)
    found = called(["queue", TERMINALS], capsys)
    for demand, end in ((0.27, 0), (0.18, 1)):
        assert names["X"](D_cpu=0.4, D_disk=demand, Z=2.0) == pytest.approx(found["throughput"][0][end])


def test_a_long_formula_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(TERMINALS).read_text(encoding="utf-8").replace("population = 8", "population = 60")
    (tmp_path / "many.toml").write_text(text, encoding="utf-8")
    assert "too long" in refused(["queue", str(tmp_path / "many.toml"), "--emit", "formula"], capsys)
    assert "single numbers" in refused(["queue", TERMINALS, "--population", "1:3"], capsys)
    assert "has no formulas" in refused(["queue", QUERY, "--emit", "latex"], capsys)
    assert "single numbers" in refused(["queue", TERMINALS, "--simulate"], capsys)


def test_a_curve_goes_through_the_single_answers(capsys: pytest.CaptureFixture[str]) -> None:
    curve = called(["queue", QUERY, "--population", "1,4"], capsys)
    single = called(["queue", QUERY], capsys)
    assert curve["response_time"][1] == pytest.approx(single["classes"]["query"]["response_time"])
    assert 20 / 3.0 <= curve["saturation"] <= (20 + curve["response_time"][0]) / 3.0
    assert curve["busiest"] == "disk"


def test_a_picture_is_the_same_every_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.svg", "b.svg"):
        assert main(["queue", QUERY, "--population", "1:12:3", "--plot", str(tmp_path / name)]) == 0
    first, second = ((tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert first == second
    assert b"<svg" in first
    capsys.readouterr()
    assert "cannot draw" in refused(["queue", QUERY, "--plot", str(tmp_path / "c.gif")], capsys)


@pytest.mark.parametrize("given", ["0", "5:1", "x", "1:10:0"])
def test_bad_populations_are_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"--population {given}" in refused(["queue", QUERY, "--population", given], capsys)


@pytest.mark.slow
def test_a_simulation_gives_its_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    found = called(["queue", QUERY, "--simulate", "--seed", "3"], capsys)
    default = called(["queue", QUERY], capsys)
    assert "±" in found["notes"][0]["text"]
    want = default["classes"]["query"]["response_time"]
    assert found["classes"]["query"]["response_time"] == pytest.approx(want, rel=0.05)


# Applications under load


def test_one_run_alone_is_within_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    for one in called(LOAD, capsys)["predictions"]:
        for end in ("tmin", "tmax"):
            seconds = one["response_time"][end]
            assert one["alone"]["lower"][end] <= seconds * (1 + 1e-9)
            assert seconds <= one["alone"]["upper"][end] * (1 + 1e-9)


def test_more_runs_take_longer_and_pauses_help(capsys: pytest.CaptureFixture[str]) -> None:
    def seconds(*more: str) -> float:
        return float(called([*LOAD, *more], capsys)["predictions"][0]["response_time"]["tmin"])

    assert seconds() < seconds("--jobs", "2", "--think", "300 s") < seconds("--jobs", "2") < seconds("--jobs", "4")


def test_the_table_says_what_is_used_most(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LOAD, "--jobs", "2", "--think", "500 ms"]) == 0
    assert "cpu[" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--jobs", "0"], "--jobs"),
        (["--jobs", "two"], "--jobs"),
        (["--think", "-1"], "--think"),
        (["--csv"], "--csv"),
        (["--set", "q=0.1..0.2"], "q is a range"),
    ],
)
def test_options_that_make_no_sense_are_refused(more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused([*LOAD, *more], capsys)


def test_jobs_need_the_backend(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--backend queueing" in refused(["predict", PI, "--machines", "join-2005", "--jobs", "2"], capsys)
