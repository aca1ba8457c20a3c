"""Lower bounds of a segment from what must run between two times (E. B. Fernandez, B. Bussell, IEEE Transactions on
Computers C-22(8), 1973).

A task of time t with at least `head` before it and at least `tail` behind it can neither start before head nor end
later than tail before the end. So on N cores, for all times a after the start and b before the end,

    makespan >= a + b + 1 / N * sum over tasks of max(0, min(t, t + head - a, t + tail - b, L - a - b))

with L the longest path. Each pair (a, b) is a line in 1 / N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.joblogs.heads import heads, tails
from apet.joblogs.rules.work import WorkUnit

Times = NDArray[np.int64]

MOST_TIMES = 96
"""Times a, and times b, that are tried, of many tasks fewer: what is looked at is at most `MOST_LOOKED_AT`."""
MOST_LOOKED_AT = 200_000_000
MOST_TASKS = 20_000
"""Tasks of a segment up to which each is looked at by itself; of more, those of a unit in groups of about one time."""
GROUPS = 64
CORES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 1024)
CLOSE = 1.001
"""A line is left out where another is nearly as high for each of these numbers of cores."""


class IntervalLine(NamedTuple):
    """No schedule takes less than outside + work / cores microseconds."""

    outside: int
    work: int


class _Tasks(NamedTuple):
    """Columns of equal length: so many tasks of one time, the least times before and behind them."""

    number: Times
    time: Times
    head: Times
    tail: Times


def interval_lines(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> list[IntervalLine]:
    """The lines that are highest, or nearly, for some number of cores; none if there are no tasks."""
    ahead, behind = heads(units, before), tails(units, before)
    longest = max((h + unit.longest + t for h, unit, t in zip(ahead, units, behind, strict=True)), default=0)
    tasks = _tasks(units, ahead, behind)
    if not len(tasks.time):
        return []

    most = max(2, min(MOST_TIMES, math.isqrt(MOST_LOOKED_AT // len(tasks.time))))
    starts = _times(np.concatenate([tasks.head, tasks.head + tasks.time]), most)
    ends = _times(np.concatenate([tasks.tail, tasks.tail + tasks.time]), most)
    outside, work = list[Times](), list[Times]()
    for start in starts:
        end = ends[ends < longest - start]
        outside.append(start + end)
        work.append(_between(tasks, int(start), end, longest))
    return _needed(np.concatenate(outside), np.concatenate(work))


def _between(tasks: _Tasks, start: int, ends: Times, longest: int) -> Times:
    """By end, how much of the tasks must run from `start` to it."""
    left = np.minimum(tasks.time, tasks.time + tasks.head - start)
    some = left > 0
    number, left, last = tasks.number[some], left[some], (tasks.time + tasks.tail)[some]
    room = (longest - start - ends)[:, None]
    part = np.minimum(np.minimum(left, last - ends[:, None]), room)
    work: Times = np.maximum(part, 0) @ number
    return work


def _needed(outside: Times, work: Times) -> list[IntervalLine]:
    chosen = list[IntervalLine]()
    for cores in CORES:
        heights = outside + work / cores
        best = int(np.argmax(heights))
        if all(CLOSE * (line.outside + line.work / cores) < heights[best] for line in chosen):
            chosen.append(IntervalLine(int(outside[best]), int(work[best])))
    return chosen


def _times(candidates: Times, most: int) -> Times:
    """0 and at most so many of the candidates, spread over them."""
    times = np.unique(np.concatenate([np.zeros(1, np.int64), candidates]))
    if len(times) > most:
        times = times[np.unique(np.linspace(0, len(times) - 1, most).astype(int))]
    return times


def _tasks(units: Sequence[WorkUnit], ahead: Sequence[int], behind: Sequence[int]) -> _Tasks:
    alone = sum(len(unit.holds) for unit in units) <= MOST_TASKS
    single = [k for k, unit in enumerate(units) if len(unit.holds) == 1]
    times = np.asarray([(1, units[k].holds[0], ahead[k], behind[k]) for k in single], np.int64).reshape(-1, 4)
    columns: list[Sequence[Times]] = [tuple(times.T)]
    for unit, head, tail in zip(units, ahead, behind, strict=True):
        if len(unit.holds) == 1:
            continue
        times, counts = np.unique(np.asarray(unit.holds, np.int64), return_counts=True)
        if not alone and len(times) > GROUPS:
            first = np.linspace(0, len(times), GROUPS, endpoint=False).astype(int)
            times, counts = times[first], np.add.reduceat(counts, first)  # each as short as the shortest of its group
        columns.append((counts, times, np.full(len(times), head), np.full(len(times), tail)))
    return _Tasks(*(np.concatenate(column) for column in zip(*columns, strict=True)))
