"""Replay: list scheduling of all units on N cores, with the task times of the log.

A free core takes the next task, in the order of launches, of the first unit that is ready: of the job that was
submitted first, its least stage (FIFO), or of the pool with the fewest running tasks (FAIR). A task that waited begins
a turnaround after its core became free. A unit ends a tail after its last result (R. L. Graham, 1969, calls such
schedules list schedules).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush

from apet.joblogs.rules.schedule import ScheduleTrack
from apet.joblogs.rules.work import WorkGraph, WorkUnit

READY, ENDED, CORES = -1, -2, -3
Rank = tuple[int, ...]
"""When the job of a unit was submitted, and its place among the units of that job: the least is served first."""


def replay(graph: WorkGraph, cores: int, *, intervals: bool = False, own_run: bool = False) -> ScheduleTrack:
    """The schedule on so many cores; `own_run` is the log's own, with the executors that
    it had at each time."""
    profile = graph.profile if own_run else ()
    units = graph.units_on(cores)
    if graph.order == "dask" and own_run:
        # of tasks that are ready together any may go first: those went first that did
        units = tuple(replace(unit, order=(unit.began,)) for unit in units)

    return ListSchedule(units, cores, graph.turnaround, graph.order, intervals).run(profile)


class ListSchedule:
    """The state of one replay."""

    def __init__(self, units: Sequence[WorkUnit], cores: int, turnaround: int, order: str, keep: bool) -> None:
        self.units, self.free, self.turnaround, self.keep = units, cores, turnaround, keep
        self.cores = cores
        count = len(units)
        self.waits = [len(set(unit.before)) for unit in units]
        self.after: list[list[int]] = [[] for _ in units]
        for k, unit in enumerate(units):
            for previous in set(unit.before):
                self.after[previous].append(k)

        self.queue = _PoolQueues(units, fair=order == "fair")
        self.by_submission = order in ("fifo", "fair")
        self.submitted: dict[tuple[str, int], int] = {}  # by pool and job
        self.next = [0] * count
        self.ready, self.first, self.last, self.ended = [0] * count, [-1] * count, [0] * count, [0] * count
        self.latest = [0] * count
        self.intervals = list[tuple[int, int, int]]()
        self.events = list[tuple[int, int, int]]()  # time, kind or unit of the core that becomes free, unit

    def run(self, profile: Sequence[tuple[int, int]]) -> ScheduleTrack:
        if profile:
            self.free = self.cores = profile[0][1]
            for time, slots in profile[1:]:
                heappush(self.events, (time, CORES, slots))
        for k, unit in enumerate(self.units):
            if not unit.before:
                heappush(self.events, (unit.delay, READY, k))

        events = self.events
        while events:
            time, kind, k = heappop(events)
            if kind >= 0:
                self._released(time, kind, k)
            elif kind == READY:
                self._begin(time, k)
            elif kind == ENDED:
                self._end(time, k)
            elif kind == CORES:
                self.free += k - self.cores
                self.cores = k
            else:
                self._other(time, kind)
            if events and events[0][0] == time and events[0][1] < 0:
                continue  # what becomes ready at the same time is served together
            self.queue.offer()
            while self.free > 0 and self.queue:
                self.free -= 1
                self._launch(time, self._place())
            self._after(time)
        ready, first, last, ended = (array("q", times) for times in (self.ready, self.first, self.last, self.ended))
        return ScheduleTrack(ready, first, last, ended, self.intervals)

    def _other(self, time: int, kind: int) -> None:
        """An event of a kind that only others have."""

    def _after(self, time: int) -> None:
        """All that may begin at this time has begun."""

    def _place(self) -> int:
        """Where a free core is, for those who tell cores apart."""
        return 0

    def _begin(self, time: int, k: int) -> None:
        self.ready[k] = time
        unit = self.units[k]
        if unit.holds:
            self.queue.add(k, (self.submitted.get((unit.pool, unit.job), 0), *unit.order))
        else:
            heappush(self.events, (time + unit.tail, ENDED, k))

    def _end(self, time: int, k: int) -> None:
        self.ended[k] = time
        unit = self.units[k]
        if self.by_submission and not unit.holds:
            self.submitted[unit.pool, unit.job] = time  # a job is submitted when the driver's work before it has ended

        for following in self.after[k]:
            self.waits[following] -= 1
            if not self.waits[following]:
                heappush(self.events, (time + self.units[following].delay, READY, following))

    def _released(self, time: int, k: int, place: int) -> None:
        """A core is free again: a task that waits takes it a turnaround later."""
        self.queue.released(k)
        if self.queue and self.free >= 0:
            self.queue.offer()
            self._launch(time + self.turnaround, place)
        else:
            self.free += 1

    def _launch(self, time: int, where: int) -> int:
        """The next task begins; its unit."""
        k = self.queue.first()
        unit, place = self.units[k], self.next[k]
        self.next[k] = place + 1
        end = time + unit.holds[place]
        result = time + unit.results[place]
        if result > self.latest[k]:
            self.latest[k] = result
        heappush(self.events, (end, k, where))
        if self.first[k] < 0:
            self.first[k] = time
        if self.keep:
            self.intervals.append((time, end, k))

        self.queue.launched(k)
        if place + 1 == len(unit.holds):
            self.last[k] = time
            self.queue.remove(k)
            heappush(self.events, (self.latest[k] + unit.tail, ENDED, k))
        return k


class _PoolQueues:
    """Pools of units with tasks to launch, ordered once whenever cores become free: the one with the fewest running,
    then the least by name; within a pool the least rank first. All cores that are offered together go to the first
    pools. FIFO is one pool."""

    def __init__(self, units: Sequence[WorkUnit], fair: bool) -> None:
        self.pool = [unit.pool if fair else "" for unit in units]
        self.heaps = dict[str, list[tuple[Rank, int]]]()
        self.running = dict.fromkeys(self.pool, 0)
        self.order = list[str]()

    def __bool__(self) -> bool:
        return bool(self.heaps)

    def add(self, k: int, rank: Rank) -> None:
        heappush(self.heaps.setdefault(self.pool[k], []), (rank, k))

    def offer(self) -> None:
        """Cores become free."""
        if len(self.heaps) < 2:
            self.order = list(self.heaps)
            return
        self.order = sorted(self.heaps, key=lambda name: (self.running[name], name), reverse=True)

    def first(self) -> int:
        return self.heaps[self.order[-1]][0][1]

    def remove(self, k: int) -> None:
        heap = self.heaps[self.pool[k]]
        heappop(heap)
        if not heap:
            del self.heaps[self.order.pop()]

    def launched(self, k: int) -> None:
        self.running[self.pool[k]] += 1

    def released(self, k: int) -> None:
        self.running[self.pool[k]] -= 1
