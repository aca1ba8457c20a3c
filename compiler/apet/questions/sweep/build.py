"""The task of a sweep from a user's request: every error of the call is reported before the work begins."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from apet.cost import Application, CostModel
from apet.cost.exchange import cost_model_text
from apet.formula.show.exchange import to_json
from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.machine.errors import NoSuchConfiguration
from apet.prediction import setting_of
from apet.questions.solve.search_space import moving
from apet.questions.sweep.errors import (
    BadProcessorValue,
    NoPrices,
    SameMachines,
    TooManyToNumber,
    UnknownSweepName,
    VariedNotInTime,
    VariedTwice,
)
from apet.questions.sweep.libraries import versions
from apet.questions.sweep.model_text import FORMULAS, ModelText
from apet.questions.sweep.ranges import Listed
from apet.questions.sweep.space import GREATEST_SPACE, MACHINES, Axis, DesignSpace, ordered
from apet.questions.sweep.summary import PRICE, PROCESSORS
from apet.questions.sweep.task import SweepTask
from apet.questions.sweep.variation import canonical, check_values, known_quantities, problem


@dataclass(frozen=True)
class SweepRequest:
    """What a user asks for. `machines` is None alone for formulas that need none; `names` are what the user wrote."""

    app: CostModel
    machines: Sequence[Machines | None]
    names: Sequence[str]
    axes: Sequence[Axis]
    settings: Mapping[str, Number | Interval] = field(default_factory=dict)
    schedule: str = "static"
    form: str = ""
    skip_undefined: bool = False
    objective: str = "guaranteed"
    against: str = PROCESSORS

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Names of machine models for the output: their files, or what the user wrote where two have one name."""
        files = [self.app.origin if m is None else m.file for m in self.machines]
        return tuple(files if len(set(files)) == len(files) else self.names)

    @cached_property
    def fixed(self) -> dict[str, Number | Interval]:
        """What was set, and the intervals that a model knows of what does not vary."""
        varied = {name for axis in self.axes for name in axis.names}
        return {**{n: v for n, v in self.app.intervals.items() if n not in varied}, **self.settings}


def build(request: SweepRequest) -> tuple[SweepTask, list[Diagnostic]]:
    """The task and advice about it; `ApetError` with what is wrong with the request."""
    axes = [replace(axis, names=tuple(map(canonical, axis.names))) for axis in request.axes]
    _check_once(request, axes)
    parameters = _parameters(request.app)
    operations = request.app.operations
    varied = {name: v for axis in axes for name, v in zip(axis.names, axis.values, strict=True)}
    changing = frozenset(n for n in varied if n not in parameters and n in _quantities(request))
    _check_names(request, varied, parameters, changing)

    for name in changing:
        for machines in _models(request):
            diagnostic = problem(name, machines, operations)
            raise_all([diagnostic] if diagnostic else [])
        check_values(name, *varied[name].ends, varied[name].whole)

    if PROCESSORS in varied:
        _check_processors(request, varied[PROCESSORS].ends, varied[PROCESSORS].whole)
    if request.against == PRICE:
        _check_prices(request)
    space = _space(request, axes, changing)
    return _task(request, space), _advice(request.app, varied, changing)


def _task(request: SweepRequest, space: DesignSpace) -> SweepTask:
    app = request.app
    of_process = isinstance(app, Application)
    text = app.source.text if of_process else cost_model_text(app)

    return SweepTask(
        model=ModelText(app.name, text, app.entry if of_process else FORMULAS, app.source.name),
        branches=app.setting.branches,
        schedule=request.schedule,
        machines=tuple(request.machines),
        labels=request.labels,
        fixed=request.fixed,
        space=space,
        form=request.form,
        skip_undefined=request.skip_undefined,
        objective=request.objective,
        against=request.against,
        versions=tuple(sorted(versions(request.form).items())),
        formulas=_formulas(app, request.machines[0]),
        unit=app.unit,
        counts_processors=app.counts_processors,
        most_processors=tuple(app.most_processors if m is None else m.processors for m in request.machines),
    )


def _models(request: SweepRequest) -> list[Machines]:
    return [m for m in request.machines if m is not None]


def _formulas(app: CostModel, machines: Machines | None) -> str:
    """A hash of the formulas as they are for this machine model."""
    if machines is not None:
        app = app.under(setting_of(machines, app.setting.branches))
    graphs = [to_json(app.graph, formula.node) for formula in (app.T_total, app.lower, app.upper)]
    return sha256(json.dumps(graphs).encode()).hexdigest()


