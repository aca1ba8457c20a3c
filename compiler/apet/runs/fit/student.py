"""How far a fit's prediction may be off: Student's distribution, without a library that takes long to import."""

from __future__ import annotations

import math

FACTORS = (6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753)
"""The 95 % quantiles for 1, 2, … 15 degrees of freedom (Student, 1908)."""
NORMAL = 1.645


def factor(freedom: int) -> float:
    """The 95 % quantile, so that 90 % lie within it on both sides; infinite without a degree of freedom."""
    if freedom < 1:
        return math.inf
    if freedom <= len(FACTORS):
        return FACTORS[freedom - 1]
    return NORMAL + 1.5 / freedom
