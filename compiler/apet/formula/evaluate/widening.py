"""The ends of a monotone formula over a box: floats at both end points, widened by what rounding can have done.

Which way: a symbol counts as rising (falling) if every path from it to the root does; a product passes a direction on
where its factors are not negative, which both end points show, as factors of one direction are extreme there. So a
formula whose moving symbols all have a direction takes its least value at one end point and its greatest at the other.

How far off (after N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1): write R(D) for the
interval from (1 - u)^D to (1 - u)^-D, u = 2^-53, and say that x' is off by D roundings if x' = r x with r in R(D).
- One rounding to nearest, neither underflowing nor overflowing, is off by 1: [1 - u, 1 + u] lies in R(1).
- If x' and y' are off by D and E, x'y' and x'/y' are off by D + E before they are rounded.
- If all x' >= 0 are off by at most D, so are their sum with weights >= 0 (its r is a mean of theirs), maximum and
  minimum. `math.fsum` rounds the exact sum once; `sum` of n floats is off by n - 1. (Where Python compensates it, by
  less: the relative error is below u + gamma_(n-1)^2, T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot product,
  2005, proposition 4.5, which is in R(2) for 2 < n < 2^20; two floats are rounded once.)
- A power by repeated multiplication is off by |e| D + |e| - 1.
Hence x lies between x'(1 - D u) and x' / (1 - D u) = x'(1 + gamma_D), gamma_D = D u / (1 - D u). For D <= 2^30, the
term added to x' is D u (1 + 2^-19) x', more than gamma_D x' even after its own rounding; one float further out covers
that of the addition.

Ends of symbols are rounded outward and so count nothing. Differences, functions, loops and machine quantities are
enclosed at both end points by interval arithmetic, exactly on exact numbers, and enter rounded outward.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.formula.evaluate.box import Box
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.float_steps import BLOCK, Unsafe, Values, blocks, fused, nearest, sources, steps
from apet.formula.evaluate.rounding import down, up
from apet.formula.evaluate.tape import Tape
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, Const, Extreme, Mul, Node, NodeId, Rational, Symbol, operands
from apet.ground.interval import Interval

UNIT = 2.0**-53
MOST_ROUNDINGS = 2**30
HIGHEST_POWER = 64
RISING = ("floor", "ceil", "sqrt", "log", "log2")


class Ends(NamedTuple):
    """Floats that no value lies outside of, and how they were found."""

    lo: float
    hi: float
    certificate: str


class Endpoints:
    """The rule for one formula: made once, asked for many boxes."""

    def __init__(self, graph: Graph, node: NodeId, floats: bool = True) -> None:
        """Without `floats` everything is enclosed by interval arithmetic at the end points."""
        self.tape = Tape(graph, [node])
        self.nodes, self.root = self.tape.nodes, self.tape.roots[0]
        self.ways = _ways(self.nodes, self.root)
        self.moving = {n.name: self.ways[k] for k, n in enumerate(self.nodes) if type(n) is Symbol and k in self.ways}
        self.still = [name for name, way in self.moving.items() if way == 0]
        plain, self.opaque = _regions(self.nodes, self.root) if floats else (set[NodeId](), [self.root])
        self.depth = _depths(self.nodes, sorted(plain), self.opaque, self.ways)
        self.roundings = self.depth[self.root]
        self.factors = _factors(self.nodes, self.opaque, self.ways)
        enclosed = [self.tape.origin[n] for n in (*self.opaque, *self.factors)]
        self.enclosure = Enclosure(graph, enclosed) if enclosed else None
        self.clamped = _clamped(self.nodes, sorted(plain), set(self.opaque))
        self.names = [n.name for k in plain if type(n := self.nodes[k]) is Symbol]
        self.blank: Values = [
            float(n.value) if type(n) is Const and k in plain else None for k, n in enumerate(self.nodes)
        ]
        order = sorted(plain)
        found = fused(self.tape, order, self.ways)
        self.sources = sources(self.tape, order, self.ways, found)
        self.steps = steps(self.tape, order, self.ways, {n for group in found for n in group})

    def run(self, box: Box) -> Ends:
        """The ends over a box; `Unsafe` where this rule proves nothing, `EvaluationError` where there is no value."""
        if (
            not box.finite
            or self.roundings > MOST_ROUNDINGS
            or any(not box.intervals[name].is_point for name in self.still)
        ):
            raise Unsafe
        if box.least < 0 and any(box.lows[name] < 0 for name in self.names):
            raise Unsafe
        enclosed = self._enclosed(box) if self.enclosure else None
        outward = any(type(end) is float for found in enclosed or () for x in found for end in x)
        unrounded = "endpoints, rounded outward" if outward else "exact endpoints"
        if self.root in self.opaque:
            assert enclosed is not None
            return Ends(down(enclosed[0][0].lo), up(enclosed[1][0].hi), unrounded)
        sure = set[NodeId]()
        low, high = (self._at(box, enclosed, end, sure) for end in (False, True))
        if not self.roundings:
            return Ends(low, high, unrounded)
        shown = f"endpoints, widened by {self.roundings} rounding{'s' if self.roundings > 1 else ''}"
        return Ends(self._widened(low, False), self._widened(high, True), shown)

    def _enclosed(self, box: Box) -> tuple[list[Interval], list[Interval]]:
        """Enclosures at both end points of what is not computed in floats."""
        assert self.enclosure is not None
        found = self.enclosure.run(_AtEnd(box, self.moving, False)), self.enclosure.run(_AtEnd(box, self.moving, True))
        if any(x.lo < 0 for values in found for x in values[len(self.opaque) :]):
            raise Unsafe
        return found

    def _at(
        self, box: Box, enclosed: tuple[list[Interval], list[Interval]] | None, end: bool, sure: set[NodeId]
    ) -> float:
        values = self.blank.copy()
        if enclosed:
            for n, x in zip(self.opaque, enclosed[end], strict=False):
                values[n] = self._opaque(n, x, end)
        for source in self.sources:
            source(values, box, end)
        try:
            for step in self.steps:
                step(values, sure)
        except (OverflowError, ZeroDivisionError):
            raise Unsafe from None
        found: float = values[self.root]
        if not 0 <= found < math.inf:
            raise Unsafe
        return found

    def _opaque(self, n: NodeId, x: Interval, end: bool) -> float:
        way = self.ways[n]
        if way == 0 and x.lo != x.hi:
            raise Unsafe
        found = nearest(x.lo) if way == 0 else up(x.hi) if (way > 0) == end else down(x.lo)
        if found < 0 and n in self.clamped:
            return 0.0
        if not 0 <= found < math.inf:
            raise Unsafe
        return found

    def _widened(self, value: float, end: bool) -> float:
        if value == 0:
            return 0.0
        by = value * (self.roundings * UNIT * (1 + 2.0**-19))
        return math.nextafter(value + by, math.inf) if end else math.nextafter(value - by, 0.0)


class _AtEnd:
    """The end point at which the root is least or greatest; machine quantities keep their intervals."""

    def __init__(self, box: Box, ways: Mapping[str, int], end: bool) -> None:
        self.box, self.ways, self.end = box, ways, end
        self.item, self.item_over = box.item, box.item_over

    def symbol(self, name: str) -> Interval:
        """One end of the symbol's interval."""
        x = self.box.symbol(name)
        value = x.hi if (self.ways[name] > 0) == self.end else x.lo
        return Interval(value, value)


