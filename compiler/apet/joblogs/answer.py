"""All that is asked of a log at once: times on other numbers of cores, their bounds, what limits, what is wasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from apet.formula.evaluate.rounding import down, up
from apet.formula.formula import Formula
from apet.ground.interval import Number
from apet.joblogs.copies import end_times, several
from apet.joblogs.cost_model import MOST_CORES, job_bounds
from apet.joblogs.envelope import PathLine, longest
from apet.joblogs.job_log import US, JobLog
from apet.joblogs.limits import LimitShare, limits
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.trust import NO_BOUNDS, NOTED, own_error
from apet.joblogs.waste import WastedCores, waste
from apet.joblogs.what_if import makespan, on_cores

SLOW_FETCH = 0.10
"""A share of the run time spent on waiting for the data of others from which on it is noted."""


@dataclass(frozen=True, slots=True)
class CorePrediction:
    """A time on so many cores in seconds; without bounds where the log cannot be trusted. `used` is the share of the
    cores' time that tasks take. Of several jobs at once `responses` are when each has ended; else there is one."""

    cores: int
    estimate: float
    lower: float | None
    upper: float | None
    used: float
    responses: tuple[float, ...] = ()

    @property
    def core_hours(self) -> float:
        """What the cores cost in hours."""
        return self.cores * self.estimate / 3600


