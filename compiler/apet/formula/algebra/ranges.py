"""Ranges of loops: how many rounds they have, and polynomial sums over them."""

from __future__ import annotations

from apet.formula.algebra.monomials import Parts, closed_terms
from apet.formula.algebra.polynomial import expand, in_powers, sum_of_powers
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Compare, Mul, NodeId, Rational

LONGEST_CLOSED = 12


def size(graph: Graph, low: NodeId, high: NodeId) -> NodeId:
    """The number of integers from low to high, never below 0."""
    return not_below_zero(graph, count_of(graph, low, high))


def count_of(graph: Graph, low: NodeId, high: NodeId) -> NodeId:
    """The number of integers from low to high; below 0 where high is below low - 1."""
    return graph.add([(high, 1), (low, -1)], 1)


def not_below_zero(graph: Graph, count: NodeId) -> NodeId:
    """The greater one of a count and 0."""
    return count if graph.nonnegative(count) else graph.maximum([graph.zero, count])


def occupied(graph: Graph, low: NodeId, high: NodeId) -> NodeId:
    """1 if the range holds an integer, else 0."""
    return graph.compare("<=", low, high)


def faulhaber(
    graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: list[tuple[NodeId, Rational]]
) -> Parts | None:
    """The sum in parts, right for high >= low - 1."""
    # First on whole numbers, which needs no node; what is too long or of too high a degree is summed as nodes.
    parts = closed_terms(graph, index, low, high, (0, body), LONGEST_CLOSED)
    if parts is not None:
        return parts
    coefficients = in_powers(graph, graph.add(body), index)
    if coefficients is None:
        return None
    return 0, [(_tidy(graph, sum_of_powers(graph, coefficients, low, high)), 1)]


def _tidy(graph: Graph, node: NodeId) -> NodeId:
    """Multiplied out, unless that makes it longer to read."""
    expanded = expand(graph, node)
    return expanded if len(graph.terms(expanded)[1]) <= LONGEST_CLOSED else node


def factored(graph: Graph, index: NodeId, body: NodeId) -> tuple[NodeId, NodeId]:
    """A body as a product of a part free of the index and the rest: 3 n t[i]^2 is 3 n times t[i]^2 for the index i."""
    form = graph.nodes[body]
    if isinstance(form, Add) and len(form.terms) == 1 and not form.constant:
        atom, coefficient = form.terms[0]
        outside, inside = factored(graph, index, atom)
        return graph.scale(outside, coefficient), inside
    if not isinstance(form, Mul):
        return graph.one, body
    moving = {n for n, _ in form.factors if index in graph.free[n]}
    if any(type(graph.nodes[n]) is Compare for n in moving):
        # [1 <= i]/n has a value for n = 0 where i is 0, and 1/n has none: a divisor stays beside its condition
        moving |= {n for n, e in form.factors if graph.facts.quotients.divides(graph.power(n, e))}
    outside = graph.times(*(graph.power(n, e) for n, e in form.factors if n not in moving))
    inside = graph.times(*(graph.power(n, e) for n, e in form.factors if n in moving))
    return outside, inside
