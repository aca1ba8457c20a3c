"""Formulas evaluated for many draws give in each draw what the plain evaluation gives there."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import Case, Features, cases

import apet
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.undefined import Undefined
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Number
from apet.prediction.binding import bind
from apet.questions.quantiles.draws import DrawPlan

DRAWS = 5


class One:
    """Draw number `k`: times that depend on the operation, its subscripts and arguments, and on k."""

    def __init__(self, values: Mapping[str, Any], shares: Mapping[Number, int], draw: int | None) -> None:
        self.values = values
        self.shares = shares
        self.draw = draw

    def symbol(self, name: str) -> Any:
        found = self.values[name]
        return found if self.draw is None or not isinstance(found, np.ndarray) else float(found[self.draw])

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Any, ...]) -> Any:
        if name == "cores":
            return 1 + int(subscripts[0]) % 2
        if name == "share":
            return self.shares[subscripts[0]]
        if not all(0 <= s <= 9 for s in subscripts):
            raise IndexError(f"there is no processor {subscripts}")
        start = sum(map(ord, name)) % 7 + float(sum(subscripts)) + float(sum(arguments)) / 8
        found = start * (1 + np.arange(DRAWS) % 3) + (np.arange(DRAWS) * int(start * 8)) % 5
        return found if self.draw is None else float(found[self.draw])

    def alike(self, member: tuple[Number, ...]) -> Hashable:
        return member


def shares(case: Case, values: Mapping[str, Any]) -> dict[Number, int]:
    dealt = case.table.shares(int(values.get("tasks", 0)))
    return {p + 1: tasks for p, tasks in enumerate(dealt)}


def drawn(
    app: apet.Application, roots: list[NodeId], values: Mapping[str, Any], dealt: Mapping[Number, int] | None = None
) -> Any:
    varied = {name for name, value in values.items() if isinstance(value, np.ndarray)}
    return DrawPlan(app.graph, roots, One(values, dealt or {}, None), varied).run(DRAWS)


def assert_draws_agree(
    app: apet.Application, roots: list[NodeId], values: Mapping[str, Any], dealt: Mapping[Number, int] | None = None
) -> None:
    together = drawn(app, roots, values, dealt)
    plan = Plan(app.graph, roots)
    for k in range(DRAWS):
        alone = plan.run(One(values, dealt or {}, k))
        assert together[:, k].tolist() == pytest.approx([float(v) for v in alone], rel=1e-12, abs=1e-12)


@settings(max_examples=60)
@given(cases(Features(branches=True)))
def test_every_draw_is_what_the_plain_evaluation_gives_for_it(case: Case) -> None:
    app = apet.compile_text(case.text, network=case.topology)
    values = bind(app, case.table.P, {}).points
    roots = [app.T_total.node, app.lower.node, app.upper.node, app.T0.node, app.serial.node]
    assert_draws_agree(app, roots, values, shares(case, values))


def test_one_member_of_two_subscripts_is_not_two_members_of_one() -> None:
    text = "param P;\nL = seq (i = 1, P) { send[1, 2](8 B); sum_double[1 + floor((i - 1) / 2)] };\n"
    app = apet.compile_text(text)
    assert_draws_agree(app, [app.T_total.node], bind(app, 4, {}).points)


@pytest.mark.parametrize(
    "expression",
    ["sqrt(x)", "log(x + 1)", "log2(x + 2)", "x ^ 2", "2 ^ x", "x ^ 0.5", "floor(x)", "ceil(x / 2)", "abs(3 - x)",
     "max(x, 2)", "min(x, 3) + 1", "x % 3", "7 % (x + 1)", "(x < 2) + (x <= 3) + (x == 4) + (x != 1)", "1 / (x + 1)",
     "sum(i = 1, 4, i * x)"],
)  # fmt: skip
def test_functions_of_a_drawn_parameter_are_taken_draw_by_draw(expression: str) -> None:
    app = apet.compile_text(f"param x; L = seq (i = 1, 3) delay(i * ({expression})) || delay(2 * x);")
    assert_draws_agree(app, [app.T_total.node, app.upper.node], {"x": np.array([0.0, 1.0, 2.5, 4.0, 7.25])})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("param x; L = delay(1 / (x - 1));", "division by zero"),
        ("param x; L = delay(5 % (x - 1));", "division by zero"),
        ("param x; L = delay(sqrt(x - 1));", "negative"),
        ("param x; L = delay(log(x));", "not positive"),
    ],
)
def test_a_draw_without_value_is_told(text: str, reason: str) -> None:
    app = apet.compile_text(text)
    with pytest.raises(EvaluationError, match=reason):
        drawn(app, [app.T_total.node], {"x": np.array([0.0, 1.0, 2.0, 3.0, 4.0])})


@pytest.mark.parametrize(
    "model",
    ["seq (i = 1, x) delay(1 / (1 + i ^ 2))", "use(r[x], 2) || use(r[3], 4)", "w[x] || v[2]",
     "if (x < 3) w[x + 7] else v[2]"],
)  # fmt: skip
def test_a_draw_may_say_how_often_where_and_whether(model: str) -> None:
    app = apet.compile_text(f"param x; L = {model};")
    assert_draws_agree(app, [app.T_total.node, app.upper.node], {"x": np.array([0.0, 1.0, 2.0, 5.0, 7.0])})


def test_what_is_the_same_in_every_draw_stays_an_exact_number() -> None:
    app = apet.compile_text("param n; L = seq (i = 1, n) delay(1);")
    assert set(drawn(app, [app.T_total.node], {"n": 10**15})[0]) == {10**15}


def test_as_much_of_what_is_undefined_as_is_taken_away_is_nothing() -> None:
    missing = Undefined(LookupError("no such member"))
    assert 3 * missing - missing * 2 + 4 - missing == 4
    assert isinstance(missing - missing.unlike(), Undefined)


@given(st.integers(0, 9))
def test_a_member_that_does_not_exist_matters_only_where_it_is_needed(n: int) -> None:
    app = apet.compile_text("param n; L = seq (i = 1, n) w[i + 100] || v[1];")
    if n:
        with pytest.raises(IndexError):
            drawn(app, [app.T0.node], {"n": n})
    else:
        assert drawn(app, [app.T0.node], {"n": n})[0] == pytest.approx(One({}, {}, None).item("t_v", (1,), ()))
