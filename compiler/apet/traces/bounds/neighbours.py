"""Long traces in parts: messages by date, some at a time, each with those that may be under way together with it.

A message is apart from those known to have ended when it begins, and from those that begin when it is known to have
ended (vector clocks). In an order by date, what is left of most traces lies close by; where it does not, all messages
are one part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

import numpy

from apet.traces.bounds.contention_delay import MANY, Contention, Links, side_by_side
from apet.traces.bounds.happens_before import Claims
from apet.traces.bounds.transfers import Array, Transfers, joined
from apet.traces.bounds.vector_clocks import Clocks
from apet.traces.replay.program import Programs

PART = 1 << 16
"""Messages in a part, at least."""
MOST_AROUND = 2
"""Messages around those of all parts, over all messages, up to which there are parts."""
AND_MORE = 1.2
"""By how much the guess of a crowd is raised."""
ROWS = 1 << 14
"""Stages that are looked at together."""


class Part(NamedTuple):
    """Some messages whose durations are found together, by position in an order by date."""

    around: slice  #: all that may be under way together with one of them, and they themselves
    within: slice  #: they themselves


class Overlaps:
    """How long transfers take at most where those overlap that are not known to be apart."""

    def __init__(self, programs: Programs, flows: Transfers, clocks: Clocks | None, links: Links, dates: Array) -> None:
        """`clocks`: None where nothing is known; `dates`: about when messages begin, or end."""
        self.programs, self.flows, self.clocks, self.links = programs, flows, clocks, links
        messages = numpy.bincount(flows.pair, minlength=len(flows.rate))
        on_link, pairs = numpy.bincount(flows.link, messages[flows.user]), numpy.bincount(flows.link)
        self.compared = int(on_link @ pairs)
        """Comparisons that durations take, at most."""
        self.order = numpy.argsort(dates, kind="stable").astype(numpy.int32)
        self.parts = [] if clocks is None else self._divided(clocks)
        self.whole = [] if self.parts else self._contentions(flows, clocks)

    def durations(self, claims: Claims | None, omitted: Sequence[Collection[int]] = ((),)) -> list[Array]:
        """Seconds that each transfer takes at most, for each set of links that hold nothing back, nor do those that
        they lead. With claims, these are bounds as long as the claims hold."""
        if not self.parts:
            return _least_of(self.whole, claims, omitted)

        seconds = [numpy.empty(len(self.flows.volume)) for _ in omitted]

        def find(part: Part) -> None:
            chosen, own = numpy.sort(self.order[part.around]), self.order[part.within]
            positions = numpy.searchsorted(chosen, own)
            supposed = claims and Claims(*(each[chosen] for each in claims))
            for all_of, each in zip(seconds, _least_of(self._around(chosen), supposed, omitted), strict=True):
                all_of[own] = each[positions]

        side_by_side(find, self.parts, MANY)
        return seconds

    def _around(self, chosen: Array) -> list[Contention]:
        """Some messages as if there were no others."""
        flows, clocks = self.flows, self.clocks
        assert clocks is not None
        flows = flows._replace(latency=flows.latency[chosen], volume=flows.volume[chosen], pair=flows.pair[chosen])
        clocks = clocks._replace(stage=clocks.stage[chosen], ended=clocks.ended[chosen])
        return self._contentions(flows, clocks, len(chosen) / len(self.flows.volume))

    def _contentions(self, flows: Transfers, clocks: Clocks | None, part: float = 1.0) -> list[Contention]:
        """By link; and, where some links are used together, as if these were one."""
        links = self.links
        either = [flows]
        if not links.fixed and (links.first != numpy.arange(len(links.first))).any():
            either.append(joined(flows, links.first, links.capacity))
        return [Contention(self.programs, each, clocks, links, part) for each in either]

    def crowded(self, crowd: numpy.ufunc) -> Array | None:
        """For long traces, a guess of how long transfers take: as if all that its two ranks post at that stage (the sum
        or the greater of both) went over one link, and somewhat more. None where there are no parts."""
        if not self.parts or self.clocks is None:
            return None
        flows = self.flows
        posted = [numpy.bincount(stage + 1)[stage + 1] for stage in self.clocks.stage.T]
        guess: Array = (flows.latency + flows.volume / flows.rate[flows.pair] * crowd(*posted)) * AND_MORE
        return guess

    def _divided(self, clocks: Clocks) -> list[Part]:
        """Parts of the messages by date (empty: all are one)."""
        number, order = len(self.order), self.order
        if number < PART:
            return []
        size = PART // 2 if self.links.fixed else PART  # formulas take more memory by message

        # By position: all before this one have ended when that one, or a later one, begins.
        target = numpy.array(self.programs.pairs)[:, 1]
        known = _ended_before(clocks, order, target[self.flows.pair])
        first = numpy.zeros(number, numpy.int32)
        for stage in clocks.stage[order].T:
            first = numpy.maximum(first, numpy.where(stage < 0, 0, known[stage]))
        first = numpy.minimum.accumulate(first[::-1])[::-1]

        cuts = numpy.arange(0, number, size)
        ends = numpy.append(cuts[1:], number)
        begins, beyond = numpy.minimum(first[cuts], cuts), numpy.searchsorted(first, ends)
        if (beyond - begins).sum() > MOST_AROUND * number:
            return []
        rows = zip(*(each.tolist() for each in (begins, beyond, cuts, ends)), strict=True)
        return [Part(slice(a, b), slice(c, d)) for a, b, c, d in rows]


def _least_of(either: Sequence[Contention], claims: Claims | None, omitted: Sequence[Collection[int]]) -> list[Array]:
    """The least durations of some that all hold."""
    every = [each.durations(claims, omitted) for each in either]
    return [reduce(numpy.minimum, each) for each in zip(*every, strict=True)]


def _ended_before(clocks: Clocks, order: Array, target: Array) -> Array:
    """By stage, the position in this order before which all messages are known to have ended."""
    stages, ranks = clocks.seen.shape
    first = clocks.first
    ended, position = clocks.ended[order, 1], numpy.arange(len(order), dtype=numpy.int32)
    # A rank knows of what ended at stage k as soon as stage k is over; of equal ones, the last one assigned counts.
    least, awaited = numpy.full(stages, len(order), numpy.int32), ended <= stages
    least[ended[awaited][::-1] - 1] = position[awaited][::-1]
    never = numpy.full(ranks, len(order), numpy.int32)
    numpy.minimum.at(never, target[order[~awaited]], position[~awaited])

    unknown = numpy.full(stages + ranks, len(order), numpy.int32)
    for rank, (a, b) in enumerate(pairwise(first)):
        unknown[a + rank : b + rank] = numpy.minimum.accumulate(least[a:b][::-1])[::-1]
        unknown[a + rank : b + rank + 1] = numpy.minimum(unknown[a + rank : b + rank + 1], never[rank])
    known = numpy.empty(stages, numpy.int32)
    shift, begin = numpy.arange(ranks), first[:-1]
    for k in range(0, stages, ROWS):
        seen = clocks.seen[k : k + ROWS]
        known[k : k + ROWS] = unknown[numpy.maximum(seen, begin) + shift].min(axis=1)
    return known
