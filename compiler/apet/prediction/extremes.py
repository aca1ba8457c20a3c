"""Predictions where parameters are intervals: extremes over the box of their values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from apet.cost import Application, CostModel
from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.discontinuities import INEXACT
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.rounding import down, up
from apet.formula.extremes.extremes import Extremes, extremes
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, Item, NodeId, Symbol
from apet.ground.interval import Interval, Number
from apet.machine import End
from apet.prediction.binding import Bound
from apet.prediction.deployment import Deployment
from apet.prediction.parameter_ranges import corners

TOLERANCE = 1e-6
MOST_EVALUATIONS = 200
CORNERS = "corners of monotone pieces"


class BoxPredictor:
    """The least and greatest values of formulas over a box, at either end of operation times, where they exist: that
    they do everywhere is a requirement of its own.

    Parameters whose default depends on an interval are put in as formulas, so that they move with it.
    """

    def __init__(self, app: CostModel, deployment: Deployment, bound: Bound) -> None:
        self.app = app
        self.deployment = deployment
        self.bound = bound
        self.points = bound.points
        self.box = bound.box(app.graph)
        self._known: dict[tuple[NodeId, str, str], Extremes] = {}

    def ends(self, roots: Sequence[NodeId]) -> tuple[Sequence[Number], Sequence[Number], Interval, tuple[str, ...]]:
        """The least value of estimate, lower and upper bound (the first three roots) at tmin, the greatest at tmax;
        the guaranteed interval of the two bounds, and the rules by which the ends were found.

        The other roots, of which the estimate is the maximum, are taken where all parameters are at their ends.
        """
        low = [self._no_less_than_none(self.extremes(n, "tmin", "least")) for n in roots[:3]]
        high = [self.extremes(n, "tmax", "greatest") for n in roots[:3]]
        rules = tuple(dict.fromkeys(e.certificate.partition(",")[0] for e in (*low, *high)))
        guaranteed = Interval(down(low[1].lo), up(high[2].hi))
        first, last = self._corner(roots[3:], "tmin"), self._corner(roots[3:], "tmax")
        highest = [high[0].hi, min(high[1].hi, high[2].hi), high[2].hi]  # no lower bound is above the upper one
        return [*(e.lo for e in low), *first], [*highest, *last], guaranteed, rules

    def _no_less_than_none(self, time: Extremes) -> Extremes:
        """The least time of an application, of which the requirements say that no part is negative."""
        return time._replace(lo=max(0, time.lo)) if isinstance(self.app, Application) else time

    def _corner(self, roots: Sequence[NodeId], end: End) -> list[Number]:
        nodes = [substitute(self.app.graph, n, self.bound.derived) for n in roots]
        corner = {n: v.lo if end == "tmin" else v.hi for n, v in self.box.items()}
        plan = Plan(self.app.graph, nodes, exact=True, checked=isinstance(self.app, Application))
        return plan.run(self.deployment.environment(end, {**self.points, **corner}, exact=True))

    def extremes(self, root: NodeId, end: End, wanted: str) -> Extremes:
        """An extreme of one node over the box, "least" or "greatest", in exact numbers: so estimates jump as bounds."""
        key = (root, end if self.app.on_machines else "", wanted)
        if key not in self._known:
            self._known[key] = self._extremes(root, end, wanted)
        return self._known[key]

    def _extremes(self, root: NodeId, end: End, wanted: str) -> Extremes:
        app = self.app
        node = self._rounded(substitute(app.graph, root, self.bound.derived))
        plan = Plan(app.graph, [node], exact=True, checked=isinstance(app, Application))
        points = {n: Interval(v, v) for n, v in self.points.items()}

        def at(values: Mapping[str, Number]) -> Number:
            exact = {n: Fraction(v) if type(v) is float else v for n, v in values.items()}
            return plan.run(self.deployment.environment(end, {**self.points, **exact}, exact=True))[0]

        ends_at = corners(app, self.box)
        if ends_at is not None:
            ends = [at(corner) for corner in ends_at]
            return Extremes(min(ends), max(ends), CORNERS, True, min(ends))
        enclosure = Enclosure(app.graph, [node], lenient=True)

        def over(box: Mapping[str, Interval]) -> Interval:
            return enclosure.run(self.deployment.over(end, points | dict(box), exact=True))[0]

        return extremes(app.graph, node, self.box, app.whole, at, over, TOLERANCE, MOST_EVALUATIONS, wanted=wanted)

    def _rounded(self, root: NodeId) -> NodeId:
        """The node, in which whole numbers stand for roundings that are the same all over the box.

        An interval of floats around a logarithm or a root may hold several.
        """
        graph = self.app.graph
        broken = {n for n in graph.below(root) if _calls(graph, n, INEXACT)}
        if not broken:
            return root
        rounded = [n for n in graph.below(root) if _calls(graph, n, ("floor", "ceil")) and not graph.free[n]]
        fixed = [n for n in rounded if broken.intersection(graph.below(n)) and self._is_fixed(n)]
        values = Plan(graph, fixed, exact=True).run(MappingEnvironment(self.points))
        return substitute(graph, root, {n: graph.const(int(v)) for n, v in zip(fixed, values, strict=True)})

    def _is_fixed(self, root: NodeId) -> bool:
        """Whether a node depends on nothing but parameters with one value."""
        nodes = (self.app.graph.nodes[n] for n in self.app.graph.below(root))
        leaves = [n for n in nodes if isinstance(n, Symbol | Item)]
        return all(isinstance(n, Symbol) and n.name in self.points for n in leaves)


def _calls(graph: Graph, node: NodeId, functions: Collection[str]) -> bool:
    call = graph.nodes[node]
    return isinstance(call, Call) and call.function in functions