def _space(request: SweepRequest, axes: Sequence[Axis], changing: frozenset[str]) -> DesignSpace:
    count = len(request.machines)
    first = [Axis((MACHINES,), (Listed(list(range(count))),))] if count > 1 else []
    space = DesignSpace((*first, *ordered(axes, changing)), changing)
    if space.size >= GREATEST_SPACE:
        raise ApetError(TooManyToNumber(None, None, f"{float(space.size):.3g}", f"{float(GREATEST_SPACE):.3g}"))
    return space


def _parameters(app: CostModel) -> list[str]:
    return [*(p for p in app.declared if p != PROCESSORS), *app.free_branches, *sorted(app.processors)]


def _quantities(request: SweepRequest) -> list[str]:
    """The quantities that all machine models could have, used by the model or not."""
    if not request.app.on_machines:
        return []
    operations = dict.fromkeys(request.app.operations)
    for machines in _models(request):
        operations |= dict.fromkeys(sorted(machines.operations))
    return known_quantities([op for op in operations if op != "send"])


def _check_once(request: SweepRequest, axes: Sequence[Axis]) -> None:
    seen: set[str] = set()

    diagnostics: list[Diagnostic] = []
    for axis in axes:
        for name in axis.names:
            if name in seen:
                diagnostics.append(VariedTwice(None, None, name, "it varies in two places"))
            if name in request.fixed:
                diagnostics.append(VariedTwice(None, None, name, "varied, and set with --set"))
            seen.add(name)

    for k, label in enumerate(request.labels):
        if label in request.labels[:k]:
            diagnostics.append(SameMachines(None, None, label))
    raise_all(diagnostics)


def _check_names(
    request: SweepRequest, varied: Mapping[str, object], parameters: Sequence[str], changing: frozenset[str]
) -> None:
    used = [op for op in request.app.operations if op != "send"]
    quantities = known_quantities(used)
    first = [PROCESSORS] if request.app.counts_processors else []
    every = [*parameters, *first, *_quantities(request)]
    diagnostics: list[Diagnostic] = []
    for name in varied:
        if name not in parameters and name not in changing and name not in first:
            listed = ", ".join((*first, *parameters))
            diagnostics.append(UnknownSweepName(None, None, name, nearest(name, every), listed, ", ".join(quantities)))
    raise_all(diagnostics)


def _check_processors(request: SweepRequest, ends: tuple[Number, Number], whole: bool) -> None:
    low, high = ends
    if not whole or low < 1:
        reason = "at least one processor is needed" if whole else "numbers of processors are whole"
        raise ApetError(BadProcessorValue(None, None, f"{float(low):g}" if low < 1 else f"{float(high):g}", reason))
    if request.skip_undefined:
        return
    available = [(m.processors, m.file) for m in _models(request)]
    available += [] if available else [(request.app.most_processors, request.app.origin)]
    raise_all([NoSuchConfiguration(None, None, int(high), most, file) for most, file in available if high > most])


def _check_prices(request: SweepRequest) -> None:
    diagnostics: list[Diagnostic] = []
    if not request.app.on_machines:
        diagnostics.append(NoPrices(None, None, request.app.origin, "processor"))
    for machines in _models(request):
        lacking = ", ".join(g.name for g in machines.groups if g.cost_per_hour is None)
        if lacking:
            diagnostics.append(NoPrices(None, None, machines.file, lacking))
    raise_all(diagnostics)


def _advice(app: CostModel, varied: Mapping[str, object], changing: frozenset[str]) -> list[Diagnostic]:
    """What varies and changes nothing."""
    contained = moving(app)
    operations = app.operations
    names = ", ".join(sorted(contained - {PROCESSORS}) + [f"t_{op}" for op in operations])
    diagnostics: list[Diagnostic] = []

    for name in varied:
        last = name.rsplit(".", 1)[-1]
        if name in changing:
            idle = last.startswith("t_") and last[2:] not in operations
            idle |= last in ("latency_s", "bandwidth_B_per_s") and "send" not in operations
        else:
            idle = name != PROCESSORS and name not in contained
        if idle:
            diagnostics.append(VariedNotInTime(None, None, app.name, name, names or "no parameter"))
    return diagnostics
