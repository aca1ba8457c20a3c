"""Intervals that surely hold the values of formulas, where parameters and operation times are given as intervals.

Every node is evaluated on intervals (R. E. Moore, Interval Analysis, 1966): exactly on exact ends, rounded outward on
floats. Loops whose ends are intervals run over all integers that may belong to the range; what surely belongs to it and
what only may is told apart. Sums are made sharper by `shared_factors` and
`cancellations`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import product
from typing import ClassVar, Protocol

from apet.formula.algebra.scratch import Scratch
from apet.formula.evaluate import interval_families, interval_functions
from apet.formula.evaluate.arithmetic import Arithmetic, Step, Values, span
from apet.formula.evaluate.cancellations import other_forms
from apet.formula.evaluate.interpreter import Interpreter
from apet.formula.evaluate.interval_families import surely_within
from apet.formula.evaluate.rounding import ZERO, add, common, divide, hull, multiply, point, power, scale
from apet.formula.evaluate.shared_factors import sharpening
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, NodeId, Rational
from apet.ground.interval import Interval, Number


class IntervalEnvironment(Protocol):
    """What supplies intervals while a formula is enclosed."""

    def symbol(self, name: str) -> Interval:
        """The interval of a parameter; `LookupError` if there is none."""
        ...

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """The interval of one machine quantity over all values of its arguments; `LookupError` if there is none."""
        ...

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """An interval that holds the quantity for all whole subscripts in the ranges that exist."""
        ...


Quantity = Callable[[str, tuple[Number, ...], tuple[Interval, ...]], Interval]


def over_members(item: Quantity, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
    """A quantity over all members that ranges of subscripts may name."""
    return hull(*(item(name, member, arguments) for member in product(*(span(r.lo, r.hi) for r in ranges))))


def _greatest(intervals: Sequence[Interval]) -> Interval:
    return Interval(max([x.lo for x in intervals]), max([x.hi for x in intervals]))


def _least(intervals: Sequence[Interval]) -> Interval:
    return Interval(min([x.lo for x in intervals]), min([x.hi for x in intervals]))


class Intervals(Arithmetic):
    """Intervals of numbers; if lenient, operands outside a domain are left out of account."""

    budget = math.inf
    one = point(1)
    plus = staticmethod(add)
    times = staticmethod(multiply)
    power = staticmethod(power)
    extremes: ClassVar = {"max": _greatest, "min": _least}
    comparisons: ClassVar = {
        operator: partial(interval_functions.compare, operator) for operator in ("<=", "<", "==", "!=")
    }
    gathered = staticmethod(interval_families.MemberUses)
    peak = staticmethod(interval_families.peak)
    interference = staticmethod(interval_families.interference)

    def __init__(self, graph: Graph, lenient: bool = False) -> None:
        super().__init__(graph)
        self.graph = graph
        self.lenient = lenient
        self._scratch = Scratch(graph)
        self.over = partial(divide, lenient=lenient)

    def nothing(self, value: Interval) -> bool:
        """Whether all values are 0."""
        return value.lo == value.hi == 0

    def constant(self, value: Rational) -> Interval:
        """An interval of one number."""
        return point(value)

    def function(self, node: Call) -> Callable[..., Interval]:
        """All values of a function over its operands."""
        whole = all(self.graph.integral[n] for n in node.operands)
        return partial(interval_functions.apply, node.function, whole=whole, lenient=self.lenient)

    def sum_step(self, node: NodeId, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Step:
        """Term by term, then narrowed where terms share factors."""
        start, sharpen = point(constant), sharpening(self._scratch, node)
        forms = other_forms(self._scratch, node)
        divisors = list(self.graph.facts.quotients.divisors(node))

        def run(values: Values, environment: IntervalEnvironment) -> None:
            total = start
            for n, c in terms:
                total = add(total, scale(values[n], c))
            # in another form a divisor may have cancelled, and 0 / 0 be a number
            if total.lo != total.hi and not any(values[d].lo <= 0 <= values[d].hi for d in divisors):
                for form in forms:
                    total = common(total, form(values))
                total = total if sharpen is None else sharpen(values, total)
            values[node] = total

        return run

    def item_step(self, node: NodeId, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> Step:
        """A quantity of one member, or of all members within ranges."""

        def run(values: Values, environment: IntervalEnvironment) -> None:
            ranges = tuple([values[s] for s in subscripts])
            inside = tuple([values[a] for a in arguments])
            if all(r.lo == r.hi for r in ranges):
                values[node] = environment.item(name, tuple([r.lo for r in ranges]), inside)
            else:
                values[node] = environment.item_over(name, ranges, inside)

        return run

    def rounds(self, low: Interval, high: Interval) -> Collection[Interval]:
        """All integers that may lie in the range."""
        return [point(i) for i in span(low.lo, high.hi)]

    def fold(self, kind: str, bodies: Iterator[Interval], low: Interval, high: Interval) -> Interval:
        """What only may belong to the range raises the high end of a sum or maximum, but not the low one."""
        fold, total = FOLDS[kind], (point(math.inf) if kind == "min" else ZERO)
        for i, body in enumerate(bodies, math.ceil(low.lo)):
            total = fold(total, body, surely_within(i, low, high))
        return total


class Enclosure(Interpreter[Interval]):
    """How to enclose some nodes of a graph: made once, run for many boxes.

    An interval for each root holds its value for all values in the environment's intervals. With exact points in, exact
    points out (unless logarithms or roots meet). `EvaluationError` where some value may not exist: a divisor that may
    be 0, a logarithm of what may not be positive, a loop too long to run. If lenient, what lies outside a domain is
    left out of account: for formulas of which it is known that all values exist that are needed.
    """

    def __init__(self, graph: Graph, roots: Sequence[NodeId], lenient: bool = False) -> None:
        super().__init__(graph, roots, Intervals(graph, lenient))


def _fold_sum(total: Interval, body: Interval, sure: bool) -> Interval:
    return add(total, body if sure else Interval(min(0, body.lo), max(0, body.hi)))


def _fold_max(total: Interval, body: Interval, sure: bool) -> Interval:
    return Interval(max(total.lo, body.lo) if sure else total.lo, max(total.hi, body.hi))


def _fold_min(total: Interval, body: Interval, sure: bool) -> Interval:
    return Interval(min(total.lo, body.lo), min(total.hi, body.hi) if sure else total.hi)


FOLDS = {"sum": _fold_sum, "max": _fold_max, "min": _fold_min}
