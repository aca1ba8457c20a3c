"""A Java task is predicted without a run: what its source leaves open is assumed, and said to be."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from apet import api
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.java.assumed import MOST_ALONE, assumed_ranges, predict_assumed
from apet.java.task_values import host_values

TASK = """public class Task {
  static double total(double[] a, int n) {
    double t = 0;
    for (int i = 0; i < n; i++) if (a[i] > 0.5) t += Math.sqrt(a[i]);
    while (t > 1) t /= 3;
    return t;
  }
}
"""
SET = ("--set", "a_length=300", "--json")


def test_the_prediction_contains_that_of_every_value_in_the_ranges(tmp_path: Path) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    app, machines = api.load_model(path), api.load_machines("zen5-openjdk17")
    host = {name: value for name, value in host_values(machines).items() if name in app.parameters}
    predictor, values = api.predictor(app, machines), {"n": 300, "a_length": 300, **host}
    with pytest.raises(ApetError) as missing:
        predictor.predict(1, values)
    ranges = assumed_ranges(missing.value, app, {"n": 300, "a_length": 300})
    assert ranges == {"q_4": Interval(0, 1), "rounds_5": Interval(1, 300)}
    assert assumed_ranges(missing.value, app, values) == ranges, "sizes of caches are no sizes of the task"

    prediction, effects = predict_assumed(predictor, 1, values, ranges)
    chance = random.Random(1)
    for _ in range(20):
        drawn = {"q_4": chance.random(), "rounds_5": chance.randint(1, 300)}
        one = predictor.predict(1, {**values, **drawn}).estimate
        assert prediction.estimate.lo <= one.lo <= one.hi <= prediction.estimate.hi
    assert set(effects) == set(ranges)


@pytest.mark.parametrize("verb", ["predict", "explain"])
def test_what_is_assumed_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    assert main([verb, str(path), "--machines", "zen5-openjdk17", "-P", "1", "--set", "n=300", *SET]) == 0
    result = capsys.readouterr()
    assert "so assumed: q_4 from 0 to 1 · rounds_5 from 1 to 300" in result.err
    assert json.loads(result.out)


def test_what_rests_on_assumptions_is_not_called_guaranteed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    order = [
        "predict",
        str(path),
        "--machines",
        "zen5-openjdk17",
        "-P",
        "1",
        "--set",
        "n=300",
        "--set",
        "a_length=300",
        "--no-formulas",
    ]
    assert main(order) == 0
    text = capsys.readouterr().out
    assert "as assumed" in text
    assert "guaranteed" not in text
    assert main([*order, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["predictions"][0]["assumed"] == ["q_4", "rounds_5"]
    assert main([*order, "--set", "q_4=0.5", "--set", "rounds_5=10"]) == 0
    assert "guaranteed" in capsys.readouterr().out


def test_arguments_of_the_task_are_not_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    assert main(["predict", str(path), "--machines", "zen5-openjdk17", "-P", "1"]) == 2
    err = capsys.readouterr().err
    assert "parameter 'n' has no value" in err
    assert "'q_4'" not in err


def test_very_many_values_move_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = MOST_ALONE + 1
    tests = " ".join(f"if (a[{k}] > {k}) s += {k};" for k in range(many))
    (tmp_path / "Task.java").write_text(f"class Task {{ static int of(int[] a) {{ int s = 0; {tests} return s; }} }}")
    words = ["--machines", "zen5-openjdk17", "-P", "1", "--entry", "of", "--set", "a_length=99"]
    assert main(["predict", str(tmp_path / "Task.java"), *words]) == 0
    assert f"and {many - 5} more from 0 to 1" in capsys.readouterr().err
