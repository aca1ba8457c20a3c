from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.formula.algebra.monomials import closed_terms, sums_of_powers
from apet.formula.algebra.polynomial import in_powers, sum_of_powers
from apet.formula.algebra.reduction import substitute, sum_over
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Number


def closed_sum(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId, longest: int) -> NodeId | None:
    constant, terms = graph.terms(body)
    parts = closed_terms(graph, index, low, high, (constant, list(terms)), longest)
    return None if parts is None else graph.add(parts[1], parts[0])


def polynomial(r: Random, graph: Graph, depth: int, atoms: list[NodeId]) -> NodeId:
    if depth == 0:
        return r.choice(atoms)
    one, other = polynomial(r, graph, depth - 1, atoms), polynomial(r, graph, depth - 1, atoms)
    if r.random() < 0.5:
        return graph.add([(one, r.choice((1, -2, Fraction(1, 3)))), (other, 1)], r.randint(-1, 2))
    return graph.times(one, other)


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_a_closed_sum_is_the_sum_over_its_range(seed: int) -> None:
    r = Random(seed)
    graph = Graph()
    n, m, p = (graph.symbol(s) for s in "nmp")
    low = r.choice((graph.one, graph.zero, m, graph.shift(m, -1)))
    high = r.choice((graph.plus(m, n), graph.shift(graph.times(m, n), 3), graph.shift(m, 2)))
    i = graph.index("i", low, high)
    body = polynomial(r, graph, 3, [n, i, i, p, graph.over(graph.one, p), graph.const(2)])
    found = closed_sum(graph, i, low, high, body, 12)
    if found is None:
        return
    values = MappingEnvironment({"n": r.randint(1, 6), "m": r.randint(1, 5), "p": r.randint(1, 5)})
    start, end, total = Plan(graph, [low, high, found]).run(values)
    each = [substitute(graph, body, {i: graph.const(k)}) for k in range(int(start), int(end) + 1)]
    assert total == (sum(Plan(graph, each).run(values)) if each else 0)
    if i in graph.free[body]:
        powers = in_powers(graph, body, i)
        assert powers is not None
        assert Plan(graph, [sum_of_powers(graph, powers, low, high)]).run(values) == [total]


@pytest.mark.parametrize("degree", range(13))
def test_sums_of_powers_are_whole_over_their_denominator(degree: int) -> None:
    bottom, weights = sums_of_powers(degree)
    for n in range(6):
        assert Fraction(sum(w * n**k for k, w in enumerate(weights)), bottom) == sum(k**degree for k in range(1, n + 1))


def test_what_is_no_polynomial_has_no_closed_sum() -> None:
    graph = Graph()
    n = graph.symbol("n")
    i = graph.index("i", graph.one, n)
    for body in (graph.over(graph.one, i), graph.call("floor", [graph.over(i, graph.const(2))])):
        assert closed_sum(graph, i, graph.one, n, body, 12) is None


def test_a_sum_with_many_terms_keeps_its_powers_apart() -> None:
    graph = Graph()
    n, wide = graph.symbol("n"), graph.add([(graph.symbol(f"x{k}"), 1) for k in range(30)])
    i = graph.index("i", graph.one, n)
    body = graph.times(graph.power(graph.plus(i, wide), 4))
    found = sum_over(graph, i, graph.one, n, body)
    values = MappingEnvironment({f"x{k}": k for k in range(30)} | {"n": 7})
    assert Plan(graph, [found]).run(values) == [sum((k + 435) ** 4 for k in range(1, 8))]


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_nested_sums_of_one_graph_are_those_of_their_loops(seed: int) -> None:
    r = Random(seed)
    graph = Graph()
    graph.integers.update("nm")
    values: dict[str, Number] = {"n": r.randint(0, 4), "m": r.randint(0, 4), **{f"x{k}": k + 1 for k in range(12)}}
    for _ in range(6):  # what is known of the nodes is kept from one to the next, and forgotten when it is too much
        root, total = _nested(r, graph, values)
        assert Plan(graph, [root]).run(MappingEnvironment(values)) == [total]


def _nested(r: Random, graph: Graph, values: dict[str, Number]) -> tuple[NodeId, Number]:
    """A triple sum with ends that depend on the outer loops, ranges may be empty; and its value."""
    n, m, one = graph.symbol("n"), graph.symbol("m"), graph.one
    i = graph.index("i", one, n)
    j = graph.index("j", i, r.choice((n, m, graph.shift(i, 2))))
    k = graph.index("k", r.choice((one, i, j)), r.choice((n, m, j)))
    atoms = [i, j, k, k, n, graph.symbol(f"x{r.randrange(12)}")]
    body = polynomial(r, graph, 2, atoms)
    root = body
    for index in (k, j, i):
        root = sum_over(graph, index, *graph.ranges[index], root)
    return root, _by_loops(graph, (i, j, k), body, {}, MappingEnvironment(values))


def _by_loops(
    graph: Graph, loops: tuple[NodeId, ...], body: NodeId, at: dict[NodeId, NodeId], environment: MappingEnvironment
) -> Number:
    if not loops:
        return Plan(graph, [substitute(graph, body, at)]).run(environment)[0]
    ends = [substitute(graph, end, at) for end in graph.ranges[loops[0]]]
    low, high = Plan(graph, ends).run(environment)
    rest = loops[1:]
    inner = [{**at, loops[0]: graph.const(k)} for k in range(int(low), int(high) + 1)]
    return sum((_by_loops(graph, rest, body, each, environment) for each in inner), 0)
