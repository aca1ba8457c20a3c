"""How far a law's prediction may be off: intervals by Student's distribution, without a library slow to import."""

from __future__ import annotations

import math

from apet.ground.interval import Interval
from apet.runs.measurements import Extrapolated

QUANTILES = (6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753)
"""The 95 % quantiles for 1, 2, … 15 degrees of freedom (Student, 1908)."""
NORMAL = 1.645
WIDEST = 50.0
"""In ln t: beyond, the ends of an interval leave the range of floats."""


def quantile(freedom: int) -> float:
    """The 95 % quantile, so that 90 % lie within it on both sides; infinite without a degree of freedom."""
    if freedom < 1:
        return math.inf
    if freedom <= len(QUANTILES):
        return QUANTILES[freedom - 1]
    return NORMAL + 1.5 / freedom


def prediction(n: float, t: float, spread: float, factor: float) -> Extrapolated:
    """t seconds at n, within so many times the standard deviation of ln t to both sides."""
    half = min(factor * spread, WIDEST)
    return Extrapolated(float(n), t, Interval(t * math.exp(-half), t * math.exp(half)), spread)
