"""The inputs that vary on one configuration: parameters, processors, operation times, figures of the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from apet.formula.evaluate.environment import Environment, MappingEnvironment
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.evaluate.tape import Tape
from apet.formula.extremes.curvature import Shape, shape_in, shape_in_item
from apet.formula.extremes.monotone import Steepness, sign
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import Configuration
from apet.model.walk import names_in
from apet.prediction.binding import bind
from apet.prediction.deployment import Deployment
from apet.prediction.predictor import Predictor
from apet.questions.adjusted import (
    BANDWIDTH,
    LATENCY,
    ScaledEnvironment,
    rounded,
    slowest,
    with_more,
)
from apet.questions.crossings import TermsAlong
from apet.questions.explain.explanation import NETWORK, OPERATION, PARAMETER, PROCESSORS, STOPPED

WIDEST = 10**6
"""A change is looked for between a present value divided by this and times this."""
MOST_PROCESSORS = 8192
MOST_STEPS = 1_000_000
"""Nodes evaluated and times of operations looked up, in all evaluations together: more take too long to wait for."""
ROUND, LONGEST = 5, 40_000
"""Nodes that a round of a loop without a closed form counts as, and the most rounds of one evaluation."""
MOST_LOOK_UPS = 30_000
"""Times of operations looked up in one evaluation for processors that there are not: loops over them may be long."""
PROVING = 8
"""Evaluations that it takes to find directions and shapes over a range."""
FALLING = frozenset({BANDWIDTH})


class VariedInput(NamedTuple):
    """An input, its present value, and the range over which it varies: the declared one, or that of `WIDEST`."""

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


class OperatingPoint(NamedTuple):
    """One deployment with values of all parameters, of which `settings` were set by the user."""

    predictor: Predictor
    deployment: Deployment
    values: Mapping[str, Number]
    settings: Mapping[str, Number]


class VariedInputs:
    """All inputs of a point at the upper ends of operation times, and what the terms of T do along each."""

    def __init__(self, point: OperatingPoint, total: NodeId, terms: Sequence[NodeId]) -> None:
        graph = point.predictor.app.graph
        self.here = point
        self.terms = terms
        self._plan = Plan(graph, [total, *terms])
        self._steep: dict[NodeId, Steepness] = {}
        self._shapes: dict[str, list[Shape]] = {}
        self._longest: Mapping[str, float] = {}
        self._cost = 20 + len(Tape(graph, terms).nodes)
        if point.deployment.configuration is not None:
            environment = self._machine(point.deployment.configuration, {})
            self._plan.run(environment)
            self._longest = environment.longest
            self._cost += environment.look_ups
        else:
            self._plan.run(MappingEnvironment(point.values))

        self._left = MOST_STEPS
        self._cost += ROUND * int(self._plan.rounds)
        self._required = Plan(graph, [r.node for r in point.predictor.app.requirements])
        self._most = self.here.deployment.P

    def _machine(self, configuration: Configuration, factors: Mapping[str, Number]) -> ScaledEnvironment:
        return ScaledEnvironment(configuration, "tmax", self.here.values, self.here.deployment.schedule, factors)

    def all(self) -> Iterator[VariedInput]:
        """Parameters in order, P, operations by name, the network."""
        app, values = self.here.predictor.app, self.here.values
        for name, value in values.items():
            fixed = name == "P" or name in app.processors or name in app.fixed
            if not fixed and (value > 0 or name in app.graph.assumed):
                yield self._parameter(name, value)

        if app.counts_processors and "P" not in app.fixed:
            most = MOST_PROCESSORS if app.on_machines else app.most_processors
            yield VariedInput("P", PROCESSORS, self.here.deployment.P, 1, most, True)

        for name, longest in sorted(self._longest.items()):
            if longest > 0:
                yield VariedInput(name, OPERATION, longest, longest / WIDEST, longest * WIDEST)
        yield from self._network()

    def _parameter(self, name: str, value: Number) -> VariedInput:
        app = self.here.predictor.app
        whole = name in app.whole
        declared = app.graph.assumed.get(name)
        lowest: Number = 0 if declared is None else declared[0]
        if declared is None or declared[1] is None or lowest < -WIDEST * WIDEST:
            low: Number = value // WIDEST if whole else value / WIDEST
            return VariedInput(name, PARAMETER, value, max(low, lowest), value * WIDEST, whole)
        return VariedInput(name, PARAMETER, value, lowest, declared[1], whole)

    def _network(self) -> Iterator[VariedInput]:
        machines = self.here.predictor.machines
        if machines is None or "t_send" not in self._longest:
            return
        network = machines.network
        if network.latency_s is not None and network.bandwidth_B_per_s is not None:
            for name, now in ((LATENCY, network.latency_s.hi), (BANDWIDTH, network.bandwidth_B_per_s.lo)):
                if now > 0:
                    yield VariedInput(name, NETWORK, now, now / WIDEST, now * WIDEST)

    # What T and its terms are at a value of an input

    def at(self, quantity: VariedInput, value: Number) -> list[float] | None:
        """T and its terms in seconds; None where the input may not have this value."""
        if self._left < 0:
            return None

        self._left -= self._cost
        try:
            environment = self._environment(quantity, value)
            if quantity.kind in (PARAMETER, PROCESSORS) and any(v < 0 for v in self._run(self._required, environment)):
                return None
            seconds = [rounded(v) for v in self._run(self._plan, environment)]
            self._most = max(self._most, int(value)) if quantity.kind == PROCESSORS else self._most
            return seconds
        except (ApetError, EvaluationError, LookupError, OverflowError):
            return None

    def _run(self, plan: Plan, environment: Environment) -> list[Number]:
        """Values of a plan; rounds of loops beyond those of the present point count as work too."""
        plan.within(LONGEST)
        try:
            return plan.run(environment)
        finally:
            self._left -= max(0, ROUND * int(plan.rounds) - self._cost)

    def _environment(self, quantity: VariedInput, value: Number) -> Environment:
        predictor, deployment, _, settings = self.here
        machines, configuration = predictor.machines, deployment.configuration
        if quantity.kind in (OPERATION, NETWORK) and configuration is not None:
            return self._machine(configuration, {quantity.name: float(value) / float(quantity.now)})
        if quantity.kind == PARAMETER:
            values = bind(predictor.app, deployment.P, {**settings, quantity.name: value}).points
            return deployment.environment("tmax", values)
        values = bind(predictor.app, int(value), settings).points
        if machines is None:
            return MappingEnvironment(values)

        more = with_more(machines, int(value)).configure(int(value))
        return ScaledEnvironment(more, "tmax", values, predictor.schedule, {}, MOST_LOOK_UPS)

    # What is known of the terms along an input

    def line(self, quantity: VariedInput) -> TermsAlong:
        """The terms of T along an input."""

        def at(value: Number) -> list[float] | None:
            seconds = self.at(quantity, value)
            return None if seconds is None else seconds[1:]

        count = len(self.terms)
        if quantity.kind in (PARAMETER, PROCESSORS):
            proved = self._proved_along(quantity, self.terms) if quantity.kind == PARAMETER else None
            if proved is None:
                return TermsAlong(at, [None] * count, [Shape.NOTHING] * count, quantity.whole, quantity.range)
            return TermsAlong(at, *proved, quantity.whole, quantity.range)

        # terms are sums and maxima of operation times with factors of 0 or more, so none falls in one of them
        directions = [-1 if quantity.name in FALLING else 1] * count
        shapes = self._shapes_in("t_send" if quantity.kind == NETWORK else quantity.name)
        # a bandwidth only divides: in 1 / bandwidth a term has the shape that it has in the time of a message
        if quantity.name in FALLING:
            return TermsAlong(at, directions, shapes, False, quantity.range, lambda v: 1 / float(v))
        return TermsAlong(at, directions, shapes, False, quantity.range)

    def monotone(self, quantity: VariedInput, total: NodeId) -> bool:
        """Whether T is proved to move in one direction along an input."""
        if quantity.kind in (OPERATION, NETWORK):
            return True
        proved = self._proved_along(quantity, [total]) if quantity.kind == PARAMETER else None
        return proved is not None and proved[0][0] is not None

    def _shapes_in(self, item: str) -> list[Shape]:
        if item not in self._shapes:
            box = {n: Interval(v, v) for n, v in self.here.values.items()}
            steep = [self._steepness(node) for node in self.terms]
            self._shapes[item] = [shape_in_item(s, item, s.values(box)) for s in steep]
        return self._shapes[item]

    def _proved_along(
        self, quantity: VariedInput, nodes: Sequence[NodeId]
    ) -> tuple[list[int | None], list[Shape]] | None:
        """Directions and shapes over the range of a parameter; None where it may not have all of it.

        None as well where defaults are computed from it: their ranges take long to find.
        """
        if self._left < 0:
            return None
        self._left -= PROVING * self._cost
        predictor, deployment, values, settings = self.here
        computed = (p for n, p in predictor.app.declared.items() if n in values and n not in settings)
        if any(p.value is not None and quantity.name in names_in(p.value) for p in computed):
            return None
        graph = predictor.app.graph

        try:
            wide = {**settings, quantity.name: quantity.range}
            bound = bind(predictor.app, deployment.P, wide)
            box = {n: Interval(v, v) for n, v in bound.points.items()} | bound.box(graph)
        except (ApetError, EvaluationError, LookupError, OverflowError, ValueError):
            return None

        directions, shapes = list[int | None](), list[Shape]()
        for node in nodes:
            steep = self._steepness(node)
            directions.append(sign(steep.slopes(box, [quantity.name])[quantity.name]))
            shapes.append(shape_in(steep, quantity.name, steep.values(box)))
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
        """Over which range each kind of input was varied."""
        far = f"1/{WIDEST:,} to {WIDEST:,} times the present value"
        app, machines = self.here.predictor.app, self.here.predictor.machines
        beyond = f"1 to {self._most:,}"
        if machines is None:
            ranges = {PROCESSORS: beyond} if app.counts_processors else {PARAMETER: "the range of each"}
        else:
            if machines.processors < self._most:
                last = machines.groups[slowest(machines)].name
                beyond += f", beyond {machines.processors:,} with more machines {last}"
            ranges = {PARAMETER: f"the declared range, else {far}", PROCESSORS: beyond, OPERATION: far, NETWORK: far}

        if app.fixed:
            ranges[PARAMETER] += f"; not {', '.join(sorted(app.fixed))}, which a graph's longest path has no formula in"
        return ranges if self._left >= 0 else ranges | {STOPPED: "stopped early, as an evaluation takes long here"}
