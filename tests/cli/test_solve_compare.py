"""Laws of `solve` and `compare`: golden texts, documented JSON, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import apet
from apet.cli.main import main
from apet.ground.notation import duration

DATA = Path(__file__).resolve().parents[1] / "data" / "cli"
FARM, POOL, ALONE = (str(DATA / name) for name in ("farm.pam", "pool.toml", "alone.pam"))

GOLDEN: dict[str, list[str]] = {
    "solve": ["solve", FARM, "-m", POOL, "--deadline", "200 ms"],
    "solve-parameter": ["solve", FARM, "-m", POOL, "--deadline", "0.001 min", "--for", "n", "--range", "1..1e9"],
    "solve-grid": ["solve", FARM, "-m", POOL, "--deadline", "0.2", "--for", "tasks", "--range", "1..5000", "-P", "2"],
    "solve-nothing": ["solve", FARM, "-m", POOL, "--deadline", "1us"],
    "solve-operation": ["solve", FARM, "-m", POOL, "--deadline", "60 ms", "--for", "t_step", "-P", "4"],
    "solve-bandwidth": ["solve", FARM, "-m", POOL, "--deadline", "0.1 s", "--for", "bandwidth_B_per_s", "-P", "1"],
    "solve-json": ["solve", FARM, "-m", POOL, "--deadline", "200 ms", "--json"],
    "compare": ["compare", FARM, "-m", POOL, "--with", "n=2e6"],
    "compare-models": ["compare", FARM, ALONE, "-m", POOL],
    "compare-same": ["compare", FARM, "-m", POOL, POOL, "-P", "2"],
    "compare-vary": ["compare", FARM, ALONE, "-m", POOL, "-P", "4", "--vary", "n=1e4..1e9"],
    "compare-json": ["compare", FARM, ALONE, "-m", POOL, "-P", "2", "--set", "n=10", "--json"],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_output_is_the_golden_text(
    name: str, assert_golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(GOLDEN[name]) == 0
    assert_golden(DATA / f"{name}.txt", capsys.readouterr().out.replace(f"{DATA}/", ""))


def test_json_of_a_question_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(GOLDEN["solve-json"]) == 0
    found = json.loads(capsys.readouterr().out)
    documented = {"for", "enough_from", "not_enough_below", "undecided", "deadline_s", "monotone", "certificate"}
    assert documented <= set(found)
    assert found["deadline_s"] == 0.2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", FARM, "-m", POOL, "--deadline", "8 kB"], "no unit of time 'kB'"),
        (["solve", FARM, "-m", POOL, "--deadline", "soon"], "no unit of time 'soon'"),
        (["solve", FARM, "-m", POOL, "--deadline", "0 s"], "must be above 0"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "--range", "3"], "a range has two ends"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "--range", "3..1"], "ends before it begins"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "-P", "3"], "P is what is asked for"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "--for", "m"], "no parameter 'm'"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "--budget", "1"], "no cost_per_hour for new, old"),
        (["compare", FARM, "-m", POOL], "nothing to compare"),
        (["compare", FARM, FARM, FARM, "-m", POOL], "more than two"),
        (["compare", FARM, ALONE, "-m", POOL, "--set", "z=1"], "no parameter 'z'"),
        (["compare", FARM, "-m", POOL, "--with", "z=1"], "no parameter 'z'"),
        (["compare", FARM, "-m", POOL, POOL, "-P", "9"], "9"),
        (
            ["compare", FARM, ALONE, "-m", POOL, "--vary", "n"],
            "--vary n: a name, an equals sign and a range are needed",
        ),
        (["compare", FARM, ALONE, "-m", POOL, "--vary", "n=3"], "--vary n=3: a range has two ends"),
        (["compare", FARM, ALONE, "-m", POOL, "--vary", "n=1..x"], "n = 'x': not a number"),
        (["compare", FARM, ALONE, "-m", POOL, "--vary", "n=1..2", "--set", "n=1"], "given a value and asked for"),
        (["compare", FARM, ALONE, "-m", POOL, "--plot", "a.txt"], "cannot draw a.txt"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "--plot", "a.bmp"], "cannot draw a.bmp"),
        (["solve", FARM, "-m", POOL, "--deadline", "1 s", "--for", "t_stepp"], "did you mean 't_step'"),
    ],
)
def test_a_wrong_call_is_explained(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90", 90),
        ("90 s", 90),
        ("2min", 120),
        ("1.5 h", 5400),
        ("1e3 ms", 1),
        ("1/3 min", 20),
        ("5 us", Fraction(1, 200_000)),
        ("1 d", 86_400),
    ],
)
def test_a_time_is_exact_seconds(text: str, value: int | Fraction) -> None:
    assert duration("--deadline", text) == value


def test_a_time_needs_a_number() -> None:
    with pytest.raises(apet.ApetError, match="not a number"):
        duration("--deadline", "s")


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", FARM, "-m", POOL, "--deadline", "200 ms"],
        ["solve", FARM, "-m", POOL, "--deadline", "200 ms", "--for", "n", "--range", "1..1e9"],
        ["compare", FARM, "-m", POOL, "--with", "n=2e6"],
        ["compare", FARM, ALONE, "-m", POOL, "-P", "2,4", "--vary", "n=1..1e9"],
    ],
)
def test_a_picture_can_be_reproduced(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pictures = [tmp_path / name for name in ("a.svg", "b.svg")]
    for picture in pictures:
        assert main([*arguments, "--plot", str(picture)]) == 0
    assert capsys.readouterr().out
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert b"<svg" in pictures[0].read_bytes()


def test_json_of_a_comparison_says_who_is_faster_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GOLDEN["compare-vary"], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [set(r) for r in found["regions"]] == [{"from", "to", "winner", "sure", "certain"}]
    varied = found["varied"]
    assert (varied["name"], varied["P"]) == ("n", 4)
    assert [r["winner"] for r in varied["regions"]] == ["A", "A", None, "B", "B"]
    assert (varied["regions"][0]["from"], varied["regions"][-1]["to"]) == (10**4, 10**9)
