"""What one run with counters showed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import Advisory
from apet.java.errors import AssumedArguments, Recompiled, UnseenExceptions
from apet.java.profile.asked import Site
from apet.java.profile.call_times import CallTimes


class Count(NamedTuple):
    """What a site has counted: evaluations, entries or calls from outside; how often true, rounds, all calls;
    mispredictions; and the sum of its values."""

    first: int
    second: int
    missed: int
    total: float


class CountedRun(NamedTuple):
    """What one run showed: counts by site, numbers of fields, lengths of arrays, sizes it was given, its
    method, means over the objects of a class (`Tree.size`, `Tree.nodes[1]` for the length of an array), calls by the
    class that a site of kind "class" met, how long calls of the library took, and how often optimised code of a method
    was thrown away, of those that lost it often."""

    sites: Mapping[Site, Count]
    fields: Mapping[str, float]
    arrays: Mapping[str, tuple[float, ...]]
    sizes: tuple[int, ...]
    entry: str = "run"
    means: Mapping[str, float] = {}
    classes: Mapping[Site, Mapping[str, int]] = {}
    times: CallTimes = CallTimes()
    recompiled: Mapping[str, int] = {}
    visits: Mapping[Site, Sequence[float]] = {}
    """By site of kind "visit": visits, lines that were not near, out of order and in order, and the sum of the lines
    visited since the last visit of these."""
    assumed: Sequence[str] = ()
    """Arguments of the run that nobody has set, `Graph: V = 64`."""
    unseen: int = 0
    """How often an exception was handled that no throw of the program shows."""

    @property
    def advice(self) -> list[Advisory]:
        """What the run showed that a prediction does not know of."""
        advice: list[Advisory] = [Recompiled(None, None, name, str(times)) for name, times in self.recompiled.items()]
        if self.unseen:
            advice.append(UnseenExceptions(None, None, f"{self.unseen:,}"))
        if self.assumed:
            advice.append(AssumedArguments(None, None, self.entry, ", ".join(self.assumed)))
        return advice
