"""Predictions where parameters are intervals: extremes over the box of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from apet.cost import Application
from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.rounding import down, up
from apet.formula.extremes.extremes import Extremes, extremes
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval, Number
from apet.machine import Configuration, End
from apet.prediction.binding import Bound
from apet.prediction.environment import BoxEnvironment, MachineEnvironment

TOLERANCE = 1e-6
MOST_EVALUATIONS = 200
MOST_CORNERS = 4096
CORNERS = "corners of monotone pieces"


def range_of(app: Application, node: NodeId, points: Mapping[str, Number], box: Mapping[str, Interval]) -> Interval:
    """The range of an expression of parameters alone."""
    plan, enclosure = Plan(app.graph, [node], exact=True), Enclosure(app.graph, [node])

    def at(values: Mapping[str, Number]) -> Number:
        return plan.run(MappingEnvironment({**points, **values}))[0]

    def over(part: Mapping[str, Interval]) -> Interval:
        return enclosure.run(_ParametersOnly({n: Interval(v, v) for n, v in points.items()} | dict(part)))[0]

    found = extremes(app.graph, node, box, app.whole, at, over)
    return Interval(found.lo, found.hi)


def corners(app: Application, box: Mapping[str, Interval]) -> list[dict[str, Number]] | None:
    """Where the ends of a closed model lie that is monotone in each parameter, piece by piece; None for others."""
    closed = app.closed
    if closed is None or any(name not in closed.breaks for name in box):
        return None
    choices = []
    for name, x in box.items():
        inner = [b for b in closed.breaks[name] if x.lo < b < x.hi]
        choices.append((x.lo, *(map(int, inner) if name in app.whole else inner), x.hi))
    if prod(map(len, choices)) > MOST_CORNERS:
        return None
    return [dict(zip(box, corner, strict=True)) for corner in product(*choices)]


class _ParametersOnly:
    def __init__(self, box: Mapping[str, Interval]) -> None:
        self.box = box

    def symbol(self, name: str) -> Interval:
        return self.box[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        raise LookupError(name)

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        raise LookupError(name)


class BoxPredictor:
    """The least and greatest values of formulas over a box, at either end of operation times.

    Parameters whose default depends on an interval are put in as formulas, so that they move with it.
    """

    def __init__(self, app: Application, configuration: Configuration, bound: Bound, schedule: str) -> None:
        self.app = app
        self.configuration = configuration
        self.bound = bound
        self.points = bound.points
        self.box = bound.box(app.graph)
        self.schedule = schedule
        self._known: dict[tuple[NodeId, str, bool], Extremes] = {}

    def ends(self, roots: Sequence[NodeId]) -> tuple[Sequence[Number], Sequence[Number], Interval, tuple[str, ...]]:
        """The least value of estimate, lower and upper bound (the first three roots) at tmin, the greatest at tmax;
        the guaranteed interval of the two bounds, and the rules by which the ends were found.

        The other roots, of which the estimate is the maximum, are taken where all parameters are at their ends.
        """
        low = [self.extremes(roots[0], "tmin", False), self.extremes(roots[1], "tmin", True)]
        low.append(self.extremes(roots[2], "tmin", False))
        high = [self.extremes(n, "tmax", False) for n in roots[:2]] + [self.extremes(roots[2], "tmax", True)]
        rules = tuple(dict.fromkeys(e.certificate for e in (*low, *high)))
        guaranteed = Interval(down(low[1].lo), up(high[2].hi))
        first, last = self._corner(roots[3:], "tmin"), self._corner(roots[3:], "tmax")
        return [*(e.lo for e in low), *first], [*(e.hi for e in high), *last], guaranteed, rules

    def _corner(self, roots: Sequence[NodeId], end: End) -> list[Number]:
        nodes = [substitute(self.app.graph, n, self.bound.derived) for n in roots]
        corner = {n: v.lo if end == "tmin" else v.hi for n, v in self.box.items()}
        environment = MachineEnvironment(self.configuration, end, {**self.points, **corner}, self.schedule)
        return Plan(self.app.graph, nodes).run(environment)

    def extremes(self, root: NodeId, end: End, exact: bool) -> Extremes:
        """The extremes of one node over the box."""
        key = (root, end if self.app.closed is None else "", exact)
        if key not in self._known:
            self._known[key] = self._extremes(root, end, exact)
        return self._known[key]

    def _extremes(self, root: NodeId, end: End, exact: bool) -> Extremes:
        app = self.app
        node = substitute(app.graph, root, self.bound.derived)
        plan = Plan(app.graph, [node], exact=exact)
        points = {n: Interval(v, v) for n, v in self.points.items()}

        def environment(values: Mapping[str, Number]) -> MachineEnvironment:
            return MachineEnvironment(self.configuration, end, {**self.points, **values}, self.schedule, exact)

        def at(values: Mapping[str, Number]) -> Number:
            return plan.run(environment(values))[0]

        found = corners(app, self.box)
        if found is not None:
            ends = [at(corner) for corner in found]
            return Extremes(min(ends), max(ends), CORNERS, True)
        enclosure = Enclosure(app.graph, [node])

        def over(box: Mapping[str, Interval]) -> Interval:
            low = environment({n: v.lo for n, v in box.items()})
            high = environment({n: v.hi for n, v in box.items()})
            return enclosure.run(BoxEnvironment(low, high, points | dict(box)))[0]

        return extremes(app.graph, node, self.box, app.whole, at, over, TOLERANCE, MOST_EVALUATIONS)
