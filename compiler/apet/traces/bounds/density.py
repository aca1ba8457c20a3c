"""Arrival curves: how much of what shares a link can be under way at once.

Messages of one pair of ranks begin one after the other, with so much between them as both ranks' clocks say; and so do
those of one sender that waits for each before it goes on to the next, whoever receives them. Those under way in a
stretch of time have begun within it and what the first of them takes at most: of each such chain, no more than the
densest such run (arrival curves: R. L. Cruz, 1991).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from apet.core import library
from apet.traces.bounds.happens_before import Relations, narrow
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


def densities(messages: Array, relations: Relations, clocks: Clocks, every: bool) -> list[Density]:
    """The flows of a link in chains by pair of ranks; if `every`, by sender and receiver where these lead to fewer."""
    if not every:
        return [Density(relations.order, relations.pair, relations, clocks)]
    stages, ends = clocks.stage[messages].T, relations.ends[relations.pair].T.astype(numpy.int64)
    by_pair = Density(relations.order, relations.pair, relations, clocks)
    by_end = [Density(numpy.lexsort((stages[1 - k], stages[k], ends[k])), ends[k], relations, clocks) for k in range(2)]
    return [by_pair, *(each for each in by_end if len(each.starts) < len(by_pair.starts))]


def under_way(chains: Sequence[Density], amounts: Array, latency: Array, most: Array) -> Most:
    """The least of what their chains allow for: see `Density.most`."""
    first, *others = (each.most(amounts, latency, most) for each in chains)
    for other in others:
        least = numpy.minimum(first.at_once, other.at_once), numpy.minimum(first.stretches, other.stretches)
        first = Most(*least, first.step)
    return first


class Density:
    """The flows of a link in chains, in order."""

    def __init__(self, order: Array, group: Array, relations: Relations, clocks: Clocks) -> None:
        """`order`: [flows], by position, group by group; `group`: [flows], int64; chains are of one each."""
        self.messages, number = relations.messages, len(order)
        chain, since, after = numpy.empty(number, numpy.int64), numpy.empty(number), numpy.empty(number, numpy.int64)
        flows = Arrays("Apart", flows=number, ranks=clocks.seen.shape[1])
        flows.point(numpy.int64, message=self.messages[order])
        flows.point(numpy.int32, seen=clocks.seen, stage=clocks.stage, ended=clocks.ended)
        flows.point(numpy.float32, since=clocks.since)
        flows.point(numpy.float64, begun=clocks.begun)
        library().apet_chains(flows, relations.pair_of, relations.ends, group[order], chain, since, after)

        by_chain = numpy.argsort(narrow(chain), kind="stable")
        self.order, since = order[by_chain].astype(numpy.int32), since[by_chain]
        self.starts = numpy.flatnonzero(since < 0)
        self.begins = numpy.cumsum(numpy.maximum(since, 0.0))
        self.begins -= numpy.repeat(self.begins[self.starts], numpy.diff([*self.starts, number]))
        # A flow reaches no further than the next one begins, where that waits for it.
        waits = numpy.flatnonzero(after[by_chain][1:])
        self.until = numpy.full(number, numpy.inf)
        until = numpy.nextafter(self.begins[waits + 1], -numpy.inf) - self.begins[waits]
        self.until[waits] = numpy.maximum(until, 0.0)

    def most(self, amounts: Array, latency: Array, most: Array) -> Most:
        """The amounts (rows, by flow) where each message takes at most so many seconds, of which its latency carries
        nothing."""
        reach = most[self.messages[self.order]] - float(latency[self.messages].min()) + MOMENT
        reach = numpy.minimum(reach, self.until)
        carried = most[self.messages] - latency[self.messages]
        least = max(float(carried.min()), MOMENT)
        power = numpy.ceil(numpy.log(numpy.maximum(carried / least, 1.0)) / numpy.log(STEP)).astype(int)
        powers, step = numpy.unique(power, return_inverse=True)
        densest = self._densest(amounts, reach, numpy.array([0.0, *(least * STEP ** int(k) for k in powers)]))
        return Most(densest[0], densest[1:], step.reshape(-1))

    def _densest(self, amounts: Array, reach: Array, stretches: Array) -> Array:
        """By stretch of time, the sum over chains of their densest runs: from each flow on as far as it reaches, and so
        much more."""
        densest = numpy.zeros((len(stretches), amounts.shape[1]))
        flows, columns = amounts.shape
        runs = Arrays("Dense", flows=flows, columns=columns, chains=len(self.starts), stretches=len(stretches))
        runs.point(numpy.int64, first=[*self.starts, len(amounts)], order=self.order)
        runs.point(numpy.float64, begins=self.begins, reach=reach, amount=amounts, stretch=stretches, densest=densest)
        check(library().apet_densest(runs))
        return densest
