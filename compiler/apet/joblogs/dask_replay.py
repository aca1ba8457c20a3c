"""Replay as Dask schedules: tasks belong to workers before a thread is free.

A task whose inputs are there goes to the worker with some of them that is expected to be free first. Tasks of a group
that is much larger than the cluster and has next to no inputs wait for a worker with room, which is for 1.1 times its
threads; other tasks without inputs go at once to the worker that is expected to be free first. A free thread takes the
task of its worker with the highest priority. Once a second, workers without enough to do steal from those with the most
(Dask's documentation, 2024, "Scheduling policies", "Work stealing"; checked against `distributed` 2026.8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from math import ceil

from apet.joblogs.job_log import US
from apet.joblogs.rules.schedule import ScheduleTrack
from apet.joblogs.rules.work import WorkGraph, WorkUnit

SATURATION = 1.1
"""Dask's `worker-saturation`: so many times its threads, rounded up, are the tasks that a worker gets ahead of time."""
ROOT_INPUTS = 5
"""Groups with fewer groups and fewer tasks before them may be roots."""
STEALING = 1 * US
"""Dask's `work-stealing-interval`."""
UNKNOWN = US // 2
"""The expected time of tasks of a group of which none has ended."""
SATURATED, LEAST = 0.4 * US, 0.2 * US
"""Expected times of what waits at a worker, and of all that it has, from which on tasks are stolen from it."""
MOST_VICTIMS = 10
SCATTER, PRIME = 7919, 10_007
"""Tasks are stolen in the order of a set, which is any."""
REPLAYS, MOST_REPLAYED = 7, 20_000
"""Replays of which the one in the middle counts, and tasks of all of them: in large graphs chance evens out."""
READY, ENDED, RELEASED, BALANCE = 0, 1, 2, 3