class OwnRun(NamedTuple):
    """The replay of the log's own run in seconds, with or without what disturbed it."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class JobLogAnswer:
    """What a log predicts. `error` is that of the replay of its own run, as a share of the measured time."""

    log: JobLog
    cores: int  #: of the log
    measured: float  #: seconds that the application took
    error: float
    work: float  #: core seconds of all tasks
    tasks: int  #: each once, however often it was tried
    own_runs: tuple[OwnRun, ...]  #: the log's own run as it was, and how it would have been
    sure: bool  #: whether the bounds are guaranteed
    driver: float  #: seconds in which no task ran
    floor: float  #: seconds with any number of cores: delays and longest tasks
    knee: float | None  #: cores from which on the longest tasks decide; None where tasks follow the cores
    predictions: tuple[CorePrediction, ...]
    limits: tuple[LimitShare, ...] = field(repr=False)  #: spans of the deciding path on the log's own cores
    waste: WastedCores  #: on the log's own cores
    jobs: int  #: copies that run at once in the predictions
    notes: tuple[str, ...]


def answer(
    log: JobLog,
    work: WorkGraph,
    cores: Sequence[int] | None = None,
    *,
    spread: Fraction = Fraction(0),
    jobs: int = 1,
    fair: bool = False,
    own: WorkGraph,
) -> JobLogAnswer:
    """Predictions at `cores` (default: halved and doubled from the log's own), of so many copies at once.

    `own` is the work as it was logged, of which `work` may be a changed one: trust is a matter of the former.
    """
    error = own_error(own)
    bounds = job_bounds(work) if abs(error) <= NO_BOUNDS else None
    batch = several(work, jobs, fair)
    predictions = tuple(_prediction(batch, bounds, n, spread, jobs) for n in cores or usual_cores(work))
    floor, idle = _without_limit(work), waste(work)

    return JobLogAnswer(
        log=log,
        cores=work.cores,
        measured=log.end / US,
        error=error,
        work=work.work / US,
        tasks=work.tasks,
        own_runs=_own_runs(own, work),
        sure=work.sure,
        driver=idle.driver / work.cores,
        floor=float((floor.delays + floor.tasks) / US),
        knee=None if work.following else float(work.work / max(1, floor.tasks)),
        predictions=predictions,
        limits=limits(work, work.cores),
        waste=idle,
        jobs=jobs,
        notes=(*log.notes, *_notes(log, work, error), *_anomalies(predictions, work.allocation is not None)),
    )


def _prediction(
    work: WorkGraph, bounds: tuple[Formula, Formula] | None, cores: int, spread: Fraction, jobs: int
) -> CorePrediction:
    as_logged = cores == work.cores and not work.profile and work.allocation is None
    track = on_cores(work, cores, own_run=as_logged)
    length = makespan(work, cores, track)
    estimate = length / US
    used = sum(unit.work for unit in work.units_on(cores)) / max(1, cores * length)
    responses = tuple(time / US for time in end_times(track.ended, jobs))
    if bounds is None:
        return CorePrediction(cores, estimate, None, None, used, responses)

    values: dict[str, Number] = {"cores": cores, "spread": spread, "jobs": jobs, "data": work.size}
    low, high = down(bounds[0].evaluate(values)), up(bounds[1].evaluate(values))
    if work.order == "dask":  # which may leave cores idle while tasks wait: its bounds are no more than estimates
        low, high = min(low, estimate), max(high, estimate)
    return CorePrediction(cores, estimate, low, high, used, responses)


def _anomalies(predictions: Sequence[CorePrediction], elastic: bool) -> list[str]:
    """Where more cores take longer."""
    ordered = sorted(predictions, key=lambda prediction: prediction.cores)
    worse = [(a, b) for a, b in pairwise(ordered) if b.estimate > a.estimate * 1.001]
    reason = "tasks are served in another order (R. L. Graham's anomaly)"
    if elastic:
        reason = "executors are asked for and given back at other times"
    return [f"{b.cores} cores take longer than {a.cores}: {reason}" for a, b in worse[:1]]


def _own_runs(own: WorkGraph, work: WorkGraph) -> tuple[OwnRun, ...]:
    """One if nothing disturbed it."""

    def seconds(graph: WorkGraph, own_run: bool) -> float:
        return on_cores(graph, graph.cores, own_run=own_run).makespan / US

    runs = [OwnRun("as it was", seconds(own, True))]
    if work.lost:
        runs.append(OwnRun("without failed and second attempts", seconds(work, True)))
    if own.elastic is not None:
        ruled = replace(own, allocation=own.elastic)
        length = on_cores(ruled, min(own.elastic.rules.most * own.per_executor, MOST_CORES)).makespan
        runs.append(OwnRun("with executors by Spark's rules", length / US))
    if own.profile:
        runs.append(OwnRun("with all executors from the start", seconds(replace(work, allocation=None), False)))
    return tuple(runs)


def usual_cores(work: WorkGraph) -> list[int]:
    """The log's own number, halved three times and doubled four times; of several executors whole ones."""
    step = work.per_executor if work.cores > work.per_executor else 1
    return sorted({work.cores, *(max(1, work.cores * 2**k // (8 * step)) * step for k in range(8))})


def _without_limit(work: WorkGraph) -> PathLine:
    """The longest path: what it takes with a core for every task. Of tasks that follow the cores nothing is left."""

    def line(unit: WorkUnit) -> PathLine:
        follows = work.following and len(unit.holds) > 1
        return PathLine(unit.delay + unit.tail, 0 if follows else unit.longest, 0)

    return longest([unit.before for unit in work.units], [[line(unit)] for unit in work.lean], 0)


def _notes(log: JobLog, work: WorkGraph, error: float) -> list[str]:
    notes = []
    if abs(error) > NO_BOUNDS:
        notes.append(f"the replay misses the log's own run by {error:+.0%}: no bounds are given".replace("%", " %"))
    elif abs(error) > NOTED:
        notes.append(f"the replay misses the log's own run by {error:+.1%}".replace("%", " %"))

    if work.following:
        notes.append("all stages have 1, 2 or 3 tasks per core: their numbers are taken to follow the cores")
    if work.allocation is not None:
        rules = work.allocation.rules
        times = f"asked for {rules.backlog / US:g} s after tasks wait, there after {work.allocation.startup / US:.3g} s"
        notes.append(
            f"executors come and go: {rules.least} at least, {times}, given back after {rules.idle / US:g} s idle"
        )
    elif work.profile:
        ask = "; --set allocation.min=0 has executors come and go by Spark's rules" if work.elastic else ""
        notes.append(f"the number of cores changed during the run; predictions have theirs from the start{ask}")
    if log.overheads.run and log.overheads.fetch_wait > SLOW_FETCH * log.overheads.run:
        share = log.overheads.fetch_wait / log.overheads.run
        notes.append(f"tasks waited {share:.0%} of their time for data of others, as they did then".replace("%", " %"))
    if log.overheads.spilled:
        notes.append("tasks spilled to disk; on fewer executors they may spill more")
    if log.engine == "Spark" and sum(executor.slots > 0 for executor in log.executors) == 1 and work.cores > 1:
        notes.append("from one executor: what several send to each other is not in this log")
    if log.engine == "Dask":
        notes.append("Dask sends tasks to workers ahead of time: its upper bound is estimated, not guaranteed")
    return notes
