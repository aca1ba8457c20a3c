"""Laws of the verbs: whole outputs as golden texts, documented JSON, pictures that can be reproduced."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.work import run_source

from apet.cli.main import main

DATA = Path(__file__).resolve().parents[1] / "data" / "cli"
FARM, POOL = str(DATA / "farm.pam"), str(DATA / "pool.toml")

GOLDEN: dict[str, list[str]] = {
    "compile-formula": ["compile", FARM],
    "compile-bus": ["compile", FARM, "--network", "bus", "--branches", "worst"],
    "compile-folded": ["compile", FARM, "--network", "switch", "--longest", "1"],
    "compile-model": ["compile", FARM, "--emit", "model"],
    "compile-latex": ["compile", str(DATA / "alone.pam"), "--emit", "latex"],
    "compile-mathml": ["compile", str(DATA / "alone.pam"), "--emit", "mathml"],
    "compile-sympy": ["compile", str(DATA / "alone.pam"), "--emit", "sympy"],
    "compile-python": ["compile", str(DATA / "alone.pam"), "--emit", "python"],
    "compile-json": ["compile", str(DATA / "alone.pam"), "--emit", "json"],
    "inspect": ["inspect", FARM],
    "inspect-machines": ["inspect", FARM, "--machines", POOL],
    "inspect-json": ["inspect", FARM, "--machines", POOL, "--json"],
    "translate-json": ["translate", str(DATA.parents[2] / "samples" / "java" / "Pi.java"), "--level", "flat", "--json"],
    "translate-graph-json": ["translate", str(DATA.parents[2] / "samples" / "pasl" / "pi.pasl"), "--json"],
    "predict": ["predict", FARM, "-m", POOL, "-P", "1:4:2x,3"],
    "predict-range": ["predict", FARM, "-m", POOL, "-P", "4", "--set", "q=0.1..0.5", "--branches", "average"],
    "predict-join": ["predict", FARM, "-m", POOL, "--schedule", "join", "--set", "tasks=7", "--branches", "best"],
    "predict-json": ["predict", FARM, "-m", POOL, "-P", "4", "--json"],
    "predict-csv": ["predict", FARM, "-m", POOL, "-P", "1,4", "--csv", "--set", "n=1e3"],
    "predict-exact": ["predict", str(DATA / "alone.pam"), "-m", POOL, "-P", "2"],
    "explain": ["explain", FARM, "-m", POOL, "-P", "4"],
    "explain-json": ["explain", FARM, "-m", POOL, "-P", "4", "--set", "n=10", "--json"],
    "simulate": ["simulate", FARM, "-m", POOL, "-P", "4", "--set", "n=100"],
    "simulate-json": ["simulate", FARM, "-m", POOL, "-P", "2", "--set", "n=10", "--json", "--branches", "worst"],
    "check-fine": ["check", FARM, "-m", POOL],
    "check-advice": ["check", str(DATA / "advice.pam")],
    "check-wrong": ["check", str(DATA / "wrong.pam")],
    "check-lacking": ["check", str(DATA / "advice.pam"), "-m", POOL],
    "check-json": ["check", str(DATA / "wrong.pam"), "--json"],
}
WRONG = ("check-wrong", "check-lacking", "check-json")


@pytest.mark.parametrize("name", GOLDEN)
def test_the_output_is_the_golden_text(
    name: str, assert_golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(GOLDEN[name]) == (2 if name in WRONG else 0)
    shown = capsys.readouterr()
    assert_golden(DATA / f"{name}.txt", shown.out.replace(f"{DATA}/", ""))


def test_json_of_compile_is_one_of_its_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", FARM, "--json"]) == main(["compile", FARM, "--emit", "json"]) == 0
    shown = capsys.readouterr().out
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]
    for verb, form in (("compile", "latex"), ("translate", "dot")):
        assert main([verb, FARM, "--emit", form, "--json"]) == 2
        assert "not allowed with" in capsys.readouterr().err


@pytest.mark.parametrize("model", ["servers", "pipeline", "tables", "task-graph", "triangular"])
def test_sympy_reads_what_is_emitted_for_it(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    import sympy

    assert main(["compile", model, "--emit", "sympy"]) == 0
    for line in capsys.readouterr().out.splitlines():
        name, _, written = line.partition(" = ")
        assert name.startswith(("T", "lower", "upper"))
        assert isinstance(sympy.sympify(written), sympy.Expr)


def test_a_formula_without_a_sympy_form_is_refused_with_the_part_that_has_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compile", "pi", "--emit", "sympy"]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert "T0 has no sympy form: sympy has no constructor for max_{1<=p<=P} (" in shown.err


def test_json_of_an_inspection_has_no_process_for_what_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "terminals", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["machines"] is None
    assert document["quantity"]
    assert {"name", "default", "low", "high", "whole"} == set(document["declared"][0])
    assert "equations" not in document


@pytest.mark.parametrize("verb", ["compile", "inspect"])
def test_advice_on_the_meaning_goes_to_standard_error(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, str(DATA / "advice.pam")]) == 0
    shown = capsys.readouterr()
    assert "mixed without braces" in shown.err
    assert "is taken inside" in shown.err
    assert "never used" not in shown.err
    assert "warning" not in shown.out


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))
    assert isinstance(found, dict)
    return found


def test_json_of_a_prediction_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "predict", FARM, "-m", POOL, "-P", "1:4", "--json", "--set", "n=10000000000")
    assert {"apet", "model", "machines", "unit", "formulas", "predictions"} <= set(found)
    assert (found["model"], found["machines"], found["unit"]) == ("farm.pam", "pool.toml", "s")
    assert set(found["formulas"]) == {"T0", "T"}
    assert [p["parameters"]["P"] for p in found["predictions"]] == [1, 2, 3, 4]
    for p in found["predictions"]:
        assert p["parameters"]["n"] == 10**10
        for key in ("estimate", "lower", "upper", "guaranteed"):
            assert set(p[key]) == {"tmin", "tmax"}
            assert all(isinstance(v, float) and math.isfinite(v) for v in p[key].values())
        assert p["guaranteed"]["tmin"] <= p["lower"]["tmin"] <= p["upper"]["tmax"] <= p["guaranteed"]["tmax"]
        assert isinstance(p["exact"], bool)
        assert set(p["dominant"]) == {"tmin", "tmax"}
        assert p["limits"][0]["name"] == p["dominant"]["tmax"]


def test_json_gives_an_interval_parameter_as_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "predict", FARM, "-m", POOL, "--json", "--set", "q=0.1..0.5")
    assert found["predictions"][0]["parameters"]["q"] == [0.1, 0.5]
    assert found["predictions"][0]["rules"]


def test_json_of_a_simulation_lies_between_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "simulate", FARM, "-m", POOL, "--set", "n=10", "--json", "--branches", "worst")
    for end in ("tmin", "tmax"):
        assert 0 < found["makespan_s"][end] <= found["bounds_s"]["upper"][end] * (1 + 1e-12)
    assert found["events"]["tmin"] > 0
    assert set(found["busy_s"]) == {"bus", "disk", *(f"cpu[{p}]" for p in range(1, 5))}


def test_csv_has_two_columns_for_a_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", FARM, "-m", POOL, "-P", "1:4", "--csv", "--set", "q=0.1..0.5"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.startswith("P,q_lo,q_hi,estimate_tmin_s,estimate_tmax_s,lower_tmin_s")
    assert [row.split(",")[:3] for row in rows] == [[str(p), "0.1", "0.5"] for p in range(1, 5)]


def test_an_error_at_one_configuration_prints_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", FARM, "-m", POOL, "-P", "1,2,3,9"]) == 2
    assert capsys.readouterr().out == ""


def test_a_shipped_sample_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compile", "samples/pamela/pi.pam", "-o", "pi.txt"]) == 0
    assert (tmp_path / "pi.txt").read_text(encoding="utf-8").startswith("pi.pam · entry: L")


def test_an_output_file_holds_what_would_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.json"
    target.write_text("old", encoding="utf-8")
    assert main(["predict", FARM, "-m", POOL, "--json", "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["predict", FARM, "-m", POOL, "--json"]) == 0
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")
    assert [p.name for p in tmp_path.iterdir()] == ["out.json"]


def test_a_failed_command_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("old", encoding="utf-8")
    assert main(["predict", FARM, "-m", POOL, "-P", "9", "-o", str(target)]) == 2
    assert target.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(("ending", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")])
def test_a_plot_is_reproducible_to_the_byte(ending: str, magic: bytes, tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        target = tmp_path / f"{name}.{ending}"
        assert main(["predict", FARM, "-m", POOL, "-P", "1:4", "--plot", str(target)]) == 0
        made.append(target.read_bytes())
    assert made[0].startswith(magic)
    assert made[0] == made[1]
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"one.{ending}", f"two.{ending}"]


def test_emitted_python_runs_and_agrees_with_the_prediction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(DATA / "alone.pam"), "--emit", "python"]) == 0
    module = run_source(capsys.readouterr().out, tmp_path)
    assert module["T"](lambda p: 2.0 * p) == module["T0"](lambda p: 2.0 * p) == 4.0
    assert {"T0", "T", "lower", "upper"} <= set(module)
