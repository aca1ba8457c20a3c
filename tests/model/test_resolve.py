"""Laws of resolved names: each means one thing, by its scope, for everyone who reads the model."""

from __future__ import annotations

import pytest

import apet
from apet.cost import Chance
from apet.cost.integers import whole_parameters
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.model.pamela import parse
from apet.model.resolve import resolve
from apet.model.resolved import Call, Hold, Message, Operation, ResolvedModel
from apet.model.terms import Delay, Sequence
from apet.model.walk import scoped


def resolved(text: str) -> ResolvedModel:
    return resolve(parse(Source("a.pam", text)))


def test_every_step_says_what_it_is() -> None:
    model = resolved("param x = 2; L = { e; a[1](x); send[0, 1](8); use(r, x); use(p, e); b[p] }; e = delay(1);")
    body = model.entry.body
    assert isinstance(body, Sequence)
    assert [type(step) for step in body.steps] == [Call, Operation, Message, Hold, Hold, Operation]
    holds = [step for step in body.steps if isinstance(step, Hold)]
    assert [hold.resource.family for hold in holds] == ["r", "cpu"]
    assert [type(hold.body) for hold in holds] == [Delay, Call]


def test_a_call_knows_its_equation_itself() -> None:
    model = resolved("L = { e; e }; e = delay(1);")
    calls = [step for step, _ in scoped(model.equations) if isinstance(step, Call)]
    assert all(call.equation is model.equations["e"] for call in calls)


def test_names_that_are_wrong_are_not_resolved() -> None:
    with pytest.raises(ApetError, match="unknown name 'q'"):
        resolved("L = delay(q);")


HIDING = {
    "L = { delay(x); e(3) }; e(x) = seq (i = 1, x) delay(1);": False,
    "L = { delay(x); e[1] }; e[x] = a[x];": False,
    "L = { delay(x); seq (x = 1, 3) a[1 + x % 2] };": False,
    "L = delay(x + sum(x = 1, 3, x % 2));": False,
    "L = graph { u: delay(x); v[x = 1, 3]: delay(x) after v[x - 1] };": False,
    "resource r[x] servers 1 + x % 2; L = { delay(x); use(r[3], 1) };": False,
    "L = { delay(x); e(3) }; e(y) = seq (i = 1, x) delay(1);": True,
}


@pytest.mark.parametrize("text", HIDING)
def test_what_hides_a_parameter_asks_nothing_of_it(text: str) -> None:
    assert ("x" in whole_parameters(resolved("param x;" + text))) == HIDING[text]


ENDS = {"y": True, "-y": True, "min(4, y)": False, "y * 1.2": False, "4 * y": False, "y + 1": False, "y / 2": False}


@pytest.mark.parametrize("end", ENDS)
def test_a_fraction_is_refused_only_where_it_stands_alone_at_the_end_of_a_loop(end: str) -> None:
    model = resolved(f"param y = 2.5; L = seq (i = -9, {end}) delay(1);")
    assert ("y" in whole_parameters(model)) == ENDS[end]


@pytest.mark.parametrize("declared", ["y = 2.5", "y = 2 in [0.5, 3]", "y in [0, 3.5]"])
def test_a_declared_fraction_says_that_sums_need_not_be_whole(declared: str) -> None:
    assert whole_parameters(resolved(f"param {declared}; L = seq (i = 1, y + 1) delay(1);")) == frozenset()


def test_a_fraction_for_a_sum_at_an_end_is_refused_with_what_to_declare() -> None:
    app = apet.compile_text("param y = 2; L = seq (i = 1, y + 1) delay(1);")
    with pytest.raises(ApetError, match=r"or declare it with a fraction: param y = 2\.5;"):
        apet.predict(app, y=2.5)


def test_a_factor_beside_a_fraction_need_not_be_whole() -> None:
    assert whole_parameters(resolved("param q = 0.5; param n; L = seq (i = 1, n * q) delay(1);")) == frozenset()


SIDES = "use(a, {{ delay(1); use(b, 1) }}) else use(b, {{ delay(1); use(a, 1) }});"


@pytest.mark.parametrize("condition", ["i == 1", "i % 2", "2 - i", "(i == 1) + 0", "min(1, 2 - i)"])
def test_whatever_is_whole_is_a_condition_and_no_chance(condition: str) -> None:
    app = apet.compile_text(f"L = par (i = 1, 2) if ({condition}) {SIDES.format()}")
    assert app.chance == Chance.NONE
    with pytest.raises(ApetError, match="deadlock"):
        apet.predict(app)


def test_a_share_may_be_left_to_chance() -> None:
    assert apet.compile_text("L = par (i = 1, 2) if (i / 2) delay(1);").chance == Chance.AT_ONCE
