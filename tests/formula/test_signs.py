"""Proofs of signs: what is claimed must be true."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula.expressions import Case, Environment, cases, new_graph

from apet.formula import Graph
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.nodes import NodeId


@settings(max_examples=300)
@given(cases())
def test_no_false_fact_is_claimed(case: Case) -> None:
    graph = case.graph
    closed = [n for n in range(len(graph)) if not graph.free[n]]
    values = dict(zip(closed, Plan(graph, closed).run(Environment(case.values)), strict=True))
    for node, value in values.items():
        assert not graph.nonnegative(node) or value >= 0
        low, high = graph.facts.ranges.lower(node), graph.facts.ranges.upper(node)
        assert low is None or value >= low
        assert high is None or value <= high


@settings(max_examples=200)
@given(cases(depth=3), cases(depth=3))
def test_at_most_is_never_claimed_falsely(case: Case, other: Case) -> None:
    graph = case.graph
    closed = [n for n in range(len(graph)) if not graph.free[n]][-12:]
    values = Plan(graph, closed).run(Environment(case.values))
    for left, x in zip(closed, values, strict=True):
        for right, y in zip(closed, values, strict=True):
            assert not graph.at_most(left, right) or x <= y


@given(st.integers(1, 6), st.integers(0, 6), st.integers(0, 6))
def test_facts_about_bound_variables_hold_in_their_range(n: int, a: int, b: int) -> None:
    graph = new_graph()
    last = graph.symbol("n")
    i = graph.index("i", graph.one, last)
    j = graph.index("j", i, last)
    node = graph.add([(last, a - 3), (i, b - 3), (j, a - b)], a - 2)
    if graph.nonnegative(node):
        for x in range(1, n + 1):
            for y in range(x, n + 1):
                assert (a - 3) * n + (b - 3) * x + (a - b) * y + a - 2 >= 0


def _facts(graph: Graph) -> dict[str, NodeId]:
    n, x = graph.symbol("n"), graph.symbol("x")
    i = graph.index("i", graph.one, n)
    j = graph.index("j", i, n)
    return {
        "n - i": graph.minus(n, i),
        "j - i": graph.minus(j, i),
        "n + i - j": graph.minus(graph.plus(n, i), j),
        "i - 1": graph.shift(i, -1),
        "P - 1": graph.shift(graph.symbol("P"), -1),
        "x - floor(x)": graph.minus(x, graph.call("floor", [x])),
        "max(n, x) - x": graph.minus(graph.maximum([n, x]), x),
        "1 - (x - floor(x))": graph.shift(graph.minus(graph.call("floor", [x]), x), 1),
        "n - min(n, x)": graph.minus(n, graph.minimum([n, x])),
        "P - 1 - n % P": graph.shift(graph.minus(graph.symbol("P"), graph.call("mod", [n, graph.symbol("P")])), -1),
        "n i": graph.times(n, i),
        "t / P": graph.over(graph.item("t_x"), graph.symbol("P")),
    }


@pytest.mark.parametrize("name", list(_facts(new_graph())))
def test_plain_facts_are_proved(name: str) -> None:
    graph = new_graph()
    assert graph.nonnegative(_facts(graph)[name])


def test_nothing_is_proved_of_what_may_be_negative() -> None:
    graph = new_graph()
    graph.assume("d", None)
    n, m = graph.symbol("n"), graph.symbol("m")
    for node in (graph.minus(n, m), graph.symbol("d"), graph.scale(n, -1), graph.minus(graph.item("t_x"), n)):
        assert not graph.nonnegative(node)


@given(st.integers(-6, 6), st.integers(-4, 4).filter(bool))
def test_the_bounds_of_a_modulus_hold_for_every_sign(x: int, m: int) -> None:
    graph = Graph()
    graph.assume("x", None)
    node = graph.call("mod", [graph.symbol("x"), graph.const(m)])
    low, high = graph.facts.ranges.lower(node), graph.facts.ranges.upper(node)
    assert low is None or x % m >= low
    assert high is None or x % m <= high


@given(st.fractions(-9, 9, max_denominator=4))
def test_assumed_bounds_are_used(x: Fraction) -> None:
    graph = Graph()
    graph.assume("x", Fraction(1, 2), 3)
    node = graph.symbol("x")
    assert graph.nonnegative(graph.shift(node, Fraction(-1, 2)))
    assert graph.nonnegative(graph.add([(node, -1)], 3))
    if graph.nonnegative(graph.shift(node, -x)):
        assert x <= Fraction(1, 2)


def _shares(graph: Graph) -> dict[str, NodeId]:
    for name in ("q", "r", "s"):
        graph.assume(name, 0, 1)
    q, r, s, n, c = map(graph.symbol, "qrsnc")
    both, least = graph.times(q, r), graph.minimum([r, graph.shift(graph.scale(r, -1), 1)])
    part = graph.over(c, graph.maximum([n, c]))
    return {
        "1 - q min(r, 1 - r)": graph.shift(graph.scale(graph.times(q, least), -1), 1),
        "1 - max(0, min(1, n / c - 1))": graph.shift(
            graph.scale(graph.maximum([graph.zero, graph.minimum([graph.one, graph.shift(graph.over(n, c), -1)])]), -1),
            1,
        ),
        "1 - 3 c / max(n, 3 c)": graph.shift(
            graph.scale(graph.over(graph.scale(c, 3), graph.maximum([n, graph.scale(c, 3)])), -1), 1
        ),
        "1 - n / (n + c + 2)": graph.shift(graph.scale(graph.over(n, graph.add([(n, 1), (c, 1)], 2)), -1), 1),
        "s - s c / max(n, c)": graph.minus(s, graph.times(s, part)),
        "q + r - q r": graph.add([(q, 1), (r, 1), (both, -1)]),
        "1 - q - r + q r": graph.add([(q, -1), (r, -1), (both, 1)], 1),
    }


@pytest.mark.parametrize("name", list(_shares(new_graph())))
def test_what_is_made_of_shares_is_proved_to_be_one(name: str) -> None:
    graph = new_graph()
    assert graph.nonnegative(_shares(graph)[name])


@given(st.dictionaries(st.sampled_from(["", "q", "r", "s", "qr", "qs", "rs", "qrs"]), st.integers(-3, 3)))
def test_sums_of_products_of_shares_are_proved_where_no_corner_is_negative(sums: dict[str, int]) -> None:
    graph = Graph()
    for name in "qrs":
        graph.assume(name, 0, 1)
    products = [(graph.times(graph.one, *map(graph.symbol, factors)), c) for factors, c in sums.items()]
    corners = [{"q": q, "r": r, "s": s} for q in (0, 1) for r in (0, 1) for s in (0, 1)]
    values = [sum(c for factors, c in sums.items() if all(corner[f] for f in factors)) for corner in corners]
    assert graph.nonnegative(graph.add(products)) == (min(values) >= 0)
