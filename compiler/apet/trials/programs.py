"""Programs in place of models: what this machine and runs of tasks say of parameters, and of the machine model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple
from apet.ground.resources import located
from apet.java.task_values import Values, mode_of, of_formals, remembered, rounded_where_whole, run_task, translation_of
from apet.trials.languages import front_end, is_c, is_source, predictor

if TYPE_CHECKING:
    from apet.cost import Application
    from apet.java.jvm import Jdk
    from apet.java.profile.call_times import CallTimes
    from apet.java.profile.counts import CountedRun
    from apet.machine import Machines
    from apet.program.ir import SourceNote

LIMIT = 120.0
"""Seconds that one run of a task may take."""


class CountedTask(NamedTuple):
    """What a run of a task with counters says: values of parameters, machines with times of its calls, these times."""

    values: Values
    machines: Machines
    times: CallTimes


def counted_text(path: str | os.PathLike[str], entry: str | None, level: str) -> str:
    """The model of a program that leaves open what a run can count, whatever a task graph says of it."""
    from apet.ground.source_files import read_source

    source = read_source(located(path))
    if is_source(path):
        return front_end(path)(source, entry, level, counted=True).text
    from apet import java, pasl

    return pasl.translate(source, java.translate_resolved, level, usual_level=level, counted=True).text


def counted(
    path: str | os.PathLike[str],
    text: str,
    machines: Machines,
    workers: int | None,
    sizes: Mapping[str, Number],
    limit: float = LIMIT,
    advise: Callable[[str], None] = lambda advice: None,
) -> CountedTask:
    """What a run with counters says of the parameters of `text`, and the machines with times of its library calls.

    `sizes` are the sizes that tasks are called with, `limit` the seconds that a task may take; `advise` gets what the
    run showed that no prediction knows of. Raises `ApetError`
    without a JDK or tree-sitter, for a size that is missing, and for a task that throws.
    """
    place = located(path)
    if is_c(path):
        return _counted_c(place, text, machines, sizes, limit, advise)
    from apet.java.jvm import find_jdk
    from apet.java.profile.call_times import with_times
    from apet.java.profile.parameter_values import values

    if is_source(path):
        translation = translation_of(place, text)
        asked = translation.parameters
        profile = run_task(find_jdk(), os.fspath(place), translation, sizes, machines, limit)
    else:
        profile, asked = _tasks(find_jdk(), place, text, sizes, machines, workers, limit)
    for advisory in profile.advice:
        advise(render(advisory))
    counted = values(asked, profile, True, remembered(machines))
    return CountedTask({**counted, **of_formals(text, sizes)}, with_times(machines, profile.times), profile.times)


def _counted_c(
    path: str | os.PathLike[str],
    text: str,
    machines: Machines,
    sizes: Mapping[str, Number],
    limit: float,
    advise: Callable[[str], None],
) -> CountedTask:
    """What a run of a C function with counters says of the parameters of its model; its calls are not timed."""
    from apet.c.profile.profiling import profile
    from apet.ground.source_files import read_source
    from apet.java.profile.call_times import CallTimes

    run = profile(read_source(path), translation_of(path, text), sizes, limit)
    for advisory in run.advice:
        advise(render(advisory))
    return CountedTask({**run.values, **of_formals(text, sizes)}, machines, CallTimes())


def within_run(
    app: Application, task: CountedTask, machines: Machines, values: Mapping[str, Number | Interval]
) -> Machines:
    """The machines with times of the calls of a task that take what its run leaves for them beside the rest; as they
    are where the rest cannot be predicted."""
    from apet.java.profile.call_times import with_run

    known = {name: value for name, value in {**values, **task.values}.items() if name in app.model.parameters}
    rounded = {name: rounded_where_whole(app, name, value) for name, value in known.items()}
    try:
        return with_run(machines, task.times, lambda on: predictor(app, on).predict(1, rounded).estimate)
    except ApetError:
        return machines


def _tasks(
    jdk: Jdk,
    path: str | os.PathLike[str],
    text: str,
    settings: Mapping[str, Number],
    machines: Machines,
    workers: int | None,
    limit: float,
) -> tuple[CountedRun, Mapping[str, SourceNote]]:
    """A run of some tasks of each batch of a task graph, and the parameters that it was asked for."""
    from apet.ground.source_files import read_source
    from apet.java.profile.task_profiles import profile_tasks, task_parameters
    from apet.trials.workloads import workload

    work = workload(read_source(path), machines.configure(workers), "static", settings)
    import tempfile  # brings hashes and random numbers, which no other verb needs

    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        asked = task_parameters(text, work.batches)
        return profile_tasks(jdk, work.batches, True, limit, folder, asked, mode_of(machines)), asked
