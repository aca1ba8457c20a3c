"""The job run again and again by several users: how long a run takes while so many are always there.

Each user is a stream of runs, the next one begun when the last one has ended. The replay of all streams together gives
the mean response time R(k) with k jobs present; k / R(k) is how fast the cluster works with k jobs, which makes one
load-dependent station of it (K. M. Chandy, U. Herzog and L. Woo, 1975, "Parametric analysis of queuing networks").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apet.joblogs.copies import end_times, streams
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.what_if import on_cores

ROUNDS = 4
FULL = 0.99
"""A share of the greatest throughput from which on more jobs at once gain nothing."""
MOST_TASKS = 400_000
"""Tasks of a replay up to which more jobs at once are tried."""


@dataclass(frozen=True, slots=True)
class SteadyState:
    """Jobs that come again and again on so many cores: the mean response time in seconds, which is never below
    `at_least` (None where the log has no bounds), throughput per second, the mean number of jobs present, and the share
    of the cores' time in use. Response and number are None where more jobs arrive than the cores can do."""

    cores: int
    response: float | None
    at_least: float | None
    throughput: float
    present: float | None
    used: float


def rounds(work: WorkGraph, cores: int, pauses: Sequence[Sequence[int]], fair: bool = False) -> list[list[int]]:
    """Response times by stream and round, in microseconds; `pauses` are what passes before each round."""
    each = len(pauses[0])
    ends = end_times(on_cores(streams(work, pauses, fair), cores).ended, len(pauses) * each)
    times = list[list[int]]()
    for stream, before in enumerate(pauses):
        part = ends[stream * each : (stream + 1) * each]
        times.append([end - pause - start for start, pause, end in zip([0, *part[:-1]], before, part, strict=True)])
    return times


def responses(work: WorkGraph, cores: int, most: int, fair: bool = False) -> list[float]:
    """Mean response times in microseconds with 1, 2, … jobs always present, up to `most`, or to where more of them
    gain nothing."""
    import numpy as np

    greatest = cores / max(1, sum(unit.work for unit in work.units_on(cores)))
    tried, times = list[int](), list[float]()
    jobs = 1
    while jobs <= most and (not tried or jobs * ROUNDS * work.tasks <= MOST_TASKS):
        tried.append(jobs)
        times.append(_response(work, cores, jobs, fair))
        if jobs / times[-1] >= FULL * greatest or jobs == most:
            break
        jobs = min(most, max(jobs + 1, jobs * 4 // 3))

    return list(map(float, np.interp(range(1, tried[-1] + 1), tried, times)))


def _response(work: WorkGraph, cores: int, jobs: int, fair: bool) -> float:
    """The mean over all rounds but the first, begun apart from each other, until the first stream has ended."""
    alone = on_cores(work, cores).makespan
    if jobs == 1:
        return max(1, alone)

    pauses = [[alone * stream // jobs] + [0] * (ROUNDS - 1) for stream in range(jobs)]
    times_of = rounds(work, cores, pauses, fair)
    over = min(pause[0] + sum(times) for pause, times in zip(pauses, times_of, strict=True))

    seen = list[int]()
    for pause, times in zip(pauses, times_of, strict=True):
        end = pause[0]
        for place, time in enumerate(times):
            end += time
            seen += [time] if place and end <= over else []
    return max(1.0, sum(seen) / len(seen))
