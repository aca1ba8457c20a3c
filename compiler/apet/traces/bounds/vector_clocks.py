"""What is known of other ranks when a message begins: which came before it, and by how many seconds at least.

Vector clocks (C. J. Fidge, 1988; F. Mattern, 1989) whose entries carry time as well. A rank's *stages* are the points
at which it posts messages; its own clock gives seconds that lie between two of them at least: what it computes, and
messages posted at a stage and waited for before the next. A message takes along what both sides knew when they posted
it; who waits for it learns that, and that it took as long as it does at its greatest rate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy

from apet.traces.bounds.capacity_bound import MOMENT
from apet.traces.bounds.native_bounds import Walks
from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.replay.costs import Path
from apet.traces.replay.program import COMPUTE, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, SLEEP, Programs

NEVER = 2**31 - 1
UNKNOWN = -1e300
MOST_ENTRIES = 1 << 26
"""Entries of clocks, messages times ranks, that are kept at most: 12 bytes each."""


class Clocks(NamedTuple):
    """By message and rank: the last stage of the rank that is over when the message begins (-1: none), and that rank's
    clock then, at least. By message and side (sender, receiver): the stage at which it is posted, the clock there, and
    the first stage at which the side knows that it has ended (`NEVER`: nobody waits)."""

    seen: Array
    since: Array
    stage: Array
    clock: Array
    ended: Array


class Seconds(NamedTuple):
    """What takes how long at least: messages, their latency; by rank a flop; by pair of ranks the first and last link
    of the path, each with the seconds that it is used per byte over the factor; and bytes over the factor."""

    least: Sequence[float]
    latency: Sequence[float]
    flop: Sequence[float]
    own: Sequence[Sequence[tuple[int, float]]]
    volume: Sequence[float]


def seconds_of(
    given: Transfers, paths: Sequence[Path], flop: Sequence[float], capacity: Array, shared: Array
) -> Seconds:
    """What takes how long at least on a platform."""
    own = []
    for path in paths:
        shares = dict(path.uses)
        ends = dict.fromkeys((*path.forward[:1], *path.forward[-1:]))
        own.append([(k, shares[k] / float(capacity[k])) for k in ends if shared[k]])
    least = numpy.maximum(0.0, given.least - 2 * MOMENT)
    return Seconds(least.tolist(), given.latency.tolist(), flop, own, given.volume.tolist())


def clocks(programs: Programs, seconds: Seconds, walks: Walks | None = None) -> Clocks | None:
    """What is known when each message begins; None where that does not fit into memory."""
    if len(programs.size) * programs.ranks > MOST_ENTRIES:
        return None
    found = nothing_known(programs)
    if not (walks or Walks(programs)).clocks(seconds, found):
        _Walk(programs, seconds, found).run()
    return found


def nothing_known(programs: Programs) -> Clocks:
    """Clocks that nobody has read yet."""
    number, ranks = len(programs.size), programs.ranks
    return Clocks(
        numpy.full((number, ranks), -1, numpy.int32),
        numpy.full((number, ranks), UNKNOWN),
        numpy.full((number, 2), -1, numpy.int32),
        numpy.zeros((number, 2)),
        numpy.full((number, 2), NEVER, numpy.int32),
    )


class _Walk:
    """All ranks' way through their programs, as far as knowledge goes: a wait needs that both sides have posted."""

    def __init__(self, programs: Programs, seconds: Seconds, found: Clocks) -> None:
        self.programs, self.seconds, self.found = programs, seconds, found
        self.sides = bytearray(len(programs.size))
        self.waits: dict[int, list[int]] = {}
        self.ranks = [_Rank(r, programs.ranks) for r in range(programs.ranks)]

    def run(self) -> None:
        """Go on wherever one can."""
        awake = deque(self.ranks)
        while awake:
            for message in self._follow(awake.popleft()):
                awake.extend(self.ranks[r] for r in self.waits.pop(message, ()))

    def _follow(self, rank: _Rank) -> list[int]:
        """Go on until the rank waits; the messages that have become known on both sides."""
        operations, values = self.programs.operations[rank.number], self.programs.values
        known = list[int]()
        while rank.at < len(operations):
            code, what = operations[rank.at] & MASK, operations[rank.at] >> SHIFT
            if code in (SEND, RECEIVE):
                if self._post(rank, what, int(code == RECEIVE)):
                    known.append(what)
            elif code in (SENT, RECEIVED):
                if self.sides[what] < 2:
                    self.waits.setdefault(what, []).append(rank.number)
                    break
                self._wait(rank, what, int(code == RECEIVED))
            elif code == COMPUTE:
                rank.spend(values[what] * self.seconds.flop[rank.number] - MOMENT)
            elif code == SLEEP:
                rank.spend(values[what] - MOMENT)
            rank.at += 1
        return known

    def _post(self, rank: _Rank, message: int, side: int) -> bool:
        rank.posts()
        found = self.found
        found.stage[message, side], found.clock[message, side] = rank.stage, rank.clock
        _learn(found.seen[message], found.since[message], rank.seen, rank.since)
        self.sides[message] += 1
        return self.sides[message] == 2

    def _wait(self, rank: _Rank, message: int, side: int) -> None:
        seconds, found = self.seconds, self.found
        found.ended[message, side] = rank.stage + 1
        source, target = self.programs.pairs[self.programs.pair[message]]
        if found.stage[message, side] == rank.stage and (side or source != target):
            rank.took(message, seconds, self.programs.pair[message])
        _learn(rank.seen, rank.since, found.seen[message], found.since[message] + seconds.least[message])
        rank.moved = True


class _Rank:
    """Where a rank is, and what it knows."""

    def __init__(self, number: int, ranks: int) -> None:
        self.number, self.at = number, 0
        self.seen, self.since = numpy.full(ranks, -1, numpy.int32), numpy.full(ranks, UNKNOWN)
        self.stage, self.clock, self.begun, self.moved = -1, 0.0, 0.0, True
        self.work: dict[int, tuple[float, float]] = {}
        self.before = self.seen.copy(), self.since.copy()

    def posts(self) -> None:
        """It posts a message: a new stage, if any time may have passed."""
        if not self.moved:
            return
        if self.seen[self.number] == self.stage >= 0:
            self.clock = max(self.clock, float(self.since[self.number]))
        seen, since = self.before
        _learn(self.seen, self.since, seen, since + (self.clock - self.begun))
        self.stage, self.begun, self.moved = self.stage + 1, self.clock, False
        self.work.clear()
        self.seen[self.number], self.since[self.number] = self.stage, self.clock
        self.before = self.seen.copy(), self.since.copy()

    def spend(self, seconds: float) -> None:
        """Time passes."""
        if seconds > 0:
            self.clock += seconds
            self.since += seconds
        self.moved = True

    def took(self, message: int, seconds: Seconds, pair: int) -> None:
        """A message posted at this stage has ended, and so have others that its links carried."""
        self.clock = max(self.clock, self.begun + seconds.least[message])
        for link, each in seconds.own[pair]:
            latency, work = self.work.get(link, (numpy.inf, 0.0))
            latency = min(latency, seconds.latency[message])
            work += max(0.0, seconds.volume[message] * each - MOMENT)
            self.work[link] = latency, work
            self.clock = max(self.clock, self.begun + latency + work - MOMENT)


def _learn(seen: Array, since: Array, others: Array, at: Array) -> None:
    """Take over what is later."""
    later = (others > seen) | ((others == seen) & (at > since))
    seen[later], since[later] = others[later], at[later]
