"""An oracle of longest paths whose dates are linear in three factors, one at a time and in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from apet.traces.bounds.longest import Part, Weights
from apet.traces.replay.program import ANY, COMPUTE, ENTER, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, SLEEP, Programs

NOTHING: Part = (0.0, 0.0, 0.0, 0.0)


class Paths:
    """One longest path for given factors: as `apet_longest`."""

    def __init__(self, programs: Programs, weights: Weights, factors: Sequence[float], early: bool) -> None:
        self.programs, self.weights, self.factors, self.early = programs, weights, factors, early
        self.syncs = max(0, len(weights.gaps) - 1)
        self.posted: dict[int, Part] = {}
        self.ended: dict[int, Part] = {}
        self.now: list[Part] = [NOTHING] * programs.ranks
        self.marks: list[Part] = [NOTHING] * (self.syncs + 1)
        self.entered = [0] * self.syncs
        self.at = [0] * programs.ranks
        self.waits: dict[int, list[int]] = {}

    def value(self, part: Part) -> float:
        """Seconds in all."""
        compute, latency, bandwidth = self.factors
        return part[0] + part[1] * compute + part[2] * latency + part[3] * bandwidth

    def run(self) -> Part:
        """The parts of the longest path."""
        self.stack = list(range(self.programs.ranks))[::-1]
        while self.stack:
            self._follow(self.stack.pop())
        last = self.marks[self.syncs]
        if self.syncs:
            last = _plus(last, 3, self.weights.gaps[self.syncs])
        return max((last, *self.now), key=self.value)

    def _follow(self, rank: int) -> None:
        operations, values = self.programs.operations[rank], self.programs.values
        while self.at[rank] < len(operations):
            operation = operations[self.at[rank]]
            code, what = operation & MASK, operation >> SHIFT
            if code in (SEND, RECEIVE):
                self._post(rank, what)
            elif code in (SENT, RECEIVED):
                if what not in self.ended:
                    self.waits.setdefault(what, []).append(rank)
                    return
                self._later(rank, self.ended[what])
            elif code == COMPUTE:
                self.now[rank] = _plus(self.now[rank], 1, values[what] * self.weights.slowness[rank])
            elif code == SLEEP:
                self.now[rank] = _plus(self.now[rank], 0, values[what])
            elif code == ANY:
                if not self._some(rank, what):
                    return
            elif what < self.syncs:
                self._sync(rank, what, code == ENTER)
            self.at[rank] += 1

    def _later(self, rank: int, other: Part) -> None:
        if self.value(other) > self.value(self.now[rank]):
            self.now[rank] = other

    def _post(self, rank: int, message: int) -> None:
        if message not in self.posted:
            self.posted[message] = self.now[rank]
            return
        end = max(self.posted[message], self.now[rank], key=self.value)
        first, second, third, fourth = self.weights.durations[4 * message : 4 * message + 4]
        end = _plus(_plus(end, 2, first), 3, second)
        narrow = third * self.factors[1] > fourth * self.factors[2]
        self.ended[message] = _plus(end, 2, third) if narrow else _plus(end, 3, fourth)
        self.stack += self.waits.pop(message, ())

    def _some(self, rank: int, number: int) -> bool:
        group = self.programs.groups[number]
        requests = group.requests
        ended = [[self.ended[m] for m in messages] for messages in requests if all(m in self.ended for m in messages)]
        known = sorted((max(parts, key=self.value) for parts in ended), key=self.value)
        needed = min(group.needed, len(requests))
        if self.early and len(known) < len(requests):
            return True
        if len(known) >= needed:
            self._later(rank, known[needed - 1])
            return True
        for m in chain(*requests):
            if m not in self.ended:
                self.waits.setdefault(m, []).append(rank)
        return False

    def _sync(self, rank: int, number: int, begins: bool) -> None:
        if not begins:
            if self.entered[number] == self.programs.ranks:
                self._later(rank, self.marks[number + 1])
            return
        self.marks[number + 1] = max(self.marks[number + 1], self.now[rank], key=self.value)
        self.entered[number] += 1
        if self.entered[number] == self.programs.ranks:
            floor = _plus(self.marks[number], 3, self.weights.gaps[number])
            self.marks[number + 1] = max(self.marks[number + 1], floor, key=self.value)


def _plus(part: Part, which: int, by: float) -> Part:
    found = list(part)
    found[which] += by
    return found[0], found[1], found[2], found[3]
