"""Longest paths whose dates are linear in three factors: of seconds per flop, of latency, of seconds per byte.

All sets of factors are followed at once (`longest.c` of the core).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from apet.core import library
from apet.traces.replay.engine import flattened, packed
from apet.traces.replay.program import Programs

Part = tuple[float, float, float, float]
"""Seconds: constant, of computing, of latency, of bandwidth."""


class Weights(NamedTuple):
    """What paths are made of, in seconds."""

    durations: Sequence[float]
    """[4 * messages]: of each its latency and bandwidth terms, then two of which the greater counts."""
    slowness: Sequence[float]  #: by rank, per flop
    gaps: Sequence[float]
    """Bandwidth terms between synchronising collectives, the last one up to the end (empty: none)."""


class Longest:
    """The longest path of some programs with given weights; `early` says that it is to be a lower bound."""

    def __init__(self, programs: Programs, weights: Weights, early: bool) -> None:
        self.flat, self.early = flattened(programs), early
        self.weights = [n if isinstance(n, array) else packed("d", n) for n in weights]

    def parts(self, factors: Sequence[Sequence[float]]) -> list[Part]:
        """The parts of the longest paths where seconds per flop, latency, seconds per byte are multiplied by these."""
        scales, parts = packed("d", chain.from_iterable(factors)), packed("d", bytes(32 * len(factors)))
        syncs = max(0, len(self.weights[-1]) - 1)
        if library().apet_longest(self.flat, *self.weights, syncs, scales, len(factors), self.early, parts):
            raise MemoryError("the longest path does not fit into memory")
        return list(zip(*(parts[k::4] for k in range(4)), strict=True))
