"""What the two sides of an `if` make together: as a mode of branches weighs them, at the least, and at the most.

A probability that is 0 or 1 is no chance: its side is taken in every reading, and the other one is never looked at.
Where only evaluation tells, formulas say so by `[q == 0]` and `[q == 1]`. Whole probabilities, as those of comparisons
are, cannot be anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Compare, Mul, NodeId
from apet.ground.records import NamedTuple

Join = Callable[[NodeId, NodeId], NodeId]


class SidesOfBranch(NamedTuple):
    """`never` is 1 where the first side is surely not taken, `surely` where it surely is, else 0; `decided` if one of
    the two always is 1.

    The functions join what is not negative of each of the sides: as weighed, the least, the most.
    """

    decided: bool
    never: NodeId
    surely: NodeId
    weighed: Join
    least: Join
    most: Join


def decided_sides(graph: Graph, q: NodeId) -> SidesOfBranch:
    """The sides of an `if (q)` where q is 0 or 1: one reading for all."""
    if not _is_condition(graph, q):
        q = graph.compare("!=", q, graph.zero)  # (i % 2) / (i % 2) would be 1, also where i % 2 is 0
    rest = graph.add([(q, -1)], 1)

    @cache
    def taken(one: NodeId, other: NodeId) -> NodeId:
        if one == other:
            return one
        return graph.plus(
            graph.times(q, one), graph.times(negation(graph, q) if _divides(graph, other) else rest, other)
        )

    return SidesOfBranch(True, negation(graph, q), q, taken, taken, taken)


def sides_by_chance(graph: Graph, q: NodeId | None, mode: str) -> SidesOfBranch:
    """The sides of an `if (q)` where q may lie between 0 and 1; None where no reading of branches asks for it."""
    never, surely = (graph.zero, graph.zero) if q is None else _ends(graph, q)
    possible, avoidable = (negation(graph, end) for end in (never, surely))

    @cache
    def least(one: NodeId, other: NodeId) -> NodeId:
        if one == other or never == surely:
            return graph.minimum([one, other])
        if graph.zero in (one, other):
            return graph.times(surely, one) if other == graph.zero else graph.times(never, other)
        return graph.minimum(
            [graph.maximum([one, graph.times(never, other)]), graph.maximum([other, graph.times(surely, one)])]
        )

    @cache
    def most(one: NodeId, other: NodeId) -> NodeId:
        if one == other:
            return one
        return graph.maximum([graph.times(possible, one), graph.times(avoidable, other)])

    if mode in ("best", "worst"):
        return SidesOfBranch(False, never, surely, least if mode == "best" else most, least, most)

    if q is None:
        weight = graph.over(graph.one, graph.const(2))
    else:
        weight = q if mode == "probability" else half_unless_decided(graph, q)
    rest = graph.add([(weight, -1)], 1)

    @cache
    def weighed(one: NodeId, other: NodeId) -> NodeId:
        if one == other:
            return one
        sides = []
        for weights, side in (((weight, possible), one), ((rest, avoidable), other)):
            # q (1/q) would be 1, also where q is 0
            sides.append(graph.times(*weights, side) if _divides(graph, side) else graph.times(weights[0], side))
        return graph.plus(*sides)

    return SidesOfBranch(False, never, surely, weighed, least, most)


def half_unless_decided(graph: Graph, q: NodeId) -> NodeId:
    """1/2 where a probability lies between 0 and 1, which it is else."""
    half = graph.over(graph.one, graph.const(2))
    never, surely = _ends(graph, q)
    return graph.add([(half, 1), (graph.times(half, surely), 1), (graph.times(half, never), -1)])


def _ends(graph: Graph, q: NodeId) -> tuple[NodeId, NodeId]:
    """`[q == 0]` and `[q == 1]`, 0 where the range of q does not reach that far."""
    rest = graph.add([(q, -1)], 1)
    least = graph.facts.ranges.lower(q), graph.facts.ranges.lower(rest)
    beyond = [low is not None and low > 0 for low in least]
    ends = zip((graph.zero, graph.one), beyond, strict=True)
    never, surely = (graph.zero if off else graph.compare("==", q, end) for end, off in ends)
    return never, surely


def _divides(graph: Graph, node: NodeId) -> bool:
    """Whether a quotient is among the addends of a node: 1/n - [n == 0]/n has no value at 0, and [n != 0]/n has."""
    factors = (graph.nodes[n] for n, _ in graph.terms(node)[1])
    return any(isinstance(f, Mul) and any(exponent < 0 for _, exponent in f.factors) for f in factors)


def _is_condition(graph: Graph, q: NodeId) -> bool:
    """Whether a node is made of comparisons, by sums and products."""
    match graph.nodes[q]:
        case Compare():
            return True
        case Mul(factors):
            return all(_is_condition(graph, n) for n, _ in factors)
        case Add(_, terms):
            return all(_is_condition(graph, n) for n, _ in terms)
        case _:
            return False


def negation(graph: Graph, condition: NodeId) -> NodeId:
    """1 where a condition, which is 0 or 1, is 0, else 0; of a comparison the opposite one."""
    match graph.nodes[condition]:
        case Compare("==" | "!=" as operator, left, right):
            return graph.compare("!=" if operator == "==" else "==", left, right)
        case Compare(operator, left, right):
            return graph.compare("<" if operator == "<=" else "<=", right, left)
        case _:
            return graph.add([(condition, -1)], 1)
