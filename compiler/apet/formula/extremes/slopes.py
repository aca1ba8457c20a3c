"""Slopes of one node from those of its operands: for a < b in one symbol, [f(b) - f(a)] / (b - a).

Infinite ends say that a slope may be as steep as it likes: floor has slopes from 0 up. Each rule holds for differences,
not only for derivatives: f g changes by f(b) [g(b) - g(a)] + [f(b) - f(a)] g(a), a maximum by no more than one of its
operands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from apet.formula.evaluate.rounding import (
    EVERYTHING,
    NONNEGATIVE,
    ZERO,
    add,
    divide,
    hull,
    infinite,
    multiply,
    negate,
    power,
    scale,
)
from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational
from apet.ground.interval import Interval, Number

ONE = Interval(1, 1)
ITEMS_OF_PARAMETERS = {"share": frozenset({"tasks", "P"})}
"""Machine quantities that change with parameters besides their subscripts and arguments; in no known direction."""

Slopes = dict[str, Interval]
Factors = tuple[tuple[NodeId, int], ...]
SlopesByNode = Mapping[NodeId, Slopes]


class SlopesIn:
    """The slopes of nodes in one symbol, from the values of all nodes and the slopes of operands."""

    def __init__(self, graph: Graph, name: str, values: list[Interval], by_node: SlopesByNode) -> None:
        self.graph, self.name, self.values, self.by_node = graph, name, values, by_node

    def known(self, node: NodeId) -> Interval:
        """The slopes of an operand."""
        return self.by_node[node].get(self.name, ZERO)

    def of(self, node: NodeId) -> Interval:
        """The slopes of a node."""
        known, values = self.known, self.values
        match self.graph.nodes[node]:
            case kinds.Symbol(mine):
                return ONE if mine == self.name else ZERO
            case kinds.Item() as item:
                return self._of_item(item)
            case kinds.Add(_, terms):
                return self._of_sum(terms)
            case kinds.Mul(factors):
                return self._of_product(factors)
            case kinds.Extreme(kind, parts):
                return _of_extreme(kind, [values[n] for n in parts], [known(n) for n in parts])
            case kinds.Call(function, parts):
                return _of_call(function, values[node], [values[n] for n in parts], [known(n) for n in parts])
            case kinds.Compare(operator, left, right):
                return _of_comparison(operator, values[node], add(known(right), negate(known(left))))

            case kinds.Reduce(kind, _, low, high, body):
                growth = _growth(known(low), known(high))
                return _of_reduction(kind, counts(values[low], values[high]), growth, values[body], known(body))
            case kinds.Peak(loads, _, servers):
                return self._of_peak(loads, servers)
            case kinds.Interference(own, everyone, _, servers):
                return self._of_interference((*own, *everyone), servers)
            case _:
                return ZERO

    def _of_item(self, item: kinds.Item) -> Interval:
        slopes = [self.known(a) for a in item.arguments]
        if self.name in ITEMS_OF_PARAMETERS.get(item.name, ()) or any(self.known(s) != ZERO for s in item.subscripts):
            return EVERYTHING
        if item.name in ITEMS_OF_PARAMETERS and any(slope != ZERO for slope in slopes):
            return EVERYTHING  # one more task to deal may give a processor one less
        return total([rising(slope) for slope in slopes])

    def _of_sum(self, terms: tuple[tuple[NodeId, Rational], ...]) -> Interval:
        """Terms that differ in moving factors only are taken together: n^2 t - n t rises for n >= 1, whatever t >= 0
        is."""
        groups: dict[Factors, list[Interval]] = {}
        for node, coefficient in terms:
            if self.name not in self.by_node[node]:
                continue
            factors = self.graph.factors(node)
            fixed = tuple(f for f in factors if self.name not in self.by_node[f[0]])
            moving = tuple(f for f in factors if self.name in self.by_node[f[0]])
            groups.setdefault(fixed, []).append(scale(self._of_product(moving), coefficient))

        result = ZERO
        for fixed, slopes in groups.items():
            one = total(slopes)
            for factor, exponent in fixed:
                one = multiply(one, power(self.values[factor], exponent, lenient=True))
            result = add(result, one)
        return result

    def _of_product(self, factors: Factors) -> Interval:
        result, values = ZERO, self.values
        for factor, exponent in factors:
            slope = self.known(factor)
            if slope == ZERO:
                continue
            if exponent < 0 and values[factor].lo < 0 < values[factor].hi:
                return EVERYTHING
            one = scale(slope, exponent)
            if exponent != 1:
                one = multiply(one, power(values[factor], exponent - 1, lenient=True))
            for other, e in factors:
                if other != factor:
                    one = multiply(one, power(values[other], e, lenient=True))
            result = add(result, one)
        return result

    def _of_peak(self, loads: tuple[kinds.Load, ...], servers: NodeId) -> Interval:
        """All that moves the peak must move it in one direction; a range that changes must not change heads and
        tails."""
        known, values = self.known, self.values
        moves = [negate(known(servers))]
        for load in loads:
            parts = (load.load, load.head, load.tail)
            if any(known(s) != ZERO for s in load.subscripts) or any(values[n].lo < 0 for n in parts):
                return EVERYTHING
            moves += [known(n) for n in parts]
            moves += [_growth(known(b.low), known(b.high)) for b in load.binders]
        ranges_move = any(known(end) != ZERO for load in loads for b in load.binders for end in (b.low, b.high))
        if ranges_move and any(values[n] != ZERO for load in loads for n in (load.head, load.tail)):
            return EVERYTHING
        return rising(hull(*moves))

    def _of_interference(self, loads: tuple[kinds.Load, ...], servers: NodeId) -> Interval:
        """What others do to the members that one uses: a sum of loads, as `all` holds every load of `own` too."""
        known = self.known
        ends = [end for load in loads for b in load.binders for end in (b.low, b.high)]
        fixed = [*ends, *(s for load in loads for s in load.subscripts)]
        if any(known(n) != ZERO for n in fixed) or any(self.values[load.load].lo < 0 for load in loads):
            return EVERYTHING
        return rising(hull(negate(known(servers)), *(known(load.load) for load in loads)))


def total(slopes: list[Interval]) -> Interval:
    """The sum of slopes."""
    result = ZERO
    for slope in slopes:
        result = add(result, slope)
    return result


def _of_extreme(kind: str, values: list[Interval], slopes: list[Interval]) -> Interval:
    """The slopes of the operands that may be the extreme one somewhere in the box."""
    if kind == "max":
        bound = max(v.lo for v in values)
        return hull(*(s for v, s in zip(values, slopes, strict=True) if v.hi >= bound))
    bound = min(v.hi for v in values)
    return hull(*(s for v, s in zip(values, slopes, strict=True) if v.lo <= bound))


def rising(slope: Interval) -> Interval:
    """The slopes of a function that rises by any amount where its operand does."""
    return multiply(NONNEGATIVE, slope)


def _of_call(function: str, value: Interval, values: list[Interval], slopes: list[Interval]) -> Interval:
    if value.is_point and not infinite(value.lo):
        return ZERO
    if function == "mod":
        same = values[1].is_point and slopes[1] == ZERO and _one_period(values[0], values[1].lo)
        return slopes[0] if same else EVERYTHING
    if function == "pow":
        return _of_power(values, slopes)
    if function == "abs":
        x, slope = values[0], slopes[0]
        return slope if x.lo >= 0 else negate(slope) if x.hi <= 0 else hull(slope, negate(slope))
    if function in ("log", "sqrt"):
        return divide(slopes[0], values[0] if function == "log" else scale(value, 2), lenient=True)

    return rising(slopes[0])


def _one_period(x: Interval, modulus: Number) -> bool:
    return not (infinite(x.lo) or infinite(x.hi)) and x.lo // modulus == x.hi // modulus


def _of_power(values: list[Interval], slopes: list[Interval]) -> Interval:
    base, exponent = values
    if base.lo < 0:
        return EVERYTHING
    logarithm = Interval(-1 if base.lo < 1 else 0, 1 if base.hi > 1 else 0)  # its sign only
    return add(multiply(rising(slopes[0]), exponent), multiply(rising(slopes[1]), logarithm))


def _of_comparison(operator: str, value: Interval, difference: Interval) -> Interval:
    if value.is_point:
        return ZERO
    return rising(difference) if operator in ("<=", "<") else EVERYTHING


def _growth(low: Interval, high: Interval) -> Interval:
    """0 if a range stays, else in which sense it changes: [0, inf] if it only grows, [-inf, 0] if it only shrinks."""
    return rising(hull(high, negate(low)))


def _of_reduction(kind: str, count: Interval, growth: Interval, body: Interval, slope: Interval) -> Interval:
    if kind == "sum":
        if growth == ZERO:
            return multiply(count, slope)
        return add(multiply(Interval(0, count.hi), slope), multiply(growth, body))
    around = hull(slope, ZERO)
    if growth == ZERO:
        return slope if kind == "min" or (count.lo > 0 and body.lo > 0) else around
    return add(around, growth if kind == "max" else negate(growth))


def counts(low: Interval, high: Interval) -> Interval:
    """How many integers a range with these ends has."""
    least, most = (high.lo, low.hi), (high.hi, low.lo)
    return Interval(
        0 if any(map(infinite, least)) else max(0, math.floor(least[0]) - math.ceil(least[1]) + 1),
        math.inf if any(map(infinite, most)) else max(0, math.floor(most[0]) - math.ceil(most[1]) + 1),
    )
