"""Predictions where parameters are intervals: extremes over the box of their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from apet.backends.bounds.environment import BoxEnvironment, MachineEnvironment
from apet.backends.bounds.rounding import down, up
from apet.formula.enclosure import enclose
from apet.formula.evaluation import Plan
from apet.formula.extremes import Extremes, extremes
from apet.formula.graph import Graph
from apet.formula.nodes import NodeId
from apet.interval import Interval, Number
from apet.machine import Configuration, End

if TYPE_CHECKING:
    from apet.backends.bounds.predictor import Predictor

Values = Mapping[str, Number | Interval]
Ends = tuple[Number, Number, Number, tuple[Number, ...]]


def over_box(graph: Graph, node: NodeId, values: Values) -> Number | Interval:
    """The range of an expression of parameters alone."""
    box = {n: v if isinstance(v, Interval) else Interval(v, v) for n, v in values.items()}
    found = enclose(graph, [node], _ParametersOnly(box))[0]
    return found.lo if found.is_point else found


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
    """The least and greatest values of an application's formulas over a box, at either end of operation times."""

    def __init__(
        self,
        predictor: Predictor,
        configuration: Configuration,
        values: Values,
        roots: Sequence[NodeId],
        required: Sequence[NodeId],
    ) -> None:
        self.predictor = predictor
        self.configuration = configuration
        self.points = {n: v for n, v in values.items() if not isinstance(v, Interval)}
        self.box = {n: v for n, v in values.items() if isinstance(v, Interval)}
        self.roots = roots
        self.required = required

    def ends(self) -> tuple[tuple[Ends, Ends, Interval], tuple[str, ...], list[tuple[int, Number]]]:
        """Both ends of (estimate, lower, upper, candidates), the guaranteed interval, the rules used, and which
        requirements fail somewhere in the box with how much."""
        failed = []
        for k, node in enumerate(self.required):
            least = self._extremes(node, "tmin", True).lo
            if least < 0:
                failed.append((k, least))
        if failed:
            nothing: Ends = (0, 0, 0, (0,) * (len(self.roots) - 3))
            return (nothing, nothing, Interval(0, 0)), (), failed
        low = [self._extremes(n, "tmin", False) for n in self.roots]
        high = [self._extremes(n, "tmax", False) for n in self.roots]
        sure = self._extremes(self.roots[1], "tmin", True), self._extremes(self.roots[2], "tmax", True)
        rules = tuple(dict.fromkeys(e.certificate for e in (*low[:3], *high[:3])))
        least, most = [e.lo for e in low], [e.hi for e in high]
        guaranteed = Interval(down(sure[0].lo), up(sure[1].hi))
        first: Ends = (least[0], least[1], least[2], tuple(least[3:]))
        last: Ends = (most[0], most[1], most[2], tuple(most[3:]))
        return (first, last, guaranteed), rules, []

    def _extremes(self, node: NodeId, end: End, exact: bool) -> Extremes:
        app, schedule = self.predictor.app, self.predictor.schedule
        plan = Plan(app.graph, [node], exact=exact)

        def environment(values: Mapping[str, Number]) -> MachineEnvironment:
            return MachineEnvironment(self.configuration, end, {**self.points, **values}, schedule, exact)

        def at(values: Mapping[str, Number]) -> Number:
            return plan.run(environment(values))[0]

        def over(box: Mapping[str, Interval]) -> Interval:
            low = environment({n: v.lo for n, v in box.items()})
            high = environment({n: v.hi for n, v in box.items()})
            whole = {n: Interval(v, v) for n, v in self.points.items()} | dict(box)
            return enclose(app.graph, [node], BoxEnvironment(low, high, whole))[0]

        return extremes(app.graph, node, self.box, app.whole, at, over)
