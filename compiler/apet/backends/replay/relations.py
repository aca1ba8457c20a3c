"""What flows on a link are over before each of them begins, and what begins after it has ended, for sure.

The flows are split into groups, each in an order of its own; of each group, those that are over before a given flow are
counted from its front. One is over where it is known to have ended (vector clocks), where so much time lies between its
beginning and the given one's, by both of its ranks' clocks, as it takes at most, or by its date.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy

from apet.backends.replay.clocks import NEVER, Clocks
from apet.backends.replay.native_bounds import apart_in_core, sums_in_core
from apet.backends.replay.transfers import Array

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


class Relations:
    """The orders of one link's flows."""

    def __init__(self, messages: Array, main: Array, pairs: Array, clocks: Clocks | None) -> None:
        """`main`: whether a flow goes the way of its message; `pairs`: sender and receiver of each."""
        self.messages, self.main, self.clocks = messages, main, clocks
        self.pairs = pairs
        self.groups: list[Pair] = []
        if clocks is None:
            return
        first, second = clocks.stage[messages].T
        order = numpy.lexsort((second, first, pairs[:, 1], pairs[:, 0]))
        cuts = numpy.flatnonzero(numpy.diff(pairs[order], axis=0).any(axis=1)) + 1
        if (len(cuts) + 1) * len(order) <= MOST_COMPARED:
            groups = numpy.split(order, cuts)
            self.groups = [Pair(int(pairs[g[0], 0]), int(pairs[g[0], 1]), g) for g in groups]

    def apart(self, amounts: Array, claims: Claims | None) -> tuple[Array, Array]:
        """The amounts (rows, by flow) that are over before each flow, and those that begin after it has ended."""
        if claims is None or not self.groups or self.clocks is None:
            before, after = _sums(amounts, self._known(self.clocks) if self.clocks is not None else ())
            if claims is not None:
                for axis in ((claims.begins, claims.ends), (claims.after_sync, claims.until_sync)):
                    others = _sums(amounts, [self._dated(*axis)])
                    before, after = numpy.maximum(before, others[0]), numpy.maximum(after, others[1])
            return before, after
        found = apart_in_core(self.messages, amounts, self.groups, self.clocks, claims)
        return found or _sums(amounts, ((g.members, self._over(g, self.clocks, claims)) for g in self.groups))

    def _known(self, clocks: Clocks) -> Iterable[tuple[Array, Array]]:
        """By the rank that knows the end: the sender where all come from one rank."""
        ended = clocks.ended[self.messages]
        ranks, stages = self.pairs[:, 1].copy(), ended[:, 1].copy()
        if len(numpy.unique(self.pairs[self.main, 1])) > len(numpy.unique(self.pairs[self.main, 0])):
            awaited = ended[:, 0] < NEVER
            ranks[awaited], stages[awaited] = self.pairs[awaited, 0], ended[awaited, 0]
        for rank in numpy.unique(ranks):
            here = numpy.flatnonzero((ranks == rank) & (stages < NEVER))
            order = here[numpy.argsort(stages[here], kind="stable")]
            yield order, numpy.searchsorted(stages[order], clocks.seen[rank, self.messages], side="right")

    def _dated(self, begins: Array, ends: Array) -> tuple[Array, Array]:
        order = numpy.argsort(ends[self.messages], kind="stable")
        return order, numpy.searchsorted(ends[self.messages][order], begins[self.messages], side="right")

    def _over(self, group: Pair, clocks: Clocks, claims: Claims) -> Array:
        """How many of a group, from the front, are over before each flow of the link."""
        messages, members = self.messages, self.messages[group.members]
        enough, known = numpy.full(len(messages), len(members)), numpy.zeros(len(messages), numpy.int64)
        for side, rank in enumerate((group.sender, group.receiver)):
            seen, since = clocks.seen[rank, messages], clocks.since[rank, messages] + claims.latency[messages]
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
        if sums_in_core(amounts, members, counts, before, after):
            continue
        before += numpy.concatenate((nothing, numpy.cumsum(amounts[members], axis=0)))[counts]
        order = numpy.argsort(counts, kind="stable")
        rest = numpy.concatenate((numpy.cumsum(amounts[order][::-1], axis=0)[::-1], nothing))
        after[members] += rest[numpy.searchsorted(counts[order], numpy.arange(len(members)), side="right")]
    return before, after
