"""Outward rounding: the float below or above an exact number."""

from __future__ import annotations

import math
from fractions import Fraction

from apet.interval import Number


def down(value: Number) -> float:
    """The greatest float that is at most the value."""
    near = _nearest(value)
    return near if _exactly(near) <= value else math.nextafter(near, -math.inf)


def up(value: Number) -> float:
    """The least float that is at least the value."""
    near = _nearest(value)
    return near if _exactly(near) >= value else math.nextafter(near, math.inf)


def _nearest(value: Number) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _exactly(value: float) -> Fraction | float:
    return value if math.isinf(value) else Fraction(value)
