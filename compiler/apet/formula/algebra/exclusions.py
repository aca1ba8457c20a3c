"""Conditions that cannot hold together: what one of them excludes is not required of any run."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from apet.formula.algebra.ranges import factored
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Compare, Mul, NodeId
from apet.formula.graph.places import apart, place_of


def comparisons(graph: Graph, node: NodeId) -> list[Compare]:
    """The comparisons that hold wherever a node is not 0."""
    match graph.nodes[node]:
        case Compare() as comparison:
            return [comparison]
        case Mul(factors):
            return [c for n, exponent in factors if exponent > 0 for c in comparisons(graph, n)]
        case Add(0, ((inner, _),)):
            return comparisons(graph, inner)
        case _:
            return []


def excluded(graph: Graph, guard: NodeId, node: NodeId) -> bool:
    """Whether guard * node is proved to be 0 by comparisons in them; a guard that is a sum is one of several ways."""
    ways = graph.nodes[guard]
    if isinstance(ways, Add) and not ways.constant and all(c > 0 for _, c in ways.terms):
        return all(excluded(graph, way, node) for way, _ in ways.terms)

    places = [place_of(graph, c) for n in (guard, node) for c in comparisons(graph, n)]
    known = [p for p in places if p is not None]
    return any(apart(a, b) for a, b in combinations(known, 2) if a.quantity == b.quantity)


def met_in_some_round(graph: Graph, index: NodeId, low: NodeId, high: NodeId, node: NodeId) -> NodeId | None:
    """1 where a comparison `[a i + b == 0]` holds in some round, times what it is multiplied by; None for others."""
    outside, inside = factored(graph, index, node)
    comparison = graph.nodes[inside]
    if not isinstance(comparison, Compare) or comparison.operator != "==":
        return None
    difference = graph.minus(comparison.right, comparison.left)
    slope = dict(graph.terms(difference)[1]).get(index)
    if slope is None:
        return None
    at = graph.minus(index, graph.scale(difference, Fraction(1) / slope))
    if index in graph.free[at]:
        return None

    rest = graph.zero if graph.integral[at] else graph.call("mod", [at, graph.one])
    within = (graph.compare("<=", low, at), graph.compare("<=", at, high), graph.compare("==", rest, graph.zero))
    return graph.times(outside, *within)
