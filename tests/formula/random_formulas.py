"""Random formulas of every node kind, boxes for their symbols and points in the boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor
from random import Random

from apet.formula.algebra.reduction import reduce_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Interference, Load, NodeId, Peak
from apet.ground.interval import Interval, Number

REALS = ("x", "y", "q")
WHOLE = ("n", "m")
SYMBOLS = (*REALS, *WHOLE)
COEFFICIENTS: tuple[int | Fraction, ...] = (1, 2, Fraction(1, 3))
CALLS = ("floor", "abs", "mod", "item", "log", "sqrt", "pow")


def item_value(name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
    """A machine quantity that no formula could guess: never negative, rising in its arguments."""
    place = sum((k + 2) * s for k, s in enumerate(subscripts)) + len(name)
    base = (7 * int(place)) % 5 + (1 if name == "cores" else 0)
    return base + sum(2 * a for a in arguments if a > 0)


@dataclass
class BoxEnvironment:
    """Intervals of symbols; machine quantities are those of `item_value`."""

    box: Mapping[str, Interval]

    def symbol(self, name: str) -> Interval:
        return self.box[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        low, high = tuple(Fraction(a.lo) for a in arguments), tuple(Fraction(a.hi) for a in arguments)
        return Interval(item_value(name, subscripts, low), item_value(name, subscripts, high))

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        whole = [range(floor(r.lo), ceil(r.hi) + 1) for r in ranges]
        found = [self.item(name, members, arguments) for members in product(*whole)]
        return Interval(min(f.lo for f in found), max(f.hi for f in found))


class Maker:
    """Formulas by a random generator; `binding` allows loops and families."""

    def __init__(self, random: Random, binding: bool = True, exact: bool = True) -> None:
        self.random = random
        self.binding = binding
        self.exact = exact
        self.graph = Graph()
        self.graph.integers |= set(WHOLE)

    def formula(self, depth: int, indices: tuple[NodeId, ...] = ()) -> NodeId:
        """A formula of at most that depth."""
        r = self.random
        if depth == 0:
            return self._leaf(indices)
        kinds = ["add", "mul", "max", "min", "floor", "mod", "compare", "item", "over", "sub", "mix", "abs"]
        if self.binding and len(indices) < 2:
            kinds += ["sum", "most", "least", "peak", "interference"]
        if not self.exact:
            kinds += ["log", "sqrt", "pow"]
        kind = r.choice(kinds)
        if kind in ("peak", "interference"):
            return self._held(kind, depth - 1, indices)
        if kind in ("sum", "most", "least"):
            return self._loop(kind, depth - 1, indices)
        one, other = self.formula(depth - 1, indices), self.formula(depth - 1, indices)
        return self._called(kind, one, indices) if kind in CALLS else self._arithmetic(kind, one, other)

    def _arithmetic(self, kind: str, one: NodeId, other: NodeId) -> NodeId:
        g, r = self.graph, self.random
        match kind:
            case "add":
                return g.add([(one, r.choice(COEFFICIENTS)), (other, 1)], r.randint(0, 2))
            case "sub":
                return g.minus(one, other)
            case "mul":
                return g.times(one, other)
            case "mix":
                q = g.symbol("q")
                return g.plus(g.times(q, one), g.times(g.minus(g.one, q), other))
            case "max" | "min":
                return (g.maximum if kind == "max" else g.minimum)([one, other])
            case "compare":
                return g.times(g.compare(r.choice(["<", "<=", "==", "!="]), one, other), one)
            case "over":
                return g.over(one, g.shift(g.call("abs", [other]), 1))
            case _:
                raise AssertionError(kind)

    def _called(self, kind: str, one: NodeId, indices: tuple[NodeId, ...]) -> NodeId:
        g, r = self.graph, self.random
        match kind:
            case "floor" | "abs":
                return g.call(kind, [one])
            case "mod":
                return g.call("mod", [one, g.shift(g.symbol("n"), 1) if r.random() < 0.5 else g.const(r.randint(1, 4))])
            case "item":
                return g.item("t_op", [self._subscript(indices)], [one] if r.random() < 0.5 else [])
            case "log" | "sqrt":
                return g.call(kind, [g.shift(g.call("abs", [one]), Fraction(1, 2))])
            case "pow":
                return g.call("pow", [g.shift(g.call("abs", [self._leaf(indices)]), Fraction(1, 2)), self._leaf(())])
            case _:
                raise AssertionError(kind)

    def _leaf(self, indices: tuple[NodeId, ...]) -> NodeId:
        g, r = self.graph, self.random
        return r.choice([g.const(r.randint(0, 3)), *(g.symbol(n) for n in SYMBOLS), *indices, *indices])

    def _subscript(self, indices: tuple[NodeId, ...]) -> NodeId:
        g, r = self.graph, self.random
        base = r.choice([g.const(1), g.symbol("n"), *indices])
        return base if r.random() < 0.6 else g.call("mod", [g.shift(base, 1), g.shift(g.symbol("m"), 1)])

    def _range(self, indices: tuple[NodeId, ...]) -> tuple[NodeId, NodeId]:
        g, r = self.graph, self.random
        low = r.choice([g.one, g.const(-1), g.symbol("m"), *indices])
        high = r.choice([g.const(3), g.symbol("n"), g.shift(g.symbol("n"), -2), g.over(g.symbol("x"), g.const(2))])
        return low, high

    def _loop(self, kind: str, depth: int, indices: tuple[NodeId, ...]) -> NodeId:
        low, high = self._range(indices)
        index = self.graph.index("i", low, high)
        body = self.formula(depth, (*indices, index))
        if kind != "sum":
            body = self.graph.call("abs", [body])
        if kind == "least":
            high = low if self.graph.compare("<=", low, high) != self.graph.one else high
        return reduce_over(self.graph, {"sum": "sum", "most": "max", "least": "min"}[kind], index, low, high, body)

    def _load(self, depth: int, indices: tuple[NodeId, ...]) -> Load:
        g, r = self.graph, self.random
        low, high = self._range(indices)
        index = g.index("p", low, high)
        inside = (*indices, index)
        load, head, tail = (g.call("abs", [self.formula(depth, inside)]) for _ in range(3))
        return Load((Binder(index, low, high),), (self._subscript(inside),), load, head, tail, r.random() < 0.5)

    def _held(self, kind: str, depth: int, indices: tuple[NodeId, ...]) -> NodeId:
        g = self.graph
        loads = tuple(self._load(min(depth, 1), indices) for _ in range(2))
        member = g.index("q", g.zero, g.symbol("n"))
        servers = g.item("cores", [member])
        if kind == "peak":
            return g.intern(Peak(loads, (member,), servers))
        return g.intern(Interference(loads[:1], loads, (member,), servers))


def boxes(random: Random, wide: bool = True) -> dict[str, Interval]:
    """An exact interval for every symbol."""
    found: dict[str, Interval] = {}
    for name in SYMBOLS:
        low = Fraction(random.randint(0, 12), 1 if name in WHOLE else 4)
        step = random.choice([0, 1, 2, 4]) if wide else 0
        if name in WHOLE:
            low = Fraction(low.numerator % 4)
        high = low + Fraction(step, 1 if name in WHOLE else 4)
        if name == "q":
            low, high = (min(end / 4, Fraction(1)) for end in (low, high))
        found[name] = Interval(_plain(low), _plain(high))
    return found


def points(random: Random, box: Mapping[str, Interval], count: int) -> list[dict[str, Number]]:
    """Exact points in a box, corners more often than not."""
    return [{name: _inside(random, x, name in WHOLE) for name, x in box.items()} for _ in range(count)]


def _inside(random: Random, x: Interval, whole: bool) -> Number:
    if random.random() < 0.4:
        return random.choice([x.lo, x.hi])
    if whole:
        return random.randint(int(x.lo), int(x.hi))
    return _plain(x.lo + (Fraction(x.hi) - Fraction(x.lo)) * Fraction(random.randint(0, 30), 30))


def _plain(value: Number) -> Number:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
