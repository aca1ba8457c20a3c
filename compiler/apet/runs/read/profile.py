"""The profile of one run, whichever profiler made it, and what a reader of profiles is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.runs.errors import BrokenProfile

SMALLEST_SHARE = 0.001
"""Of the run time: shorter functions are no phases."""
MOST_PHASES = 200
START = Span(0, 1)


@dataclass(frozen=True, slots=True)
class ProfiledRun:
    """Seconds in all, and in each function itself, without what it calls."""

    total: float
    functions: Mapping[str, float]

    def shortened(self) -> ProfiledRun:
        """Without functions below a thousandth of the run time, and at most the 200 longest."""
        phases = {k: v for k, v in self.functions.items() if v >= SMALLEST_SHARE * self.total}
        longest = sorted(phases, key=lambda k: -phases[k])[:MOST_PHASES]
        return ProfiledRun(self.total, {k: phases[k] for k in longest})


class ProfileReader(Protocol):
    """The module of one profiler's format."""

    def recognises(self, text: str, /) -> bool:
        """Whether a text, or its first 64 KiB, is in this format."""

    def read(self, source: Source, /) -> ProfiledRun:
        """The profile; `ApetError` where the text is damaged or holds no times."""


def broken(source: Source, profiler: str, problem: str, place: Span | None = START) -> ApetError:
    """The error of a text that is not what its profiler writes."""
    return ApetError(BrokenProfile(source, place, profiler, problem))
