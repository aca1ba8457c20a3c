"""Quantiles from draws: between which of them a quantile lies, whatever the distribution."""

from __future__ import annotations

import math
from collections.abc import Callable


def order_interval(draws: int, level: float, confidence: float = 0.95) -> tuple[int, int]:
    """Ranks (from 0) of the two draws between which the quantile lies with that confidence, whatever the distribution.

    The number of draws below the quantile is binomial (H. A. David & H. N. Nagaraja, Order
    Statistics, 3rd ed., 2003, section 7.1), so its own quantiles are
    the ranks; where a tail has too few draws the interval ends at the least or greatest draw.
    """
    from scipy.special import bdtr

    tail = (1 - confidence) / 2
    spread = math.sqrt(draws * level * (1 - level))
    low = _rank(lambda k: float(bdtr(k, draws, level)) > tail, draws * level - 4 * spread - 2, draws)
    high = _rank(lambda k: float(bdtr(k, draws, level)) >= 1 - tail, draws * level, draws) + 1
    return max(0, low - 1), min(draws - 1, high - 1)


def _rank(reached: Callable[[int], bool], start: float, draws: int) -> int:
    """The least rank from `start` on at which a condition, false before and true after, holds."""
    low, high = max(0, math.floor(start)), draws
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle + 1, high)
    return low
