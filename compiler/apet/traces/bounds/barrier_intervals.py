"""Barrier intervals: dates since the last collective that no rank leaves before all have begun it.

Let X be the date at which the last rank begins it. Nobody begins it later, so that what follows ends by X plus its
longest path; nobody leaves it earlier, so that what follows its end begins from X plus a shortest date. Between two
such collectives, ranks drift apart; across them they do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from apet.traces.bounds.transfers import Array
from apet.traces.bounds.walks import Walks, check, reals, split
from apet.traces.replay.program import ENTER, LEAVE, RECEIVE, Programs

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
        programs = walks.programs
        self.epoch, self.date = numpy.full(len(programs.size), NEVER, numpy.int64), numpy.zeros(len(programs.size))
        self.entered = numpy.zeros(programs.syncs + 1)

        least = gains(programs, durations) if begins is None else numpy.zeros(programs.syncs)
        begins = None if begins is None else numpy.ascontiguousarray(begins, float)
        seconds = *reals(durations, slowness), lead, begins, least
        check(walks.core.apet_epochs(walks.flat, *seconds, self.epoch, self.date, self.entered))


def gains(programs: Programs, durations: Array) -> Array:
    """By collective, seconds that lie between its beginning by the last rank and its end by any at least: those of its
    fastest message, if every rank receives one."""
    number = programs.syncs
    least, receives = numpy.full(number, numpy.inf), numpy.zeros(number)
    if programs.early is not None:  # what has been sent before may have arrived
        durations = numpy.where(numpy.asarray(programs.early), 0.0, durations)
    for code, what in map(split, programs.operations):
        # the last collective entered, as long as it has not been left
        entered, left = (numpy.maximum.accumulate(numpy.where(code == c, what, -1)) for c in (ENTER, LEAVE))
        inside = (code == RECEIVE) & (entered > left)
        numpy.minimum.at(least, entered[inside], durations[what[inside]])
        receives[numpy.unique(entered[inside])] += 1

    least[receives < programs.ranks] = 0.0
    return least
