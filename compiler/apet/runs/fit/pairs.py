"""The range that all pairs of observations leave for Downey's A.

As in A. Deshmeh, J. Machina and A. Sodan, ADEPT scalability predictor in support of adaptive resource allocation, IPDPS
2010: pairs of observations, each within a percentage of deviation, bound what the fit has to search.

With W = n T(n): on the first branch W = T(1) (1 + rho (n - 1)), so that two observations give T(1) and rho; S(n) =
T(1) / T(n) never exceeds A, and A never exceeds 1 / rho.
"""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.downey import MOST_PARALLELISM, SearchRange

Array = NDArray[np.float64]
DEVIATION = 0.02


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
