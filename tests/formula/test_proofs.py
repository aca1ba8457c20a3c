"""What must be proved of a formula: claims that are never false may still be too few, and then bounds are wide."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from apet.formula.algebra.reduction import max_over, min_over
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.extremes.enclosing import NamedIntervals
from apet.formula.extremes.monotone import Steepness
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Reduce
from apet.ground.interval import Interval

Expression = Callable[[Graph], NodeId]


def new_graph() -> Graph:
    """Shares q and s, a number n of at least 1, a number x that may be negative."""
    graph = Graph()
    for share in "qs":
        graph.assume(share, 0, 1)
    graph.assume("n", 1)
    graph.assume("x", None)
    return graph


NOT_NEGATIVE: dict[str, Expression] = {
    "q^s": lambda g: g.call("pow", [g.symbol("q"), g.symbol("s")]),
    "n mod (n + 1)": lambda g: g.call("mod", [g.symbol("n"), g.shift(g.symbol("n"), 1)]),
    "x mod n": lambda g: g.call("mod", [g.symbol("x"), g.symbol("n")]),
    "log n": lambda g: g.call("log", [g.symbol("n")]),
    "log2 (n + q)": lambda g: g.call("log2", [g.plus(g.symbol("n"), g.symbol("q"))]),
    "floor (n q)": lambda g: g.call("floor", [g.times(g.symbol("n"), g.symbol("q"))]),
    "|x|": lambda g: g.call("abs", [g.symbol("x")]),
    "1 - q s": lambda g: g.minus(g.one, g.times(g.symbol("q"), g.symbol("s"))),
    "max(x, q)": lambda g: g.maximum([g.symbol("x"), g.symbol("q")]),
}
OF_ANY_SIGN: dict[str, Expression] = {
    "x": lambda g: g.symbol("x"),
    "log q": lambda g: g.call("log", [g.symbol("q")]),
    "n mod x": lambda g: g.call("mod", [g.symbol("n"), g.symbol("x")]),
    "q - s": lambda g: g.minus(g.symbol("q"), g.symbol("s")),
    "min(x, q)": lambda g: g.minimum([g.symbol("x"), g.symbol("q")]),
    "n - 2": lambda g: g.shift(g.symbol("n"), -2),
}


@pytest.mark.parametrize("name", [*NOT_NEGATIVE, *OF_ANY_SIGN])
def test_a_sign_is_proved_where_there_is_one(name: str) -> None:
    graph = new_graph()
    node = (NOT_NEGATIVE | OF_ANY_SIGN)[name](graph)
    assert graph.nonnegative(node) == (name in NOT_NEGATIVE)


def test_names_that_are_known_to_differ_do() -> None:
    graph = new_graph()
    a, b, c = (graph.symbol(name) for name in "abc")
    graph.distinct |= {"a", "b"}
    assert graph.compare("==", a, b) == graph.zero
    assert graph.compare("!=", a, b) == graph.one
    assert graph.value(graph.compare("==", a, c)) is None
    assert graph.value(graph.compare("==", graph.scale(a, 2), b)) is None


@pytest.mark.parametrize(
    ("reduce", "body", "at"),
    [
        (max_over, lambda g, i: g.maximum([i, g.symbol("x")]), "n"),
        (min_over, lambda g, i: g.maximum([i, g.symbol("q")]), "1"),
        (max_over, lambda g, i: g.call("sqrt", [g.plus(i, g.symbol("q"))]), "n"),
        (min_over, lambda g, i: g.over(g.symbol("q"), i), "n"),
        (max_over, lambda g, i: g.over(g.symbol("q"), i), "1"),
        (max_over, lambda g, i: g.call("pow", [g.symbol("q"), i]), "1"),
    ],
)
def test_an_extreme_of_what_rises_or_falls_is_at_an_end(
    reduce: Callable[..., NodeId], body: Callable[[Graph, NodeId], NodeId], at: str
) -> None:
    graph = new_graph()
    n = graph.symbol("n")
    index = graph.index("i", graph.one, n)
    assert reduce(graph, index, graph.one, n, body(graph, index)) == body(graph, n if at == "n" else graph.one)


@pytest.mark.parametrize(
    ("kind", "rounds", "expected"),
    [
        ("max", Interval(0, 3), Interval(0, 5)),
        ("max", Interval(1, 3), Interval(2, 5)),
        ("max", Interval(0, 0), Interval(0, 0)),
        ("sum", Interval(0, 3), Interval(0, 15)),
        ("sum", Interval(2, 3), Interval(4, 15)),
        ("min", Interval(1, 3), Interval(2, 5)),
    ],
)
def test_a_loop_that_may_be_empty_has_its_range(kind: str, rounds: Interval, expected: Interval) -> None:
    graph = Graph()
    n, x = graph.symbol("n"), graph.symbol("x")
    node = graph.intern(Reduce(kind, graph.index("i", graph.one, n), graph.one, n, x))
    box = {"n": rounds, "x": Interval(2, 5)}
    assert Steepness(graph, node).values(box)[node] == expected


@pytest.mark.parametrize("sign", [1, -1])
def test_a_root_beside_what_it_nearly_is_is_enclosed_narrowly(sign: int) -> None:
    graph = Graph()
    x = graph.symbol("x")
    root = graph.call("sqrt", [graph.shift(graph.power(x, 2), 1)])
    node = graph.add([(root, sign), (x, -sign)])
    (ends,) = Enclosure(graph, [node]).run(NamedIntervals({"x": Interval(10**6, 10**6 + 1)}))
    # sqrt(x^2 + 1) - x is 1/(sqrt(x^2 + 1) + x), about 1/(2 x)
    assert ends.lo <= sign * Fraction(1, 2 * 10**6 + 1) <= ends.hi
    assert ends.hi - ends.lo < Fraction(1, 10**9)
