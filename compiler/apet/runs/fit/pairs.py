"""Downey's A and sigma in closed form from two observations, and the range that all pairs leave for A.

As in A. Deshmeh, J. Machina and A. Sodan, ADEPT scalability predictor in support of adaptive resource allocation, IPDPS
2010: pairs of observations, each within a percentage of deviation, bound what the fit has to search.

With W = n T(n): on the first branch W = T(1) (1 + rho (n - 1)), so that two observations give T(1) and rho; S(n) =
T(1) / T(n) never exceeds A, and A never exceeds 1 / rho. Where T(1) is known, two observations give A and sigma.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.downey import MOST_PARALLELISM, MOST_SIGMA, SearchRange, slowness

Array = NDArray[np.float64]
DEVIATION = 0.02
AGREES = 1e-6


def pair(first: tuple[float, float], second: tuple[float, float]) -> list[tuple[float, float]]:
    """All (A, sigma) whose speed-ups pass through two points (n, S), 1 < n1 < n2; sigma up to 16.

    Where both lie on the first branch, only sigma / A is determined, and nothing is returned.
    """
    solutions = [*_bent(first, second), *_both_bent(first, second), *_flat(first, second)]
    return [(a, s) for a, s in solutions if _passes(a, s, first) and _passes(a, s, second)]


def _passes(a: float, s: float, point: tuple[float, float]) -> bool:
    if not (1.0 <= a < math.inf and 0.0 <= s <= MOST_SIGMA):
        return False
    over = float(slowness(np.float64(a), np.float64(s), np.float64(point[0])))  # type: ignore[arg-type]
    return abs(over * point[1] - 1.0) < AGREES


def _bent(first: tuple[float, float], second: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """One on the first branch, A = r sigma with r = S (n - 1) / (2 (n - S)); one on the second."""
    (n1, s1), (n2, s2) = first, second
    if n1 <= s1:
        return
    r = s1 * (n1 - 1) / (2 * (n1 - s1))
    for sigma in _roots(s2 * r, -s2 / 2 - s2 * n2 / 2 - r * n2, s2 * n2):
        yield r * sigma, sigma


def _both_bent(first: tuple[float, float], second: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Both on the second branch: sigma A - sigma (1 + n)/2 + n = A n / S for both."""
    (n1, s1), (n2, s2) = first, second
    slope = n2 / s2 - n1 / s1
    if slope == 0:
        return
    p, q = (n2 - n1) / slope, -(n2 - n1) / (2 * slope)
    for sigma in _roots(q, p - (1 + n1) / 2 - q * n1 / s1, n1 - p * n1 / s1):
        yield p + q * sigma, sigma


def _flat(first: tuple[float, float], second: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """One before, one beyond the last bend: S = A there."""
    (n1, s1), (_, a) = first, second
    rho = (n1 / s1 - 1) / (n1 - 1)
    share = rho * a
    yield a, 2 * share
    if share < 1:
        yield a, share / (1 - share)
    middle = s1 * (a - 0.5) - s1 * n1 / 2
    if middle:
        yield a, (a * n1 - s1 * n1) / middle


def _roots(a: float, b: float, c: float) -> list[float]:
    if abs(a) < 1e-15:
        return [-c / b] if b else []
    inner = b * b - 4 * a * c
    if inner < 0:
        return []
    return [(-b + sign * math.sqrt(inner)) / (2 * a) for sign in (1, -1)]


def envelope(n: Array, t: Array, deviation: float = DEVIATION) -> SearchRange:
    """The least and greatest A of all pairs, each time taken as is and off by the deviation either way.

    Never below the best speed-up seen, never above 64 times the largest n.
    """
    most = MOST_PARALLELISM * float(n[-1])
    low, high = math.inf, 1.0
    best = float(t.min())

    for i, j in combinations(range(len(n)), 2):
        for e, f in product((1 - deviation, 1.0, 1 + deviation), repeat=2):
            work, other = n[i] * t[i] * e, n[j] * t[j] * f
            growth = float((other - work) / (n[j] - n[i]))
            one = float(work - growth * (n[i] - 1))
            if one <= 0:
                continue
            low = min(low, one / best)
            high = max(high, one / growth if growth > one / most else most)

    if not math.isfinite(low):
        return SearchRange(1.0, most)
    least = max(min(low, most / 2), 1.0)
    return SearchRange(least, max(min(high, most), 2.0 * least, float(t[0] * n[0] / best) * (1 + deviation)))