def _signed_operands(node: Node) -> list[tuple[NodeId, int]]:
    """The operands, and whether the node rises (1) or falls (-1) with each; 0 where neither is known."""
    match node:
        case Add(_, terms):
            return [(n, 1 if c > 0 else -1) for n, c in terms]
        case Mul(factors):
            return [(n, 1 if e > 0 else -1) for n, e in factors]
        case Extreme(_, found):
            return [(n, 1) for n in found]
        case Call(function, found) if function in RISING:
            return [(n, 1) for n in found]
        case _:
            return [(n, 0) for n in operands(node)]


def _ways(nodes: Sequence[Node], root: NodeId) -> dict[NodeId, int]:
    """1 for what only raises the root, -1 for what only lowers it, 0 for what may do both."""
    found = {root: 1}
    for n in range(root, -1, -1):
        if n in found:
            for o, sign in _signed_operands(nodes[n]):
                way = sign * found[n]
                found[o] = way if found.get(o, way) == way else 0
    return found


def _regions(nodes: Sequence[Node], root: NodeId) -> tuple[set[NodeId], list[NodeId]]:
    """What is computed in floats, and what these need that is enclosed instead."""
    plain, opaque = set[NodeId](), set[NodeId]()
    todo = [root]
    while todo:
        n = todo.pop()
        if n in plain or n in opaque:
            continue
        if _is_plain(nodes[n]):
            plain.add(n)
            todo += operands(nodes[n])
        else:
            opaque.add(n)
    return plain, sorted(opaque)


