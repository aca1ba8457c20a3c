"""The least and greatest value of a formula over a box of parameter values.

A parameter of proved direction is put at one of its ends; one in which the formula is proved convex (concave) is put at
both for the maximum (minimum); whole parameters of few values are scanned; what remains is searched by branch and bound
with enclosures (Moore, Skelboe 1974; Ichida and Fujii 1979), which prunes by monotonicity on sub-boxes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product

from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.rounding import EVERYTHING, infinite, negate
from apet.formula.extremes.curvature import Shape, shape_in
from apet.formula.extremes.monotone import Steepness, sign
from apet.formula.extremes.search import BranchAndBound
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground import activity
from apet.ground.activity import Activity
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple

Box = Mapping[str, Interval]
At = Callable[[Mapping[str, Number]], Number]
Over = Callable[[Box], Interval]
SlopesOver = Callable[[Box], Mapping[str, Interval]]
MOST_CORNERS = 256
NEARLY = 1e-9
"""Points of a scan that come this close to the best are evaluated with outward rounding."""
NARROW = "narrow the range"


class Extremes(NamedTuple):
    """Ends that no value over the box lies outside, how they were found, and whether they are reached.

    `least` is the least value met at a point, which is not below `lo`; `inf` where none was.
    """

    lo: Number
    hi: Number
    certificate: str
    tight: bool
    least: Number


class ReachedEnd(NamedTuple):
    """One end: its value, how found (0 ends, 1 corners, 2 scan, 3 search), boxes searched, whether it is reached,
    and the best value met at a point."""

    value: Number
    rank: int
    boxes: int
    tight: bool
    met: Number


def extremes(
    graph: Graph,
    node: NodeId,
    box: Box,
    whole: frozenset[str],
    at: At,
    over: Over,
    tolerance: float = 1e-9,
    most_evaluations: int = 4000,
    slopes: SlopesOver | None = None,
    wanted: str = "both",
) -> Extremes:
    """The least and greatest value of a node over a box.

    `wanted`: the "least", the "greatest", or "both"; the other end is infinite.

    `at` gives the value at a point, `over` an enclosure over a sub-box; symbols in `whole` take whole values only.
    `slopes`, where given, encloses the slopes by symbol over a sub-box more sharply than structure alone can. The ends
    are right to `tolerance`, relative to the greatest absolute value met, or `tight` is False: then they are outer
    bounds. The certificate is "endpoints", "corners", "scan" or "branch and bound, N boxes". `EvaluationError` if there
    is no value at a decisive point, `ValueError` if a whole symbol has no whole number in its interval.
    """
    task = _EndSearch(graph, node, whole, at, over, slopes, tolerance, most_evaluations)
    around = {name: _narrowed(name, x, name in whole) for name, x in box.items()}
    low = NO_END if wanted == "greatest" else _end(task, around, False)
    high = NO_END._replace(value=math.inf) if wanted == "least" else _end(task, around, True)
    rank = max(low.rank, high.rank)
    how = ("endpoints", "corners", "scan", f"branch and bound, {low.boxes + high.boxes} boxes")[rank]
    return Extremes(low.value, high.value, how, low.tight and high.tight, low.met)


NO_END = ReachedEnd(-math.inf, 0, 0, True, math.inf)
"""Of the least value, where that is not wanted."""


def _narrowed(name: str, x: Interval, whole: bool) -> Interval:
    if not whole:
        return x
    low, high = math.ceil(x.lo), math.floor(x.hi)
    if low > high:
        raise ValueError(f"{name} is whole, but there is no whole number from {x.lo} to {x.hi}")
    return Interval(low, high)


class _EndSearch:
    """What is asked, and what was already evaluated."""

    def __init__(
        self,
        graph: Graph,
        node: NodeId,
        whole: frozenset[str],
        at: At,
        over: Over,
        slopes: SlopesOver | None,
        tolerance: float,
        most: int,
    ) -> None:
        self.steepness = Steepness(graph, node)
        self.whole = whole
        self.slopes_over = slopes
        self.tolerance = tolerance
        self.most = most
        self._at = at
        self._over = over
        self._known: dict[tuple[Number, ...], Number] = {}

    def at(self, values: Mapping[str, Number]) -> Number:
        """The value at a point."""
        key = tuple(values.values())
        if key not in self._known:
            self._known[key] = self._at(values)
        return self._known[key]

    def over(self, box: Box) -> Interval:
        """An enclosure; without limits where there may be no value."""
        try:
            return self._over(box)
        except (EvaluationError, OverflowError):
            return EVERYTHING

    def rounded(self, values: Mapping[str, Number], up: bool) -> Number:
        """The value at a point, rounded outward where it is a float."""
        value = self.at(values)
        if type(value) is not float:
            return value
        around = self.over({n: Interval(v, v) for n, v in values.items()})
        return max(value, around.hi) if up else min(value, around.lo)

    def slopes(self, box: Box) -> dict[str, Interval]:
        """Slopes by symbol, for those that are no points."""
        moving = [n for n, x in box.items() if not x.is_point]
        bounds = self.steepness.slopes(box, moving)
        sharper = self.slopes_over(box) if self.slopes_over and moving else {}
        for name in moving:
            if name in sharper:
                other = sharper[name]
                bounds[name] = Interval(max(bounds[name].lo, other.lo), min(bounds[name].hi, other.hi))
        return bounds


def at_ends(box: Box, slopes: Mapping[str, Interval], up: bool) -> dict[str, Interval]:
    """The box with every symbol of known direction at the end where the value is greatest (up) or least."""
    corner = dict(box)
    for name, slope in slopes.items():
        way = sign(slope)
        if way is not None:
            end = box[name].hi if (way > 0) == up else box[name].lo
            corner[name] = Interval(end, end)
    return corner


def _end(task: _EndSearch, box: dict[str, Interval], up: bool) -> ReachedEnd:
    """The greatest (up) or least value over a box."""
    unknown = [n for n, x in box.items() if not x.is_point]
    before = len(unknown) + 1
    while 0 < len(unknown) < before:  # what is at its end may settle the direction of others
        before = len(unknown)
        box = at_ends(box, task.slopes(box), up)
        unknown = [n for n in unknown if not box[n].is_point]
    if not unknown:
        return ReachedEnd(task.rounded(_lows(box), up), 0, 0, True, task.at(_lows(box)))
    corners = _at_corners(task, box, unknown, up)
    choices = {n: _choices(box[n], n in corners, n in task.whole, task.most) for n in unknown}
    if all(c is not None for c in choices.values()):
        lists = [c for c in choices.values() if c is not None]
        if math.prod(map(len, lists)) <= task.most:
            rank = 1 if all(n in corners for n in unknown) else 2
            return _scanned(task, box, dict(zip(choices, lists, strict=True)), rank, up)

    return _searched(task, _starts(box, corners), up)


def _lows(box: Box) -> dict[str, Number]:
    return {name: x.lo for name, x in box.items()}


def _at_corners(task: _EndSearch, box: Box, unknown: list[str], up: bool) -> list[str]:
    """The symbols in which the node is proved convex (up) or concave."""
    values = task.steepness.values(box)
    wanted = Shape.CONVEX if up else Shape.CONCAVE
    return [n for n in unknown if wanted in shape_in(task.steepness, n, values)]


def _choices(x: Interval, corner: bool, whole: bool, most: int) -> list[Number] | None:
    if corner:
        return [x.lo, x.hi]
    return list(range(int(x.lo), int(x.hi) + 1)) if whole and x.hi - x.lo < most else None


def _scanned(task: _EndSearch, box: Box, choices: Mapping[str, list[Number]], rank: int, up: bool) -> ReachedEnd:
    start = _lows(box)
    points = [{**start, **dict(zip(choices, values, strict=True))} for values in product(*choices.values())]
    values = [task.at(p) for p in activity.over(points, f"scanning {', '.join(choices)}", "values", NARROW)]
    best = max(values) if up else min(values)
    if infinite(best) or not any(type(v) is float for v in values):
        return ReachedEnd(best, rank, 0, True, best)
    margin = NEARLY * max(max(values), -min(values))
    near = [task.rounded(p, up) for p, v in zip(points, values, strict=True) if best - margin <= v <= best + margin]
    return ReachedEnd(max(near) if up else min(near), rank, 0, True, best)


def _starts(box: dict[str, Interval], corners: list[str]) -> list[dict[str, Interval]]:
    """The boxes to search: one for each corner of the symbols that are extreme at corners, while these are few."""
    if not 0 < len(corners) <= math.log2(MOST_CORNERS):
        return [box]
    ends = product(*([Interval(e, e) for e in box[n]] for n in corners))
    return [{**box, **dict(zip(corners, chosen, strict=True))} for chosen in ends]


def _searched(task: _EndSearch, starts: list[dict[str, Interval]], up: bool) -> ReachedEnd:
    def bound(box: Box) -> Number:
        enclosure = task.over(box)
        return (negate(enclosure) if up else enclosure).lo

    def value(values: Mapping[str, Number]) -> Number | None:
        try:
            reached = task.at(values)
        except (ArithmeticError, ValueError, LookupError):  # a subscript that is not whole names nothing
            return None
        return -reached if up else reached

    def slopes(box: Box) -> Mapping[str, Interval]:
        bounds = task.slopes(box)
        return {n: negate(s) for n, s in bounds.items()} if up else bounds

    search = BranchAndBound(bound, value, slopes, task.whole, task.tolerance, task.most)
    with Activity("searching the range", "evaluations", lambda: search.evaluations, whole=task.most, advice=NARROW):
        least, tight = search.least(starts)
    return ReachedEnd(-least if up else least, 3, search.boxes, tight, -search.best if up else search.best)
