"""Which transfers may overlap: those of which neither is known to have ended when the other begins.

Each rank knows how many waits every rank has passed (vector clocks: C. J. Fidge, 1988; F. Mattern, 1989). A message
carries what its sender knew when it was posted, so that a transfer begins with what both sides knew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from apet.backends.replay.program import Programs
from apet.backends.replay.sweep import Sweep

Array = numpy.ndarray[Any, Any]


class Knowledge(NamedTuple):
    """By message: the waits of each rank that have ended when it begins; and which wait of the receiver and of the
    sender (0: none) ends it."""

    known: Array
    received: Array
    sent: Array


class _Clocks(Sweep):
    """A sweep that carries clocks along with dates; a message's dates do not matter."""

    watches_posts = True

    def __init__(self, programs: Programs) -> None:
        number = len(programs.size)
        super().__init__(programs, [0.0] * number, [0.0] * programs.ranks, early=False, watch=self)
        self.clock: list[Array] = [numpy.zeros(programs.ranks, numpy.int32) for _ in range(programs.ranks)]
        self.passed = [0] * programs.ranks
        self.known = numpy.zeros((number, programs.ranks), numpy.int32)
        self.received, self.sent = numpy.zeros(number, numpy.int64), numpy.zeros(number, numpy.int64)

    def waited(self, rank: int, message: int, date: float, sent: bool) -> float:
        """Learn what the transfer knew, and count this wait."""
        known = numpy.maximum(self.clock[rank], self.known[message])
        self.passed[rank] += 1
        known[rank] = self.passed[rank]
        self.clock[rank] = known
        (self.sent if sent else self.received)[message] = self.passed[rank]
        return date

    def post(self, rank: int, message: int) -> None:
        """A side of a message is posted."""
        numpy.maximum(self.known[message], self.clock[rank], out=self.known[message])

    def enter(self, rank: int, sync: int, date: float) -> float:
        """Nothing to do."""
        return date

    def leave(self, rank: int, sync: int, date: float) -> float:
        """Nothing to do."""
        return date


def knowledge(programs: Programs) -> Knowledge:
    """What is known when each message begins."""
    clocks = _Clocks(programs)
    clocks.run()
    return Knowledge(clocks.known, clocks.received, clocks.sent)
