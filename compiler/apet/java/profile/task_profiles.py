"""Runs the tasks of an application with counters in them: what a run says of the parameters of its model."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.source_files import read_source
from apet.java import errors
from apet.java.jvm import Jdk, run_java
from apet.java.parse.class_files import package_of
from apet.java.profile.asked import Site
from apet.java.profile.call_times import CallTimes
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.failures import explained, is_all_set
from apet.java.profile.parameter_values import parameters
from apet.java.profile.profiling import Prepared, calls_to_time, counted_run, prepare
from apet.java.profile.sources import text_of
from apet.java.profile.workload import BatchWork
from apet.java.translation import translate_resolved
from apet.program.ir import LineColumn, SourceNote

SAMPLED = 5
"""Tasks of a batch that are run where they differ."""


def profile_tasks(
    jdk: Jdk,
    batches: Sequence[BatchWork],
    predictor: bool,
    limit: float,
    folder: str,
    asked: Mapping[str, SourceNote],
    mode: str = "C2",
) -> CountedRun:
    """Counts of all tasks, by file, and times of their library calls: a few of each batch stand for all of it.

    `limit` is in seconds, for each batch; `asked` are the parameters that are counted, `mode` that of the JVM.
    """
    run = [work for work in batches if work.tasks]
    if not run:
        return CountedRun({}, {}, {}, ())
    calls, files = _calls(run, mode)
    prepared = prepare(jdk, [*(work.file for work in run), *files], folder, asked, calls)
    return _summed([_counted(jdk, work, prepared, predictor, limit, mode) for work in run])


def task_parameters(model: str, batches: Sequence[BatchWork]) -> dict[str, SourceNote]:
    """The parameters of the model of a task graph that come from its tasks, by their names there: what they stand for
    is told in the same words, of several in one line in the same order."""
    told: dict[str, list[SourceNote]] = {}
    for file, entry in dict.fromkeys((work.file, f"{work.type}.{work.method}") for work in batches):
        for note in translate_resolved(read_source(file), entry).parameters.values():
            told.setdefault(" ".join(note.text.replace("\0", " ").split()), []).append(note)

    turns: Counter[str] = Counter()
    found: dict[str, SourceNote] = {}
    for p in parameters(model):
        if p.comment in told:
            notes = told[p.comment]
            found[p.name] = notes[turns[p.comment] % len(notes)]
            turns[p.comment] += 1
    return found


def _calls(batches: Sequence[BatchWork], mode: str) -> tuple[Mapping[tuple[str, LineColumn], str], list[str]]:
    """The library calls of all tasks, by file and place, and the files that the tasks were read from."""
    calls: dict[tuple[str, LineColumn], str] = {}
    files: list[str] = []
    for file, entry in dict.fromkeys((work.file, f"{work.type}.{work.method}") for work in batches):
        translation = translate_resolved(read_source(file), entry)
        calls |= calls_to_time(translation, mode)
        files += translation.files
    return calls, list(dict.fromkeys(files))


def _counted(
    jdk: Jdk, work: BatchWork, prepared: Prepared, predictor: bool, limit: float, mode: str
) -> tuple[float, CountedRun]:
    """What a run of some tasks of a batch showed, and how many tasks each of them stands for."""
    rows = sampled(work.rows)
    words = [
        *prepared.virtual_machine(mode),
        f"-Dapet.file={os.path.basename(work.file).removesuffix('.java')}",
        "ApetTaskProfile",
        package_of(text_of(work.file)) + work.type,
        work.method,
        str(prepared.numbers),
        prepared.repetitions(predictor),
        *(str(len(work.formals)), *work.formals),
        *(repr(value) for row in rows for value in row),
    ]

    title = f"{work.type}.{work.method}"
    try:
        text = run_java(jdk, words, f"{title} with counters", limit)
    except ApetError as error:
        missing = re.search(r"needs values for: ([\w$, ]+)", str(error))
        if missing is None:
            raise explained(error, prepared.files, is_all_set(work.method.partition("(")[2])) from None
        settings = " ".join(f"--set {name}=…" for name in missing[1].split(", "))
        raise ApetError(errors.NeedsValues(None, None, title, missing[1], settings)) from None
    return work.tasks / len(rows), counted_run(text, prepared, method=work.method.partition("(")[0])


def _summed(runs: Sequence[tuple[float, CountedRun]]) -> CountedRun:
    """One run in the place of several of the same sites: counts add up, an operation takes from the least to the most
    of the times that it took in one of them."""
    scales = [scale for scale, _ in runs]
    sites = {site: _added(scales, [run.sites[site] for _, run in runs]) for site in runs[0][1].sites}
    classes: dict[Site, dict[str, int]] = {}
    for scale, run in runs:
        for site, calls in run.classes.items():
            total = classes.setdefault(site, {})
            for name, count in calls.items():
                total[name] = total.get(name, 0) + round(scale * count)

    fields: dict[str, float] = {}
    arrays: dict[str, tuple[float, ...]] = {}
    means: dict[str, float] = {}
    again: Counter[str] = Counter()
    for _, run in runs:
        fields |= run.fields
        arrays |= run.arrays
        means |= run.means
        again.update(run.recompiled)
    times = _times([run.times for _, run in runs])
    assumed = tuple(dict.fromkeys(one for _, run in runs for one in run.assumed))
    unseen = sum(run.unseen for _, run in runs)
    return CountedRun(
        sites, fields, arrays, (), runs[0][1].entry, means, classes, times, again, assumed=assumed, unseen=unseen
    )


def _added(scales: Sequence[float], counts: Sequence[Count]) -> Count:
    first, second, missed, total = (
        sum(s * x for s, x in zip(scales, column, strict=True)) for column in zip(*counts, strict=True)
    )
    return Count(round(first), round(second), round(missed), total)


def _times(times: Sequence[CallTimes]) -> CallTimes:
    seconds: dict[str, Interval] = {}
    for one in times:
        for name, time in one.seconds.items():
            before = seconds.get(name, time)
            seconds[name] = Interval(min(before.lo, time.lo), max(before.hi, time.hi))
    return CallTimes(seconds, max(one.addition_s for one in times))


def sampled(rows: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """A few rows spread evenly over all of them."""
    if len(rows) <= SAMPLED:
        return list(rows)
    return [rows[round((k + 0.5) * len(rows) / SAMPLED - 0.5)] for k in range(SAMPLED)]
