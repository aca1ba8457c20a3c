"""The upper bound of a trace: claims about dates and durations of transfers that imply themselves.

How long a transfer takes at most depends on what it overlaps with, and so on how long others take and when they end.
Let F be what follows from some claims. If F's results imply the claims, these hold: the first one to fail would do so
although all that it follows from had held until then. Claims are lowered from those that always hold, and raised from
what would hold if nothing were shared (fixed points of a monotone map: A. Tarski, 1955; of traffic that is bounded by
itself: R. L. Cruz, 1991).
"""

from __future__ import annotations

import numpy

from apet.traces.bounds.barrier_intervals import Synchronised
from apet.traces.bounds.contention_delay import SLACK
from apet.traces.bounds.happens_before import Claims
from apet.traces.bounds.neighbours import Overlaps
from apet.traces.bounds.transfers import Array
from apet.traces.bounds.walks import Walks

LOWERED, RAISED = 12, 25
"""How often claims are lowered and raised at most."""
MARGIN, FASTER = 1e-4, 1.15
"""How far above what was found raised claims are, and how that grows."""
EQUAL, ENOUGH = 1e-9, 0.999
"""Claims that follow from themselves are replaced by what follows from them, this far above it, as long as the bound
falls to less than this part of itself."""
MOST_COMPARED = 600_000
"""Comparisons in each round up to which claims are raised as well."""
CLOSE = 1.005
"""Beyond that many comparisons, an upper bound this close to the lower one is not lowered further."""
CLAIMED = ("ends", "until_sync", "most")


class ClaimSearch:
    """The best upper bound found, and the claims that it comes from; `begins`: the earliest dates of messages,
    `low`: a lower bound of the run time."""

    def __init__(self, walks: Walks, overlaps: Overlaps, begins: Array, synchronised: Synchronised, low: float) -> None:
        self.walks, self.overlaps, self.synchronised = walks, overlaps, synchronised
        self.begins, self.after = begins, synchronised.earliest
        self.high = float("inf")
        self.close = low * CLOSE if overlaps.compared > MOST_COMPARED else 0.0
        self.claims: Claims | None = None

    def run(self) -> float:
        """Seconds that the last rank ends at at most."""
        for crowd in (numpy.add, numpy.maximum):  # the smaller claims often fail, but those that hold are better
            crowded = self.overlaps.crowded(crowd)
            holds = crowded is not None and self._raise(crowded, 1, MARGIN)
            if holds and (crowd is numpy.maximum or self.high <= self.close):
                return self.high

        self._lower(*self._claimed(self.overlaps.durations(None)[0]))
        if self.overlaps.compared <= MOST_COMPARED:
            self._raise(self.overlaps.flows.least * SLACK, RAISED, MARGIN)
        return self.high

    def latest(self, durations: Array) -> tuple[float, Array]:
        """The last date of all, and those by which messages have ended."""
        return self.walks.latest(durations, self.synchronised.slow)

    def _claimed(self, most: Array) -> tuple[float, Claims]:
        """What follows from durations: the last date of all, and the others."""
        last, ends = self.latest(most)
        until = self.synchronised.latest(most)
        return last, Claims(self.overlaps.flows.latency, self.begins, ends, self.after, until, most)

    def _lower(self, last: float, claims: Claims) -> None:
        """From claims that hold to what follows from them, and so on."""
        before = float("inf")
        for _ in range(LOWERED):
            for name in CLAIMED:
                numpy.multiply(getattr(claims, name), 1 + EQUAL, out=getattr(claims, name))
            if last < self.high:
                self.high, self.claims = last, claims
            if last > before * ENOUGH or self.high <= self.close:
                break
            before = last
            last, implied = self._claimed(self.overlaps.durations(claims)[0])
            if not _follow(implied, claims):
                break
            claims = implied

    def _raise(self, most: Array, rounds: int, margin: float) -> bool:
        """From durations that may be too short to somewhat more than follows from them, until that does not rise
        further; whether it came to that."""
        implied = self._claimed(most)[1]
        for left in reversed(range(rounds)):
            claims = implied._replace(**{name: getattr(implied, name) * (1 + margin) for name in CLAIMED})
            if not left:
                implied = claims  # there may be millions of each
            last, other = self._claimed(self.overlaps.durations(claims)[0])
            if _follow(other, claims):
                self._lower(last, other)
                return True

            # What follows may be more than was claimed: the next claim begins from the greater of both.
            pairs = ((getattr(implied, name), getattr(other, name)) for name in CLAIMED)
            implied = implied._replace(**{n: numpy.maximum(*two) for n, two in zip(CLAIMED, pairs, strict=True)})
            margin *= FASTER
        return False


def _follow(implied: Claims, claims: Claims) -> bool:
    """Whether what was found implies the claims that it was found with."""
    return all(bool((getattr(implied, name) <= getattr(claims, name)).all()) for name in CLAIMED)
