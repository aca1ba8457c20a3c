"""Samples of times: quantiles, and figures as machine files have them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Progress = Callable[[str, float], None]
"""Is told what runs, and the part that is done."""
DIGITS = 4


def quantile(samples: Sequence[float], level: float) -> float:
    """A quantile of samples, interpolated between neighbours (Hyndman and Fan 1996, type 7)."""
    ordered = sorted(samples)
    at = level * (len(ordered) - 1)
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    if ordered[below] == ordered[above]:  # both may be infinite
        return ordered[below]
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def median(samples: Sequence[float]) -> float:
    """The middle of samples."""
    return quantile(samples, 0.5)


def rounded(value: float) -> float:
    """A figure as machine files have it."""
    return float(f"{value:.{DIGITS}g}")
