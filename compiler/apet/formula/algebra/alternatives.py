"""A formula as the greatest of alternatives that contain no maximum themselves, where that is the same."""

from __future__ import annotations

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Extreme, Mul, NodeId

MOST = 512
"""More alternatives are not made: a sum of maxima has the product of their numbers."""


def alternatives(graph: Graph, node: NodeId) -> tuple[NodeId, ...]:
    """Nodes of which the node is the maximum: `n max(a, b) + c` gives `n a + c` and `n b + c` for n >= 0."""
    simple: list[NodeId] = []
    waiting = [node]
    while waiting:
        n = waiting.pop()
        parts = _split(graph, n)
        if parts is None or len(simple) + len(waiting) + len(parts) > MOST:
            simple.append(n)
        else:
            waiting += reversed(parts)
    return tuple(dict.fromkeys(simple))


def _split(graph: Graph, node: NodeId) -> list[NodeId] | None:
    """One maximum drawn to the top."""
    match graph.nodes[node]:
        case Extreme("max", operands):
            return list(operands)
        case Mul(factors):
            for factor, exponent in factors:
                inner = _split(graph, factor) if exponent == 1 else None
                if inner is not None:
                    rest = graph.over(node, factor)
                    return [graph.times(rest, part) for part in inner] if graph.nonnegative(rest) else None
            return None

        case Add(constant, terms):
            for term, coefficient in terms:
                branches = _split(graph, term) if coefficient > 0 else None
                if branches is not None:
                    others = [(n, c) for n, c in terms if n != term]
                    return [graph.add([*others, (part, coefficient)], constant) for part in branches]
            return None
        case _:
            return None
