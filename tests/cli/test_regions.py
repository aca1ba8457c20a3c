"""Laws of `regions` on the command line: golden texts, documented JSON, pictures, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from apet.cli.main import main

DATA = Path(__file__).resolve().parents[1] / "data" / "cli"
FARM, POOL = (str(DATA / name) for name in ("farm.pam", "pool.toml"))
REPAIR = "pamela/machine-repair.pam"

GOLDEN: dict[str, list[str]] = {
    "regions": ["regions", FARM, "-m", POOL, "--for", "n=1..1e6"],
    "regions-processors": ["regions", FARM, "-m", POOL, "--for", "P", "--set", "n=1e5", "--set", "tasks=40"],
    "regions-whole": ["regions", REPAIR, "-m", "two-nodes", "--for", "M=1:1e6", "--end", "tmin"],
    "regions-operation": ["regions", FARM, "-m", POOL, "--for", "t_step=0:1us", "--set", "tasks=4"],
    "regions-map": ["regions", REPAIR, "-m", "two-nodes", "--for", "M=1:100", "--for", "repair=0..20", "--depth", "5"],
    "regions-bound": ["regions", REPAIR, "-m", "two-nodes", "--for", "M=1:1e6", "--of", "lower"],
    "regions-json": ["regions", FARM, "-m", POOL, "--for", "n=1..1e6", "--json"],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_output_is_the_golden_text(
    name: str, assert_golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(GOLDEN[name]) == 0
    assert_golden(DATA / f"{name}.txt", capsys.readouterr().out.replace(f"{DATA}/", ""))


def test_json_of_a_map_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GOLDEN["regions-map"][:-1], "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"for", "cells", "boundaries", "shares", "undecided", "certain", "depth", "end", "terms"} <= set(found)
    assert [axis["name"] for axis in found["for"]] == ["M", "repair"]
    assert {"x", "y", "dominant", "certain"} == set(found["cells"][0])
    assert sum(found["shares"].values()) + found["undecided"] == pytest.approx(1)


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
@pytest.mark.parametrize("axes", [["n=1:1e6"], ["n=1:1e6", "P"]])
def test_a_picture_is_drawn(axes: list[str], ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"map.{ending}"
    words = [word for axis in axes for word in ("--for", axis)]
    depth = ["--depth", "3"] if len(axes) > 1 else []
    call = ["regions", FARM, "-m", POOL, *words, *depth, "--plot", str(path), "-o", str(tmp_path / "map.txt")]
    assert main(call) == 0
    first = path.read_bytes()
    assert first[:4] in (b"<?xm", b"\x89PNG", b"%PDF")
    assert main(call) == 0
    assert path.read_bytes() == first
    assert "T[disk]" in (tmp_path / "map.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--for", "m=1:2"], "has no 'm' that could vary"),
        (["--for", "n=9:2"], "ends before it begins"),
        (["--for", "n"], "in which range may it lie?"),
        (["--for", "n=1:2:3"], "a range has two ends"),
        (["--for", "n="], "a name and a range are needed"),
        (["--for", "n=1:x"], "not a number"),
        (["--for", "n=1:2", "--for", "n=1:3"], "n is named twice"),
        (["--for", "n=1:2", "--for", "tasks=1:3", "--for", "P"], "one or two parameters, not 3"),
        (["--for", "tasks=1.5:3"], "tasks is whole"),
        (["--for", "P=1:99"], "pool.toml has 1 to 4 processors"),
        (["--for", "P", "-P", "3"], "P is given a value and a range at once"),
        (["--for", "n=1:2", "--set", "n=1"], "n is given a value and a range at once"),
        (["--for", "n=1:2", "--set", "q=0.1..0.2"], "regions need one value"),
        (["--for", "q=0:2"], "outside its declared range"),
        (["--for", "n=1:2", "-P", "2,3"], "one number of processors is needed"),
        (["--for", "n=1:2", "--plot", "map.bmp"], "cannot draw map.bmp"),
        (["--for", "n=1:2", "-o", "missing/map.txt"], "no directory missing"),
        (["--for", "t_stop=1:2"], "did you mean 't_step'?"),
        (["--for", "latency_s=-1:2"], "must be 0 or more"),
    ],
)
def test_a_wrong_call_is_explained(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regions", FARM, "-m", POOL, *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert "hint:" in shown.err


def test_tasks_dealt_by_join_are_mapped_member_by_member(capsys: pytest.CaptureFixture[str]) -> None:
    """The term of the processors is below that of the whole in each member: no trail of ever smaller boxes."""
    call = ["regions", "pi", "-m", "join-2005", "--for", "n=1e3..1e9", "--json"]
    assert main(call) == 0
    static = json.loads(capsys.readouterr().out)
    assert main([*call, "--schedule", "join"]) == 0
    join = json.loads(capsys.readouterr().out)
    assert join["certain"]
    assert join["evaluations"] < 100
    assert [r["dominant"] for r in join["regions"]] == [r["dominant"] for r in static["regions"]]
