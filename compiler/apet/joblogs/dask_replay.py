"""Replay as Dask schedules: tasks belong to workers before a thread is free.

A task whose inputs are there goes to the worker with some of them that has the fewest tasks per thread. Tasks without
inputs are sent as they arrive, until every worker has 1.1 times its threads, and the rest by priority as workers have
room. A free thread takes the task of its worker with the highest priority; a worker without any takes one from the
worker with the most (Dask's documentation, 2024, "Scheduling policies", "Work stealing").
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import ceil

from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.schedule import ScheduleTrack

SATURATION = 1.1
"""Dask's `worker-saturation`: so many times its threads, rounded up, are the tasks that a worker gets ahead of time."""
READY, ENDED, RELEASED = 0, 1, 2


def dask_replay(graph: WorkGraph, cores: int, keep: bool) -> ScheduleTrack:
    """The schedule on workers of as many threads as those of the log, the last one perhaps with fewer."""
    threads = min(cores, graph.per_executor)
    counts = [min(threads, cores - start) for start in range(0, cores, threads)]
    return _Workers(graph.units_on(cores), counts, keep).run()


class _Workers:
    """What waits where, and how many threads are free; `counts` are threads by worker."""

    def __init__(self, units: Sequence[WorkUnit], counts: Sequence[int], keep: bool) -> None:
        self.units, self.counts, self.keep = units, counts, keep
        self.free = list(counts)
        self.waiting: list[list[tuple[tuple[int, ...], int]]] = [[] for _ in counts]
        self.assigned = [0] * len(counts)
        self.place = [-1] * len(units)
        self.unsent = list[tuple[tuple[int, ...], int]]()
        self.room = [ceil(SATURATION * threads) for threads in counts]

        self.waits = [len(set(unit.before)) for unit in units]
        self.after: list[list[int]] = [[] for _ in units]
        for k, unit in enumerate(units):
            for previous in set(unit.before):
                self.after[previous].append(k)
        count = len(units)
        self.ready, self.first, self.last, self.ended = [0] * count, [-1] * count, [0] * count, [0] * count
        self.intervals = list[tuple[int, int, int]]()
        self.events = list[tuple[int, int, int, int]]()  # time, kind, place by arrival, unit

    def run(self) -> ScheduleTrack:
        for k, unit in enumerate(self.units):
            if not unit.before:
                self._push(unit.delay, READY, k)
        while self.events:
            time, kind, _, k = heappop(self.events)
            if kind == READY:
                self._begin(time, k)
            elif kind == ENDED:
                self._end(time, k)
            else:
                self._release(time, self.place[k])
        return ScheduleTrack(self.ready, self.first, self.last, self.ended, self.intervals)

    def _push(self, time: int, kind: int, k: int) -> None:
        heappush(self.events, (time, kind, self.units[k].arrival, k))

    def _end(self, time: int, k: int) -> None:
        self.ended[k] = time
        for following in self.after[k]:
            self.waits[following] -= 1
            if not self.waits[following]:
                self._place(following)
                self._push(time + self.units[following].delay, READY, following)

        worker = self.place[k]
        if worker >= 0:  # the scheduler learns of the end, and deals with what follows before what waits
            self.assigned[worker] -= 1
            while self.unsent and self.assigned[worker] < self.room[worker]:
                _, other = heappop(self.unsent)
                self._send(time, other, worker)

    def _place(self, k: int) -> None:
        """The worker of a task whose inputs are there: one that holds some of them."""
        holders = {self.place[p] for p in self.units[k].before if self.place[p] >= 0}
        if self.units[k].holds and holders:
            self.place[k] = worker = self._least(sorted(holders))
            self.assigned[worker] += 1

    def _begin(self, time: int, k: int) -> None:
        self.ready[k] = time
        unit = self.units[k]
        if not unit.holds:
            self._push(time + unit.tail, ENDED, k)
        elif self.place[k] >= 0:
            self._queue(time, k)
        else:
            worker = self._least(range(len(self.counts)))
            if self.assigned[worker] < self.room[worker]:
                self._send(time, k, worker)
            else:
                heappush(self.unsent, (unit.order, k))

    def _send(self, time: int, k: int, worker: int) -> None:
        self.place[k] = worker
        self.assigned[worker] += 1
        self._queue(time, k)

    def _least(self, workers: Sequence[int]) -> int:
        """The worker with the fewest tasks per thread."""
        return min(workers, key=lambda w: (self.assigned[w] / self.counts[w], w))

    def _queue(self, time: int, k: int) -> None:
        worker = self.place[k]
        heappush(self.waiting[worker], (self.units[k].order, k))
        if self.free[worker]:
            self._launch(time, worker)
            return
        idle = next((w for w, free in enumerate(self.free) if free and not self.waiting[w]), None)
        if idle is not None:
            self._steal(time, idle)

    def _release(self, time: int, worker: int) -> None:
        """A thread is free for a task of its worker, or of another."""
        self.free[worker] += 1
        if self.waiting[worker]:
            self._launch(time, worker)
        else:
            self._steal(time, worker)

    def _steal(self, time: int, worker: int) -> None:
        victim = max(range(len(self.counts)), key=lambda w: (len(self.waiting[w]), -w))
        if not self.waiting[victim]:
            return
        last = max(self.waiting[victim])
        self.waiting[victim].remove(last)
        self.assigned[victim] -= 1
        self._send(time, last[1], worker)

    def _launch(self, time: int, worker: int) -> None:
        _, k = heappop(self.waiting[worker])
        unit = self.units[k]
        self.free[worker] -= 1
        self.first[k] = self.last[k] = time
        if self.keep:
            self.intervals.append((time, time + unit.holds[0], k))
        self._push(time + unit.holds[0], RELEASED, k)
        self._push(time + unit.results[0] + unit.tail, ENDED, k)
