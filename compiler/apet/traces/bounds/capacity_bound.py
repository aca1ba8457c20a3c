"""Lower bounds that add what links must carry to the longest path.

Flows that share a link and are done by a date needed it before: the date is at least that of a machine which works off
their volumes, each from its earliest start on (one machine, release dates: J. R. Jackson, 1955).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from apet.traces.bounds.early_dates import Sweep
from apet.traces.bounds.native_bounds import Walks
from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.replay.program import Programs

if TYPE_CHECKING:
    from apet.traces.bounds.vector_clocks import Seconds

MOST_BLOCKS = 64
MOMENT = 1e-9
"""Events may come so much early, each: the replay takes those within 1 ns for one moment."""


class Machine:
    """One machine that works off jobs as they are released: its busy periods, the last ones only."""

    def __init__(self) -> None:
        self.starts: list[float] = []
        self.ends: list[float] = []

    def add(self, release: float, work: float) -> float:
        """Take in a job; when all jobs so far can be done."""
        starts, ends = self.starts, self.ends
        if not starts or release >= ends[-1]:
            starts.append(release)
            ends.append(release + work)
            if len(starts) > MOST_BLOCKS:
                del starts[0], ends[0]
            return ends[-1]
        if release >= starts[-1]:
            ends[-1] += work
            return ends[-1]
        k = bisect_right(starts, release) - 1
        if k >= 0 and release < ends[k]:
            ends[k] += work
        else:
            k += 1
            starts.insert(k, release)
            ends.insert(k, release + work)
        while k + 1 < len(starts) and ends[k] >= starts[k + 1]:
            ends[k + 1] += ends[k] - starts[k + 1]
            starts[k + 1] = starts[k]
            del starts[k], ends[k]
        return ends[-1]


class Floors:
    """Raises lower bounds of dates: a rank's own first and last links at each wait, all links at each synchronising
    collective."""

    def __init__(self, programs: Programs, seconds: Seconds, capacity: Array, shared: Array, given: Transfers) -> None:
        self.programs, self.seconds, self.capacity = programs, seconds, capacity
        self.shared, self.given = shared, given
        self.uses_from = numpy.searchsorted(given.message, numpy.arange(len(programs.size) + 1))
        self.began: Sequence[float] = ()
        self.machines: dict[tuple[int, int], Machine] = {}
        self.toself = [source == target for source, target in programs.pairs]
        number = max(0, programs.syncs)
        self.entered = [0] * number
        self.done: list[list[int]] = [[] for _ in range(number + 1)]
        self.epoch = [0] * programs.ranks
        self.floor: list[float | None] = [None] * number

    def dates(self, walks: Walks, slowness: Sequence[float]) -> tuple[float, Array]:
        """The date before which not all ranks have ended, and those before which messages do not begin (-1: never)."""
        found = walks.early(numpy.array(self.seconds.least), slowness, self)
        if found is not None:
            return found
        sweep = Sweep(self.programs, self.seconds.least, slowness, True, self, MOMENT)
        self.began = sweep.began
        last = sweep.run()
        return max(last, self.carried([m for m, date in enumerate(self.began) if date >= 0])), numpy.array(self.began)

    def waited(self, rank: int, message: int, date: float, sent: bool) -> float:
        """A rank has waited for a message."""
        if not sent:
            self.done[self.epoch[rank]].append(message)
        elif self.toself[self.programs.pair[message]]:
            return date  # as its receiver, the rank counts it already
        release, volume = self.began[message] + self.seconds.latency[message], self.seconds.volume[message]
        for link, each in self.seconds.own[self.programs.pair[message]]:
            key = rank, link
            machine = self.machines.get(key)
            if machine is None:
                machine = self.machines[key] = Machine()
            end = machine.add(release - MOMENT, max(0.0, volume * each - MOMENT))
            date = max(date, end)
        return date

    def enter(self, rank: int, sync: int, date: float) -> float:
        """A rank begins a synchronising collective."""
        if sync < len(self.entered):
            self.epoch[rank] = sync + 1
            self.entered[sync] += 1
        return date

    def leave(self, rank: int, sync: int, date: float) -> float:
        """A rank ends a synchronising collective: all ranks have begun it, and waited for what they had before."""
        if sync >= len(self.floor) or self.entered[sync] < self.programs.ranks:
            return date
        floor = self.floor[sync]
        if floor is None:
            floor = self.floor[sync] = self.carried(self.done[sync])
            self.done[sync] = []
        return max(date, floor)

    def carried(self, messages: Sequence[int]) -> float:
        """When the busiest link can have carried these messages."""
        if len(messages) < 2:
            return 0.0
        chosen = numpy.array(messages)
        first, last = self.uses_from[chosen], self.uses_from[chosen + 1]
        counts = last - first
        total = int(counts.sum())
        if not total:
            return 0.0
        at = numpy.repeat(first - numpy.concatenate(([0], numpy.cumsum(counts)[:-1])), counts) + numpy.arange(total)
        released = numpy.repeat(numpy.array([self.began[m] for m in messages]) + self.given.latency[chosen], counts)
        link = self.given.link[at]
        work = numpy.repeat(self.given.volume[chosen], counts) * self.given.share[at] / self.capacity[link]
        released, work = released - MOMENT, numpy.maximum(0.0, work - MOMENT)
        keep = self.shared[link]
        link, released, work = link[keep], released[keep], work[keep]
        if not len(link):
            return 0.0
        order = numpy.lexsort((-released, link))
        link, released, work = link[order], released[order], work[order]
        cuts = numpy.flatnonzero(link[1:] != link[:-1]) + 1
        by_link = zip(numpy.split(released, cuts), numpy.split(work, cuts), strict=True)
        return max(0.0, *(float(numpy.max(dates + numpy.cumsum(each))) for dates, each in by_link))
