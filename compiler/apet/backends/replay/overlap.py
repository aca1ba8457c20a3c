"""How long transfers take at most, whatever happens at the same time.

A flow at less than its bound has a saturated link on which no other flow has a greater weighted rate. So it gets at
least the link's capacity over the weights of all flows that may overlap; and the time in which a link holds it up is at
most what those have to carry over the link's capacity. For each transfer the better of the two is taken, link by link.
A FATPIPE link limits a flow to the capacity times the least p / w of all flows on it, over the flow's own p; meanwhile
some other flow fills it, so that it also holds a flow up no longer than a shared link would.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from apet.backends.replay.knowledge import Knowledge
from apet.backends.replay.program import Programs
from apet.backends.replay.transfers import Array, Transfers

SLACK = 1 + 1e-9


class Overlap(NamedTuple):
    """For each use of a link by a message: the rate that it leaves at least, and the seconds in which it holds the
    message up at most. Infinity and 0 where it cannot bind."""

    rate: Array
    delay: Array


class Overlaps:
    """What links leave to each message; sharper when dates are known that transfers do not begin before and have ended
    by."""

    def __init__(
        self,
        programs: Programs,
        given: Transfers,
        known: Knowledge,
        capacity: Array,
        shared: Array,
        fixed: bool = False,
    ) -> None:
        """`fixed`: hold for all platforms of this shape, whatever its latency and bandwidth are multiplied by."""
        self.given, self.fixed = given, fixed
        self.always = numpy.full(len(given.link), numpy.inf)
        self.links: list[_Link] = []
        pair = numpy.frombuffer(programs.pair, numpy.int64) if programs.pair else numpy.zeros(0, numpy.int64)
        pairs = numpy.array(programs.pairs or [(0, 0)], numpy.int64)[pair]
        order = numpy.argsort(given.link, kind="stable")
        cuts = numpy.flatnonzero(numpy.diff(given.link[order])) + 1
        for uses in numpy.split(order, cuts) if len(order) else []:
            k = int(given.link[uses[0]])
            link = _Link(given, uses, float(capacity[k]))
            if not shared[k] and not (fixed and link.unequal):
                self.always[uses] = _fatpipe(given, uses, float(capacity[k]))
                continue
            if link.total[0] > link.capacity:
                link.order(given.message[uses], given.share[uses], known, pairs)
                self.links.append(link)

    def overlap(self, dates: Sequence[tuple[Array, Array]]) -> Overlap:
        """By use; `dates` are the earliest ones of beginnings and the latest ones of ends, by message, on any axes."""
        rate, delay = self.always.copy(), numpy.zeros(len(self.given.link))
        for link in self.links:
            uses, amounts = link.uses, link.amounts
            messages = self.given.message[uses]
            around = link.around([(begins[messages], ends[messages]) for begins, ends in dates])
            others = around[:, 2] - amounts[:, 2]
            binds = (around[:, 0] > link.capacity) & (others > 0)
            weights = around[binds, 1] * self.given.penalty[messages[binds]]
            rate[uses[binds]] = 0.0 if self.fixed and link.unequal else link.capacity / weights
            delay[uses[binds]] = others[binds] / link.capacity * SLACK
        return Overlap(rate, delay)


def _fatpipe(given: Transfers, uses: Array, capacity: float) -> Array:
    """The rate that a FATPIPE leaves."""
    messages, share = given.message[uses], given.share[uses]
    penalty = given.penalty[messages]
    found: Array = capacity * float(numpy.min(penalty / share)) / penalty
    return found


class _Link:
    """A link whose flows share it, and all its uses."""

    def __init__(self, given: Transfers, uses: Array, capacity: float) -> None:
        messages, share = given.message[uses], given.share[uses]
        penalty = given.penalty[messages]
        self.uses, self.capacity = uses, capacity
        self.amounts = numpy.stack(
            (share * given.bound[messages], share / penalty, share * given.volume[messages]), axis=1
        )
        self.total = numpy.sum(self.amounts, axis=0)
        self.unequal = bool(numpy.ptp(penalty) > 1e-9 * penalty[0])
        self.before = self.after = self.amounts

    def order(self, messages: Array, share: Array, known: Knowledge, pairs: Array) -> None:
        """Find the amounts before and after each message for sure."""
        ends, waits = _ends(messages, share, known, pairs)
        self.before, self.after = _ordered(known.known[messages], ends, waits, self.amounts)

    def around(self, dates: Sequence[tuple[Array, Array]]) -> Array:
        """The amounts that may overlap with each message, its own included."""
        before, after = self.before, self.after
        nothing = numpy.zeros((1, 3))
        for begins, ends in dates:
            order = numpy.argsort(ends, kind="stable")
            sums = numpy.concatenate((nothing, numpy.cumsum(self.amounts[order], axis=0)))
            before = numpy.maximum(before, sums[numpy.searchsorted(ends[order], begins, side="right")])
            order = numpy.argsort(begins, kind="stable")
            rest = numpy.concatenate((numpy.cumsum(self.amounts[order][::-1], axis=0)[::-1], nothing))
            after = numpy.maximum(after, rest[numpy.searchsorted(begins[order], ends, side="left")])
        found: Array = numpy.maximum(self.total - before - after, self.amounts)
        return found


def _ends(messages: Array, share: Array, known: Knowledge, pairs: Array) -> tuple[Array, Array]:
    """The rank and its wait by which the end of each message is known: the sender's where all come from one rank."""
    senders, receivers = pairs[messages, 0], pairs[messages, 1]
    ranks, waits = receivers.copy(), known.received[messages].copy()
    main = share > 0.5
    if len(numpy.unique(receivers[main])) > len(numpy.unique(senders[main])):
        awaited = known.sent[messages] > 0
        ranks[awaited], waits[awaited] = senders[awaited], known.sent[messages][awaited]
    return ranks, waits


