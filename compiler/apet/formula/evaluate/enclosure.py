"""Intervals that surely hold the values of formulas, where parameters and operation times are given as intervals.

Every node is evaluated on intervals (R. E. Moore, Interval Analysis, 1966): exactly on exact ends, rounded outward on
floats. Loops whose ends are intervals run over all integers that may belong to the range; what surely belongs to it and
what only may is told apart. Sums whose terms share a factor are made sharper by `shared_factors`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from apet.formula.evaluate import interval_functions
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.rounding import ZERO, add, divide, multiply, point, power, scale
from apet.formula.evaluate.scopes import Scopes
from apet.formula.evaluate.shared_factors import sharpening
from apet.formula.evaluate.steps import span
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import (
    Add,
    Call,
    Compare,
    Const,
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


Step = Callable[[list[Any], IntervalEnvironment], None]


def enclose(graph: Graph, nodes: Sequence[NodeId], environment: IntervalEnvironment) -> list[Interval]:
    """An interval for each node that holds its value for all values in the environment's intervals.

    With exact points in, exact points out (unless logarithms or roots meet). `EvaluationError` where some value may not
    exist: a divisor that may be 0, a logarithm of what may not be positive, a loop too long to run.
    """
    return Enclosure(graph, nodes).run(environment)


class Enclosure:
    """How to enclose some nodes of a graph: made once, run for many boxes."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId]) -> None:
        self.graph = graph
        self.roots = tuple(roots)
        self.scopes = Scopes(graph)
        self.steps = self.inner((), roots)
        self.size = len(graph)

    def run(self, environment: IntervalEnvironment) -> list[Interval]:
        """The enclosures of the roots; errors as in `enclose`."""
        values: list[Any] = [None] * self.size
        try:
            for step in self.steps:
                step(values, environment)
        except ZeroDivisionError:
            raise EvaluationError("division by zero") from None
        except OverflowError:
            raise EvaluationError("a number is too large") from None
        except ValueError as error:
            raise EvaluationError(str(error)) from None
        return [values[r] for r in self.roots]

    def inner(self, indices: Iterable[NodeId], roots: Sequence[NodeId]) -> list[Step]:
        """The steps for what depends on the given bound variables (outside every loop: on none)."""
        return [self._step(n) for n in self.scopes.order_many(roots, frozenset(indices))]

    def _step(self, node: NodeId) -> Step:
        from apet.formula.evaluate.interval_families import interference, peak

        match self.graph.nodes[node]:
            case Reduce(kind, index, low, high, body):
                return _reduce(node, kind, (index, low, high, body), self.inner([index], [body]))
            case Peak(loads, members, servers):
                return peak(self, node, loads, members, servers)
            case Interference(own, total, members, servers):
                return interference(self, node, own, total, members, servers)
            case _:
                return pointwise(self.graph, node)


def pointwise(graph: Graph, node: NodeId, lenient: bool = False) -> Step:
    """The step of a node that binds no variable. If lenient, operands outside a domain are left out of account."""
    match graph.nodes[node]:
        case Const(value):
            return _constant(node, value)
        case Symbol(name):
            return _symbol(node, name)
        case Item(name, subscripts, arguments):
            return _item(node, name, subscripts, arguments)
        case Add(constant, terms):
            return _add(graph, node, constant, terms)
        case Mul(factors):
            return _mul(node, factors, lenient)
        case Extreme(kind, found):
            return _extreme(node, kind, found)
        case Call(function, found):
            return _call(node, function, found, all(graph.integral[n] for n in found), lenient)
        case Compare(operator, left, right):
            return _compare(node, operator, left, right)
        case Index():
            return _nothing
        case _:
            raise AssertionError("a node that binds variables")


def _nothing(values: list[Any], environment: IntervalEnvironment) -> None:
    return


def _constant(node: NodeId, value: Number) -> Step:
    found = point(value)

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        values[node] = found

    return run


def _symbol(node: NodeId, name: str) -> Step:
    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        values[node] = environment.symbol(name)

    return run


def _item(node: NodeId, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        ranges = tuple([values[s] for s in subscripts])
        inside = tuple([values[a] for a in arguments])
        if all(r.lo == r.hi for r in ranges):
            values[node] = environment.item(name, tuple([r.lo for r in ranges]), inside)
        else:
            values[node] = environment.item_over(name, ranges, inside)

    return run


def _add(graph: Graph, node: NodeId, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Step:
    start, sharpen = point(constant), sharpening(graph, node)

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        total = start
        for n, c in terms:
            total = add(total, scale(values[n], c))
        values[node] = total if sharpen is None or total.lo == total.hi else sharpen(values, total)

    return run


def _mul(node: NodeId, factors: tuple[tuple[NodeId, int], ...], lenient: bool) -> Step:
    above, below = [(n, e) for n, e in factors if e > 0], [(n, -e) for n, e in factors if e < 0]

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        product = point(1)
        for n, e in above:
            product = multiply(product, power(values[n], e))
        for n, e in below:
            product = divide(product, power(values[n], e), lenient)
        values[node] = product

    return run


def _extreme(node: NodeId, kind: str, found: tuple[NodeId, ...]) -> Step:
    pick = max if kind == "max" else min

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        values[node] = Interval(pick([values[n].lo for n in found]), pick([values[n].hi for n in found]))

    return run


def _call(node: NodeId, function: str, found: tuple[NodeId, ...], whole: bool, lenient: bool) -> Step:
    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        values[node] = interval_functions.apply(function, [values[n] for n in found], whole, lenient)

    return run


def _compare(node: NodeId, operator: str, left: NodeId, right: NodeId) -> Step:
    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        values[node] = interval_functions.compare(operator, values[left], values[right])

    return run


def ranges(low: Interval, high: Interval) -> tuple[range, range]:
    """The integers that may lie in a range with these ends, and those that surely do; errors as in `span`."""
    possible = span(low.lo, high.hi)
    sure = range(possible.start, possible.stop)
    if low.lo != low.hi or high.lo != high.hi:
        sure = range(math.ceil(low.hi), math.floor(high.lo) + 1)
    return possible, sure


def _reduce(node: NodeId, kind: str, parts: tuple[NodeId, NodeId, NodeId, NodeId], steps: list[Step]) -> Step:
    index, low, high, body = parts
    fold, start = FOLDS[kind], (point(math.inf) if kind == "min" else ZERO)

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        total = start
        possible, sure = ranges(values[low], values[high])
        for i in possible:
            values[index] = point(i)
            for step in steps:
                step(values, environment)
            total = fold(total, values[body], i in sure)
        values[node] = total

    return run


def _fold_sum(total: Interval, found: Interval, sure: bool) -> Interval:
    return add(total, found if sure else Interval(min(0, found.lo), max(0, found.hi)))


def _fold_max(total: Interval, found: Interval, sure: bool) -> Interval:
    return Interval(max(total.lo, found.lo) if sure else total.lo, max(total.hi, found.hi))


def _fold_min(total: Interval, found: Interval, sure: bool) -> Interval:
    return Interval(min(total.lo, found.lo), min(total.hi, found.hi) if sure else total.hi)


FOLDS = {"sum": _fold_sum, "max": _fold_max, "min": _fold_min}
