"""Sums and extremes over ranges, against running over them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula.expressions import Environment, new_graph

from apet.formula import Formula, Graph
from apet.formula.algebra.polynomial import power_sum
from apet.formula.algebra.reduction import max_over, min_over, reduce_over, sum_over
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.nodes import NodeId, Reduce
from apet.ground.interval import Number

COEFFICIENTS = st.lists(st.fractions(-4, 4, max_denominator=6), min_size=1, max_size=6)
POSITIVE = st.lists(st.fractions(0, 4, max_denominator=6), min_size=1, max_size=4)


def polynomial(graph: Graph, coefficients: list[Fraction], node: NodeId) -> NodeId:
    return graph.plus(*(graph.scale(graph.power(node, k), c) for k, c in enumerate(coefficients)))


def value(coefficients: list[Fraction], x: int) -> Fraction:
    return sum((c * x**k for k, c in enumerate(coefficients)), Fraction(0))


def run(graph: Graph, node: NodeId, **values: Number) -> Number:
    return Plan(graph, [node]).run(Environment(values))[0]


def loops(graph: Graph, node: NodeId) -> int:
    """How many loops a formula still runs over."""
    return sum(isinstance(graph.nodes[n], Reduce) for n in Formula(graph, node).nodes())


@pytest.mark.parametrize("degree", range(12))
def test_power_sums_are_sums_of_powers(degree: int) -> None:
    for n in range(8):
        assert value([Fraction(c) for c in power_sum(degree)], n) == sum(k**degree for k in range(1, n + 1))


@given(COEFFICIENTS, st.integers(-3, 6), st.integers(0, 9))
def test_a_sum_of_a_polynomial_has_no_loop(coefficients: list[Fraction], low: int, high: int) -> None:
    graph = new_graph()
    n, first = graph.symbol("n"), graph.const(low)
    i = graph.index("i", first, n)
    node = sum_over(graph, i, first, n, polynomial(graph, coefficients, i))
    assert loops(graph, node) == 0
    assert run(graph, node, n=high) == sum(value(coefficients, k) for k in range(low, high + 1))


@given(COEFFICIENTS, st.integers(0, 7), st.integers(0, 7))
def test_bounds_may_depend_on_outer_loops(coefficients: list[Fraction], n: int, m: int) -> None:
    graph = new_graph()
    last, other = graph.symbol("n"), graph.symbol("m")
    i = graph.index("i", graph.one, last)
    j = graph.index("j", i, other)
    inner = sum_over(graph, j, i, other, graph.times(polynomial(graph, coefficients, j), i))
    node = sum_over(graph, i, graph.one, last, inner)
    expected = sum(i * value(coefficients, j) for i in range(1, n + 1) for j in range(i, m + 1))
    assert run(graph, node, n=n, m=m) == expected


def test_a_triangular_loop_is_a_polynomial() -> None:
    graph = new_graph()
    n = graph.symbol("n")
    i = graph.index("i", graph.one, n)
    j = graph.index("j", graph.one, i)
    node = sum_over(graph, i, graph.one, n, sum_over(graph, j, graph.one, i, graph.one))
    assert node == graph.add([(n, Fraction(1, 2)), (graph.power(n, 2), Fraction(1, 2))])


EXTREMES = pytest.mark.parametrize(("kind", "best"), [("max", max), ("min", min)])
Best = Callable[[list[Fraction]], Fraction]


@EXTREMES
@given(coefficients=POSITIVE, low=st.integers(0, 3), size=st.integers(0, 6))
def test_a_rising_polynomial_is_extreme_at_the_ends(
    kind: str, best: Best, coefficients: list[Fraction], low: int, size: int
) -> None:
    graph = new_graph()
    first, last = graph.const(low), graph.shift(graph.symbol("n"), low)
    i = graph.index("i", first, last)
    node = reduce_over(graph, kind, i, first, last, polynomial(graph, coefficients, i))
    assert loops(graph, node) == 0
    assert run(graph, node, n=size) == best([value(coefficients, k) for k in range(low, low + size + 1)])


@EXTREMES
@given(a=st.integers(0, 5), b=st.integers(-5, 5), n=st.integers(0, 9))
def test_extremes_of_parabolas_are_found_wherever_they_lie(kind: str, best: Best, a: int, b: int, n: int) -> None:
    graph = new_graph()
    last = graph.symbol("n")
    i = graph.index("i", graph.zero, last)
    up = graph.add([(graph.power(i, 2), a), (i, b)], 30)
    down = graph.add([(graph.times(i, graph.minus(last, i)), 1), (i, abs(b))], a)
    node = reduce_over(graph, kind, i, graph.zero, last, up)
    assert run(graph, node, n=n) == best([Fraction(a * k * k + b * k + 30) for k in range(n + 1)])
    node = reduce_over(graph, kind, i, graph.zero, last, down)
    assert run(graph, node, n=n) == best([Fraction(k * (n - k) + abs(b) * k + a) for k in range(n + 1)])


@EXTREMES
@settings(max_examples=60)
@given(low=st.integers(0, 2), high=st.integers(2, 5), factor=st.integers(0, 3), shift=st.integers(0, 3))
def test_quantities_stay_in_a_loop_over_what_changes(
    kind: str, best: Best, low: int, high: int, factor: int, shift: int
) -> None:
    graph = new_graph()
    first, last = graph.const(low), graph.shift(graph.symbol("n"), 2)
    i = graph.index("i", first, last)
    body = graph.add([(graph.times(graph.symbol("m"), graph.item("t_send", [i])), factor), (graph.symbol("m"), shift)])
    node = reduce_over(graph, kind, i, first, last, body)
    values = [Fraction(factor * 3 * ((2 * k) % 7) + shift * 3) for k in range(low, high + 1)]
    assert run(graph, node, n=high - 2, m=3) == best(values)
    assert loops(graph, node) == (1 if factor else 0)


def test_over_an_empty_range_sums_and_maxima_are_nothing() -> None:
    graph = new_graph()
    n = graph.symbol("n")
    first = graph.const(3)
    i = graph.index("i", first, n)
    for body in (i, graph.one, graph.item("t_send", [i]), graph.times(i, graph.symbol("m"))):
        for kind in ("sum", "max"):
            assert run(graph, reduce_over(graph, kind, i, first, n, body), n=0, m=2) == 0


def test_ten_to_the_fifteenth_iterations_take_no_time() -> None:
    graph = new_graph()
    n, m = graph.symbol("n"), graph.symbol("m")
    i = graph.index("i", graph.one, n)
    t = graph.item("t_x", [])
    total = sum_over(graph, i, graph.one, n, graph.times(i, t, m))
    top = max_over(graph, i, graph.one, n, graph.times(i, t))
    least = min_over(graph, i, graph.one, n, graph.times(i, t))
    assert loops(graph, graph.plus(total, top, least)) == 0
    count = 10**15
    assert Formula(graph, total).evaluate({"n": count, "m": 3, "t_x": 2}) == 3 * count * (count + 1)
    assert Formula(graph, top).evaluate({"n": count, "t_x": 2}) == 2 * count
    assert Formula(graph, least).evaluate({"n": count, "t_x": 2}) == 2


def test_a_constant_body_counts_the_range_and_never_below_nothing() -> None:
    graph = new_graph()
    n = graph.symbol("n")
    i = graph.index("i", graph.const(5), n)
    node = sum_over(graph, i, graph.const(5), n, graph.symbol("m"))
    assert run(graph, node, n=1, m=7) == 0
    assert run(graph, node, n=6, m=7) == 14


def test_what_a_sum_shares_is_looked_through_once_for_a_loop() -> None:
    graph = new_graph()
    n, x, shared = graph.symbol("n"), graph.symbol("x"), graph.symbol("y")
    for k in range(100):  # 2^100 ways lead down to x
        shared = graph.times(graph.shift(shared, k + 1), graph.plus(shared, x))
    i = graph.index("i", graph.one, n)
    total = sum_over(graph, i, graph.one, n, graph.times(graph.compare("<=", i, graph.const(3)), shared))
    assert not any(isinstance(graph.nodes[k], Reduce) for k in graph.below(total))
