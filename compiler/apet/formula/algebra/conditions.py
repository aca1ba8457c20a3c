"""Ranges of loops split where a condition on the index begins or ends to hold, `[i <= c]`, `[i == c]`, `[i != c]`, or
where `max(i, c)` or `min(i, c)` goes over from one operand to the other.

In each piece the condition is 1 or 0, or the extreme is one operand, so that a sum or maximum without closed form may
have one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, Compare, Extreme, Mul, NodeId

MOST_CONDITIONS = 3
"""Conditions in one body: each makes up to three pieces of a range; and extremes that are split."""


class LoopPiece(NamedTuple):
    """Part of a range, and what the condition or extreme is in it."""

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


def bend_on(graph: Graph, index: NodeId, body: NodeId) -> NodeId | None:
    """An extreme of two, in a sum of products and powers, whose operands change places once within a range; None where
    there are too many to try."""
    bends, stack, seen = list[NodeId](), [body], set[NodeId]()
    while stack:
        node = stack.pop()
        if node in seen or index not in graph.free[node]:
            continue
        seen.add(node)
        match graph.nodes[node]:
            case Add(_, terms):
                stack += [n for n, _ in terms]
            case Mul(factors):
                stack += [n for n, _ in factors]
            case Compare(_, left, right):
                stack += [left, right]
            case Call("pow", operands):
                stack += operands
            case Extreme(_, (first, second)) if _turn(graph, index, graph.minus(second, first)) is not None:
                bends.append(node)
            case Extreme(_, operands):
                stack += operands

    return bends[0] if 0 < len(bends) <= MOST_CONDITIONS else None


def halves(graph: Graph, index: NodeId, low: NodeId, high: NodeId, bend: NodeId) -> list[LoopPiece]:
    """The range in two pieces, in each of which an extreme of two is one of them; one may be empty."""
    extreme = graph.nodes[bend]
    assert isinstance(extreme, Extreme)
    first, second = extreme.operands
    turn = _turn(graph, index, graph.minus(second, first))
    assert turn is not None
    sign, last = turn
    # up to `last`, a difference that falls is not negative: the second is the greater one there
    second_first = (sign < 0) == (extreme.kind == "max")
    return _cut(graph, low, high, last, (second, first) if second_first else (first, second))


def _turn(graph: Graph, index: NodeId, difference: NodeId) -> tuple[int, NodeId] | None:
    """The sign with which a difference moves with the index, and the last index before it changes its own."""
    slope = dict(graph.terms(difference)[1]).get(index)
    if slope is None:
        return None
    zero = graph.minus(index, graph.scale(difference, Fraction(1) / slope))
    return None if index in graph.free[zero] else (1 if slope > 0 else -1, graph.call("floor", [zero]))


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
    return _cut(graph, low, high, last, (first_part, second))


def _cut(graph: Graph, low: NodeId, high: NodeId, last: NodeId, values: tuple[NodeId, NodeId]) -> list[LoopPiece]:
    """The pieces up to a value of the index, and after it."""
    upper = graph.maximum([low, graph.shift(last, 1)])
    return [LoopPiece(low, graph.minimum([high, last]), values[0]), LoopPiece(upper, high, values[1])]


def _border(graph: Graph, index: NodeId, difference: NodeId) -> tuple[int, NodeId] | None:
    """The sign of the index in a difference, and where that is 0, if it is a whole number."""
    sign = dict(graph.terms(difference)[1]).get(index)
    if sign not in (1, -1):
        return None
    at = graph.minus(graph.scale(difference, -sign), graph.scale(index, -1))
    if index in graph.free[at] or not graph.integral[at]:
        return None
    return int(sign), at
