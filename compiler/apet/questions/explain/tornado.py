"""What each interval does to T alone: the inputs with intervals, and T as a function of where they are in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.cost import CostModel
from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.enclosure import Enclosure, IntervalEnvironment
from apet.formula.evaluate.environment import Environment, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.extremes.enclosing import NamedIntervals
from apet.formula.extremes.extremes import extremes
from apet.ground.interval import Interval, Number
from apet.prediction.binding import bind
from apet.prediction.deployment import Deployment
from apet.prediction.environment import BoxEnvironment
from apet.prediction.parameter_ranges import corners
from apet.questions.adjusted import LOAD, MIDDLE, MixedEnvironment, figures
from apet.questions.explain.explanation import NETWORK, OPERATION, PARAMETER, Swing

TOLERANCE = 1e-6
MOST_EVALUATIONS = 200


class UncertainInput(NamedTuple):
    """An interval that T depends on; of an operation the interval over all processors in use."""

    name: str
    kind: str
    interval: Interval


class UncertainInputs:
    """The inputs with intervals of one deployment: operations, network, external load, and parameters set so."""

    def __init__(self, app: CostModel, deployment: Deployment, settings: Mapping[str, Number | Interval]) -> None:
        self.app = app
        self.deployment = deployment
        self.settings = settings
        self.plan = Plan(app.graph, [app.T_total.node])
        self.ranges = {n: v for n, v in settings.items() if isinstance(v, Interval) and not v.is_point}
        self.inputs = tuple(i for i in (*self._machine(), *self._parameters()) if not i.interval.is_point)
        self._fixed = None if self.ranges else bind(app, deployment.P, settings).points

    def _machine(self) -> Sequence[UncertainInput]:
        """Operations in use by name, then the network and the load."""
        configuration = self.deployment.configuration
        if configuration is None:
            return []
        groups = [*(g.group for g in configuration.groups), configuration.machines.coordinator]
        inputs = []

        for name in self.app.operations:
            some = [group.op_s[name] for group in groups if name in group.op_s]
            if some:
                inputs.append(UncertainInput(f"t_{name}", OPERATION, _over(some)))

        if "send" in self.app.operations:
            inputs += [UncertainInput(n, NETWORK, i) for n, i in figures(configuration.machines).items()]
        if any(name != "send" for name in self.app.operations):
            inputs.append(UncertainInput(LOAD, OPERATION, _over([group.load for group in groups])))
        return inputs

    def _parameters(self) -> Sequence[UncertainInput]:
        return [UncertainInput(name, PARAMETER, interval) for name, interval in self.ranges.items()]

    def seconds(self, at: Mapping[str, float]) -> float:
        """T with each input at a point of its interval, 0 its lower end and 1 its upper; others at their middle."""
        return float(self.plan.run(self._environment(at, self._values(at)))[0])

    def _values(self, at: Mapping[str, float]) -> Mapping[str, Number]:
        if self._fixed is not None:
            return self._fixed
        chosen = {n: self.point(n, at.get(n, MIDDLE)) for n in self.ranges}
        return bind(self.app, self.deployment.P, {**self.settings, **chosen}).points

    def point(self, name: str, at: float) -> Number:
        """The value of a parameter at a point of its interval; whole where it must be."""
        interval = self.ranges[name]
        value = float(interval.lo) + at * (float(interval.hi) - float(interval.lo))
        if name not in self.app.whole:
            return value
        return min(int(interval.hi), int(interval.lo) + int(at * (int(interval.hi) - int(interval.lo) + 1)))

    def _environment(self, at: Mapping[str, float], values: Mapping[str, Number]) -> Environment:
        if self.deployment.configuration is None:
            return MappingEnvironment(values)
        machine = {n: u for n, u in at.items() if n not in self.ranges}
        return MixedEnvironment(self.deployment.configuration, values, self.deployment.schedule, machine)

    def _over(self, box: Mapping[str, Interval]) -> IntervalEnvironment:
        """Quantities of machines at their middle, parameters in a box of all of them."""
        configuration, schedule = self.deployment.configuration, self.deployment.schedule
        if configuration is None:
            return NamedIntervals(box)
        return BoxEnvironment(lambda values: MixedEnvironment(configuration, values, schedule, {}), box)

    # One at a time

    def swings(self) -> tuple[Swing, ...]:
        """What each input does to T alone, the greatest first."""
        base = self.seconds({})
        swings = []
        for each in self.inputs:
            if each.kind == PARAMETER:
                low, high = self._extremes(each.name)
            else:
                low, high = sorted(self.seconds({each.name: end}) for end in (0.0, 1.0))
            swings.append(Swing(*each, min(low, base), base, max(high, base)))
        return tuple(sorted(swings, key=lambda s: (-s.swing, s.name)))

    def _extremes(self, name: str) -> tuple[float, float]:
        """The least and greatest T over the interval of one parameter, the others at their middle."""
        app, graph = self.app, self.app.graph
        others = {n: self.point(n, MIDDLE) for n in self.ranges if n != name}
        bound = bind(app, self.deployment.P, {**self.settings, **others})
        node = substitute(graph, app.T_total.node, bound.derived) if bound.derived else app.T_total.node

        plan = Plan(graph, [node])
        points = {n: Interval(v, v) for n, v in bound.points.items()}

        def over(box: Mapping[str, Interval]) -> Interval:
            return enclosure.run(self._over(points | dict(box)))[0]

        def at(values: Mapping[str, Number]) -> Number:
            return plan.run(self._environment({}, {**bound.points, **values}))[0]

        # where T is proved to move one way, two evaluations are exact; else branch and bound over the interval
        monotone_ends = corners(app, bound.box(graph))
        if monotone_ends is not None:
            ends = [float(at(corner)) for corner in monotone_ends]
            return min(ends), max(ends)

        enclosure = Enclosure(graph, [node])
        ends_of_time = extremes(graph, node, bound.box(graph), app.whole, at, over, TOLERANCE, MOST_EVALUATIONS)
        return float(ends_of_time.lo), float(ends_of_time.hi)


def _over(intervals: Sequence[Interval]) -> Interval:
    """The hull; a point only where all are points, of which the first is shown."""
    if all(i.is_point for i in intervals):
        return intervals[0]
    return Interval(min(i.lo for i in intervals), max(i.hi for i in intervals))
