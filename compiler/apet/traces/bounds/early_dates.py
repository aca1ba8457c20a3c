"""Dates by longest path: how long a trace takes if each transfer and each flop takes a given time.

The order of a trace is fixed: a transfer begins when both sides are posted, a wait ends with its transfer. All dates
are sums and maxima of others, so that with durations that are too short (long) they are lower (upper) bounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import chain
from typing import Protocol

from apet.traces.replay.program import (
    ANY,
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

NEVER = -1.0


class Watch(Protocol):
    """What is to be done on the way."""

    def waited(self, rank: int, message: int, date: float, sent: bool) -> float:
        """A rank has waited for a message, until this date; the date from which it goes on."""
        ...

    def enter(self, rank: int, sync: int, date: float) -> float:
        """A rank begins a collective that no rank leaves before all have begun it; the date from which it goes on."""
        ...

    def leave(self, rank: int, sync: int, date: float) -> float:
        """A rank ends such a collective; the date from which it goes on."""
        ...


class Sweep:
    """Dates of one longest path; `early` says whether they are to be lower bounds."""

    def __init__(
        self,
        programs: Programs,
        durations: Sequence[float],
        seconds_per_flop: Sequence[float],
        early: bool,
        watch: Watch | None = None,
        lead: float = 0.0,
    ) -> None:
        self.programs, self.durations, self.seconds_per_flop = programs, durations, seconds_per_flop
        self.early, self.watch, self.lead = early, watch, lead
        self.posted = [NEVER] * len(programs.size)
        self.began = [NEVER] * len(programs.size)
        self.ended = [NEVER] * len(programs.size)
        self.dates = [0.0] * programs.ranks
        self.at = [0] * programs.ranks
        self.waits: dict[int, list[int]] = {}
        self.awake = deque(range(programs.ranks))

    watches_posts = False

    def post(self, rank: int, message: int) -> None:
        """A rank posts its side of a message."""

    def run(self) -> float:
        """The date at which the last rank ends."""
        while self.awake:
            self._go_on(self.awake.popleft())
        return max(self.dates, default=0.0)

    def _go_on(self, rank: int) -> None:
        programs, watch = self.programs, self.watch
        operations, values = programs.operations[rank], programs.values
        posted, ended, waits = self.posted, self.ended, self.waits
        date, slowness, lead = self.dates[rank], self.seconds_per_flop[rank], self.lead
        watches_posts = self.watches_posts
        k = self.at[rank]
        while k < len(operations):
            operation = operations[k]
            code, what = operation & MASK, operation >> SHIFT
            if code in (SEND, RECEIVE):
                if watches_posts:
                    self.post(rank, what)
                before = posted[what]
                if before == NEVER:
                    posted[what] = date
                else:
                    start = self.began[what] = before if before > date else date
                    ended[what] = start + self.durations[what]
                    if what in waits:
                        self.awake.extend(waits.pop(what))
            elif code in (SENT, RECEIVED):
                end = ended[what]
                if end == NEVER:
                    waits.setdefault(what, []).append(rank)
                    break
                date = max(date, end)
                if watch is not None:
                    date = watch.waited(rank, what, date, code == SENT)
            elif code == COMPUTE:
                spent = values[what] * slowness - lead
                if spent > 0:
                    date += spent
            elif code == SLEEP:
                date += max(0.0, values[what] - lead)
            elif code == ANY:
                chosen = self._choose(rank, what, date)
                if chosen is None:
                    break
                date = chosen
            elif watch is not None and code == ENTER:
                date = watch.enter(rank, what, date)
            elif watch is not None and code == LEAVE:
                date = watch.leave(rank, what, date)
            k += 1
        self.at[rank], self.dates[rank] = k, date

    def _choose(self, rank: int, number: int, date: float) -> float | None:
        """The date at which enough of a group's requests are done; None where that is not known yet.

        A message that is not posted by both may still turn out to be the first: a lower bound cannot wait for others.
        """
        group = self.programs.groups[number]
        requests = [[self.ended[m] for m in messages] for messages in group.messages()]
        known = sorted(max(dates) for dates in requests if NEVER not in dates)
        needed = min(group.needed, len(requests))
        if self.early:
            return max(date, known[needed - 1]) if len(known) == len(requests) else date
        if len(known) >= needed:
            return max(date, known[needed - 1])
        for m in chain(*group.messages()):
            if self.ended[m] == NEVER:
                self.waits.setdefault(m, []).append(rank)
        return None
