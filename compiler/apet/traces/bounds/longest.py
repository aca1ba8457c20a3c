"""Longest paths by the compiled core, for many factors; by Python where there is none."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain

from apet.traces.bounds.paths import Part, Paths, Weights
from apet.traces.replay.native import WORTH_BUILDING, core_library, flattened, packed
from apet.traces.replay.program import Programs


class Longest:
    """The longest path of some programs with given weights; `early` says that it is to be a lower bound."""

    def __init__(self, programs: Programs, weights: Weights, early: bool) -> None:
        self.programs, self.weights, self.early = programs, weights, early
        build = sum(map(len, programs.operations)) >= WORTH_BUILDING // 20
        self.core = core_library(build)
        if self.core is not None:
            self.flat = flattened(programs)
            self.arrays = [n if isinstance(n, array) else packed("d", n) for n in weights]

    def parts(self, factors: Sequence[Sequence[float]]) -> list[Part]:
        """The parts of the longest paths where seconds per flop, latency, seconds per byte are multiplied by these."""
        if self.core is None:
            return [Paths(self.programs, self.weights, each, self.early).run() for each in factors]
        durations, slowness, gaps = self.arrays
        given, result = packed("d", chain.from_iterable(factors)), packed("d", bytes(32 * len(factors)))
        syncs = max(0, len(gaps) - 1)
        weights = durations, slowness, gaps
        if self.core.apet_longest(self.flat, *weights, syncs, given, len(factors), self.early, result):
            raise MemoryError("the longest path does not fit into memory")
        return list(zip(*(result[k::4] for k in range(4)), strict=True))
