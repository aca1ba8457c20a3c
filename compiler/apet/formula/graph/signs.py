"""Proofs that a node is never negative.

First by structure: sums and products of what is not negative. Then by elimination: a bound variable that occurs
linearly is replaced by the end of its range that makes the sum least, innermost first; likewise symbols with known
bounds. `n - i` with i in 1..n is proved so: i = n gives 0. Last, sums of products of shares are looked at where each
share is 0 or 1 (`corners`). What cannot be proved is taken as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from apet.formula.graph.bounds import at_least, lower_bound
from apet.formula.graph.corners import nonnegative_at_corners
from apet.formula.graph.nodes import (
    Add,
    Call,
    Extreme,
    Index,
    Interference,
    Item,
    Mul,
    NodeId,
    Peak,
    Rational,
    Reduce,
    Symbol,
)

if TYPE_CHECKING:
    from apet.formula.graph.graph import Graph

DEEPEST = 12
WIDEST = 8
OPEN = (Item, Peak, Interference, Reduce)
"""Kinds of nodes that nothing is known to be above of, but the same node or a maximum that contains it."""


def nonnegative(graph: Graph, node: NodeId) -> bool:
    """Whether node >= 0 is proved."""
    return _proved(graph, node, 0)


def plainly_at_most(graph: Graph, left: NodeId, right: NodeId) -> bool | None:
    """Whether left <= right, where it can be told from coefficients alone; None where a proof must be tried.

    Most comparisons of branches end here, without a node for the difference.
    """
    more, less_of = _open_sum(graph, right), _open_sum(graph, left)
    if more is not None and less_of is not None:  # nothing can make up for an atom that the left has more of
        for atom, coefficient in less_of.items():
            if coefficient > more.get(atom, 0):
                return False

    constant, terms = graph.terms(right)
    sums = dict(terms)
    less, terms = graph.terms(left)
    constant -= less
    for atom, coefficient in terms:
        sums[atom] = sums.get(atom, 0) - coefficient
    # right - left = constant + sums: without a falling term it is enough that each term has a lower bound of 0
    falling = [n for n, c in sums.items() if c < 0]
    if not falling:
        rising = [lower_bound(graph, n) for n, c in sums.items() if c]
        return True if constant >= 0 and all(low is not None and low >= 0 for low in rising) else None
    # t_op may be as large as it likes: `… - t_op >= 0` is false unless another atom can rise with it
    if any(type(graph.nodes[n]) in OPEN and not graph.free[n] for n in falling):
        helpers = (type(graph.nodes[n]) for n, c in sums.items() if c > 0)
        return None if any(kind in (Extreme, Index, Symbol, Call, Mul) for kind in helpers) else False
    return None


def plainly_incomparable(graph: Graph, nodes: Sequence[NodeId]) -> bool:
    """Whether it can be told at once that none of the nodes is at most another: each has an open atom of its own."""
    sums = [_open_sum(graph, n) for n in nodes]
    if None in sums:
        return False
    owners = Counter(chain.from_iterable(s for s in sums if s))
    return all(any(c > 0 and owners[atom] == 1 for atom, c in s.items()) for s in sums if s is not None)


def _open_sum(graph: Graph, node: NodeId) -> dict[NodeId, Rational] | None:
    """The coefficients of a sum of open atoms without bound variables; None of any other node."""
    if node not in graph.open_sums:
        coefficients = dict(graph.terms(node)[1])
        plain = all(type(graph.nodes[n]) in OPEN and not graph.free[n] for n in coefficients)
        graph.open_sums[node] = coefficients if plain else None
    return graph.open_sums[node]


def _proved(graph: Graph, node: NodeId, depth: int) -> bool:
    low = lower_bound(graph, node)
    if low is not None and low >= 0:
        return True
    form = graph.nodes[node]
    # Proofs of parts are kept by the graph: they are not tried again with every atom that is eliminated.
    if type(form) is Mul:
        return depth == 0 and all(graph.nonnegative(n) for n, _ in form.factors)
    if depth > DEEPEST or type(form) is not Add:
        return False
    if depth == 0 and form.constant >= 0 and all(c > 0 and graph.nonnegative(n) for n, c in form.terms):
        return True
    replaced = _eliminate(graph, node)
    if replaced is not None and _proved(graph, replaced, depth + 1):
        return True
    return depth == 0 and nonnegative_at_corners(graph, node)


def _eliminate(graph: Graph, node: NodeId) -> NodeId | None:
    """A sum that is at most this one, with one atom fewer; None if nothing can be replaced."""
    # Innermost variables first, which have the greatest numbers. For i - j with j in 1..i and i in 1..n, j = i leaves
    # 0, while i = 1 would leave 1 - j, of which nothing can be proved.
    total = graph.nodes[node]
    assert isinstance(total, Add)
    for atom, coefficient in reversed(total.terms):
        kind = graph.nodes[atom]
        if isinstance(kind, Index) and _linear(graph, total, atom):
            low, high = graph.ranges[atom]
            return graph.add([(node, 1), (atom, -coefficient), (low if coefficient > 0 else high, coefficient)])
    for atom, coefficient in total.terms:
        if coefficient < 0 and (replaced := _dominating(graph, atom, total)) is not None:
            return graph.add([(node, 1), (atom, -coefficient), (replaced, coefficient)])
    for atom, coefficient in total.terms:
        # max(a, b) - a is at least a - a: an operand that cancels something makes the sum shorter
        for operand in _dominated(graph, atom) if coefficient > 0 else ():
            smaller = graph.add([(node, 1), (atom, -coefficient), (operand, coefficient)])
            if type(graph.nodes[smaller]) is not Add or len(graph.nodes[smaller].terms) < len(total.terms):  # type: ignore[union-attr]
                return smaller

    return None


def _dominated(graph: Graph, atom: NodeId) -> Sequence[NodeId]:
    """What an atom is never below: `max(a, b) >= a`, `floor(x) >= x - 1`."""
    match graph.nodes[atom]:
        case Extreme("max", operands):
            return operands[:WIDEST]
        case Call("floor", (argument,)):
            return (graph.shift(argument, -1),)
        case _:
            return ()


def _linear(graph: Graph, total: Add, index: NodeId) -> bool:
    return not any(n != index and index in graph.free[n] for n, _ in total.terms)


def _dominating(graph: Graph, atom: NodeId, within: Add) -> NodeId | None:
    """Something simpler that an atom is never above: `floor(x) <= x`, `x % m <= m - 1` for whole x and m."""
    match graph.nodes[atom]:
        case Call("floor", (argument,)):
            return argument
        case Call("mod", (left, modulus)) if graph.integral[left] and graph.integral[modulus]:
            return graph.shift(modulus, -1) if at_least(graph, modulus, 0) else None
        case Extreme("min", operands):
            others = {n for n, _ in within.terms}
            return next((n for n in operands if n in others), operands[0])
        case _:
            return None
