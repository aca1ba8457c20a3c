"""Cost models out of files of any kind: models, fits of measured runs, queueing networks, traces on a
platform, job logs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from apet.cost import CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from apet.machine import Machines
    from apet.model.given_tables import Table

Path = str | os.PathLike[str]
KINDS = ("size", "procs")
SEVERAL = "several"
OF_RUNS = ("metric", "parameters", "where")
NEEDED = {
    "runs": ("method", "kind", "curve", *OF_RUNS),
    SEVERAL: OF_RUNS,
    "queue": ("of",),
    "trace": ("platform", "hostfile"),
    "jobs": ("changes",),
}
"""The options of `load_model` that each kind of file has a use for."""


def load_model(
    path: Path,
    *,
    of: str = "",
    method: str = "auto",
    kind: str = "",
    curve: str | None = None,
    metric: str | None = None,
    parameters: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    platform: Path | None = None,
    hostfile: Path | None = None,
    entry: str | None = None,
    branches: str = "probability",
    network: str = "none",
    tables: Mapping[str, Table] | None = None,
    changes: Mapping[str, Fraction] | None = None,
) -> CostModel:
    """The cost model in a file of any kind, which its content shows; all but models in PAMELA-E and PASL need no
    machines: pass None for them.

    Runs are extrapolated by `method`, over "size" or "procs" (`kind`, where the file does not say); `curve` and
    `metric` choose among several. Of runs over several, `parameters` are those that stay, and `where` fixes others at
    values. Of a queueing network, `of` is "response", "throughput", "utilization" or "bounds",
    with a class or station in brackets where there are several. A trace needs a `platform`. `tables` are for models, as
    in `compile`; `changes` for job logs, such as `partitions.3`. Raises `ApetError`.
    """
    from apet.api.errors import NoTables
    from apet.api.kinds import JOBS, MACHINES, MODEL, QUEUE, RUNS, TRACE, answerable
    from apet.api.models import compile

    located_path = located(path)
    kind_of_file = answerable(located_path)
    options: dict[str, object] = {"of": of, "platform": platform, "hostfile": hostfile, "kind": kind}
    options |= {"curve": curve, "metric": metric, "parameters": parameters, "where": where}
    options |= {"changes": changes, "method": "" if method == "auto" else method, "entry": entry}
    if tables and kind_of_file != MODEL:
        raise ApetError(NoTables(None, None, os.fspath(path), next(iter(tables))))
    asked = SEVERAL if kind_of_file == RUNS and len(parameters) > 1 else kind_of_file
    _check(os.fspath(path), asked, options, NEEDED.get(asked, ("entry",)))
    if kind_of_file == RUNS:
        if asked == SEVERAL:
            return _of_experiment(located_path, parameters, where or {}, metric)
        return _of_runs(located_path, method, kind, curve, metric, where or {})
    if kind_of_file == QUEUE:
        return _of_queue(located_path, of)
    if kind_of_file == TRACE:
        return _of_trace(located_path, platform, hostfile)
    if kind_of_file == JOBS:
        return _of_jobs(located_path, changes or {})
    if kind_of_file == MACHINES:
        from apet.api.errors import NoModel

        raise ApetError(NoModel(None, None, os.fspath(path)))
    return compile(path, entry=entry, branches=branches, network=network, tables=tables)


def needs_no_machines(path: Path) -> bool:
    """Whether a file is no model of a process: its formulas need no machines."""
    from apet.api.kinds import MODEL, kind_of

    return kind_of(located(path)) != MODEL


def machines_of(app: CostModel, machines: Machines | None, P: int | None = None) -> Machines | None:
    """The machines to put a model on; None for one that needs none. Without operations, any P processors do."""
    if not app.on_machines:
        return None
    if machines is None and not app.operations:
        from apet.machine.plain import plain_machines

        return plain_machines(P or 1)
    if machines is None:
        from apet.api.errors import no_machines

        raise ApetError(no_machines(app.name, app.operations))
    return machines


def refuse_options(path: Path, options: dict[str, Any]) -> None:
    """`ApetError` for options that do not apply to a model of a process."""
    _check(os.fspath(path), "model", dict(options), ())


def _check(path: str, kind: str, options: dict[str, object], needed: tuple[str, ...]) -> None:
    from apet.api.errors import NotForThisKind

    wrong = [name for name, value in options.items() if value and name not in needed]
    if wrong:
        raise ApetError([NotForThisKind(None, None, name, path, WHAT[kind]) for name in wrong])


WHAT = {
    "model": "a model of a process",
    "runs": "a file of measured runs",
    SEVERAL: "measured runs over several parameters",
    "queue": "a queueing problem",
    "trace": "a trace",
    "jobs": "a job log",
    "machines": "a machine model",
}


def _of_experiment(path: Path, parameters: Sequence[str], where: Mapping[str, str], metric: str | None) -> CostModel:
    from apet.runs.read import read_experiment
    from apet.runs.surface_model import surface_model

    file = read_experiment(path, parameters=parameters, conditions=where, metric=metric)
    return surface_model(os.fspath(path), file.experiment, file.notes)


def _of_runs(
    path: Path, method: str, kind: str, curve: str | None, metric: str | None, where: Mapping[str, str]
) -> CostModel:
    from apet.api.arguments import one_of
    from apet.ground.notes import NoteKind
    from apet.runs.cost_model import runs_model
    from apet.runs.read import read_runs

    if kind:
        one_of("kind", kind, KINDS)
    file = read_runs(path, curve=curve, metric=metric, kind=kind or "size", where=where)
    used = file.curve._replace(kind=kind or file.curve.kind)
    notes = [n for n in file.notes if n.kind is not NoteKind.AXIS]
    return runs_model(os.fspath(path), used, method, notes)


def _of_queue(path: Path, of: str) -> CostModel:
    from apet.queueing.questions.cost_model import queue_model
    from apet.queueing.read import read_queue

    return queue_model(os.fspath(path), read_queue(path).problem, of)


def _of_trace(path: Path, platform: Path | None, hostfile: Path | None) -> CostModel:
    from apet.api.models import read_platform
    from apet.traces.cost_model import trace_model
    from apet.traces.front import compile_trace, trace_gaps

    if platform is None:
        from apet.api.errors import NoPlatform

        raise ApetError(NoPlatform(None, None, os.fspath(path)))
    where, hosts = read_platform(platform, hostfile, path)
    return trace_model(os.fspath(path), compile_trace(path, where, hosts), trace_gaps(path))


def _of_jobs(path: Path, changes: Mapping[str, Fraction]) -> CostModel:
    from apet.joblogs.cost_model import joblog_model
    from apet.joblogs.read import read_job_logs
    from apet.joblogs.sizes import work_of
    from apet.joblogs.what_if import changed

    log, work, own = work_of(os.fspath(path), read_job_logs(path))
    return joblog_model(os.fspath(path), changed(work, changes) if changes else work, log.notes, own=own)
