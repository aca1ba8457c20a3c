"""Quantiles of samples, and a line through points."""

from __future__ import annotations

import math
from collections.abc import Sequence


def quantile(samples: Sequence[float], level: float) -> float:
    """A quantile of samples, interpolated between neighbours (Hyndman and Fan 1996, type 7)."""
    ordered = sorted(samples)
    at = level * (len(ordered) - 1)
    below = math.floor(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def median(samples: Sequence[float]) -> float:
    """The middle of samples."""
    return quantile(samples, 0.5)
