"""Predictions from formulas: [tmin, tmax] of a compiled application on a machine model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from apet.cost import Application, Setting, analyse, deep_recursion
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.evaluate.rounding import down, up
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.interval import Interval, Number
from apet.ground.source import Source, Span
from apet.machine import Configuration, End, Machines, MissingNetwork
from apet.machine.fitted import OutsideFit
from apet.prediction import errors
from apet.prediction.binding import Bound, bind
from apet.prediction.environment import MachineEnvironment
from apet.prediction.prediction import Limit, Prediction

if TYPE_CHECKING:
    from apet.prediction.many_processors import Crowd

T = TypeVar("T")
ADVICE = {
    "duration": "durations are seconds, 0 or more",
    "size": "sizes are bytes, 0 or more",
    "probability": "keep it in [0, 1]",
    "number of servers": "a resource needs at least one server",
}
NO_STEADY_STATE = "there is no steady state: lower the arrival rate or the demands"
LONGEST_SHOWN = 10**15
MANY = 256
"""Processors from which on loops over them are run as arrays."""


def setting_of(machines: Machines, branches: str = "probability") -> Setting:
    """How a model is read for a machine model: its topology, and whether any processor has several cores."""
    groups = (*machines.groups, machines.coordinator)
    return Setting(branches, machines.network.topology, any(g.cores > 1 for g in groups))


class _Ends(NamedTuple):
    """The numbers of one end of the operation times."""

    estimate: Number
    lower: Number
    upper: Number
    candidates: tuple[Number, ...]
    busiest: Mapping[NodeId, tuple[int, ...]] = {}


class Predictor:
    """Predicts an application on a machine model; what does not depend on the configuration is made once.

    `schedule` says how `share[p]` deals tasks: "static" or "join". Raises `ApetError` at once where the machine model
    lacks operations or a network.
    """

    def __init__(self, app: Application, machines: Machines, schedule: str = "static") -> None:
        setting = setting_of(machines, app.setting.branches)
        self.app = app if app.setting == setting else analyse(app.model, setting)
        self.machines = machines
        self.schedule = schedule
        self._complete()
        app = self.app
        with deep_recursion():
            self._roots = [app.T_total.node, app.lower.node, app.upper.node, app.T0.node]
            self._roots += [r.peak.node for r in app.resources]
            self._required = [r.node for r in app.requirements]
            self._plan = Plan(app.graph, [self._roots[0], *self._roots[3:]])
            self._bounds = Plan(app.graph, self._roots[1:3], exact=True)
            self._checks = Plan(app.graph, self._required)
        self._crowd: Crowd | None = None

    def on(self, machines: Machines) -> Self:
        """The same on machines with other numbers; the same operations, topology and cores."""
        other = copy(self)
        other.machines = machines
        return other

    def _complete(self) -> None:
        """All operations that machines lack, named at once."""
        machines, found = self.machines, list[Diagnostic]()
        for name in self.app.operations:
            if name == "send":
                if not machines.has_network:
                    found.append(errors.NoNetwork(*self._first_use(name), machines.file))
                continue
            lacking = machines.missing(name)
            if lacking:
                near, groups = nearest(name, machines.operations), ", ".join(lacking)
                found.append(errors.MissingOperation(*self._first_use(name), name, machines.file, groups, near))
        raise_all(found)

    def _first_use(self, operation: str) -> tuple[Source | None, Span | None]:
        """Where the model uses an operation first."""
        from apet.model.lints import processes
        from apet.model.terms import Invoke

        model = self.app.model
        places = (p.span for p in processes(model) if isinstance(p, Invoke) and p.name == operation)
        span = next(places, None)
        return (None, None) if span is None else (model.source, span)

    def predict(
        self, processors: int | None = None, given: Mapping[str, Number | Interval] | None = None
    ) -> Prediction:
        """The prediction for the N fastest processors (None: all) and values of parameters."""
        configuration = self.machines.configure(processors)
        with deep_recursion():
            bound = self._guarded(lambda: bind(self.app, configuration.P, given or {}), {})
            if bound.box(self.app.graph):
                return self._guarded(lambda: self._over_box(configuration, bound), bound.values)
            return self._guarded(lambda: self._at_point(configuration, bound.points), bound.points)

    # One value per parameter

    def _at_point(self, configuration: Configuration, values: Mapping[str, Number]) -> Prediction:
        if configuration.P >= MANY and not self.machines.fitted:
            found = self._in_arrays(configuration, values)
            if found is not None:
                return found
        self._check(configuration, values)
        low = self._ends(configuration, values, "tmin")
        high = self._ends(configuration, values, "tmax") if self.app.closed is None else low
        guaranteed = Interval(down(low.lower), up(high.upper))
        exact = low.lower == low.upper and high.lower == high.upper
        return self._prediction(configuration, values, low, high, guaranteed, exact, ())

    def _in_arrays(self, configuration: Configuration, values: Mapping[str, Number]) -> Prediction | None:
        """The prediction with loops over processors as arrays; None where that does not decide."""
        from apet.prediction.many_processors import Crowd

        if self._crowd is None:
            self._crowd = Crowd(self)
        found = self._crowd.ends(configuration, values)
        if found is None:
            return None
        low, high = found
        ends = [_Ends(side.estimate, side.lower, side.upper, side.limits, side.busiest) for side in found]
        exact = low.lower == low.upper and high.lower == high.upper
        guaranteed = Interval(low.outward.lo, high.outward.hi)
        return self._prediction(configuration, values, ends[0], ends[1], guaranteed, exact, ())

    def _prediction(
        self,
        configuration: Configuration,
        values: Mapping[str, Number | Interval],
        low: _Ends,
        high: _Ends,
        guaranteed: Interval,
        exact: bool,
        rules: tuple[str, ...],
    ) -> Prediction:
        ends: dict[str, _Ends] = {"tmin": low, "tmax": high}
        limits = {end: self._limits(configuration, values, found, end) for end, found in ends.items()}
        shown = {"P": configuration.P} | {n: v for n, v in values.items() if n != "P"}
        return Prediction(
            shown,
            Interval(float(low.estimate), float(high.estimate)),
            Interval(float(low.lower), float(high.lower)),
            Interval(float(low.upper), float(high.upper)),
            guaranteed,
            exact,
            {end: found[0].name for end, found in limits.items()},
            limits["tmax"],
            rules,
        )

    def _ends(self, configuration: Configuration, values: Mapping[str, Number], end: End) -> _Ends:
        """Floats for the estimate and what it is the maximum of; exact numbers for the two bounds."""
        plain = MachineEnvironment(configuration, end, values, self.schedule)
        estimate, *candidates = self._run(self._plan, plain)
        exact = MachineEnvironment(configuration, end, values, self.schedule, exact=True)
        lower, upper = self._run(self._bounds, exact)
        return _Ends(estimate, lower, upper, tuple(candidates))

    def _check(self, configuration: Configuration, values: Mapping[str, Number]) -> None:
        """Durations and probabilities that are out of range for these values."""
        if not self._required:
            return
        environment = MachineEnvironment(configuration, "tmin", values, self.schedule, True)
        found = self._run(self._checks, environment)
        self._refuse([(r, v) for r, v in zip(self.app.requirements, found, strict=True) if v < 0], values)

    def _refuse(self, failed: Sequence[tuple[object, Number]], values: Mapping[str, Number | Interval]) -> None:
        source, found = self.app.model.source, dict[object, Diagnostic]()
        for requirement, value in failed:
            kind, span = requirement.kind, requirement.span  # type: ignore[attr-defined]
            special = {"probability": "outside [0, 1]", "number of servers": "less than 1"}
            what = special.get(kind, f"{float(value):g}, below 0")
            advice = ADVICE.get(kind, NO_STEADY_STATE)
            found[span] = errors.NegativeHere(source, span, kind, what, describe(values), advice)
        raise_all(list(found.values()))

    def _run(self, plan: Plan, environment: MachineEnvironment) -> list[Number]:
        return self._guarded(lambda: plan.run(environment), environment.values)

    def _guarded(self, act: Callable[[], T], values: Mapping[str, Number | Interval]) -> T:
        try:
            return act()
        except EvaluationError as error:
            raise ApetError(errors.NotEvaluable(None, None, describe(values), str(error))) from None
        except OverflowError:
            raise ApetError(errors.NotEvaluable(None, None, describe(values), "a number is too large")) from None
        except OutsideFit as error:
            raise ApetError(errors.OutsideRuns(None, None, str(error))) from None
        except IndexError as error:
            raise ApetError(errors.NoSuchProcessor(None, None, str(error))) from None
        except MissingNetwork:
            raise ApetError(errors.NoNetwork(None, None, self.machines.file)) from None

    # Intervals of parameters

    def _over_box(self, configuration: Configuration, bound: Bound) -> Prediction:
        from apet.prediction.extremes import BoxPredictor

        values = bound.values
        boxed = BoxPredictor(self.app, configuration, bound, self.schedule)
        least = self._guarded(lambda: [boxed.extremes(n, "tmin", True).lo for n in self._required], values)
        self._refuse([(r, v) for r, v in zip(self.app.requirements, least, strict=True) if v < 0], values)
        low, high, guaranteed, rules = self._guarded(lambda: boxed.ends(self._roots), values)
        if not all(math.isfinite(e) for e in (*low[:3], *high[:3])):
            reason = "nothing finite is above it over these ranges; does one hold a value that is divided by as 0?"
            raise ApetError(errors.NotEvaluable(None, None, describe(values), reason))
        ends = [_Ends(e[0], e[1], e[2], tuple(e[3:])) for e in (low, high)]
        exact = low[1] == low[2] and high[1] == high[2]
        return self._prediction(configuration, values, ends[0], ends[1], guaranteed, exact, rules)

    # What limits

    def _limits(
        self, configuration: Configuration, values: Mapping[str, Number | Interval], found: _Ends, end: str
    ) -> tuple[Limit, ...]:
        """The candidates of the maximum, the greatest first; a resource comes before T0 where they are equal."""
        total = float(found.estimate)
        rows = []
        for resource, seconds in zip(self.app.resources, found.candidates[1:], strict=True):
            rows.append((resource.label, float(seconds), resource.table))
        rows.sort(key=lambda r: -r[1])
        limits = [Limit(self.app.base, float(found.candidates[0]), _share(found.candidates[0], total))]
        if self.app.T0.node == self.app.graph.zero and rows:
            limits = []
        for label, seconds, table in rows:
            if table is None:
                name = label
            elif table in found.busiest:
                name = _member(label, found.busiest[table])
            else:
                name = self._busiest(configuration, values, table, label, end)
            limits.append(Limit(self.app.term(name), seconds, _share(seconds, total)))
        return tuple(sorted(limits, key=lambda limit: (-limit.seconds, limit.name == self.app.base)))

    def _busiest(
        self, configuration: Configuration, values: Mapping[str, Number | Interval], table: NodeId, label: str, end: str
    ) -> str:
        """The label of the member with the greatest load."""
        plain = {n: (v.hi if isinstance(v, Interval) else v) for n, v in values.items()}
        side: End = "tmin" if end == "tmin" else "tmax"
        environment = MachineEnvironment(configuration, side, plain, self.schedule)
        loads = self._guarded(lambda: Plan.of_members(self.app.graph, table).members(environment), values)
        if not loads:
            return label
        return _member(label, max(loads.items(), key=lambda m: m[1])[0])


def _member(label: str, numbers: Sequence[Number]) -> str:
    """The label of one member of a family."""
    return f"{label.split('[', 1)[0]}[{', '.join(map(str, numbers))}]"


def describe(values: Mapping[str, Number | Interval]) -> str:
    """Values of parameters as `P = 4, n = 10`."""
    shown = []
    for name, value in values.items():
        ends = (value.lo, value.hi) if isinstance(value, Interval) else (value,)
        shown.append(f"{name} = {'..'.join(map(_shown, ends))}")
    return ", ".join(shown)


def _shown(value: Number) -> str:
    return str(value) if isinstance(value, int) and abs(value) < LONGEST_SHOWN else f"{float(value):.10g}"


def _share(seconds: Number, total: float) -> float:
    return float(seconds) / total if total else 0.0