def dask_replay(graph: WorkGraph, cores: int, keep: bool) -> ScheduleTrack:
    """The schedule on workers of as many threads as those of the log, the last one perhaps with fewer.

    Milliseconds decide which of two tasks goes first, and so all that follows; so does when stealing begins. Of several
    replays with other latencies and phases of stealing it is the one in the middle.
    """
    threads = min(cores, graph.per_executor)
    counts = [min(threads, cores - start) for start in range(0, cores, threads)]
    times = max(1, min(REPLAYS, MOST_REPLAYED // max(1, graph.tasks)))
    tracks = [_Workers(graph, counts, keep, (2 * k + 1) / (2 * times)).run() for k in range(times)]
    return sorted(tracks, key=lambda track: track.makespan)[times // 2]


class _Workers:
    """What waits where, and how many threads are free; `counts` are threads by worker, and `phase`, from 0 to 1, stands
    for what no log tells."""

    def __init__(self, graph: WorkGraph, counts: Sequence[int], keep: bool, phase: float) -> None:
        self.counts, self.keep, self.phase, self.turnaround = counts, keep, phase, graph.turnaround
        self.units = units = graph.units_on(sum(counts))
        self.all = range(len(counts))
        self.free = list(counts)
        self.room = [ceil(SATURATION * threads) for threads in counts]
        self.waiting: list[list[tuple[tuple[int, ...], int]]] = [[] for _ in counts]
        self.tasks: list[dict[int, None]] = [{} for _ in counts]  # sent to a worker and not ended
        self.groups: list[Counter[str]] = [Counter() for _ in counts]  # of these tasks
        self.expected: dict[str, float] = {}
        self.refused = set[int]()  # tasks that were asked for when they ran already
        self.place = [-1] * len(units)
        self.rank = _ranks(units)
        self.roots = _roots(units, sum(counts))
        self.unsent = list[tuple[tuple[int, ...], int]]()

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
        if len(self.counts) > 1:
            heappush(self.events, (int(STEALING * self.phase), BALANCE, 0, 0))

        while self.events:
            time, kind, _, k = heappop(self.events)
            if kind == READY:
                self._begin(time, k)
            elif kind == ENDED:
                self._end(time, k)
            elif kind == RELEASED:
                self.free[self.place[k]] += 1
            elif self.events:
                # What it looks at changes with events alone: where nothing moved, nothing would before the next one.
                rounds = 1 if self._balance() else max(1, -(-(self.events[0][0] - time) // STEALING))
                heappush(self.events, (time + rounds * STEALING, BALANCE, 0, 0))
            if kind != READY or not self.events or self.events[0][:2] != (time, READY):
                # what is sent together is launched by priority; what waited for a thread begins a turnaround later
                self._launch(time + (self.turnaround if kind == RELEASED else 0))
        return ScheduleTrack(self.ready, self.first, self.last, self.ended, self.intervals)

    def _push(self, time: int, kind: int, k: int) -> None:
        heappush(self.events, (time, kind, self.rank[k], k))

    def _end(self, time: int, k: int) -> None:
        """The scheduler learns of an end, and deals with what follows before what waits."""
        self.ended[k] = time
        if self.place[k] >= 0:
            self._leave(k)
            group, duration = self.units[k].group, self.units[k].holds[0]
            self.expected[group] = (self.expected.get(group, duration) + duration) / 2

        for following in self.after[k]:
            self.waits[following] -= 1
            if not self.waits[following]:
                self._push(time + self._place(following), READY, following)
        while self.unsent and (worker := self._with_room()) >= 0:
            self._send(heappop(self.unsent)[1], worker)

    def _place(self, k: int) -> int:
        """Choose the worker of a task whose inputs are there: of those that hold some, the one free first. Returned is
        how long they take to it: in proportion to the workers that they come from, and up to half more or less."""
        unit = self.units[k]
        holders = {self.place[p] for p in unit.before if self.place[p] >= 0}
        if not unit.holds or not holders:
            return unit.delay
        if k not in self.roots:
            self._enter(k, self._soonest(sorted(holders)))
        return round(unit.delay * len(holders) / unit.holders * (0.5 + (k * SCATTER / PRIME + self.phase) % 1))

    def _begin(self, time: int, k: int) -> None:
        self.ready[k] = time
        if not self.units[k].holds:
            self._push(time + self.units[k].tail, ENDED, k)
        elif self.place[k] >= 0:
            self._queue(k)
        elif k not in self.roots:
            self._send(k, self._soonest([w for w in self.all if self._is_idle(w)] or self.all))
        elif (worker := self._with_room()) >= 0:
            self._send(k, worker)
        else:
            heappush(self.unsent, (self.units[k].order, k))

    def _send(self, k: int, worker: int) -> None:
        self._enter(k, worker)
        self._queue(k)

    def _enter(self, k: int, worker: int) -> None:
        self.place[k] = worker
        self.tasks[worker][k] = None
        self.groups[worker][self.units[k].group] += 1

    def _leave(self, k: int) -> None:
        worker = self.place[k]
        del self.tasks[worker][k]
        self.groups[worker][self.units[k].group] -= 1

    def _queue(self, k: int) -> None:
        heappush(self.waiting[self.place[k]], (self.units[k].order, k))

    def _launch(self, time: int) -> None:
        for worker in self.all:
            while self.free[worker] and self.waiting[worker]:
                _, k = heappop(self.waiting[worker])
                unit = self.units[k]
                self.free[worker] -= 1
                self.first[k] = self.last[k] = time
                if self.keep:
                    self.intervals.append((time, time + unit.holds[0], k))
                self._push(time + unit.holds[0], RELEASED, k)
                self._push(time + unit.results[0] + unit.tail, ENDED, k)

    def _with_room(self) -> int:
        """The least busy worker with room for a root, -1 if there is none."""
        open_workers = [w for w in self.all if len(self.tasks[w]) < self.room[w]]
        return min(open_workers, key=lambda w: len(self.tasks[w]) / self.counts[w], default=-1)

    def _soonest(self, workers: Iterable[int]) -> int:
        """The worker that is expected to be free first."""
        return min(workers, key=lambda w: (self._occupancy(w) / self.counts[w], w))

    def _occupancy(self, worker: int) -> float:
        """What the tasks of a worker are expected to take."""
        return sum(n * self.expected.get(group, UNKNOWN) for group, n in self.groups[worker].items() if n)

    def _is_idle(self, worker: int) -> bool:
        """Whether a worker has fewer tasks than threads, or less than half of what others have to do per thread."""
        if len(self.tasks[worker]) < self.counts[worker]:
            return True
        mean = sum(map(self._occupancy, self.all)) / sum(self.counts)
        return self._occupancy(worker) < self.counts[worker] * mean / 2

    def _balance(self) -> bool:
        """Tasks of the busiest workers move to idle ones, as long as they are expected to begin earlier there. That a
        task is already running is not known before it is asked for. Whether any task was asked for."""
        thieves = [w for w in self.all if self._is_idle(w)]
        if not thieves or len(thieves) == len(self.counts):
            return False

        stolen, occupancy = False, [self._occupancy(w) for w in self.all]
        for victim in self._victims(occupancy, thieves):
            for k in sorted(self.tasks[victim], key=lambda k: (bool(self.units[k].before), k * SCATTER % PRIME)):
                if not thieves:
                    return stolen
                if k in self.refused:
                    continue
                thief = min(thieves, key=lambda w: occupancy[w] / self.counts[w])
                expected = self.expected.get(self.units[k].group, UNKNOWN)
                if occupancy[thief] + expected > occupancy[victim] - expected / 2:
                    continue

                occupancy[victim] -= expected
                occupancy[thief] += expected
                self._steal(k, thief)
                stolen = True
                if not self._is_idle(thief):
                    thieves.remove(thief)
        return stolen

    def _victims(self, occupancy: Sequence[float], thieves: Sequence[int]) -> list[int]:
        """Workers with more than they can do soon, or else those with more tasks than threads; the busiest first."""
        mean = sum(occupancy) / sum(self.counts)
        busy = [w for w in self.all if len(self.tasks[w]) > self.counts[w] and w not in thieves]

        def pending(worker: int) -> float:
            tasks, threads = len(self.tasks[worker]), self.counts[worker]
            return occupancy[worker] * (tasks - threads) / (tasks * threads)

        saturated = [w for w in busy if pending(w) > max(SATURATED, 1.9 * mean)]
        victims = saturated or [w for w in busy if occupancy[w] > LEAST][:MOST_VICTIMS]
        return sorted(victims, key=lambda w: -occupancy[w])

    def _steal(self, k: int, thief: int) -> None:
        """Move a task that waits; one that runs, or that its worker does not know yet, is not asked for again."""
        waiting, entry = self.waiting[self.place[k]], (self.units[k].order, k)
        if entry in waiting:
            waiting.remove(entry)
            heapify(waiting)
            self._leave(k)
            self._send(k, thief)
        else:
            self.refused.add(k)


def _ranks(units: Sequence[WorkUnit]) -> list[int]:
    """By unit, its place among those that are ready at the same time.

    Later tasks are sent by priority. Those without inputs are sent as the scheduler comes to them: from the last tasks
    of a graph, those of the highest priority first, depth first to what they need.
    """
    by_priority = sorted(range(len(units)), key=lambda k: units[k].order)
    needed = [[p for p in unit.before if units[p].holds] for unit in units]
    followed = {p for unit, before in zip(units, needed, strict=True) if unit.holds for p in before}
    stack = dict.fromkeys(k for k in reversed(by_priority) if units[k].holds and k not in followed)
    ranks, seen, sent = [0] * len(units), set[int](), 0
    for rank, k in enumerate(by_priority):
        ranks[k] = rank

    while stack:
        k, _ = stack.popitem()
        if k in seen:
            continue
        seen.add(k)
        stack |= dict.fromkeys(p for p in needed[k] if p not in seen)
        if not needed[k]:
            ranks[k] = sent
            sent += 1
    return ranks


def _roots(units: Sequence[WorkUnit], threads: int) -> set[int]:
    """Tasks of groups of more than twice the threads that come after few other tasks."""
    members: dict[str, list[int]] = {}
    for k, unit in enumerate(units):
        if unit.holds:
            members.setdefault(unit.group, []).append(k)

    roots = set[int]()
    for group in members.values():
        before = {units[p].group for k in group for p in units[k].before if units[p].holds}
        few = len(before) < ROOT_INPUTS and sum(len(members[name]) for name in before) < ROOT_INPUTS
        roots |= set(group) if few and len(group) > 2 * threads else set()
    return roots
