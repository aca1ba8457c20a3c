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
from apet.joblogs.rules.work import WorkGraph

READY, ENDED, CORES = -1, -2, -3


def replay(graph: WorkGraph, cores: int, *, intervals: bool = False, own_run: bool = False) -> ScheduleTrack:
    """The schedule on so many cores; `own_run` is the log's own, with the executors that
    it had at each time."""
    profile = graph.profile if own_run else ()
    if graph.order == "dask" and own_run:
        # of tasks that are ready together any may go first: those went first that did
        graph = replace(graph, units=tuple(replace(unit, order=(unit.began,)) for unit in graph.units))

    return ListSchedule(graph, cores, intervals).run(profile)


class ListSchedule:
    """The state of one replay of the units of a graph."""

    def __init__(self, graph: WorkGraph, cores: int, keep: bool) -> None:
        self.units = units = graph.units_on(cores)
        self.cores = self.free = cores
        self.turnaround, self.keep, self.after = graph.turnaround, keep, graph.after
        count = len(units)
        self.waits = list(graph.waits)

        self.fair = graph.order == "fair"
        self.queue = _PoolQueues(graph.served, [unit.pool if self.fair else "" for unit in units])
        self.by_submission = graph.order in ("fifo", "fair")
        self.submitted: dict[tuple[str, int], int] = {}  # by pool and job
        self.next = [0] * count
        self.ready, self.first, self.last, self.ended = [0] * count, [-1] * count, [0] * count, [0] * count
        self.latest = [0] * count
        self.last_end = [-1] * count  # of units that end when the core of their last task becomes free
        self.waited = False
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

        events, free = self.events, list[tuple[int, int]]()
        while events:
            time = events[0][0]
            while events and events[0][0] == time:  # what becomes ready at the same time is served together
                _, kind, k = heappop(events)
                if kind >= 0:
                    free.append((kind, k))
                    if self.last_end[kind] == time:
                        self._end(time, kind)
                elif kind == READY:
                    self._begin(time, k)
                elif kind == ENDED:
                    self._end(time, k)
                elif kind == CORES:
                    self.free += k - self.cores
                    self.cores = k
                else:
                    self._other(time, kind)
            for k, place in free:
                self._released(time, k, place)
            free.clear()

            if self.free > 0 and self.queue.waiting:
                self.queue.offer()
                while self.free > 0 and self.queue.waiting:
                    self.free -= 1
                    self._launch(time, self._place())
            self.waited |= self.queue.waiting > 0
            self._after(time)
        ready, first, last, ended = (array("q", times) for times in (self.ready, self.first, self.last, self.ended))
        return ScheduleTrack(ready, first, last, ended, self.intervals, self.waited)

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
            self.queue.add(k, self.submitted.get((unit.pool, unit.job), 0) if self.by_submission else 0)
        else:
            heappush(self.events, (time + unit.tail, ENDED, k))

    def _end(self, time: int, k: int) -> None:
        self.ended[k], self.last_end[k] = time, -1
        unit = self.units[k]
        if self.by_submission and not unit.holds:
            self.submitted[unit.pool, unit.job] = time  # a job is submitted when the driver's work before it has ended

        for following in self.after[k]:
            self.waits[following] -= 1
            if not self.waits[following]:
                if delay := self.units[following].delay:
                    heappush(self.events, (time + delay, READY, following))
                else:
                    self._begin(time, following)

    def _released(self, time: int, k: int, place: int) -> None:
        """A core is free again: a task that waits takes it a turnaround later."""
        if self.fair:
            self.queue.running[self.units[k].pool] -= 1
        if self.queue.waiting and self.free >= 0:
            self.waited = True
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

        if self.fair:
            self.queue.running[unit.pool] += 1
        if place + 1 == len(unit.holds):
            self.last[k] = time
            self.queue.remove(k)
            ended = self.latest[k] + unit.tail
            if ended == end:
                self.last_end[k] = ended
            else:
                heappush(self.events, (ended, ENDED, k))
        return k


class _PoolQueues:
    """Pools of units with tasks to launch, ordered once whenever cores become free: the one with the fewest running,
    then the least by name; within a pool the least rank first. All cores that are offered together go to the first
    pools. FIFO is one pool. `waiting` is how many units have tasks to launch."""

    def __init__(self, served: Sequence[int], pools: Sequence[str]) -> None:
        self.served, self.pools, self.rank = served, pools, array("q", bytes(8 * len(served)))
        for rank, k in enumerate(served):
            self.rank[k] = rank
        self.running = dict.fromkeys(pools, 0)
        self.heaps: dict[str, list[tuple[int, int]]] = {name: [] for name in self.running}
        self.order, self.waiting = list(self.heaps), 0

    def add(self, k: int, submitted: int) -> None:
        heappush(self.heaps[self.pools[k]], (submitted, self.rank[k]))
        self.waiting += 1

    def offer(self) -> None:
        """Cores become free."""
        if len(self.heaps) > 1:
            waiting = (name for name, heap in self.heaps.items() if heap)
            self.order = sorted(waiting, key=lambda name: (self.running[name], name), reverse=True)

    def first(self) -> int:
        return self.served[self.heaps[self.order[-1]][0][1]]

    def remove(self, k: int) -> None:
        heap = self.heaps[self.pools[k]]
        heappop(heap)
        self.waiting -= 1
        if not heap and len(self.order) > 1:
            self.order.pop()
