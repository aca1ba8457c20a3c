"""All errors of a model, and advice."""

from __future__ import annotations

from apet.api.any_file import WHAT
from apet.api.errors import NotCheckedHere, NotForThisKind, RefusedOnOneCore
from apet.api.kinds import MACHINES, MODEL, QUEUE, RUNS, answerable
from apet.api.models import load_machines, read
from apet.api.predictions import predictor
from apet.cost import Application, analyse, deep_recursion
from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval
from apet.ground.resources import located
from apet.machine.machines import Machines
from apet.machine.plain import plain_machines
from apet.model.errors import ModelTooDeep, Recursion
from apet.model.lints import lints
from apet.model.resolve import resolve
from apet.prediction.errors import NoSuchProcessor
from apet.simulator.trial import LONGEST_TRIED


def findings(path: str, entry: str | None = None, machines: str | None = None) -> list[Diagnostic]:
    """All mistakes and all advice, in that order: as far as each stage lets the next one begin.

    Of a model or task graph; of a machine file, a queueing problem or measured runs, the mistakes.
    """
    diagnostics: list[Diagnostic] = []
    app = resolved = None
    kind = answerable(located(path))
    if kind != MODEL:
        if entry is not None or machines is not None:
            raise ApetError(NotForThisKind(None, None, "entry" if entry else "machines", path, WHAT[kind]))
        return _in_file(path, kind)
    try:
        model = read(path, entry)
    except ApetError as error:
        diagnostics += error.diagnostics
    else:
        try:
            with deep_recursion():
                resolved = resolve(model)
            app = analyse(resolved)
        except ApetError as error:
            diagnostics += error.diagnostics
        if not any(isinstance(d, Recursion | ModelTooDeep) for d in diagnostics):
            with deep_recursion(), paused_collector():
                diagnostics += lints(model, resolved)
    if machines is not None:
        diagnostics += _on(app, machines)
    elif isinstance(app, Application) and len(app.source.text) <= LONGEST_TRIED:
        diagnostics += _at_defaults(app)

    return sorted(diagnostics, key=lambda d: d.severity != "error")


def _in_file(path: str, kind: str) -> list[Diagnostic]:
    """What is wrong with a file that is no model."""
    try:
        if kind == MACHINES:
            load_machines(located(path))
        elif kind == QUEUE:
            from apet.queueing.read import read_queue

            read_queue(located(path))
        elif kind == RUNS:
            _check_runs(path)
        else:
            raise ApetError(NotCheckedHere(None, None, path))
    except ApetError as error:
        return list(error.diagnostics)
    return []


def _check_runs(path: str) -> None:
    """`ApetError` with what is wrong with runs, over one parameter or over several."""
    from apet.runs.errors import SeveralParameters
    from apet.runs.read import read_experiment, read_runs

    try:
        read_runs(located(path))
    except ApetError as error:
        if not all(isinstance(d, SeveralParameters) for d in error.diagnostics):
            raise
        read_experiment(located(path))


def _at_defaults(app: Application) -> list[Diagnostic]:
    """What a prediction on one core refuses at the values that the model declares, where it declares them all.

    What is wrong because there are no more processors is no error; where something depends on their number, it may be
    right with others.
    """
    if any(app.declared[name].value is None for name in app.parameters if name in app.declared and name != "P"):
        return []
    try:
        predictor(app, _any_machines(app)).predict(1, app.intervals)
    except ApetError as error:
        placed = [d for d in error.diagnostics if d.span is not None and not isinstance(d, NoSuchProcessor)]
        if "P" not in app.parameters:
            return placed
        return [RefusedOnOneCore(d.source, d.span, d.text, d.advice) for d in placed]
    return []


def _any_machines(app: Application) -> Machines:
    """One core on which every operation takes a second, and a network."""
    operations = dict.fromkeys(app.operations, Interval(1, 1))
    network = load_machines("cores=1, latency=1 us, bandwidth=1 GB/s").network
    plain = plain_machines(1)
    groups = tuple(group.replace(op_s=operations) for group in (*plain.groups, plain.coordinator))
    return plain.replace(groups=groups[:1], coordinator=groups[1], network=network)


def _on(app: Application | None, machines: str) -> list[Diagnostic]:
    """Errors of a machine model, and what it lacks."""
    try:
        loaded = load_machines(machines)
        if app is not None:
            predictor(app, loaded).check_machines()
    except ApetError as error:
        return list(error.diagnostics)
    return []
