"""A load may bind the variable of a loop around it, on which other loads of the same family depend."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.gradient import Gradient
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Interference, Load, NodeId, Peak, Reduce
from apet.ground.interval import Interval, Number

TIMES = st.tuples(*[st.fractions(Fraction(1, 4), 4, max_denominator=8)] * 3)
Values = dict[str, Number]
KINDS = ("peak", "interference", "loop", "loop in a loop")


def nested(kind: str) -> tuple[Graph, NodeId]:
    """The sum over p of t[p] + t[p] * held, where one load of `held` binds p and one depends on the p around it; or
    where `held` is a loop that binds p, itself or with the p around it beside."""
    g = Graph()
    p, q = g.index("p", g.one, g.const(3)), g.index("q", g.one, g.const(3))
    time = g.item("t_a", [p])
    every = Load((Binder(p, g.one, g.const(3)),), (p,), time, g.zero, g.zero, True)
    mine = Load((), (g.const(2),), g.scale(time, 3), g.zero, g.zero, True)
    servers = g.item("cores", [q])
    if kind.startswith("loop"):
        held = g.intern(Reduce("max", p, g.one, g.const(3), time))
        if kind == "loop in a loop":
            held = g.intern(Reduce("sum", q, g.one, g.const(3), g.times(g.compare("==", q, p), held)))
    elif kind == "peak":
        held = g.intern(Peak((every, mine), (q,), servers))
    else:
        held = g.intern(Interference((mine,), (every, mine), (q,), servers))
    return g, g.intern(Reduce("sum", p, g.one, g.const(3), g.plus(time, g.times(time, held))))


def expected(kind: str, values: Values) -> Number:
    t, cores = ([values[f"{name}[{k}]"] for k in (1, 2, 3)] for name in ("t_a", "cores"))
    total: Number = 0
    for mine in t:
        if kind.startswith("loop"):
            total += mine + mine * max(t)
            continue
        loads = [t[0], t[1] + 3 * mine, t[2]]
        peak = max(Fraction(load) / c for load, c in zip(loads, cores, strict=True))
        total += mine + mine * (peak if kind == "peak" else Fraction(t[1]) / cores[1])
    return total


def table(times: tuple[Number, ...]) -> Values:
    return {f"t_a[{k}]": t for k, t in enumerate(times, 1)} | {"cores[1]": 1, "cores[2]": 4, "cores[3]": 2}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(TIMES)
def test_the_value_is_that_of_the_loops_written_out(kind: str, times: tuple[Number, ...]) -> None:
    graph, node = nested(kind)
    values = table(times)
    assert Plan(graph, [node]).run(MappingEnvironment(values)) == [expected(kind, values)]


class Around:
    """Every time within a tenth of its value."""

    def __init__(self, values: Values, width: Fraction) -> None:
        self.values, self.width = values, width

    def symbol(self, name: str) -> Interval:
        raise KeyError(name)

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        value = self.values[f"{name}[{subscripts[0]}]"]
        return Interval(value, value * (1 + self.width) if name == "t_a" else value)

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        raise LookupError(name)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(TIMES)
def test_the_enclosure_of_a_box_ends_at_its_least_and_greatest_value(kind: str, times: tuple[Number, ...]) -> None:
    graph, node = nested(kind)
    values = table(times)
    found = Enclosure(graph, [node]).run(Around(values, Fraction(0)))[0]
    assert found == Interval(expected(kind, values), expected(kind, values))
    wide = Enclosure(graph, [node]).run(Around(values, Fraction(1, 10)))[0]
    greatest = {n: v * Fraction(11, 10) if n.startswith("t_a") else v for n, v in values.items()}
    assert wide.lo <= expected(kind, values) <= expected(kind, greatest) <= wide.hi


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(TIMES)
def test_the_derivatives_are_central_differences(kind: str, times: tuple[Number, ...]) -> None:
    graph, node = nested(kind)
    values = table(times)
    found = Gradient(graph, node).derivatives(MappingEnvironment(values))
    assert found.value == expected(kind, values)
    for key, slope in found.items.items():
        if key.name == "t_a":
            steps = (Fraction(1, 99), Fraction(1, 999))
            near = [differences(partial(expected, kind), values, str(key), h) for h in steps]
            assume(near[0] == near[1])  # else a kink lies in between: all else is quadratic
            assert slope == near[0][0]


def differences(act: Callable[[Values], Number], values: Values, name: str, by: Fraction) -> tuple[Number, Number]:
    """The first and the second central difference."""
    beyond, before = (act(values | {name: values[name] + h}) for h in (by, -by))
    return (beyond - before) / (2 * by), (beyond - 2 * act(values) + before) / by**2
