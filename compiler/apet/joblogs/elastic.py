"""Replay on executors that come and go: list scheduling, and beside it the requests of `allocation`.

Tasks that may begin at the same time go to the executors with the most free cores, as Spark offers one core of each
executor in turn. What Spark looks at every 100 ms is looked at whenever something happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from apet.joblogs.allocation import Allocation
from apet.joblogs.job_log import AllocationRules
from apet.joblogs.replay import ListSchedule
from apet.joblogs.rules.work import WorkGraph

COMES, LOOKS = -4, -5
"""Events: an executor is there; it is time to look at the rules again."""


@dataclass(slots=True)
class _Executor:
    """A process with so many free slots, and since when it has had nothing to do; `holds` data that others read."""

    free: int
    idle_since: int
    holds: bool = False
    here: bool = True


class ElasticSchedule(ListSchedule):
    """The schedule on at most so many cores. `requests` are the times at which executors beyond the initial ones were
    asked for, in microseconds."""

    def __init__(self, graph: WorkGraph, cores: int, keep: bool) -> None:
        super().__init__(graph, cores, keep)
        self.free = 0
        assert graph.allocation is not None
        self.allocation: Allocation = graph.allocation
        self.most = max(1, cores // self.allocation.slots)
        self.slots = min(cores, self.allocation.slots)
        self.executors = list[_Executor]()
        self.offers = list[tuple[int, int]]()  # free cores below 0, and of which executor; also such as are past
        self.here = self.asked = 0  # executors that are there, and that are under way
        self.pending = self.running = 0
        self.add_at: int | None = None
        self.step, self.begun = 1, False
        self.requests = list[int]()
        self.read_later = [any(self.units[f].holds for f in self.after[k]) for k in range(len(self.units))]

        first = self.allocation.first[: self.most]
        self.target = self.asked = len(first)
        for time in first:
            heappush(self.events, (time, COMES, 0))

    def _other(self, time: int, kind: int) -> None:
        if kind == COMES:
            # one that is under way comes, whether or not it is still wanted
            self.asked -= 1
            self.executors.append(_Executor(self.slots, time))
            self._has_free(len(self.executors) - 1, self.slots)
            self.here += 1
            self.free += self.slots
            self._idle_until(time)

    def _after(self, time: int) -> None:
        """What the rules ask for now that all free cores have been given out."""
        rules = self.allocation.rules
        needed = -(-(self.pending + self.running) // self.slots)
        least = min(rules.least, self.most)
        if self.pending == 0:
            self.add_at, self.step = None, 1
        elif self.add_at is None:
            self.add_at = time + rules.backlog
            heappush(self.events, (self.add_at, LOOKS, 0))

        if self.begun and needed < self.target:
            self.target, self.step = max(needed, least), 1
        elif self.add_at is not None and time >= self.add_at:
            self._ask(time, needed)
            self.add_at = time + rules.sustained
            heappush(self.events, (self.add_at, LOOKS, 0))
        self._give_back(time, least)

    def _ask(self, time: int, needed: int) -> None:
        """One round of requests: twice as many as in the one before, if that got all that it asked for."""
        before = self.target
        self.target = max(before, min(max(before, self.here) + self.step, needed, self.most))
        self.step = self.step * 2 if self.target - before == self.step else 1
        while self.here + self.asked < self.target:
            self.asked += 1
            self.requests.append(time)
            heappush(self.events, (time + self.allocation.startup, COMES, 0))

    def _give_back(self, time: int, least: int) -> None:
        if self.here <= max(least, self.target):
            return
        for executor in self.executors:
            unused = executor.here and executor.free == self.slots and not executor.holds
            if (
                unused
                and time >= executor.idle_since + self.allocation.rules.idle
                and self.here > max(least, self.target)
            ):
                executor.here = False
                self.here -= 1
                self.free -= self.slots

    def _has_free(self, place: int, count: int) -> None:
        self.executors[place].free = count
        if count:
            heappush(self.offers, (-count, place))

    def _idle_until(self, time: int) -> None:
        heappush(self.events, (time + self.allocation.rules.idle, LOOKS, 0))

    def _place(self) -> int:
        """The executor with the most free cores, of those the first."""
        while True:
            free, place = self.offers[0]
            executor = self.executors[place]
            if executor.here and executor.free == -free:
                return place
            heappop(self.offers)

    def _begin(self, time: int, k: int) -> None:
        self.begun |= bool(self.units[k].holds)
        self.pending += len(self.units[k].holds)
        super()._begin(time, k)

    def _launch(self, time: int, where: int) -> int:
        k = super()._launch(time, where)
        executor = self.executors[where]
        self._has_free(where, executor.free - 1)
        executor.holds |= self.allocation.rules.keeps and self.read_later[k]
        self.pending -= 1
        self.running += 1
        return k

    def _released(self, time: int, k: int, place: int) -> None:
        executor = self.executors[place]
        self._has_free(place, executor.free + 1)
        self.running -= 1
        super()._released(time, k, place)
        if executor.free == self.slots:
            executor.idle_since = time
            self._idle_until(time)


def measured(graph: WorkGraph, rules: AllocationRules, came: Sequence[int]) -> Allocation:
    """The rules with the times from request to executor, as the log's own run shows them: the n-th executor beyond the
    initial ones came after the n-th request of a replay in which none takes any time."""
    allocation = Allocation(rules, graph.per_executor, tuple(sorted(came)), 0, 0)
    later = allocation.came[max(rules.initial, rules.least) :]
    if not later:  # all that is known is how long the first took from the start of the application
        first = allocation.came[0] if allocation.came else 0
        return replace(allocation, startup=first, slowest=first)
    for _ in range(ROUNDS):
        schedule = ElasticSchedule(replace(graph, allocation=allocation), rules.most * graph.per_executor, False)
        schedule.run(())
        took = sorted(max(0, there - asked) for there, asked in zip(later, schedule.requests, strict=False))
        if not took:
            break
        allocation = replace(allocation, startup=took[len(took) // 2], slowest=took[-1])
    return allocation


ROUNDS = 2
"""Requests depend a little on when earlier executors came; once more settles that."""
