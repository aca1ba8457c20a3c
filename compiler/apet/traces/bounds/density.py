"""Arrival curves: how much of what shares a link can be under way at once.

Messages of one pair of ranks begin one after the other, with so much between them as both ranks' clocks say. Those
under way in a stretch of time have begun within it and what the first of them takes at most: of each pair, no more than
the densest such run (arrival curves: R. L. Cruz, 1991).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy

from apet.core import library
from apet.traces.bounds.happens_before import Relations
from apet.traces.bounds.transfers import Array
from apet.traces.bounds.vector_clocks import Clocks
from apet.traces.bounds.walks import MOMENT, Arrays, check

STEP = 2.0
"""Stretches of time are rounded up to powers of this times the shortest."""


class Most(NamedTuple):
    """The greatest amounts under way, by columns as in `SharedLink.amounts`."""

    at_once: Array  #: [columns], float64; at a moment
    stretches: Array  #: [stretches, columns], float64; within a stretch of time
    step: Array  #: [flows], int64; the number of the stretch that the flow is carried within


class Density:
    """The flows of a link by pair of ranks, in order."""

    def __init__(self, messages: Array, relations: Relations, clocks: Clocks) -> None:
        order = relations.order
        self.messages, self.order = messages, order
        between = self._between(relations, clocks)
        self.starts = numpy.flatnonzero(numpy.concatenate(([True], between < 0)))
        gaps = numpy.concatenate(([0.0], numpy.maximum(between, 0.0)))
        gaps[self.starts] = 0.0
        self.begins = numpy.cumsum(gaps)
        self.begins -= numpy.repeat(self.begins[self.starts], numpy.diff([*self.starts, len(order)]))

    def _between(self, relations: Relations, clocks: Clocks) -> Array:
        """Seconds between the beginnings of each flow and the next at least; below 0 where that is of another pair, or
        may begin earlier."""
        between = numpy.empty(len(self.order) - 1)
        flows = Arrays("Apart", flows=len(self.order), ranks=clocks.seen.shape[1])
        flows.point(numpy.int64, message=self.messages[self.order])
        flows.point(numpy.int32, seen=clocks.seen, stage=clocks.stage)
        flows.point(numpy.float32, since=clocks.since)
        flows.point(numpy.float64, begun=clocks.begun)
        library().apet_between(flows, relations.pair_of, relations.ends, between)
        return between

    def most(self, amounts: Array, latency: Array, most: Array) -> Most:
        """The amounts (rows, by flow) where each message takes at most so many seconds, of which its latency carries
        nothing."""
        reach = most[self.messages[self.order]] - float(latency[self.messages].min()) + MOMENT
        carried = most[self.messages] - latency[self.messages]
        least = max(float(carried.min()), MOMENT)
        power = numpy.ceil(numpy.log(numpy.maximum(carried / least, 1.0)) / numpy.log(STEP)).astype(int)
        powers, step = numpy.unique(power, return_inverse=True)
        densest = self._densest(amounts, reach, numpy.array([0.0, *(least * STEP ** int(k) for k in powers)]))
        return Most(densest[0], densest[1:], step.reshape(-1))

    def _densest(self, amounts: Array, reach: Array, stretches: Array) -> Array:
        """By stretch of time, the sum over pairs of their densest runs, from each flow on as far as it reaches, and the
        stretch more."""
        densest = numpy.zeros((len(stretches), amounts.shape[1]))
        flows, columns = amounts.shape
        runs = Arrays("Dense", flows=flows, columns=columns, chains=len(self.starts), stretches=len(stretches))
        runs.point(numpy.int64, first=[*self.starts, len(amounts)], order=self.order)
        runs.point(numpy.float64, begins=self.begins, reach=reach, amount=amounts, stretch=stretches, densest=densest)
        check(library().apet_densest(runs))
        return densest
