"""Predictions where parameters are intervals: extremes over the box of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.cost import CostModel
from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.rounding import down, up
from apet.formula.extremes.extremes import Extremes, extremes
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval, Number
from apet.machine import End
from apet.prediction.binding import Bound
from apet.prediction.deployment import Deployment
from apet.prediction.parameter_ranges import corners

TOLERANCE = 1e-6
MOST_EVALUATIONS = 200
CORNERS = "corners of monotone pieces"


class BoxPredictor:
    """The least and greatest values of formulas over a box, at either end of operation times.

    Parameters whose default depends on an interval are put in as formulas, so that they move with it.
    """

    def __init__(self, app: CostModel, deployment: Deployment, bound: Bound) -> None:
        self.app = app
        self.deployment = deployment
        self.bound = bound
        self.points = bound.points
        self.box = bound.box(app.graph)
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
        return Plan(self.app.graph, nodes).run(self.deployment.environment(end, {**self.points, **corner}))

    def extremes(self, root: NodeId, end: End, exact: bool) -> Extremes:
        """The extremes of one node over the box."""
        key = (root, end if self.app.on_machines else "", exact)
        if key not in self._known:
            self._known[key] = self._extremes(root, end, exact)
        return self._known[key]

    def _extremes(self, root: NodeId, end: End, exact: bool) -> Extremes:
        app = self.app
        node = substitute(app.graph, root, self.bound.derived)
        plan = Plan(app.graph, [node], exact=exact)
        points = {n: Interval(v, v) for n, v in self.points.items()}

        def at(values: Mapping[str, Number]) -> Number:
            return plan.run(self.deployment.environment(end, {**self.points, **values}, exact))[0]

        known = corners(app, self.box)
        if known is not None:
            ends = [at(corner) for corner in known]
            return Extremes(min(ends), max(ends), CORNERS, True)
        enclosure = Enclosure(app.graph, [node])

        def over(box: Mapping[str, Interval]) -> Interval:
            return enclosure.run(self.deployment.over(end, points | dict(box), exact))[0]

        return extremes(app.graph, node, self.box, app.whole, at, over, TOLERANCE, MOST_EVALUATIONS)
