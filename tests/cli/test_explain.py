"""Laws of `apet explain`: documented JSON, pictures that can be reproduced, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apet.cli.main import main

DATA = Path(__file__).resolve().parents[1] / "data" / "cli"
FARM, POOL, ALONE = (str(DATA / name) for name in ("farm.pam", "pool.toml", "alone.pam"))


def test_json_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", FARM, "-m", POOL, "--set", "q=0.1..0.5", "--sobol", "16", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"dominant", "terms", "elasticities", "crossovers", "tornado", "onsets", "without_effect"} <= set(found)
    assert {"name", "share", "margin"} <= set(found["terms"][0])
    assert found["terms"][0]["name"] == found["dominant"]
    assert found["terms"][0]["share"] == 1
    assert {"t_step", "n", "tasks", "q", "latency_s", "bandwidth_B_per_s"} <= set(found["elasticities"])
    for c in found["crossovers"]:
        assert {"parameter", "kind", "relation", "at", "dominant", "now", "factor", "proved"} <= set(c)
    assert [t["name"] for t in found["tornado"]][:2] == ["t_step", "q"]
    assert all(t["low_s"] <= t["base_s"] <= t["high_s"] for t in found["tornado"])
    assert found["sobol"]["evaluations"] == 16 * (len(found["sobol"]["inputs"]) + 2)
    assert {i["name"] for i in found["sobol"]["inputs"]} == {t["name"] for t in found["tornado"]}


def test_the_same_seed_prints_the_same_indices(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for seed in ("1", "1", "2"):
        assert main(["explain", FARM, "-m", POOL, "--sobol", "8", "--seed", seed]) == 0
        shown.append(capsys.readouterr().out)
    assert "Sobol' indices" in shown[0]
    assert shown[0] == shown[1] != shown[2]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_can_be_reproduced(ending: str, tmp_path: Path) -> None:
    pictures = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for picture in pictures:
        assert main(["explain", FARM, "-m", POOL, "--plot", str(picture), "-o", str(tmp_path / "text")]) == 0
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    assert pictures[0].stat().st_size > 1000


def test_a_model_without_intervals_can_be_drawn(tmp_path: Path) -> None:
    lab, model = tmp_path / "lab.toml", tmp_path / "m.pam"
    lab.write_text('schema = 1\n[[machine]]\nname = "a"\ncount = 1\nop_s.w = [1.0, 1.0]\n')
    model.write_text("L = w[1];")
    assert main(["explain", str(model), "-m", str(lab), "--plot", str(tmp_path / "a.svg")]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sobol", "100"], "100 samples: it must be a power of 2"),
        (["--sobol", "x"], "--sobol x: not a whole number"),
        (["--sobol", "-4"], "--sobol -4: not a whole number"),
        (["--sobol", "1048576"], "more than 200,000"),
        (["--sobol", "8", "--seed", "1.5"], "--seed 1.5: not a whole number"),
        (["--plot", "a.gif"], "cannot draw a.gif"),
        (["--plot", "no/such/folder/a.svg"], "there is no directory"),
        (["-P", "1,2", "--plot", "a.svg"], "one number of processors"),
        (["-P", "99"], "99"),
        (["--set", "q=0.1.."], "the upper end of the range is missing"),
    ],
)
def test_a_wrong_call_is_explained(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", FARM, "-m", POOL, *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
