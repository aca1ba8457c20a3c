"""Terms c0 + c1 n^i log2^j n, averaged by how well each predicts a run from the others.

The performance model normal form with one term (A. Calotoiu, T. Hoefler, M. Poke and F. Wolf, Using automated
performance modeling to find scalability bugs in complex codes, 2013), over the exponents of its authors' tool. There
the term with the least error wins; here each counts with its leave-one-out error to a negative power, so that the
prediction does not jump from one exponent to the next. Least squares are weighted by t^(-2p): p = 0 counts absolute
errors, p = 1 relative ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
PLAIN = (
    1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 4 / 5, 1, 5 / 4, 4 / 3, 3 / 2, 5 / 3, 7 / 4, 2, 9 / 4, 7 / 3, 5 / 2, 8 / 3,
    11 / 4, 3,
)  # fmt: skip
ONE_LOGARITHM = (0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 5 / 4, 4 / 3, 3 / 2, 2, 5 / 2, 3)
TWO_LOGARITHMS = (0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 3 / 2, 2, 5 / 2)
POWERS = np.array([*PLAIN, *ONE_LOGARITHM, *TWO_LOGARITHMS], dtype=float)
LOGARITHMS = np.repeat([0.0, 1.0, 2.0], [len(PLAIN), len(ONE_LOGARITHM), len(TWO_LOGARITHMS)])
LEAST_ERROR = 0.003
"""Errors below 0.3 % do not tell exponents apart."""
LEAST_SHARE = 1e-3
"""No prediction is below this share of the shortest run."""


def averaged(n: Array, t: Array, at: Array, weighting: float, sharpness: float) -> Array:
    """Predictions at the targets from three runs or more, n ascending; times or any other positive quantity."""
    usable = LOGARITHMS == 0 if n[0] < 1 or n[-1] <= 1 else np.full(len(POWERS), True)
    x, there = (_terms(points, float(n[-1]))[usable] for points in (n, at))

    # Weighted least squares of all terms at once; rows are terms.
    w = t ** (-2.0 * weighting)
    w = w / w.sum()
    from_mean = x - (x @ w)[:, None]
    around = (from_mean * from_mean) @ w
    middle = float(t @ w)
    slope = (from_mean * (t - middle)) @ w / around
    constant = middle - slope * (x @ w)

    # Leaving a run out moves its residual by 1 / (1 - leverage): no fit is repeated.
    leverage = w * (1.0 + from_mean * from_mean / around[:, None])
    left = t - constant[:, None] - slope[:, None] * x
    without = t - left / np.maximum(1.0 - leverage, 1e-9)
    errors = (2.0 * np.abs(without - t) / (np.abs(without) + t)).mean(axis=1)
    counts = (errors + LEAST_ERROR) ** -sharpness
    predictions = counts @ (constant[:, None] + slope[:, None] * there) / counts.sum()
    return np.asarray(np.maximum(predictions, LEAST_SHARE * float(t.min())))


def _terms(n: Array, largest: float) -> Array:
    """Each term (rows) at each n, as shares of its value at the largest run."""
    growth = np.maximum(np.log(np.maximum(n, 1.0)), 0.0) / max(np.log(max(largest, 1.0)), 1e-9)
    return np.asarray((n / largest) ** POWERS[:, None] * growth ** LOGARITHMS[:, None])