def _is_plain(node: Node) -> bool:
    match node:
        case Symbol() | Extreme():
            return True
        case Const(value):
            return _floatable(value)
        case Add(constant, terms):
            return _floatable(constant) and all(_floatable(c) for _, c in terms)
        case Mul(factors):
            return sum(abs(e) for _, e in factors) <= HIGHEST_POWER
        case _:
            return False


def _floatable(value: Rational) -> bool:
    return value == 0 or 2.0**-500 < value < 2.0**500


def _depths(
    nodes: Sequence[Node], plain: Sequence[NodeId], opaque: Sequence[NodeId], ways: Mapping[NodeId, int]
) -> dict[NodeId, int]:
    """By how many roundings each value is off."""
    found = {n: int(ways[n] == 0) for n in opaque}
    for n in plain:
        match nodes[n]:
            case Const(value):
                found[n] = _inexact(value)
            case Add(constant, terms):
                parts = [found[m] + _inexact(c) + (not _is_power_of_two(c)) for m, c in terms]
                found[n] = max([*parts, _inexact(constant)]) + _roundings_of_sum(len(parts) + (constant != 0))
            case Mul(factors):
                above, below = (sum(s * e for _, e in factors if s * e > 0) for s in (1, -1))
                found[n] = sum(abs(e) * found[m] for m, e in factors) + max(above - 1, 0) + below
            case Extreme(_, operands_):
                found[n] = max(found[m] for m in operands_)
            case _:
                found[n] = int(ways[n] == 0)
        found[n] = min(found[n], MOST_ROUNDINGS + 1)
    return found


def _roundings_of_sum(count: int) -> int:
    """Of as many terms; a block of 64 terms is off by 63."""
    return BLOCK - 1 + blocks(count) - 1 if blocks(count) else int(count > 1)


def _inexact(value: Rational) -> int:
    return int(Fraction(float(value)) != value)


def _is_power_of_two(value: Rational) -> bool:
    return math.frexp(value)[0] == 0.5 and not _inexact(value)


def _factors(nodes: Sequence[Node], opaque: Sequence[NodeId], ways: Mapping[NodeId, int]) -> list[NodeId]:
    """The factors of products in the enclosed part that must not be negative for it to have its direction."""
    found, seen, todo = set[NodeId](), set[NodeId](), list(opaque)
    while todo:
        n = todo.pop()
        if n in seen or ways[n] == 0:
            continue
        seen.add(n)
        node = nodes[n]
        todo += operands(node)
        if type(node) is Mul and any(ways[f] for f, _ in node.factors):
            found.update(operands(node))
    return sorted(found)


def _clamped(nodes: Sequence[Node], plain: Sequence[NodeId], opaque: set[NodeId]) -> set[NodeId]:
    """What only stands in maxima with a constant that is not negative: there a negative value is as good as 0."""
    bare = set[NodeId]()
    for n in plain:
        node = nodes[n]
        inside = [c.value for m in operands(node) if type(c := nodes[m]) is Const]
        if type(node) is not Extreme or node.kind != "max" or max(inside, default=-1) < 0:
            bare.update(operands(node))
    return opaque - bare
