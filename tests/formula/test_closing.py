"""Sums of powers in closed form have the values that their rounds add up to."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from apet.formula.algebra.closing import with_closed_loops
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import reachable
from apet.formula.graph.nodes import NodeId, Reduce

Body = Callable[[Graph, NodeId, NodeId], NodeId]


def chance(graph: Graph, exponent: NodeId) -> NodeId:
    """The probability to be still in a loop that each round leaves with probability q."""
    return graph.call("pow", [graph.minus(graph.one, graph.symbol("q")), exponent])


def summed(graph: Graph, last: NodeId, body: Callable[[NodeId], NodeId]) -> NodeId:
    """The sum of a body over 1..last."""
    index = graph.index("i", graph.one, last)
    return graph.intern(Reduce("sum", index, graph.one, last, body(index)))


BODIES: dict[str, Body] = {
    "(1-q)^(i-1)": lambda g, i, n: chance(g, g.shift(i, -1)),
    "(1-q)^(n-i)": lambda g, i, n: chance(g, g.minus(n, i)),
    "i (1-q)^i": lambda g, i, n: g.times(i, chance(g, i)),
    "(n-i)^2 (1-q)^(n-i)": lambda g, i, n: g.times(g.power(g.minus(n, i), 2), chance(g, g.minus(n, i))),
    "(i^3 - n) (1-q)^(n-i)": lambda g, i, n: g.times(g.minus(g.power(i, 3), n), chance(g, g.minus(n, i))),
    "(1-q)^(2 i + 1)": lambda g, i, n: chance(g, g.add([(i, 2)], 1)),
    "i (1-q)^i (q/2)^(n-i)": lambda g, i, n: g.times(
        i, chance(g, i), g.call("pow", [g.scale(g.symbol("q"), Fraction(1, 2)), g.minus(n, i)])
    ),
    "(1-q)^i (1-q)^(n-i)": lambda g, i, n: g.times(chance(g, i), chance(g, g.minus(n, i))),
    "3 (1-q)^i + i + n": lambda g, i, n: g.add([(chance(g, i), 3), (i, 1), (n, 1)]),
    "a sum of (1-q)^(j-1)": lambda g, i, n: summed(g, i, lambda j: chance(g, g.shift(j, -1))),
    "[(1-q)^(i-1) == 1]": lambda g, i, n: g.compare("==", chance(g, g.shift(i, -1)), g.one),
    "[(1-q)^(i-1) != 0]": lambda g, i, n: g.compare("!=", chance(g, g.shift(i, -1)), g.zero),
    "[(1-q)^i != 1]": lambda g, i, n: g.compare("!=", chance(g, i), g.one),
    "[(1-q)^i == 0]": lambda g, i, n: g.compare("==", chance(g, i), g.zero),
}


def sums(body: Body) -> tuple[Graph, NodeId, NodeId]:
    """A graph, the sum of a body over 1..n round by round, and what a plan evaluates in its place."""
    graph = Graph()
    graph.assume("q", 0, 1)
    graph.assume("n", 0)
    n = graph.symbol("n")
    whole = summed(graph, n, lambda i: body(graph, i, n))
    return graph, whole, with_closed_loops(graph, [whole])[0]


@pytest.mark.parametrize("q", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(9, 10)], ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_a_closed_sum_is_what_its_rounds_add_up_to(name: str, q: Fraction) -> None:
    graph, whole, closed = sums(BODIES[name])
    plan = Plan(graph, [whole, closed], exact=True)
    for n in (0, 1, 2, 7):
        by_rounds, at_once = plan.run(MappingEnvironment({"q": q, "n": n}))
        assert at_once == by_rounds


@pytest.mark.parametrize("name", BODIES)
def test_no_loop_is_left(name: str) -> None:
    graph, _, closed = sums(BODIES[name])
    assert not any(isinstance(graph.nodes[n], Reduce) for n in reachable(graph, [closed]))


def test_a_long_sum_lies_within_narrow_ends() -> None:
    graph, _, closed = sums(BODIES["a sum of (1-q)^(j-1)"])
    environment = MappingEnvironment({"q": Fraction(1, 7), "n": 10**15})
    (ends,) = Plan(graph, [closed], exact=True).enclosed(environment)
    # n / q less the sum of (1 - q)^i / q, which is 42 but for what no digit shows
    assert ends.lo <= 7 * 10**15 - 42 <= ends.hi
    assert ends.hi - ends.lo < Fraction(1, 10**6)


def test_a_power_of_what_may_be_negative_stays() -> None:
    graph = Graph()
    n, x = graph.symbol("n"), graph.shift(graph.symbol("x"), -2)
    node = graph.compare("==", graph.call("pow", [x, n]), graph.one)
    assert with_closed_loops(graph, [node]) == [node]
