"""Why a prediction is what it is: terms, elasticities, crossovers and swings on one configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apet.cost import CostModel, deep_recursion
from apet.cost.expressions import Expressions
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.evaluate.gradient import Derivatives, Gradient
from apet.formula.graph.nodes import NodeId
from apet.ground.activity import over
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import End, Machines
from apet.prediction.binding import bind
from apet.prediction.deployment import DeployedEnvironment, Deployment
from apet.prediction.prediction import room_for_mean
from apet.prediction.predictor import Predictor
from apet.questions.adjusted import BANDWIDTH, LATENCY, rounded
from apet.questions.crossings import first_different, first_of_all, nearest_change, winner_of
from apet.questions.explain.explanation import (
    PARAMETER,
    PROCESSORS,
    ExplainedEnd,
    Explanation,
    Idle,
    SobolIndices,
    Term,
    TermCrossover,
)
from apet.questions.explain.inputs import OperatingPoint, VariedInput, VariedInputs
from apet.questions.explain.tornado import UncertainInputs
from apet.simulator.trial import trying_deadlocks

Values = Mapping[str, Number]
NOTHING = 1e-13
"""Elasticities up to this are rounding errors."""
MOST_ROUNDS, STEP = 20_000, 1e-4
"""Rounds of loops from which on derivatives are taken by differences, and the relative step of these."""
ALL_TRIED = 256
"""Up to so many processors every number is tried."""


class Explainer(Predictor):
    """A predictor that says why; intervals of parameters are taken at their middle, except for what they do alone."""

    def __init__(self, app: CostModel, machines: Machines | None = None, schedule: str = "static") -> None:
        super().__init__(app, machines, schedule)
        trying_deadlocks(self)

    def explain(
        self, processors: int | None = None, settings: Mapping[str, Number | Interval] | None = None
    ) -> Explanation:
        """The explanation for the N fastest processors (None: all) and values of parameters; `ApetError`."""
        settled = self.settled(processors, settings)
        if settled is not self:
            return settled.explain(processors, settings)
        deployment = self.deployed(processors)
        middle = self._middles(settings or {})
        with deep_recursion():
            with self.evaluating({}):
                values = bind(self.app, deployment.P, middle).points
            self.check(deployment, values)
            with self.evaluating(values):
                low = self._side(deployment, values, middle, "tmin")
                high = self._side(deployment, values, middle, "tmax") if self.app.operations else low
            here = OperatingPoint(self, deployment, values, middle)
            inputs = VariedInputs(here, self.app.T_total.node, [n for _, n in self._candidates()])
            quantities = list(inputs.all())
            # Evaluations are limited: first what T depends on most, and of what it does not, what takes few of them.
            ordered = sorted(
                quantities,
                key=lambda one: (-abs(high.elasticities.get(one.name, 0.0)), one.kind in (PARAMETER, PROCESSORS)),
            )
            varying = over(ordered, "looking for another term", "inputs", "narrow the ranges of parameters")
            changes = {quantity: list(self._crossovers(inputs, quantity)) for quantity in varying}
            crossovers = tuple(c for quantity in quantities for c in changes[quantity])
            sides = (low.elasticities, high.elasticities)
            idle = [k for k in quantities if k.kind != PROCESSORS and not any(s.get(k.name) for s in sides)]
            waiting = tuple(self._idle(inputs, quantity) for quantity in idle)
            with self.evaluating(values):
                swings = UncertainInputs(self.app, deployment, settings or {}).swings()

        parameters = {"P": deployment.P} | {n: v for n, v in values.items() if n != "P"}
        return Explanation(parameters, low, high, crossovers, waiting, swings, inputs.searched)

    def indices(
        self,
        processors: int | None = None,
        settings: Mapping[str, Number | Interval] | None = None,
        samples: int = 256,
        seed: int = 0,
    ) -> SobolIndices:
        """Sobol' indices of T at its interval inputs, from `samples` (a power of 2) times (inputs + 2) evaluations."""
        from apet.questions.explain.sobol import indices

        deployment, app = self.deployed(processors), self.settled(processors, settings).app
        with deep_recursion(), self.evaluating({}):
            return indices(UncertainInputs(app, deployment, settings or {}), samples, seed)

    def _middles(self, settings: Mapping[str, Number | Interval]) -> dict[str, Number]:
        return {n: self._middle(n, v) for n, v in settings.items()}

    def _middle(self, name: str, value: Number | Interval) -> Number:
        if not isinstance(value, Interval):
            return value
        return int(value.middle) if name in self.app.whole else value.middle

    def _candidates(self) -> list[tuple[str, NodeId]]:
        resources = [(self.app.term(r.label), r.peak.node) for r in self.app.resources]
        return [(self.app.base, self.app.T0.node), *resources]

    def _root(self, candidates: Sequence[float], total: float) -> NodeId:
        """What to differentiate: the greatest term, which is T, unless T is made of its terms in another way."""
        best = winner_of(candidates)
        return self._candidates()[best][1] if candidates[best] == total else self.app.T_total.node

    # One end

    def _side(self, deployment: Deployment, values: Values, settings: Values, end: End) -> ExplainedEnd:
        numbers = self._ends(deployment, values, end)
        total = float(numbers.estimate)
        terms = [
            Term(limit.name, limit.seconds, limit.share, 1 - limit.share if total else 0.0, total - limit.seconds)
            for limit in self._limits(deployment, values, numbers, end)
        ]
        contributions, elasticities = dict[str, float](), dict[str, float]()
        if total and self._exact.rounds > MOST_ROUNDS and not self.app.operations:
            elasticities = self._by_differences(deployment, values, settings, total)
        elif total:
            root = self._root([rounded(c) for c in numbers.candidates], rounded(numbers.estimate))
            environment = deployment.environment(end, values)
            slopes = Gradient(self.app.graph, root).derivatives(environment)
            contributions, elasticities = self._effects(slopes, environment, settings, total)

        room = room_for_mean(total, float(numbers.lower), float(numbers.upper))
        return ExplainedEnd(total, tuple(terms), contributions, elasticities, room)

    def _effects(
        self, slopes: Derivatives, environment: DeployedEnvironment, settings: Values, total: float
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Shares by operation; elasticities of operations, figures of the network, and parameters."""
        by_name = {n: float(c) / total for n, c in sorted(slopes.contributions().items())}
        contributions = {n: c for n, c in by_name.items() if n.startswith("t_")}
        elasticities = dict(contributions)
        if "t_send" in contributions and not {LATENCY, BANDWIDTH} & set(environment.values):
            latency = _of_latency(slopes, environment) / total
            elasticities |= {LATENCY: latency, BANDWIDTH: latency - contributions["t_send"]}
        gains = self._gains(slopes, by_name.get("share", 0.0) * total, environment, settings)

        for name, value in environment.values.items():
            if name != "P" and name not in self.app.processors:
                elasticity = gains.get(name, 0.0) * float(value) / total
                elasticities[name] = elasticity if abs(elasticity) > NOTHING else 0.0

        elasticities |= {n: self._by_steps(n, environment.values) for n in self.app.counted}
        return contributions, elasticities

    def _by_differences(
        self, deployment: Deployment, values: Values, settings: Values, total: float
    ) -> dict[str, float]:
        """Elasticities of parameters from T a little below and above, as far as these have values: loops without closed
        forms run over arrays there, where a derivative takes each round on its own."""
        elasticities = dict[str, float]()
        for name, value in values.items():
            if name == "P" or name in self.app.processors or not value:
                continue
            step: Number = abs(float(value)) * STEP
            if name in self.app.whole:
                step = max(1, round(step))
            points = []
            for at in (value - step, value, value + step):
                try:
                    bound = bind(self.app, deployment.P, {**settings, name: at}).points
                    T = self._exact.run(deployment.environment("tmax", bound, exact=True))[0]
                    points.append((float(at), float(T)))
                except (ApetError, EvaluationError):
                    continue
            (x, below), *_, (y, above) = points
            elasticities[name] = (above - below) / (y - x) * float(value) / total if y > x else 0.0
        return elasticities

    def _by_steps(self, name: str, values: Values) -> float:
        """The elasticity of a parameter that the formula only counts: by one more and one less, as far as allowed."""
        plan = Plan(self.app.graph, [self.app.T_total.node])
        low, high = self.app.graph.assumed[name]
        now = values[name]
        ends = [max(low, now - 1), now + 1 if high is None else min(high, now + 1)]
        below, here, above = (
            float(plan.run(MappingEnvironment({**values, name: value}))[0]) for value in (ends[0], now, ends[1])
        )
        return (above - below) / float(ends[1] - ends[0]) * float(now) / here if here and ends[1] > ends[0] else 0.0

    def _gains(
        self, slopes: Derivatives, by_shares: float, environment: DeployedEnvironment, settings: Values
    ) -> dict[str, float]:
        """What T gains by each parameter, with all defaults that are computed from it.

        Defaults are gone through last first, so that what T gains by one is complete when it is handed on to what it
        is computed from: dT/dx = partial dT/dx + sum over d of dT/dd * partial dd/dx. Shares of tasks grow with them.
        """
        values = environment.values
        gains = {name: float(slope) for name, slope in slopes.symbols.items()}
        if by_shares and values.get("tasks"):
            gains["tasks"] = gains.get("tasks", 0.0) + by_shares / float(values["tasks"])

        for name in reversed(list(values)):
            parameter = self.app.declared.get(name)
            if name in settings or name == "P" or parameter is None or parameter.value is None or not gains.get(name):
                continue
            expressions = Expressions(self.app.graph, self.app.source, self.app.processors)
            node = expressions.node(parameter.value, {})
            for other, slope in Gradient(self.app.graph, node).derivatives(environment).symbols.items():
                gains[other] = gains.get(other, 0.0) + gains[name] * float(slope)
        return gains

    # What else would decide

    def _crossovers(self, inputs: VariedInputs, quantity: VariedInput) -> Iterator[TermCrossover]:
        """The nearest change of the greatest term at tmax, in either direction."""
        names = [n for n, _ in self._candidates()]
        line = inputs.line(quantity)

        for relation, far in ((">=", quantity.high), ("<=", quantity.low)):
            if far == quantity.now or (relation == ">=") != (far > quantity.now):
                continue

            change, proved = nearest_change(line, quantity.now, far)
            if change is not None:
                # shares of whole tasks jump from one P to the next, so nothing is proved along P; where P is small,
                # every value up to the change is tried instead
                if quantity.kind == PROCESSORS and max(quantity.now, change.at) <= ALL_TRIED:
                    nearest = first_of_all(line, int(quantity.now), int(change.at))
                    change, proved = nearest or change, nearest is not None
                numbers = (float(change.at), names[change.winner], quantity.kind, float(quantity.now))
                yield TermCrossover(quantity.name, relation, *numbers, proved, float(change.after))

    def _idle(self, inputs: VariedInputs, quantity: VariedInput) -> Idle:
        """The nearest values from which T would depend on an input that it does not depend on here."""

        def total(value: Number) -> float | None:
            values = inputs.at(quantity, value)
            return None if values is None else values[0]

        monotone = inputs.monotone(quantity, self.app.T_total.node)
        below, above, proved = None, None, True
        if quantity.low < quantity.now:
            below, sure = first_different(total, quantity.now, quantity.low, quantity.whole, monotone)
            proved &= sure or _is_next(quantity, below)
        if quantity.high > quantity.now:
            above, sure = first_different(total, quantity.now, quantity.high, quantity.whole, monotone)
            proved &= sure or _is_next(quantity, above)
        ends = [None if v is None else float(v) for v in (below, above)]
        return Idle(quantity.name, quantity.kind, float(quantity.now), ends[0], ends[1], quantity.range, proved)


def _is_next(quantity: VariedInput, value: Number | None) -> bool:
    """Whether a whole number follows the present one: there is none in between."""
    return quantity.whole and value in (quantity.now - 1, quantity.now + 1)


def _of_latency(slopes: Derivatives, environment: DeployedEnvironment) -> float:
    """The part of T's seconds that is latency of messages."""
    seconds = 0.0
    for quantity, slope in slopes.items.items():
        if quantity.name == "t_send":
            seconds += float(slope) * float(environment.item("t_send", quantity.subscripts, (0,)))
    return seconds
