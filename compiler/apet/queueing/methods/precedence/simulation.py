"""Jobs with precedence run event by event with random demands: what answers them.

Response times are those of jobs that end after the first tenth; their mean and percentiles are given with the
half-width of a 95 % confidence interval from 20 batches of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import (
    LEVELS,
    Circulation,
    ClassResult,
    JobsResult,
    Percentiles,
    Scenario,
    StationResult,
    TaskResult,
)
from apet.queueing.methods.precedence.capacity import refuse_overload, uncertainty
from apet.queueing.methods.precedence.circulation import OPEN_PLACES, JobsUnderWay, UnderWay

Array = NDArray[np.float64]
WARM_UP = 0.1
BATCHES = 20
STUDENT = 2.093
"""The 97.5 % quantile of Student's t with 19 degrees of freedom."""
MOST_EVENTS = 50_000_000
ROUND = 40_000
"""Events between two looks at what has ended."""
SETTLING = 5
"""Rounds of every job before what happens counts, where a simulation ends as soon as it is precise."""
OPEN_ROUND = 1_000
"""Jobs of an open class that count as a round: queues fill from empty."""
FEWEST = 20 * BATCHES
"""Jobs of each class that statistics rest on, unless events run out."""
EQUAL = 1e-9
"""Relative half-width of the mean of times that do not vary."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from a simulation, and the half-width of its 95 % confidence interval (infinite for too few jobs)."""

    value: float
    half_width: float

    def at_least(self, share: float) -> Estimate:
        """With a half-width of so large a share of it, or its own if that is wider."""
        return Estimate(self.value, max(self.half_width, share * self.value))


@dataclass(frozen=True, slots=True)
class Simulated:
    """What a simulation shows: by class the mean response time and its percentiles (at `levels`) in seconds, and jobs
    per second; by station mean busy servers; by class and station mean tasks; by task mean seconds; by class the jobs
    counted, the seconds that they waited outside of their pool in the mean, and the share that it refused."""

    response: tuple[Estimate, ...]
    percentiles: tuple[tuple[Estimate, ...], ...]
    throughput: tuple[float, ...]
    busy: tuple[float, ...]
    tasks_at: tuple[tuple[float, ...], ...]
    task_response: tuple[float, ...]
    jobs: tuple[int, ...]
    outside: tuple[float, ...]
    refused: tuple[float, ...]
    levels: tuple[float, ...]


