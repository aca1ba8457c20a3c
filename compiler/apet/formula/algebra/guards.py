"""What a loop divides by, and what of it is lost in a closed form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, Mul, NodeId, Rational, Reduce


def unless_cancelled(graph: Graph, body: NodeId, closed: NodeId, filled: NodeId) -> NodeId:
    """The closed form of a loop, 0 where a divisor of the body is 0 that has cancelled in it; `filled` is 0 where the
    range is empty.

    The n rounds of w/n make w, but nothing for n = 0. With i/n as the time of i inner rounds of 1/n, i = 0..n makes
    (n + 1)/2, but nothing for n = 0 either.
    """
    quotients = graph.facts.quotients
    if not quotients.divides(body):
        return closed
    return unless_lost(graph, quotients.divisors(body), quotients.direct(body), closed, filled)


def unless_lost(
    graph: Graph, bases: Mapping[NodeId, int], direct: Mapping[NodeId, int], closed: NodeId, filled: NodeId
) -> NodeId:
    """The closed form, 0 where one of the divisors is 0 that has cancelled in it."""
    quotients = graph.facts.quotients
    lost = [d for d in quotients.cancelled(bases, direct, closed) if graph.value(d) is None]
    if not lost or closed == graph.zero:
        return closed
    apart = [graph.compare("!=", d, graph.zero) for d in lost if not quotients.excludes_zero(filled, d)]
    return graph.times(closed, *apart, filled if len(apart) < len(lost) else graph.one)


def by_divisors(graph: Graph, terms: list[tuple[NodeId, Rational]]) -> Iterable[list[tuple[NodeId, Rational]]]:
    """The terms of a sum in groups, in each of which all are divided by the same that may be 0."""
    quotients = graph.facts.quotients
    groups: dict[frozenset[tuple[NodeId, int]], list[tuple[NodeId, Rational]]] = {}
    for term in terms:
        bases = quotients.divisors(term[0]).items() if quotients.divides(term[0]) else ()
        groups.setdefault(frozenset(bases), []).append(term)
    return groups.values()


def may_divide(graph: Graph, index: NodeId, body: NodeId) -> bool:
    """Whether something in the body is divided by what depends on the index."""
    for node in graph.depending(body, index):
        match graph.nodes[node]:
            case Mul(factors) if any(e < 0 and index in graph.free[n] for n, e in factors):
                return True
            case Call("mod" | "pow" | "log" | "log2"):
                return True
            case Reduce(_, inner_index, _, _, inside) if may_divide(graph, inner_index, inside):
                return True
    return False
