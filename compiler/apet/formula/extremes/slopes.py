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
from apet.formula.graph.nodes import Node, NodeId, Rational
from apet.ground.interval import Interval, Number

ONE = Interval(1, 1)
ITEMS_OF_PARAMETERS = {"share": frozenset({"tasks", "P"})}
"""Machine quantities that change with parameters besides their subscripts and arguments; in no known direction."""

Slopes = dict[str, Interval]
Factors = tuple[tuple[NodeId, int], ...]
SlopesByNode = Mapping[NodeId, Slopes]


def slope_of(graph: Graph, node: NodeId, name: str, values: list[Interval], by_node: SlopesByNode) -> Interval:
    """The slopes of a node in a symbol, from the values of all nodes and the slopes of its operands."""

    def of(n: NodeId) -> Interval:
        return by_node[n].get(name, ZERO)

    match graph.nodes[node]:
        case kinds.Symbol(mine):
            return ONE if mine == name else ZERO
        case kinds.Item(item, subscripts, arguments):
            if name in ITEMS_OF_PARAMETERS.get(item, ()) or any(of(s) != ZERO for s in subscripts):
                return EVERYTHING
            if item in ITEMS_OF_PARAMETERS and any(of(a) != ZERO for a in arguments):
                return EVERYTHING  # one more task to deal may give a processor one less
            return total([rising(of(a)) for a in arguments])
        case kinds.Add(_, terms):
            return _of_sum(graph, terms, name, values, by_node)
        case kinds.Mul(factors):
            return _of_product(factors, name, values, by_node)
        case kinds.Extreme(kind, parts):
            return _of_extreme(kind, [values[n] for n in parts], [of(n) for n in parts])
        case kinds.Call(function, parts):
            return _of_call(function, values[node], [values[n] for n in parts], [of(n) for n in parts])
        case kinds.Compare(operator, left, right):
            return _of_comparison(operator, values[node], add(of(right), negate(of(left))))
        case binding:
            return _of_binding(binding, name, values, by_node)


def _of_binding(binding: Node, name: str, values: list[Interval], by_node: SlopesByNode) -> Interval:
    """The slopes of a node that binds variables; 0 for constants and the variables themselves."""

    def of(n: NodeId) -> Interval:
        return by_node[n].get(name, ZERO)

    match binding:
        case kinds.Reduce(kind, _, low, high, body):
            count = counts(values[low], values[high])
            return _of_reduction(kind, count, _growth(of(low), of(high)), values[body], of(body))
        case kinds.Peak(loads, _, servers):
            return _of_peak(loads, servers, name, values, by_node)
        case kinds.Interference(own, everyone, _, servers):
            return _of_interference((*own, *everyone), servers, name, values, by_node)
        case _:
            return ZERO


def total(slopes: list[Interval]) -> Interval:
    """The sum of slopes."""
    result = ZERO
    for slope in slopes:
        result = add(result, slope)
    return result


def _of_sum(
    graph: Graph, terms: tuple[tuple[NodeId, Rational], ...], name: str, values: list[Interval], by_node: SlopesByNode
) -> Interval:
    """Terms that differ in moving factors only are taken together: n^2 t - n t rises for n >= 1, whatever t >= 0 is."""
    groups: dict[Factors, list[Interval]] = {}
    for node, coefficient in terms:
        if name not in by_node[node]:
            continue
        factors = graph.factors(node)
        fixed = tuple(f for f in factors if name not in by_node[f[0]])
        moving = tuple(f for f in factors if name in by_node[f[0]])
        groups.setdefault(fixed, []).append(scale(_of_product(moving, name, values, by_node), coefficient))
    result = ZERO
    for fixed, slopes in groups.items():
        one = total(slopes)
        for factor, exponent in fixed:
            one = multiply(one, power(values[factor], exponent, lenient=True))
        result = add(result, one)

    return result


def _of_product(factors: Factors, name: str, values: list[Interval], by_node: SlopesByNode) -> Interval:
    result = ZERO
    for factor, exponent in factors:
        slope = by_node[factor].get(name, ZERO)
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


def _of_peak(
    loads: tuple[kinds.Load, ...], servers: NodeId, name: str, values: list[Interval], by_node: SlopesByNode
) -> Interval:
    """All that moves the peak must move it in one direction; a range that changes must not change heads and tails."""

    def of(n: NodeId) -> Interval:
        return by_node[n].get(name, ZERO)

    moves = [negate(of(servers))]
    for load in loads:
        parts = (load.load, load.head, load.tail)
        if any(of(s) != ZERO for s in load.subscripts) or any(values[n].lo < 0 for n in parts):
            return EVERYTHING
        moves += [of(n) for n in parts]
        moves += [_growth(of(b.low), of(b.high)) for b in load.binders]
    ranges_move = any(of(end) != ZERO for load in loads for b in load.binders for end in (b.low, b.high))
    if ranges_move and any(values[n] != ZERO for load in loads for n in (load.head, load.tail)):
        return EVERYTHING
    return rising(hull(*moves))


def _of_interference(
    loads: tuple[kinds.Load, ...], servers: NodeId, name: str, values: list[Interval], by_node: SlopesByNode
) -> Interval:
    """What others do to the members that one uses: a sum of loads, as `all` holds every load of `own` too."""

    def of(n: NodeId) -> Interval:
        return by_node[n].get(name, ZERO)

    fixed = [n for load in loads for n in (*load.subscripts, *(end for b in load.binders for end in (b.low, b.high)))]
    if any(of(n) != ZERO for n in fixed) or any(values[load.load].lo < 0 for load in loads):
        return EVERYTHING
    return rising(hull(negate(of(servers)), *(of(load.load) for load in loads)))


def counts(low: Interval, high: Interval) -> Interval:
    """How many integers a range with these ends has."""
    least, most = (high.lo, low.hi), (high.hi, low.lo)
    return Interval(
        0 if any(map(infinite, least)) else max(0, math.floor(least[0]) - math.ceil(least[1]) + 1),
        math.inf if any(map(infinite, most)) else max(0, math.floor(most[0]) - math.ceil(most[1]) + 1),
    )
