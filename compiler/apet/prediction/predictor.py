"""Predictions from formulas: [tmin, tmax] of a cost model, on a machine model where it needs one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Self

from apet.cost import Application, CostModel, Resource, Setting, deep_recursion
from apet.formula.algebra.closing import with_closed_loops
from apet.formula.columns.long_loops import LongLoopPlan
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.rounding import down, up
from apet.formula.formula import Formula
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple
from apet.ground.source import Source, Span
from apet.machine import End, Machines
from apet.machine.errors import NoSuchConfiguration
from apet.machine.operation_classes import completed
from apet.model.familiar_words import WORDS
from apet.prediction import errors
from apet.prediction.binding import Bound, bind
from apet.prediction.deployment import Deployment
from apet.prediction.evaluation_errors import describe, evaluation_errors
from apet.prediction.prediction import Limit, Prediction
from apet.prediction.processor_count import declared_count
from apet.prediction.refusals import refuse_negative, refuse_undecided, with_place

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from apet.prediction.many_processors import ArrayPredictor

Values = Mapping[str, Number | Interval]
Trial = Callable[[Deployment, Mapping[str, Number]], None]
"""What is tried before a prediction at a point: `ApetError` where there is none."""
MOST_SETTLED = 64
"""Orders of the graphs of a model that are kept compiled."""
MANY = 256
"""Processors from which on loops over them are run as arrays."""


def setting_of(machines: Machines, branches: str = "probability") -> Setting:
    """How a model is read for a machine model: its topology, and whether any processor has several cores."""
    groups = (*machines.groups, machines.coordinator)
    return Setting(branches, machines.network.topology, any(g.cores > 1 for g in groups))


class PredictedEnds(NamedTuple):
    """The numbers of one end of the operation times; `busiest` members of families as far as they are known.

    `exact`: the two bounds are one number, of which `lower` and `upper` may be rounded ends.
    """

    estimate: Number
    lower: Number
    upper: Number
    candidates: tuple[Number, ...]
    busiest: Mapping[NodeId, tuple[int, ...]] = {}
    exact: bool = False


class Predictor:
    """Predicts a cost model, on a machine model if it needs one; what does not depend on parameters is made once.

    `schedule` says how `share[p]` deals tasks: "static" or "join". Operations that the machines lack take the times of
    their class, where there is one: `machines.assumed` names them. Raises `ApetError` at once where the machine model
    lacks operations or a network.
    """

    def __init__(self, app: CostModel, machines: Machines | None = None, schedule: str = "static") -> None:
        self.app = app if machines is None else app.under(setting_of(machines, app.setting.branches))
        self.machines = None if machines is None else completed(machines, app.operations)
        self.schedule = schedule
        self.trial: Trial | None = None
        self._settled: dict[tuple[object, ...], Self] = {}
        """The same for known orders of the graphs of the model, by the values that these depend on."""
        self._members: dict[NodeId, Plan] = {}
        """What gives the loads of all members of a family, by the node of its peak."""
        self._complete()
        app = self.app

        with deep_recursion():
            self._roots = [app.T_total.node, app.lower.node, app.upper.node, app.T0.node]
            self._roots += [r.peak.node for r in app.resources]
            self._required = [r.node for r in app.requirements]
            checked = isinstance(app, Application)  # whose requirements say where its expressions have values
            self._exact = LongLoopPlan(app.graph, with_closed_loops(app.graph, self._roots), checked)
            self._checks = LongLoopPlan(app.graph, with_closed_loops(app.graph, self._required), checked)

    def on(self, machines: Machines) -> Self:
        """The same on machines with other numbers; the same operations, topology and cores."""
        other = copy(self)
        other.machines = completed(machines, self.app.operations)
        other._settled = {}
        return other

    def settled(self, processors: int | None, values: Values | None) -> Self:
        """The same for values of all that the orders of graphs depend on; `ApetError` where such a value is a range."""
        if self.app.open_shape is None:
            return self
        deployment = self.deployed(processors)
        with deep_recursion(), self.evaluating({}):
            return self._settled_at(deployment, bind(self.app, deployment.P, values or {}))

    def _settled_at(self, deployment: Deployment, bound: Bound) -> Self:
        from apet.prediction.shapes import known_shape  # for few models

        shape = self.app.open_shape
        assert shape is not None
        known = known_shape(shape, deployment, bound)
        key = (*known.values.values(), deployment.P if shape.dealt else 0, bound.values.get("tasks"))
        if key not in self._settled:
            if len(self._settled) >= MOST_SETTLED:
                del self._settled[next(iter(self._settled))]
            self._settled[key] = type(self)(self.app.shaped(known), self.machines, self.schedule)
            self._settled[key].trial = self.trial
        return self._settled[key]

    def refuse_shaping(self, name: str) -> None:
        """`ApetError` where the order of a graph depends on a name, so that no formula says what it does."""
        if name in self.app.shaping | self.app.fixed:
            raise ApetError(errors.ShapeVaries(None, None, name))

    @property
    def on_process(self) -> tuple[Application, Machines]:
        """The model of a process and the machines that it runs on, for questions that follow its steps."""
        if not isinstance(self.app, Application) or self.machines is None:
            raise ApetError(errors.NoProcess(None, None, self.app.name))
        return self.app, self.machines

    @property
    def origin(self) -> str:
        """The file of the machine model; what the cost model was made of where there is none."""
        return self.app.origin if self.machines is None else self.machines.file

    @property
    def title(self) -> str:
        """What, and where: `pi.pam on JoiN`."""
        return self.app.name if self.machines is None else self.app.title(self.machines.name)

    @property
    def most_processors(self) -> int:
        """How many processors there are."""
        return self.app.most_processors if self.machines is None else self.machines.processors

    def deployed(self, processors: int | None = None) -> Deployment:
        """The N fastest processors (None: all); `ApetError` if there are not so many."""
        if self.machines is not None:
            configuration = self.machines.configure(processors)
            return Deployment(configuration.P, configuration, self.schedule)
        most = self.most_processors
        P = most if processors is None else processors
        if not 1 <= P <= most:
            raise ApetError(NoSuchConfiguration(None, None, P, most, self.origin))
        return Deployment(P, None, self.schedule)

    def counted(self, processors: int | None, values: Values) -> int | None:
        """The number of processors that was asked for; where none was, what the model declares it to be by values."""
        return declared_count(self.app, values) if processors is None else processors

    def evaluating(self, values: Values) -> AbstractContextManager[None]:
        """In this context, what fails while formulas are evaluated is an `ApetError` that names these values."""
        return evaluation_errors(values, self.origin)

    def _complete(self) -> None:
        """All operations that machines lack, named at once."""
        if self.machines is None:
            return

        machines, lacks = self.machines, list[Diagnostic]()
        for name in self.app.operations:
            if name == "send":
                if not machines.has_network:
                    lacks.append(errors.MessagesWithoutNetwork(*self._first_use(name), machines.file))
                continue
            groups = machines.missing(name)
            if groups:
                near = f"; {WORDS[name]}" if name in WORDS else nearest(name, machines.operations)
                place = self._first_use(name)
                lacks.append(errors.MissingOperation(*place, name, machines.file, ", ".join(groups), near))
        raise_all(lacks)

    def _first_use(self, operation: str) -> tuple[Source | None, Span | None]:
        """Where the model uses an operation first."""
        from apet.model.walk import operation_of, scoped

        model = self.on_process[0].resolved
        places = (step.span for step, _ in scoped(model.equations) if operation_of(step) == operation)
        span = min(places, default=None)
        return (None, None) if span is None else (model.model.source, span)

    def predict(self, processors: int | None = None, values: Values | None = None) -> Prediction:
        """The prediction for the N fastest processors (None: all) and values of parameters."""
        deployment = self.deployed(self.counted(processors, values or {}))
        with deep_recursion():
            with self.evaluating({}):
                bound = bind(self.app, deployment.P, values or {})
            try:
                with self.evaluating(bound.values):
                    if self.app.open_shape is not None:
                        return self._of_open_shape(deployment, bound, values or {})
                    if bound.box(self.app.graph):
                        return self._over_box(deployment, bound)
                    return self._at_point(deployment, bound.points)
            except ApetError as error:
                raise with_place(self.app, error, deployment, bound.values) from None

    def _of_open_shape(self, deployment: Deployment, bound: Bound, values: Values) -> Prediction:
        """The prediction where the order of a graph depends on values: for each choice of these."""
        from apet.prediction.shapes import choices, enclosing, widened  # for few models

        each = choices(self.app, bound)
        if each is None:
            return widened(self._over_box(deployment, bound))
        if each == [{}]:
            return self._settled_at(deployment, bound).predict(deployment.P, values)
        return enclosing([self.predict(deployment.P, {**values, **choice}) for choice in each], bound)

    # One value per parameter

    def _at_point(self, deployment: Deployment, values: Mapping[str, Number]) -> Prediction:
        if deployment.P >= MANY and self.trial is None and (self.machines is None or not self.machines.fitted):
            sides = self._arrays.ends(deployment, values)
            if sides is not None:
                low, high = (PredictedEnds(s.estimate, s.lower, s.upper, s.limits, s.busiest) for s in sides)
                outward = Interval(sides[0].outward.lo, sides[1].outward.hi)
                return self._prediction(deployment, values, (low, high), outward)
        self.check(deployment, values)
        low = self._ends(deployment, values, "tmin")
        certain = self.machines is None or self.machines.is_certain or not self.app.operations
        high = low if certain else self._ends(deployment, values, "tmax")
        return self._prediction(deployment, values, (low, high), Interval(down(low.lower), up(high.upper)))

    @cached_property
    def _plan(self) -> Plan:
        """Floats of the estimate and what it is the maximum of, for questions that evaluate it very often."""
        checked = isinstance(self.app, Application)
        return Plan(self.app.graph, [self._roots[0], *self._roots[3:]], checked=checked)

    @cached_property
    def _arrays(self) -> ArrayPredictor:
        """The engine for very many processors."""
        from apet.prediction.many_processors import ArrayPredictor  # it needs numpy

        return ArrayPredictor(self.app)

    def _prediction(
        self,
        deployment: Deployment,
        values: Values,
        ends: tuple[PredictedEnds, PredictedEnds],
        guaranteed: Interval,
        rules: tuple[str, ...] = (),
    ) -> Prediction:
        low, high = ends
        limits = self._limits(deployment, values, high, "tmax")
        [least, *_] = limits if high is low else self._limits(deployment, values, low, "tmin", most=1)

        return Prediction(
            parameters={"P": deployment.P} | {n: v for n, v in values.items() if n != "P"},
            estimate=Interval(float(low.estimate), float(high.estimate)),
            lower=Interval(float(low.lower), float(high.lower)),
            upper=Interval(float(low.upper), float(high.upper)),
            guaranteed=guaranteed,
            exact=all(end.exact or end.lower == end.upper for end in ends),
            dominant={"tmin": least.name, "tmax": limits[0].name},
            limits=limits,
            rules=rules,
        )

    def _ends(self, deployment: Deployment, values: Mapping[str, Number], end: End) -> PredictedEnds:
        """Exact numbers, so that the estimate jumps where the bounds do; of the bounds the ends that surely hold."""
        with self.evaluating(values):
            sides = self._exact.enclosed(deployment.environment(end, values, exact=True))
        estimate, *candidates = (_middle(sides[k]) for k in (0, *range(3, len(sides))))
        _, lower, upper, *_ = sides
        return PredictedEnds(estimate, lower.lo, upper.hi, tuple(candidates), exact=lower == upper)

    def check(self, deployment: Deployment, values: Mapping[str, Number]) -> None:
        """`ApetError` for durations, probabilities and subscripts that are out of range for these values, and where a
        trial ends in one."""
        if self._required:
            with self.evaluating(values):
                numbers = self._checks.run(deployment.environment("tmin", values, exact=True))
            refuse_negative(self.app, self.app.requirements, numbers, deployment, values)
        if self.trial is not None:
            self.trial(deployment, values)

    def check_machines(self) -> None:
        """`ApetError` for processors that none of all configurations has, whatever the parameters."""
        deployment, graph = self.deployed(), self.app.graph
        required = [r for r in self.app.requirements if set(Formula(graph, r.node).parameters) <= {"P"}]
        values = {"P": deployment.P}
        with self.evaluating(values):
            plan = Plan(graph, [r.node for r in required], exact=True)
            numbers = plan.run(deployment.environment("tmin", values, exact=True))
        refuse_negative(self.app, required, numbers, deployment, values)

    # Intervals of parameters

    def _over_box(self, deployment: Deployment, bound: Bound) -> Prediction:
        from apet.prediction.extremes import BoxPredictor  # the search is not needed at a point

        boxed = BoxPredictor(self.app, deployment, bound)
        required = [boxed.extremes(n, "tmin", "least") for n in self._required]
        refuse_negative(self.app, self.app.requirements, [r.least for r in required], deployment, bound.values)
        refuse_undecided(self.app, [r.lo for r in required], bound.values)
        low, high, guaranteed, rules = boxed.ends(self._roots)
        if not all(math.isfinite(e) for e in low[:3]):
            reason = "nothing finite is known to be below it over these ranges"
            raise ApetError(errors.NotEvaluable(None, None, describe(bound.values), reason))
        ends = (
            PredictedEnds(low[0], low[1], low[2], tuple(low[3:])),
            PredictedEnds(high[0], high[1], high[2], tuple(high[3:])),
        )
        return self._prediction(deployment, bound.values, ends, guaranteed, rules)

    # What limits

    def _limits(
        self, deployment: Deployment, values: Values, ends: PredictedEnds, end: End, most: int | None = None
    ) -> tuple[Limit, ...]:
        """The candidates of the maximum, so many of the greatest; a resource comes before T0 where they are equal."""
        app, total = self.app, float(ends.estimate)
        own, *loads = map(float, ends.candidates)
        rows: list[tuple[Resource | None, float]] = [*zip(app.resources, loads, strict=True)]
        if app.T0.node != app.graph.zero or not app.resources:
            rows.append((None, own))
        rows.sort(key=lambda row: -row[1])

        def name(resource: Resource | None) -> str:
            if resource is None:
                return app.base
            return app.term(self._busiest_of(deployment, values, resource, ends.busiest, end))

        return tuple(Limit(name(r), seconds, _share(seconds, total)) for r, seconds in rows[:most])

    def _busiest_of(
        self,
        deployment: Deployment,
        values: Values,
        resource: Resource,
        known: Mapping[NodeId, tuple[int, ...]],
        end: End,
    ) -> str:
        """The label of a resource, of a family that of its busiest member."""
        if resource.table is None:
            return resource.label
        if resource.table in known:
            return _member(resource.label, known[resource.table])
        return self.busiest(deployment, values, resource.table, resource.label, end)

    def busiest(self, deployment: Deployment, values: Values, table: NodeId, label: str, end: End) -> str:
        """The label of the member of a family with the greatest load; intervals are taken at their upper ends."""
        points = {n: (v.hi if isinstance(v, Interval) else v) for n, v in values.items()}
        plan = self._members.get(table)
        if plan is None:
            plan = self._members[table] = Plan.of_members(self.app.graph, table)
        with self.evaluating(values):
            loads = plan.members(deployment.environment(end, points))
        return _member(label, max(loads.items(), key=lambda m: m[1])[0]) if loads else label


def _middle(x: Interval) -> Number:
    return x.lo if x.is_point else (x.lo + x.hi) / 2


def _member(label: str, numbers: Sequence[Number]) -> str:
    """The label of one member of a family."""
    return f"{label.split('[', 1)[0]}[{', '.join(map(str, numbers))}]"


def _share(seconds: float, total: float) -> float:
    return seconds / total if total else 0.0