def run(
    scenario: Scenario,
    events: int,
    seed: int,
    enough: Callable[[Sequence[Estimate]], bool] | None = None,
    levels: tuple[float, ...] = LEVELS,
) -> Simulated:
    """A scenario for so many events, or until the mean response times of all classes are `enough`.

    The same call gives the same numbers. `ApetError` where more jobs come from outside than are served.
    """
    circulation = JobsUnderWay(scenario, seed)
    rounds = SETTLING * events_per_round(scenario)  # all begin with a pause, which is no steady state
    warm_up = math.ceil(WARM_UP * events) if enough is None else min(events // 2, max(ROUND // 2, rounds))
    everybody = list(range(len(scenario.classes)))
    return _simulated(circulation, followed(circulation, everybody, warm_up, events, enough), levels)


def followed(
    under_way: UnderWay,
    classes: Sequence[int],
    warm_up: int,
    events: int,
    enough: Callable[[Sequence[Estimate]], bool] | None,
) -> list[Array]:
    """The response times of classes after a warm-up, until all means are `enough` or so many events have passed."""
    passed = 0
    while passed < warm_up:
        number, _ = under_way.advance(min(ROUND, warm_up - passed))
        passed += number or events
    under_way.forget()

    rows = [np.zeros(0) for _ in classes]
    while passed < events:
        number, responses = under_way.advance(min(ROUND, events - passed))
        passed += number or events
        rows = [np.concatenate((row, responses[c])) for c, row in zip(classes, rows, strict=True)]
        if enough and min(map(len, rows)) >= FEWEST and enough([mean_estimate(row) for row in rows]):
            break
    return rows


def _simulated(circulation: JobsUnderWay, rows: list[Array], levels: tuple[float, ...]) -> Simulated:
    if circulation.overflow:
        places = f"more than {OPEN_PLACES:,} jobs under way"
        raise ApetError(errors.Overloaded(None, None, places))

    elapsed, ended = circulation.now - circulation.since, np.array([max(1, len(row)) for row in rows])
    come = zip(circulation.scenario.classes, rows, strict=True)
    rare = [c.name for c, row in come if not len(row) and (c.population or c.arrival_rate)]
    if rare:
        raise ApetError(errors.TooRare(None, None, ", ".join(rare), f"{elapsed:.4g} s"))
    present = (circulation.present() * elapsed / ended).tolist()
    refused = circulation.refused
    floors = uncertainty(circulation.scenario, elapsed) if elapsed else [0.0] * len(rows)
    means = (_response(*row) for row in zip(circulation.scenario.classes, rows, present, strict=True))
    shares = [[quantile_estimate(row, level) for level in levels] for row in rows]
    return Simulated(
        response=tuple(mean.at_least(floor) for mean, floor in zip(means, floors, strict=True)),
        percentiles=tuple(tuple(e.at_least(floor) for e in row) for row, floor in zip(shares, floors, strict=True)),
        throughput=tuple(len(row) / elapsed if elapsed else 0.0 for row in rows),
        busy=tuple(circulation.busy().tolist()),
        tasks_at=tuple(map(tuple, circulation.tasks_there().tolist())),
        task_response=tuple(circulation.task_means()),
        jobs=tuple(map(len, rows)),
        outside=tuple((circulation.outside / ended).tolist()),
        refused=tuple((refused / (ended + refused)).tolist()),
        levels=levels,
    )


def _response(circulation: Circulation, times: Array, seconds: float) -> Estimate:
    """The mean response time: of circulating jobs the `seconds` spent per job that ended (J. D. C. Little, 1961), which
    count the jobs that have not ended as well, as those that last come, first served leaves behind."""
    mean = mean_estimate(times)
    if circulation.is_open or not len(times) or mean.half_width <= EQUAL * mean.value:
        return mean
    return Estimate(seconds, mean.half_width + abs(seconds - mean.value))


def mean_estimate(times: Array) -> Estimate:
    """The mean, with its interval from means of batches."""
    size = len(times) // BATCHES
    if not size:
        return Estimate(float(times.mean()) if len(times) else 0.0, math.inf)
    means = times[: size * BATCHES].reshape(BATCHES, size).mean(axis=1)
    return Estimate(float(times.mean()), STUDENT * float(means.std(ddof=1)) / math.sqrt(BATCHES))


def quantile_estimate(times: Array, level: float) -> Estimate:
    """The percentile, with its interval from those of batches."""
    if not len(times):
        return Estimate(0.0, math.inf)
    value, size = float(np.percentile(times, level)), len(times) // BATCHES
    if size * (100 - level) < 100:  # a batch needs some times beyond the percentile
        return Estimate(value, math.inf)
    each = np.percentile(times[: size * BATCHES].reshape(BATCHES, size), level, axis=1)
    return Estimate(value, STUDENT * float(each.std(ddof=1)) / math.sqrt(BATCHES))


def percentiles(simulated: Simulated, c: int, scale: float = 1.0) -> Percentiles:
    """The percentiles of a class as results hold them, all times a factor."""
    row = simulated.percentiles[c]
    seconds, widths = tuple(e.value * scale for e in row), tuple(e.half_width for e in row)
    return Percentiles(seconds, "simulated", widths, simulated.levels)


def simulate(scenario: Scenario, jobs: int, seed: int, levels: tuple[float, ...] = LEVELS) -> JobsResult:
    """`jobs` jobs per class in the mean; the same call gives the same numbers.

    `ApetError` naming the stations that open classes overload.
    """
    refuse_overload(scenario)
    with Activity("simulating"):
        simulated = run(scenario, min(MOST_EVENTS, _events(scenario, max(jobs, BATCHES))), seed, levels=levels)
    return as_result(scenario, simulated)


def _events(scenario: Scenario, jobs: int) -> int:
    """Events for so many jobs per class in the mean, of jobs that are as frequent as each other."""
    return math.ceil(jobs * sum(map(_events_per_job, scenario.classes)) / (1 - WARM_UP))


def events_per_round(scenario: Scenario) -> int:
    """Events in which every job ends once."""
    return math.ceil(sum((c.population or OPEN_ROUND) * _events_per_job(c) for c in scenario.classes))


def _events_per_job(circulation: Circulation) -> float:
    return 1 + sum(v.probability * sum(len(t.steps) for t in v.tasks) for v in circulation.variants)


def as_result(scenario: Scenario, simulated: Simulated) -> JobsResult:
    """The result of a simulation in full."""
    classes, notes, at = [], [], 0
    refusing = {c for pool in scenario.pools if pool.backlog is not None for c in pool.classes}
    for c, circulation in enumerate(scenario.classes):
        variants = []
        for variant in circulation.variants:
            seconds = simulated.task_response[at : at + len(variant.tasks)]
            variants.append(tuple(TaskResult(t.name, r) for t, r in zip(variant.tasks, seconds, strict=True)))
            at += len(variant.tasks)

        mean = simulated.response[c]
        classes.append(
            ClassResult(
                circulation.name,
                mean.value,
                (c not in refusing and circulation.arrival_rate) or simulated.throughput[c],
                tuple(variants),
                percentiles(simulated, c),
                mean.half_width,
                simulated.tasks_at[c],
                simulated.outside[c],
                simulated.refused[c],
            )
        )
        jobs = f"95 %, {simulated.jobs[c]:,} jobs"
        if simulated.jobs[c]:
            notes.append(f"{circulation.name}: {mean.value:.6g} ± {mean.half_width:.2g} s ({jobs})")

    stations = []
    for k, (station, busy) in enumerate(zip(scenario.stations, simulated.busy, strict=True)):
        used = None if station.discipline == "delay" else busy / station.servers
        stations.append(StationResult(station.name, used, sum(row[k] for row in simulated.tasks_at)))
    return JobsResult("simulation", tuple(classes), tuple(stations), notes=tuple(notes))
