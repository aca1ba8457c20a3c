"""Dates since the last collective that no rank leaves before all have begun it.

Let X be the date at which the last rank begins it. Nobody begins it later, so that what follows ends by X plus its
longest path; nobody leaves it earlier, so that what follows its end begins from X plus a shortest date. Between two
such collectives, ranks drift apart; across them they do not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy

from apet.traces.bounds.native_bounds import Walks
from apet.traces.bounds.transfers import Array
from apet.traces.replay.program import (
    COMPUTE,
    ENTER,
    LEAVE,
    MASK,
    RECEIVE,
    RECEIVED,
    SEND,
    SENT,
    SHIFT,
    SLEEP,
    Programs,
)

NEVER = -1


class Synchronised:
    """Dates on an axis that goes on at each such collective by the seconds that lie between two of them at least: what
    is over by such a date is so before what begins from a later one on."""

    def __init__(
        self,
        walks: Walks,
        least: Array,
        latency: Array,
        slowness: tuple[Sequence[float], Sequence[float]],
        lead: float,
    ) -> None:
        """Seconds that messages take at least, and their latency, in which they carry nothing; per flop of each rank at
        least and at most; by which anything may come early."""
        programs = walks.programs
        self.walks, self.programs, self.slow = walks, programs, slowness[1]
        self.earliest = numpy.zeros(len(programs.size))
        """The date from which each message is carried."""
        if programs.syncs < 1:
            return
        early = Epochs(walks, least, slowness[0], lead)
        self.begins = numpy.concatenate(([0.0], numpy.cumsum(early.entered[: programs.syncs])))
        nexts = numpy.concatenate((self.begins[1:], [numpy.inf]))[early.epoch]
        # Not beyond the next collective: what follows that one may be dated earlier than it is.
        self.earliest = numpy.minimum(self.begins[early.epoch] + early.date + latency, nexts) - lead

    def latest(self, durations: Array) -> Array:
        """By message, the date by which it has ended."""
        if self.programs.syncs < 1:
            return numpy.full(len(durations), numpy.inf)
        late = Epochs(self.walks, durations, self.slow, begins=self.begins)
        ends: Array = self.begins[late.epoch] + numpy.maximum(late.date + durations, 0.0)
        return ends


class Epochs:
    """The dates of one such walk: early ones from the ends of collectives on, late ones from their beginnings on."""

    def __init__(
        self,
        walks: Walks,
        durations: Array,
        slowness: Sequence[float],
        lead: float = 0.0,
        begins: Array | None = None,
    ) -> None:
        """`begins`: the earliest dates at which collectives begin, in all; with them, late dates are found."""
        programs = self.programs = walks.programs
        self.slowness, self.lead, self.begins = slowness, lead, begins
        self.durations = durations
        number = len(programs.size)
        self.epoch, self.date = numpy.full(number, NEVER, numpy.int64), numpy.zeros(number)
        self.entered = numpy.zeros(programs.syncs + 1)
        self.gains = gains(programs, durations) if begins is None else numpy.zeros(programs.syncs)
        if not walks.epochs(self):
            self.sides = bytearray(number)
            self.waits: dict[int, list[int]] = {}
            self.at, self.now = [0] * programs.ranks, [(0, 0.0)] * programs.ranks
            awake = deque(range(programs.ranks))
            while awake:
                for message in self._follow(awake.popleft()):
                    awake.extend(self.waits.pop(message, ()))

    def _follow(self, rank: int) -> list[int]:
        """Go on until the rank waits; the messages that both sides have posted now."""
        operations, values = self.programs.operations[rank], self.programs.values
        at, (epoch, now) = self.at[rank], self.now[rank]
        early, known = self.begins is None, list[int]()
        while at < len(operations):
            code, what = operations[at] & MASK, operations[at] >> SHIFT
            if code in (SEND, RECEIVE):
                self._post(what, epoch, now)
                if self.sides[what] == 2:
                    known.append(what)
            elif code in (SENT, RECEIVED):
                if self.sides[what] < 2:
                    self.waits.setdefault(what, []).append(rank)
                    break
                now = max(now, self._end(what, epoch))
            elif code == COMPUTE:
                now += max(0.0, values[what] * self.slowness[rank] - self.lead)
            elif code == SLEEP:
                now += max(0.0, values[what] - self.lead)
            elif code == ENTER:
                self.entered[what] = max(self.entered[what], now)
                if not early:
                    epoch, now = what + 1, 0.0
            elif code == LEAVE and early:
                epoch, now = what + 1, float(self.gains[what])
            at += 1
        self.at[rank], self.now[rank] = at, (epoch, now)
        return known

    def _post(self, message: int, epoch: int, now: float) -> None:
        self.sides[message] += 1
        if epoch > self.epoch[message]:
            self.epoch[message], self.date[message] = epoch, now
        elif epoch == self.epoch[message]:
            self.date[message] = max(self.date[message], now)

    def _end(self, message: int, epoch: int) -> float:
        """When a message ends, since the collective that began an epoch."""
        end, began = float(self.date[message] + self.durations[message]), int(self.epoch[message])
        if self.begins is None:
            return end if began >= epoch else 0.0
        return end - float(self.begins[epoch] - self.begins[began])


def gains(programs: Programs, durations: Array) -> Array:
    """By collective, seconds that lie between its beginning by the last rank and its end by any at least: those of its
    fastest message, if every rank receives one."""
    number = programs.syncs
    least, receives = numpy.full(number, numpy.inf), numpy.zeros(number)
    for operations in programs.operations:
        inside, counted = -1, -1
        for operation in operations:
            code, what = operation & MASK, operation >> SHIFT
            if code == ENTER:
                inside = what
            elif code == LEAVE:
                inside = -1
            elif inside >= 0 and code == RECEIVE:
                least[inside] = min(least[inside], durations[what])
                receives[inside] += inside > counted
                counted = inside
    least[receives < programs.ranks] = 0.0
    return least
