"""Happens-before: what flows on a link are over before each of them begins, and what begins after it has ended.

The flows are split into groups, each in an order of its own; of each group, those that are over before a given flow are
counted from its front. One is over where it is known to have ended (vector clocks), where so much time lies between its
beginning and the given one's, by both of its ranks' clocks, as it takes at most, or by its date.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy

from apet.core import library
from apet.traces.bounds.transfers import Array
from apet.traces.bounds.vector_clocks import NEVER, Clocks
from apet.traces.bounds.walks import Arrays, check

MOST_COMPARED = 3_000_000
"""Groups times flows of a link that are compared by clocks and dates, at most."""
MOST_KEPT = 1 << 22
"""Bytes of amounts of a link that are kept for further rounds; more are found again."""


class Claims(NamedTuple):
    """What is supposed of messages; all of float64 and shape [messages], in seconds."""

    latency: Array  #: in which they carry nothing
    begins: Array  #: the date from which they are carried at the earliest
    ends: Array  #: the date that they have ended by
    after_sync: Array  #: as `begins`, on the axis of `barrier_intervals.Synchronised`
    until_sync: Array  #: as `ends`, on that axis
    most: Array  #: how long they take at most


class PairFlows(NamedTuple):
    """Flows of a link with one sender and one receiver, by position in its list, in the order of their posts."""

    sender: int
    receiver: int
    members: Array  #: [flows of the pair], int64


class KnownFlows(NamedTuple):
    """Flows of a link of which one rank knows the end, in the order in which it does."""

    rank: int
    members: Array  #: [flows that it knows of], int64


class Relations:
    """The orders of one link's flows."""

    def __init__(
        self, messages: Array, pair: Array, ends: Array, main: Array, clocks: Clocks | None, part: float = 1.0
    ) -> None:
        """`pair`: that of each message; by pair `ends`, sender and receiver, and `main`, whether the link is on
        the way of its messages. `part`: the share of these messages in all of the trace."""
        self.messages, self.pair_of, self.ends, self.main, self.clocks = messages, pair, ends, main, clocks
        self.groups: list[PairFlows] = []
        self.order = numpy.zeros(0, numpy.int64)
        """[flows], by position: pair after pair, each in the order of its posts."""
        self.by_ends: tuple[Array, Array] | None = None
        if clocks is None:
            return

        self.order, cuts = self._by_pair(clocks)
        if (len(cuts) + 1) * len(self.order) <= MOST_COMPARED * part:
            groups = numpy.split(self.order, cuts)
            first = [ends[pair[messages[each[0]]]] for each in groups]
            self.groups = [PairFlows(int(s), int(t), each) for (s, t), each in zip(first, groups, strict=True)]

    @property
    def pair(self) -> Array:
        """By flow, its pair."""
        return self.pair_of[self.messages]  # not kept: there may be millions on each of many links

    def _by_pair(self, clocks: Clocks) -> tuple[Array, Array]:
        """The order, and where the next pairs begin."""
        pair = self.pair
        order = numpy.argsort(narrow(pair), kind="stable")
        changes = numpy.diff(pair[order]) != 0
        first, second = numpy.diff(clocks.stage[self.messages[order]], axis=0).T
        if not (changes | (first > 0) | ((first == 0) & (second >= 0))).all():  # messages numbered in another order
            order = numpy.lexsort((*clocks.stage[self.messages].T[::-1], pair))
        return order.astype(numpy.int32), numpy.flatnonzero(changes) + 1

    def apart(self, amounts: Array, claims: Claims | None) -> tuple[Array, Array]:
        """The amounts (rows, by flow, always the same) that are over before each flow, and those that begin after it
        has ended."""
        if claims is None or not self.groups or self.clocks is None:
            before, after = self.by_ends or self._by_ends(amounts)
            if claims is None:
                self.by_ends = None if self.groups or before.nbytes > MOST_KEPT else (before, after)
                return before, after
            synchronised = bool(numpy.isfinite(claims.until_sync[:1]).all())
            for axis in ((claims.begins, claims.ends), (claims.after_sync, claims.until_sync))[: 1 + synchronised]:
                others = self._by_dates(amounts, *axis)
                before, after = (numpy.maximum(*two, out=two[1]) for two in zip((before, after), others, strict=True))
            return before, after
        return self._counted(amounts, self.clocks, claims)

    def _counted(self, amounts: Array, clocks: Clocks, claims: Claims) -> tuple[Array, Array]:
        """The same from clocks and dates of both ranks."""
        flows = self._grouped([g.members for g in self.groups], clocks)
        flows.point(numpy.int64, sender=[g.sender for g in self.groups], receiver=[g.receiver for g in self.groups])
        flows.point(numpy.int32, ended=clocks.ended)
        flows.point(numpy.float64, begun=clocks.begun, **claims._asdict())
        return _added(library().apet_apart, flows, amounts)

    def _by_ends(self, amounts: Array) -> tuple[Array, Array]:
        """The same from what ranks know to have ended."""
        if self.clocks is None:
            return numpy.zeros_like(amounts), numpy.zeros_like(amounts)
        groups, stages = self._known(self.clocks)
        flows = self._grouped([g.members for g in groups], self.clocks)
        flows.point(numpy.int64, sender=[g.rank for g in groups])
        flows.point(numpy.int32, ended=stages)
        return _added(library().apet_known, flows, amounts)

    def _by_dates(self, amounts: Array, begins: Array, ends: Array) -> tuple[Array, Array]:
        """The same from the dates from which and by which messages are carried."""
        flows = self._grouped([numpy.argsort(ends[self.messages], kind="stable")])
        flows.point(numpy.float64, begins=begins, ends=ends)
        return _added(library().apet_dated, flows, amounts)

    def _grouped(self, groups: Sequence[Array], clocks: Clocks | None = None) -> Arrays:
        """The flows in groups, and what is known when they begin."""
        flows = Arrays("Apart", flows=len(self.messages), groups=len(groups))
        first = list(accumulate(map(len, groups), initial=0))
        members = numpy.concatenate(groups or [self.messages[:0]])
        flows.point(numpy.int64, message=self.messages, first=first, member=members)
        if clocks is not None:
            flows.set(ranks=clocks.seen.shape[1])
            flows.point(numpy.int32, seen=clocks.seen, stage=clocks.stage)
            flows.point(numpy.float32, since=clocks.since)
        return flows

    def _known(self, clocks: Clocks) -> tuple[list[KnownFlows], Array]:
        """Flows by the rank that knows their end, the sender where all come from one rank; and the stages from which
        it does."""
        stages = clocks.ended[self.messages, 1]
        targets, sources = (len(numpy.unique(self.ends[self.main, side])) for side in (1, 0))
        if targets > sources:
            by_source = clocks.ended[self.messages, 0]
            stages = numpy.where(by_source < NEVER, by_source, stages)
        here = numpy.flatnonzero(stages < NEVER)
        order = here[numpy.argsort(stages[here], kind="stable")]
        # Stages are numbered on from rank to rank; what a rank knows to have ended ends by one behind its first.
        groups = numpy.split(order, numpy.searchsorted(stages[order], clocks.first[1:-1], side="right"))
        return [KnownFlows(rank, each) for rank, each in enumerate(groups) if len(each)], stages


def narrow(numbers: Array) -> Array:
    """Numbers that need few bits as such, which numpy sorts in linear time."""
    return numbers.astype(numpy.uint16) if len(numbers) and numbers.max() < 1 << 16 else numbers


def _added(function: Callable[[Arrays], int], flows: Arrays, amounts: Array) -> tuple[Array, Array]:
    """By flow, the amounts that a function of the core finds to be over before it, and to begin after it."""
    before, after = numpy.zeros_like(amounts), numpy.zeros_like(amounts)
    flows.set(columns=amounts.shape[1])
    flows.point(numpy.float64, amount=amounts, before=before, after=after)
    check(function(flows))
    return before, after
