"""All that is asked of a log at once: times on other numbers of cores, their bounds, what limits, what is wasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from apet.cost.cost_model import CostModel
from apet.formula.evaluate.rounding import down, up
from apet.ground.interval import Number
from apet.joblogs.copies import end_times, several
from apet.joblogs.cost_model import joblog_model
from apet.joblogs.envelope import NOTHING, PathLine, longest
from apet.joblogs.job_log import US, JobLog
from apet.joblogs.limits import LimitShare, limits
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.trust import NO_BOUNDS, NOTED, own_error
from apet.joblogs.waste import WastedCores, waste
from apet.joblogs.what_if import on_cores

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


@dataclass(frozen=True, slots=True)
class JobLogAnswer:
    """What a log predicts. `error` is that of the replay of its own run, as a share of the measured time."""

    log: JobLog
    cores: int  #: of the log
    measured: float  #: seconds that the application took
    error: float
    work: float  #: core seconds of all tasks
    driver: float  #: seconds in which no core could have helped
    floor: float  #: seconds with any number of cores: delays and longest tasks
    knee: float  #: cores from which on the longest tasks decide
    predictions: tuple[CorePrediction, ...]
    limits: tuple[LimitShare, ...] = field(repr=False)  #: spans of the deciding path on the log's own cores
    waste: WastedCores  #: on the log's own cores
    jobs: int  #: copies that run at once in the predictions
    notes: tuple[str, ...]


def answer(
    path: str,
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
    model = joblog_model(path, work, log.engine) if abs(error) <= NO_BOUNDS else None
    batch = several(work, jobs, fair)
    predictions = tuple(_prediction(batch, model, n, spread, jobs) for n in cores or usual_cores(work))
    driver = sum(unit.delay + unit.tail for unit in work.units if not unit.holds)
    floor = _without_limit(work)

    return JobLogAnswer(
        log=log,
        cores=work.cores,
        measured=log.end / US,
        error=error,
        work=work.work / US,
        driver=driver / US,
        floor=float((floor.delays + floor.tasks) / US),
        knee=float(work.work / max(1, floor.tasks)),
        predictions=predictions,
        limits=limits(work, work.cores),
        waste=waste(work, work.cores),
        jobs=jobs,
        notes=(*log.notes, *_notes(log, work, error)),
    )


def _prediction(work: WorkGraph, model: CostModel | None, cores: int, spread: Fraction, jobs: int) -> CorePrediction:
    track = on_cores(work, cores, own_run=cores == work.cores)
    estimate = track.makespan / US
    used = sum(unit.work for unit in work.units_on(cores)) / max(1, cores * track.makespan)
    responses = tuple(time / US for time in end_times(track.ended, jobs))
    if model is None:
        return CorePrediction(cores, estimate, None, None, used, responses)

    values: dict[str, Number] = {"cores": cores, "spread": spread, "jobs": jobs, "data": work.size}
    lower, upper = model.lower.evaluate(values), model.upper.evaluate(values)
    return CorePrediction(cores, estimate, down(lower), up(upper), used, responses)


def usual_cores(work: WorkGraph) -> list[int]:
    """The log's own number, halved three times and doubled four times; of several executors whole ones."""
    step = work.per_executor if work.cores > work.per_executor else 1
    return sorted({work.cores, *(max(1, work.cores * 2**k // (8 * step)) * step for k in range(8))})


def _without_limit(work: WorkGraph) -> PathLine:
    """The longest path: what it takes with a core for every task."""

    def weight(k: int, _: Fraction) -> PathLine:
        unit = work.units[k]
        return PathLine(unit.delay + unit.tail, unit.longest, 0)

    nothing = Fraction(0)
    paths = longest([unit.before for unit in work.units], weight, nothing)
    return max(paths, key=lambda path: path.at(nothing), default=NOTHING)


def _notes(log: JobLog, work: WorkGraph, error: float) -> list[str]:
    notes = []
    if abs(error) > NO_BOUNDS:
        notes.append(f"the replay misses the log's own run by {error:+.0%}: no bounds are given".replace("%", " %"))
    elif abs(error) > NOTED:
        notes.append(f"the replay misses the log's own run by {error:+.1%}".replace("%", " %"))

    if work.following:
        notes.append("all stages have 1, 2 or 3 tasks per core: their numbers are taken to follow the cores")
    if work.profile:
        notes.append("the number of cores changed during the run; predictions have theirs from the start")
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
