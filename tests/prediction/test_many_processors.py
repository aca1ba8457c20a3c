"""Laws of predictions for many machines: loops over processors as arrays say what single steps say."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.machine import parse_machines
from apet.prediction import Predictor, predictor
from apet.prediction.prediction import Prediction

FARM = "param P; param n = 1000; param tasks = 7777; L = par (p = 1, P) { use(p, seq (k = 1, share[p]) w[p]); };"
LAB = """
schema = 1
[[machine]]
name = "slow"
count = 400
op_s.w = [2e-3, 3e-3]
[[machine]]
name = "fast"
count = 200
factor = 0.9
op_s.w = [1e-3, 2e-3]
"""


def predicted(made: Predictor, many: int, n: int, tasks: int) -> Prediction | str:
    """The prediction with arrays from `many` processors on, or what is wrong."""
    with patch.object(predictor, "MANY", many):
        try:
            return made.predict(None, {"n": n, "tasks": tasks})
        except ApetError as error:
            return str(error)


@settings(max_examples=80)
@given(cases(Features(branches=True)), st.integers(0, 6), st.integers(0, 6))
def test_arrays_say_what_single_steps_say(case: Case, n: int, tasks: int) -> None:
    made = Predictor(apet.compile_text(case.text), parse_machines(Source("case.toml", case.table.toml())))
    by_steps, by_arrays = predicted(made, 10**9, n, tasks), predicted(made, 1, n, tasks)
    if isinstance(by_steps, str) or isinstance(by_arrays, str):
        assert by_arrays == by_steps
        return
    for name in ("estimate", "lower", "upper", "guaranteed"):
        assert [*getattr(by_arrays, name)] == pytest.approx([*getattr(by_steps, name)], rel=2.0**-45, abs=0)
    assert by_arrays.guaranteed.lo <= by_steps.guaranteed.lo
    assert by_steps.guaranteed.hi <= by_arrays.guaranteed.hi
    greatest = by_steps.limits[0].seconds
    known = {limit.name: limit.seconds for limit in by_steps.limits}
    first = by_arrays.limits[0]
    assert first.seconds == pytest.approx(greatest, rel=1e-12)
    assert known.get(first.name, greatest) >= greatest * (1 - 1e-12)


def test_the_busiest_of_many_is_named() -> None:
    made = Predictor(apet.compile_text(FARM), parse_machines(Source("lab.toml", LAB)))
    assert made.predict().dominant == predicted(made, 10**9, 1000, 7777).dominant  # type: ignore[union-attr]


def test_a_million_machines_are_no_million_steps() -> None:
    lab = LAB.replace("400", "600000").replace("200", "400000")
    made = Predictor(apet.compile_text(FARM), parse_machines(Source("lab.toml", lab)))
    with patch.object(Predictor, "_ends", side_effect=AssertionError("step by step")):
        found = made.predict(None, {"tasks": 3_000_000})
    assert found.parameters["P"] == 1_000_000
    assert found.guaranteed.lo <= found.estimate.lo
