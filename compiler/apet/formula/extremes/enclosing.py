"""The interval in which a formula surely lies over a box of numbers and intervals."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from apet.formula.evaluate.discontinuities import INEXACT, JUMPS
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.rounding import down, infinite, point, up
from apet.formula.extremes.extremes import extremes
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, Extreme, Item, Mul, NodeId, Symbol, operands
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple

BoxValue = Number | Interval | tuple[Number, Number]
"""One edge of a box: a number, an interval, or a pair of its ends."""


class Ends(NamedTuple):
    """Floats that no value lies outside of, and how they were found."""

    lo: float
    hi: float
    certificate: str


class NamedIntervals:
    """Intervals by name, where machine quantities have their printed form (`t_send[0, 1](8)`) as name.

    What is `whole` takes whole values only. `ValueError` names what has no value in its interval.
    """

    def __init__(self, edges: Mapping[str, BoxValue], whole: Collection[str] = ()) -> None:
        self.intervals = {name: interval(name, value, name in whole) for name, value in edges.items()}

    def symbol(self, name: str) -> Interval:
        """The interval of a parameter; `KeyError` names a missing one."""
        return self.intervals[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """The interval of a machine quantity at known arguments; `KeyError` names a missing one."""
        return self.intervals[shown(name, subscripts, arguments)]

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """`KeyError`: a quantity whose subscripts are not known is not in the box."""
        raise KeyError(f"{name} with subscripts that vary over the box")


def shown(name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> str:
    """The printed form of a quantity; arguments that are not known are printed as ranges, which no box has."""
    inside = [str(a.lo) if a.is_point else f"{a.lo}..{a.hi}" for a in arguments]
    below = f"[{', '.join(map(str, subscripts))}]" if subscripts else ""
    return name + below + (f"({', '.join(inside)})" if inside else "")


def interval(name: str, value: BoxValue, whole: bool = False) -> Interval:
    """An edge of a box as an interval; `ValueError` if it is empty, no number, or holds no whole one where it must."""
    ends: tuple[Any, ...] = tuple(value) if isinstance(value, tuple | Interval) else (value, value)
    if len(ends) != 2 or not all(isinstance(end, int | float | Fraction) for end in ends):
        raise ValueError(f"{name} is neither a number nor a pair of numbers")
    low, high = (float(end) if isinstance(end, float) else end for end in ends)
    if not low <= high:
        raise ValueError(f"the interval of {name} is empty: from {low} to {high}")

    if whole and math.isfinite(low) and math.isfinite(high):
        low, high = math.ceil(low), math.floor(high)
        if low > high:
            raise ValueError(f"{name} is whole, but there is no whole number in its interval")
    return Interval(low, high)


def enclosed(graph: Graph, node: NodeId, box: NamedIntervals, most_evaluations: int = 4000) -> Ends:
    """The least and greatest value over a box, exactly and rounded outward once, where a search finds them; else
    bounds by interval arithmetic.

    `EvaluationError` where some value may not exist, `KeyError` for a parameter or quantity that the box lacks,
    `ValueError` for an interval in which the graph has promised that a symbol does not lie.
    """
    _refuse_contradictions(graph, node, box)
    enclosure = Enclosure(graph, [node])
    ends = _searched(graph, node, box, enclosure, most_evaluations)
    if ends is not None:
        return ends
    bounds = enclosure.run(box)[0]
    return Ends(down(bounds.lo), up(bounds.hi), "interval arithmetic")


def _refuse_contradictions(graph: Graph, node: NodeId, box: NamedIntervals) -> None:
    """`ValueError` for an interval that leaves the range on which the normal form of the formula relies."""
    symbols = {s.name for n in graph.below(node) if isinstance(s := graph.nodes[n], Symbol)}
    for name in sorted(symbols & set(box.intervals)):
        low, high = graph.assumed.get(name, (0, None))
        edge = box.intervals[name]
        if edge.lo < low or (high is not None and edge.hi > high):
            allowed = f"{low} or more" if high is None else f"from {low} to {high}"
            raise ValueError(f"{name} goes from {edge.lo} to {edge.hi}, but the formula was made for {allowed}")


def _searched(graph: Graph, node: NodeId, box: NamedIntervals, enclosure: Enclosure, most: int) -> Ends | None:
    """By search over the parameters; None where quantities of the machine vary, or where there may be no value."""
    finite = not any(infinite(end) for x in box.intervals.values() for end in x)
    if not finite or not _decided_exactly(graph, node):
        return None
    nodes = [graph.nodes[n] for n in graph.below(node)]
    quantities = {n.name for n in nodes if isinstance(n, Item)}
    items = {name: x for name, x in box.intervals.items() if re.split(r"[\[(]", name)[0] in quantities}
    if not all(x.is_point for x in items.values()):
        return None

    parameters = {n.name: Interval(*map(_exact, box.symbol(n.name))) for n in nodes if isinstance(n, Symbol)}
    fixed = {name: _exact(x.lo) for name, x in items.items()}
    plan = Plan(graph, [node])

    def at(values: Mapping[str, Number]) -> Number:
        return plan.run(MappingEnvironment({**fixed, **{n: _exact(v) for n, v in values.items()}}))[0]

    def over(part: Mapping[str, Interval]) -> Interval:
        return enclosure.run(NamedIntervals({**{n: point(v) for n, v in fixed.items()}, **part}))[0]

    whole = frozenset(graph.integers)
    try:
        ends = extremes(graph, node, parameters, whole, at, over, most_evaluations=most)
    except (ArithmeticError, ValueError):
        return None
    if infinite(ends.lo) or infinite(ends.hi):
        return None
    exact = type(ends.lo) is not float and type(ends.hi) is not float
    endpoints = "exact endpoints" if exact else "endpoints, rounded outward"
    certificate = endpoints if ends.certificate == "endpoints" else ends.certificate
    return Ends(down(ends.lo), up(ends.hi), certificate)


def _exact(value: Number) -> Number:
    """A float as a fraction, with which a plan computes exactly."""
    return Fraction(value) if isinstance(value, float) else value


def _decided_exactly(graph: Graph, node: NodeId) -> bool:
    """Whether no jump (a rounding, a comparison, the end of a range) depends on a value that is known nearly only."""
    near = set[NodeId]()
    for n in graph.below(node):
        here = graph.nodes[n]
        inside = any(o in near for o in operands(here))
        smooth = isinstance(here, Add | Mul | Extreme) or (isinstance(here, Call) and here.function not in JUMPS)
        if inside and not smooth:
            return False
        if inside or (isinstance(here, Call) and here.function in INEXACT):
            near.add(n)
    return True
