"""Ranges of loops split where a condition on the index begins or ends to hold: `[i <= c]`, `[i == c]`, `[i != c]`.

In each piece the condition is 1 or 0, so that a sum or maximum without closed form may have one.
"""

from __future__ import annotations

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Compare, Mul, NodeId
from apet.ground.records import NamedTuple

MOST_CONDITIONS = 3
"""Conditions in one body: each makes up to three pieces of a range."""


class LoopPiece(NamedTuple):
    """Part of a range, and what the condition is in it."""

    low: NodeId
    high: NodeId
    value: NodeId


def condition_on(graph: Graph, index: NodeId, body: NodeId) -> NodeId | None:
    """A comparison in a sum of products that can be solved for the index; None where there are too many to try."""
    conditions, stack = list[NodeId](), [body]
    while stack:
        node = stack.pop()
        if index not in graph.free[node]:
            continue
        match graph.nodes[node]:
            case Add(_, terms):
                stack += [n for n, _ in terms]
            case Mul(factors):
                stack += [n for n, _ in factors]
            case Compare(_, left, right) if _border(graph, index, graph.minus(right, left)) is not None:
                conditions.append(node)

    return conditions[0] if 0 < len(set(conditions)) <= MOST_CONDITIONS else None


def pieces(graph: Graph, index: NodeId, low: NodeId, high: NodeId, condition: NodeId) -> list[LoopPiece]:
    """The range in pieces, in order; some may be empty."""
    compare = graph.nodes[condition]
    assert isinstance(compare, Compare)
    border = _border(graph, index, graph.minus(compare.right, compare.left))
    assert border is not None
    sign, at = border
    one, zero = graph.one, graph.zero
    if compare.operator in ("==", "!="):
        there, elsewhere = (one, zero) if compare.operator == "==" else (zero, one)
        before, after = graph.minimum([high, graph.shift(at, -1)]), graph.maximum([low, graph.shift(at, 1)])
        inside = graph.maximum([low, at]), graph.minimum([high, at])
        return [
            LoopPiece(low, before, elsewhere),
            LoopPiece(*inside, there),
            LoopPiece(after, high, elsewhere),
        ]

    strict = compare.operator == "<"
    if sign < 0:  # i <= at, or i < at
        last = graph.shift(at, -1) if strict else at
        first_part, second = one, zero
    else:  # at <= i, or at < i
        last = at if strict else graph.shift(at, -1)
        first_part, second = zero, one
    upper = graph.maximum([low, graph.shift(last, 1)])
    return [LoopPiece(low, graph.minimum([high, last]), first_part), LoopPiece(upper, high, second)]


def _border(graph: Graph, index: NodeId, difference: NodeId) -> tuple[int, NodeId] | None:
    """The sign of the index in a difference, and where that is 0, if it is a whole number."""
    sign = dict(graph.terms(difference)[1]).get(index)
    if sign not in (1, -1):
        return None
    at = graph.minus(graph.scale(difference, -sign), graph.scale(index, -1))
    if index in graph.free[at] or not graph.integral[at]:
        return None
    return int(sign), at
