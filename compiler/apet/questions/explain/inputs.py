"""What can be turned on one configuration: parameters, processors, operation times, figures of the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.extremes.curvature import Shape, shape_in, shape_in_item
from apet.formula.extremes.monotone import Steepness, sign
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import Configuration
from apet.model.walk import names_in
from apet.prediction.adjusted import (
    BANDWIDTH,
    LATENCY,
    MeasuredEnvironment,
    ScaledEnvironment,
    rounded,
    slowest,
    with_more,
)
from apet.prediction.binding import bind
from apet.prediction.crossings import Line
from apet.prediction.environment import MachineEnvironment
from apet.prediction.predictor import Predictor
from apet.questions.explain.explanation import NETWORK, OPERATION, PARAMETER, PROCESSORS, STOPPED

WIDEST = 10**6
"""A change is looked for between a present value divided by this and times this."""
MOST_PROCESSORS = 8192
MOST_QUESTIONS = 2_000_000
"""For times of operations, in all evaluations together: more take too long to wait for."""
FALLING = frozenset({BANDWIDTH})


class Lever(NamedTuple):
    """What is turned, its present value, and the range in which: a declared one, or that of `WIDEST`."""

    name: str
    kind: str
    now: Number
    low: Number
    high: Number
    whole: bool = False

    @property
    def range(self) -> Interval:
        """From the least to the greatest value considered."""
        return Interval(self.low, self.high)


class Situation(NamedTuple):
    """One configuration with values of all parameters, of which `given` were set."""

    predictor: Predictor
    configuration: Configuration
    values: Mapping[str, Number]
    given: Mapping[str, Number]


class Levers:
    """All levers of a situation at the upper ends of operation times, and what the terms of T do along each."""

    def __init__(self, situation: Situation, terms: Sequence[NodeId], run: Callable[..., list[Number]]) -> None:
        """`run` evaluates T and then the terms in an environment."""
        self.here = situation
        self.terms = terms
        self.run = run
        self._steep: dict[NodeId, Steepness] = {}
        self._shapes: dict[str, list[Shape]] = {}
        environment = self._machine({})
        self.run(environment)
        self._longest = environment.longest
        self._cost = environment.asked + 20
        self._left = MOST_QUESTIONS
        app = situation.predictor.app
        self._required = Plan(app.graph, [r.node for r in app.requirements])
        self._most = self.here.configuration.P

    def _machine(self, factors: Mapping[str, Number]) -> ScaledEnvironment:
        _, configuration, values, _ = self.here
        return ScaledEnvironment(configuration, "tmax", values, self.here.predictor.schedule, factors)

    def all(self) -> Iterator[Lever]:
        """Parameters in order, P, operations by name, the network."""
        app, values = self.here.predictor.app, self.here.values
        for name, value in values.items():
            if name != "P" and name not in app.processors and (value > 0 or name in app.graph.assumed):
                yield self._parameter(name, value)
        if app.closed is None:
            yield Lever("P", PROCESSORS, self.here.configuration.P, 1, MOST_PROCESSORS, True)
        elif app.closed.counts_processors:
            most = self.here.predictor.machines.processors
            yield Lever("P", PROCESSORS, self.here.configuration.P, 1, most, True)
        for name, longest in sorted(self._longest.items()):
            if longest > 0:
                yield Lever(name, OPERATION, longest, longest / WIDEST, longest * WIDEST)
        yield from self._network()

    def _parameter(self, name: str, value: Number) -> Lever:
        app = self.here.predictor.app
        whole = name in app.whole
        declared = app.graph.assumed.get(name)
        lowest: Number = 0 if declared is None else declared[0]
        if declared is None or declared[1] is None or lowest < -WIDEST * WIDEST:
            low: Number = value // WIDEST if whole else value / WIDEST
            return Lever(name, PARAMETER, value, max(low, lowest), value * WIDEST, whole)
        return Lever(name, PARAMETER, value, lowest, declared[1], whole)

    def _network(self) -> Iterator[Lever]:
        network = self.here.predictor.machines.network
        if "t_send" in self._longest and network.latency_s is not None and network.bandwidth_B_per_s is not None:
            for name, now in ((LATENCY, network.latency_s.hi), (BANDWIDTH, network.bandwidth_B_per_s.lo)):
                if now > 0:
                    yield Lever(name, NETWORK, now, now / WIDEST, now * WIDEST)

    # What T and its terms are at a value of a lever

    def at(self, lever: Lever, value: Number) -> list[float] | None:
        """T and its terms in seconds; None where the lever may not have this value."""
        if self._left < 0:
            return None
        self._left -= self._cost
        try:
            environment = self._environment(lever, value)
            if lever.kind in (PARAMETER, PROCESSORS) and any(v < 0 for v in self._required.run(environment)):
                return None
            found = [rounded(v) for v in self.run(environment)]
            self._most = max(self._most, int(value)) if lever.kind == PROCESSORS else self._most
            return found
        except (ApetError, EvaluationError, LookupError, OverflowError):
            return None

    def _environment(self, lever: Lever, value: Number) -> MachineEnvironment:
        predictor, configuration, _, given = self.here
        if lever.kind in (OPERATION, NETWORK):
            return self._machine({lever.name: float(value) / float(lever.now)})
        if lever.kind == PROCESSORS:
            configuration = with_more(predictor.machines, int(value)).configure(int(value))
            values = bind(predictor.app, configuration.P, given).points
            return MeasuredEnvironment(configuration, "tmax", values, predictor.schedule)
        values = bind(predictor.app, configuration.P, {**given, lever.name: value}).points
        return MachineEnvironment(configuration, "tmax", values, predictor.schedule)

    # What is known of the terms along a lever

    def line(self, lever: Lever) -> Line:
        """The terms of T along a lever."""

        def at(value: Number) -> list[float] | None:
            found = self.at(lever, value)
            return None if found is None else found[1:]

        count = len(self.terms)
        if lever.kind in (PARAMETER, PROCESSORS):
            known = self._known(lever, self.terms) if lever.kind == PARAMETER else None
            if known is None:
                return Line(at, [None] * count, [Shape.NOTHING] * count, lever.whole, lever.range)
            return Line(at, *known, lever.whole, lever.range)
        directions = [-1 if lever.name in FALLING else 1] * count
        shapes = self._shapes_in("t_send" if lever.kind == NETWORK else lever.name)
        if lever.name in FALLING:
            return Line(at, directions, shapes, False, lever.range, lambda v: 1 / float(v))
        return Line(at, directions, shapes, False, lever.range)

    def monotone(self, lever: Lever, total: NodeId) -> bool:
        """Whether T is proved to move in one direction along a lever."""
        if lever.kind in (OPERATION, NETWORK):
            return True
        found = self._known(lever, [total]) if lever.kind == PARAMETER else None
        return found is not None and found[0][0] is not None

    def _shapes_in(self, item: str) -> list[Shape]:
        if item not in self._shapes:
            box = {n: Interval(v, v) for n, v in self.here.values.items()}
            found = [self._steepness(node) for node in self.terms]
            self._shapes[item] = [shape_in_item(s, item, s.values(box)) for s in found]
        return self._shapes[item]

    def _known(self, lever: Lever, nodes: Sequence[NodeId]) -> tuple[list[int | None], list[Shape]] | None:
        """Directions and shapes over the range of a parameter; None where it may not have all of it.

        None as well where defaults are computed from it: their ranges take long to find.
        """
        predictor, configuration, values, given = self.here
        computed = (p for n, p in predictor.app.model.parameters.items() if n in values and n not in given)
        if any(p.value is not None and lever.name in names_in(p.value) for p in computed):
            return None
        graph = predictor.app.graph
        try:
            wide = {**given, lever.name: lever.range}
            bound = bind(predictor.app, configuration.P, wide)
            box = {n: Interval(v, v) for n, v in bound.points.items()} | bound.box(graph)
        except (ApetError, EvaluationError, LookupError, OverflowError, ValueError):
            return None
        directions, shapes = list[int | None](), list[Shape]()
        for node in nodes:
            steep = self._steepness(node)
            directions.append(sign(steep.slopes(box, [lever.name])[lever.name]))
            shapes.append(shape_in(steep, lever.name, steep.values(box)))
        return directions, shapes

    def _steepness(self, node: NodeId) -> Steepness:
        if node not in self._steep:
            self._steep[node] = Steepness(self.here.predictor.app.graph, node)
        return self._steep[node]

    @property
    def operations(self) -> Mapping[str, float]:
        """The longest time of each operation and message in the formulas, in seconds."""
        return self._longest

    @property
    def searched(self) -> dict[str, str]:
        """How far each kind of lever is turned."""
        far = f"1/{WIDEST:,} to {WIDEST:,} times the present value"
        machines = self.here.predictor.machines
        beyond = f"1 to {self._most:,}"
        if machines.processors < self._most:
            beyond += f", beyond {machines.processors:,} with more machines {machines.groups[slowest(machines)].name}"
        found = {PARAMETER: f"the declared range, else {far}", PROCESSORS: beyond, OPERATION: far, NETWORK: far}
        closed = self.here.predictor.app.closed
        if closed is not None:
            found = {PROCESSORS: beyond} if closed.counts_processors else {PARAMETER: "the range of each"}
        return found if self._left >= 0 else found | {STOPPED: "stopped early, as an evaluation takes long here"}