def _ordered(known: Array, ends: Array, waits: Array, amounts: Array) -> tuple[Array, Array]:
    """The amounts of all messages that end before each begins, and of those that begin after it has ended."""
    before, after = numpy.zeros_like(amounts), numpy.zeros_like(amounts)
    nothing = numpy.zeros((1, amounts.shape[1]))
    for rank in numpy.unique(ends):
        here = numpy.flatnonzero((ends == rank) & (waits > 0))
        if not len(here):
            continue
        heard = known[:, rank]
        order = here[numpy.argsort(waits[here], kind="stable")]
        sums = numpy.concatenate((nothing, numpy.cumsum(amounts[order], axis=0)))
        before += sums[numpy.searchsorted(waits[order], heard, side="right")]
        later = numpy.argsort(heard, kind="stable")
        rest = numpy.concatenate((numpy.cumsum(amounts[later][::-1], axis=0)[::-1], nothing))
        after[here] += rest[numpy.searchsorted(heard[later], waits[here], side="left")]
    return before, after


def longest(given: Transfers, found: Overlap, without: int = -1) -> Array:
    """Seconds that each transfer takes at most; a link may be left out."""
    number = len(given.latency)
    counts = numpy.bincount(given.message, minlength=number)
    width = int(counts.max(initial=0)) + 1
    at = numpy.arange(len(given.message)) - numpy.repeat(numpy.cumsum(counts) - counts, counts)
    rate, delay = numpy.full((number, width), numpy.inf), numpy.zeros((number, width))
    kept = given.link != without
    rate[given.message[kept], at[kept]], delay[given.message[kept], at[kept]] = found.rate[kept], found.delay[kept]
    order = numpy.argsort(-rate, axis=1, kind="stable")
    rate, delay = numpy.take_along_axis(rate, order, 1), numpy.take_along_axis(delay, order, 1)
    # The first k links (those that leave most) limit the rate, the others hold up; a link that only limits (FATPIPE)
    # has no delay and so must be among the first.
    behind = numpy.cumsum(delay[:, ::-1], axis=1)[:, ::-1]
    limits = numpy.minimum(given.rate[:, None], rate)
    with numpy.errstate(divide="ignore"):
        seconds = given.volume[:, None] / limits
    seconds[:, :-1] += behind[:, 1:]
    only_limits = numpy.isfinite(rate) & (delay == 0)
    last = numpy.where(only_limits.any(axis=1), width - 1 - numpy.argmax(only_limits[:, ::-1], axis=1), 0)
    seconds[numpy.arange(width)[None, :] < last[:, None]] = numpy.inf
    most: Array = (given.latency + seconds.min(axis=1)) * SLACK
    return most
