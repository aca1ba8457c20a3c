"""How long each task holds its core: launches matched to finishes.

Spark offers a core again when the executor reports the task's end; the `Finish Time` is stamped later, by the thread
that gets results. So the next launch on a core is often before the finish of the task whose core it takes. On an
executor with c slots the launch c + k takes the slot of the k-th end: if it is earlier, that slot was free from then
on. If it is later while tasks waited, the difference is a turnaround.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from apet.joblogs.job_log import JobLog


class SlotTimes(NamedTuple):
    """When each attempt left its core, and the median time until a waiting task took it."""

    freed: Sequence[int]
    turnaround: int


def slot_times(log: JobLog) -> SlotTimes:
    """Corrected times of all attempts, in microseconds."""
    freed = array("q", log.tasks.freed)
    submitted = {stage.number: stage.submitted for stage in log.stages} if log.order == "dask" else {}
    waiting = _Waiting(log, range(len(log.tasks)), submitted)
    gaps = list[int]()
    for place, attempts in _by_executor(log).items():
        if 0 <= place < len(log.executors):  # of an unknown executor nobody knows the slots
            if submitted:  # of Dask, whose tasks wait for threads of their worker
                waiting = _Waiting(log, attempts, submitted)
            _match(log, attempts, log.executors[place].slots, freed, waiting, gaps)

    usual = min if log.missing else median  # a task that is missing makes a gap longer
    return SlotTimes(freed, int(usual(gaps)) if gaps else 0)


def _by_executor(log: JobLog) -> dict[int, list[int]]:
    attempts: dict[int, list[int]] = {}
    for k, place in enumerate(log.tasks.executor):
        attempts.setdefault(place, []).append(k)
    return attempts


def _match(log: JobLog, attempts: list[int], slots: int, freed: array[int], waiting: _Waiting, gaps: list[int]) -> None:
    """Correct the ends of an executor's attempts, and note turnarounds."""
    launched = log.tasks.launched
    by_launch = sorted(attempts, key=launched.__getitem__)
    by_end = sorted(attempts, key=freed.__getitem__)
    ends = [freed[k] for k in by_end]
    for k, later in enumerate(by_launch[slots:]):
        launch, task = launched[later], by_end[k]
        if launch < ends[k]:
            freed[task] = max(launch, launched[task])
            gaps.append(0)
        elif waiting.at(ends[k]):
            gaps.append(launch - ends[k])


class _Waiting:
    """When some stage still had tasks to launch: the union of the spans from its first launch, or from when it was
    `submitted`, to its last."""

    def __init__(self, log: JobLog, attempts: Iterable[int], submitted: Mapping[int, int]) -> None:
        spans: dict[int, tuple[int, int]] = {}
        for k in attempts:
            stage, launch = log.tasks.stage[k], log.tasks.launched[k]
            low, high = spans.get(stage, (submitted.get(stage, launch), launch))
            spans[stage] = min(low, launch), max(high, launch)

        self.starts, self.ends = list[int](), list[int]()
        for low, high in sorted(spans.values()):
            if self.ends and low <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], high)
            else:
                self.starts.append(low)
                self.ends.append(high)

    def at(self, time: int) -> bool:
        place = bisect_right(self.starts, time) - 1
        return place >= 0 and time < self.ends[place]
