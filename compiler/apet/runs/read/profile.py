"""The profile of one run, whichever profiler made it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

SMALLEST_SHARE = 0.001
MOST_PHASES = 200


class Profile(NamedTuple):
    """Seconds in all, and in each function itself, without what it calls."""

    total: float
    functions: Mapping[str, float]

    def shortened(self) -> Profile:
        """Without functions below a thousandth of the run time, and at most the 200 longest."""
        kept = {k: v for k, v in self.functions.items() if v >= SMALLEST_SHARE * self.total}
        longest = sorted(kept, key=lambda k: -kept[k])[:MOST_PHASES]
        return Profile(self.total, {k: kept[k] for k in longest})
