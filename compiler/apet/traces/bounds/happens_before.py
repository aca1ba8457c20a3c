"""What flows on a link are over before each of them begins, and what begins after it has ended, for sure.

The flows are split into groups, each in an order of its own; of each group, those that are over before a given flow are
counted from its front. One is over where it is known to have ended (vector clocks), where so much time lies between its
beginning and the given one's, by both of its ranks' clocks, as it takes at most, or by its date.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy

from apet.traces.bounds.native_overlap import apart_in_core, dated_in_core, known_in_core
from apet.traces.bounds.transfers import Array
from apet.traces.bounds.vector_clocks import NEVER, Clocks

MOST_COMPARED = 3_000_000
"""Groups times flows of a link that are compared by clocks and dates, at most."""


class Claims(NamedTuple):
    """What is supposed of messages: seconds of latency, in which they carry nothing; the date from which they are
    carried at the earliest, and the one that they have ended by; the same two on the axis of `epochs.Synchronised`; the
    seconds that they take at most."""

    latency: Array
    begins: Array
    ends: Array
    after_sync: Array
    until_sync: Array
    most: Array


class Pair(NamedTuple):
    """Flows of a link with one sender and one receiver, by position in its list, in the order of their posts."""

    sender: int
    receiver: int
    members: Array


class Known(NamedTuple):
    """Flows of a link of which one rank knows the end, in the order in which it does."""

    rank: int
    members: Array


class Relations:
    """The orders of one link's flows."""

    def __init__(self, messages: Array, main: Array, pairs: Array, clocks: Clocks | None) -> None:
        """`main`: whether a flow goes the way of its message; `pairs`: sender and receiver of each."""
        self.messages, self.main, self.clocks = messages, main, clocks
        self.pairs = pairs
        self.groups: list[Pair] = []
        self.by_ends: tuple[Array, Array] | None = None
        if clocks is None:
            return
        first, second = clocks.stage[messages].T
        order = numpy.lexsort((second, first, pairs[:, 1], pairs[:, 0]))
        cuts = numpy.flatnonzero(numpy.diff(pairs[order], axis=0).any(axis=1)) + 1
        if (len(cuts) + 1) * len(order) <= MOST_COMPARED:
            groups = numpy.split(order, cuts)
            self.groups = [Pair(int(pairs[g[0], 0]), int(pairs[g[0], 1]), g) for g in groups]

    def apart(self, amounts: Array, claims: Claims | None) -> tuple[Array, Array]:
        """The amounts (rows, by flow, always the same) that are over before each flow, and those that begin after it
        has ended."""
        if claims is None or not self.groups or self.clocks is None:
            before, after = self.by_ends or self._by_ends(amounts)
            if claims is None:
                self.by_ends = None if self.groups else (before, after)
                return before, after
            for axis in ((claims.begins, claims.ends), (claims.after_sync, claims.until_sync)):
                others = self._by_dates(amounts, *axis)
                before, after = (numpy.maximum(*two, out=two[1]) for two in zip((before, after), others, strict=True))
            return before, after
        found = apart_in_core(self.messages, amounts, self.groups, self.clocks, claims)
        return found or _sums(amounts, ((g.members, self._over(g, self.clocks, claims)) for g in self.groups))

    def _by_ends(self, amounts: Array) -> tuple[Array, Array]:
        """The same from what ranks know to have ended."""
        if self.clocks is None:
            return _sums(amounts, ())
        seen, groups, stages = self.clocks.seen, *self._known(self.clocks)
        found = known_in_core(self.messages, amounts, groups, stages, seen)
        counted = (
            (g.members, numpy.searchsorted(stages[g.members], seen[self.messages, g.rank], side="right"))
            for g in groups
        )
        return found or _sums(amounts, counted)

    def _by_dates(self, amounts: Array, begins: Array, ends: Array) -> tuple[Array, Array]:
        """The same from the dates from which and by which messages are carried."""
        order = numpy.argsort(ends[self.messages], kind="stable")
        found = dated_in_core(self.messages, amounts, order, begins, ends)
        if found is not None:
            return found
        last = numpy.searchsorted(ends[self.messages][order], begins[self.messages], side="right")
        return _sums(amounts, [(order, last)])

    def _known(self, clocks: Clocks) -> tuple[list[Known], Array]:
        """Flows by the rank that knows their end, the sender where all come from one rank; and the stages from which
        it does."""
        ended = clocks.ended[self.messages]
        ranks, stages = self.pairs[:, 1].copy(), ended[:, 1].copy()
        if len(numpy.unique(self.pairs[self.main, 1])) > len(numpy.unique(self.pairs[self.main, 0])):
            awaited = ended[:, 0] < NEVER
            ranks[awaited], stages[awaited] = self.pairs[awaited, 0], ended[awaited, 0]
        here = numpy.flatnonzero(stages < NEVER)
        order = here[numpy.lexsort((stages[here], ranks[here]))]
        cuts = numpy.flatnonzero(numpy.diff(ranks[order])) + 1
        return [Known(int(ranks[each[0]]), each) for each in numpy.split(order, cuts) if len(each)], stages

    def _over(self, group: Pair, clocks: Clocks, claims: Claims) -> Array:
        """How many of a group, from the front, are over before each flow of the link."""
        messages, members = self.messages, self.messages[group.members]
        enough, known = numpy.full(len(messages), len(members)), numpy.zeros(len(messages), numpy.int64)
        for side, rank in enumerate((group.sender, group.receiver)):
            seen, since = clocks.seen[messages, rank], clocks.since[messages, rank] + claims.latency[messages]
            over = clocks.clock[members, side] + claims.most[members]
            for keys, values in ((clocks.stage[members, side], seen), (over, since)):
                enough = numpy.minimum(enough, _count(keys, values))
            known = numpy.maximum(known, _count(clocks.ended[members, side], seen))
        for begins, ends in ((claims.begins, claims.ends), (claims.after_sync, claims.until_sync)):
            known = numpy.maximum(known, _count(ends[members], begins[messages]))
        counts: Array = numpy.maximum(enough, known)
        return counts


def _count(keys: Array, values: Array) -> Array:
    """How many keys from the front are none of them above each value."""
    found: Array = numpy.searchsorted(numpy.maximum.accumulate(keys), values, side="right")
    return found


def _sums(amounts: Array, counted: Iterable[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Sums over groups of which, for each flow, so many from the front are over before it."""
    before, after = numpy.zeros_like(amounts), numpy.zeros_like(amounts)
    nothing = numpy.zeros((1, amounts.shape[1]))
    for members, counts in counted:
        before += numpy.concatenate((nothing, numpy.cumsum(amounts[members], axis=0)))[counts]
        order = numpy.argsort(counts, kind="stable")
        rest = numpy.concatenate((numpy.cumsum(amounts[order][::-1], axis=0)[::-1], nothing))
        after[members] += rest[numpy.searchsorted(counts[order], numpy.arange(len(members)), side="right")]
    return before, after
