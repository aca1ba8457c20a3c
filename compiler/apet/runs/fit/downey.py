"""Downey's model of parallel speed-up, and its fit.

A. B. Downey, A model for speedup of parallel programs, 1997: average parallelism A >= 1 and variance sigma >= 0.

    sigma <= 1  S(n) = A n / (A + sigma/2 (n - 1))                        n <= A
                S(n) = A n / (sigma (A - 1/2) + n (1 - sigma/2))          A <= n <= 2 A - 1
                S(n) = A                                                  beyond
    sigma >= 1  S(n) = n A (sigma + 1) / (sigma (n + A - 1) + A)          n <= A + A sigma - sigma
                S(n) = A                                                  beyond

The fit minimises the weighted squares of relative errors of T(n) = T(1) / S(n). T(1) has a closed form; A is searched,
and for each A the share sigma / 2 up to 1, sigma / (sigma + 1) beyond, in which T(n) bends nowhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MOST_SIGMA = 16.0
MOST_PARALLELISM = 64.0
"""The greatest A searched for, in multiples of the largest n."""
COARSE, STARTS, ROUNDS, FINE, SHARE_ROUNDS = 44, 3, 3, 16, 8
FEW = 10
"""Points that each have a place of their own in the search."""
LEVEL = 1e-7
SLACK = (1.3, 1e-4)
"""As much as one per cent of noise may add to the mean square of relative errors."""


class Problem(NamedTuple):
    """What is searched: points by ascending n, 1/t, weights that sum to 1, and the range of T(1)."""

    n: Array
    inverse: Array
    w: Array
    one: tuple[float, float]


class Downey(NamedTuple):
    """A fit: average parallelism, variance, seconds on one processor, and the mean square of relative errors."""

    parallelism: float
    sigma: float
    one: float
    error: float

    def seconds(self, n: Array) -> Array:
        """T at each n."""
        return np.asarray(self.one * slowness(np.float64(self.parallelism), np.float64(self.sigma), n))


class SearchRange(NamedTuple):
    """Least and greatest of something."""

    low: float
    high: float


class _Profile(NamedTuple):
    """The best fit for each A."""

    error: Array
    sigma: Array
    one: Array


def slowness(a: Array | np.float64, s: Array | np.float64, n: Array) -> Array:
    """1/S, broadcast. It is continuous, and never below 1/A."""
    over, share = 1.0 / n, np.where(s <= 1.0, 0.5 * s, s / (s + 1.0))
    rho = share / a
    first = (1.0 - rho) * over + rho
    second = s * (1.0 - 0.5 / a) * over + (1.0 - 0.5 * s) / a
    return np.maximum(np.where((s <= 1.0) & (n > a), second, first), 1.0 / a)


def fit(
    n: Array, t: Array, weights: Array | None = None, within: SearchRange | None = None, one: SearchRange | None = None
) -> Downey:
    """The least weighted mean square of relative errors, over A in a range (1 to 64 times the largest n), sigma from 0
    to 16, and T(1) in a range (any).

    `n` and `t` are one-dimensional and above 0, n ascending; weights are relative, default equal.
    """
    return candidates(n, t, weights, within, one)[0]


def most_parallel(
    n: Array,
    t: Array,
    weights: Array | None,
    within: SearchRange,
    one: SearchRange | None = None,
    best: Downey | None = None,
) -> Downey:
    """The fit with the largest A among those whose error is at most a factor and a constant above the least (that of
    `best`, if known).

    While all points are on the first branch, any A beyond them fits them equally.
    """
    best = best or fit(n, t, weights, within, one)
    data = _problem(n, t, weights, one)
    x = np.linspace(np.log(best.parallelism), np.log(max(within.high, best.parallelism)), COARSE)

    bound = best.error * SLACK[0] + SLACK[1]
    profile = _profile(np.exp(x), data)
    # The grid begins at the best A, whose error is within the bound: there is always a last such place.
    k = int(np.flatnonzero(profile.error <= bound)[-1])
    return Downey(float(np.exp(x[k])), float(profile.sigma[k]), float(profile.one[k]), float(profile.error[k]))


def candidates(
    n: Array, t: Array, weights: Array | None = None, within: SearchRange | None = None, one: SearchRange | None = None
) -> list[Downey]:
    """The local optima over A, best first; otherwise as `fit`."""
    data = _problem(n, t, weights, one)
    bounds = within or SearchRange(1.0, MOST_PARALLELISM * float(n[-1]))
    least = max(bounds.low, 1.0)
    x = _grid(least, max(bounds.high, least * (1 + 1e-9)), n)
    return [Downey(*map(float, row)) for row in _optima(data, x)]


def _optima(data: Problem, x: Array) -> Array:
    """Rows of A, sigma, T(1) and error, best first: the minima over the grid x of ln A, then ever finer around them."""
    starts = _valleys(_profile(np.exp(x), data).error)
    lower, upper = x[np.maximum(starts - 1, 0)], x[np.minimum(starts + 1, len(x) - 1)]
    steps, rows = np.linspace(0.0, 1.0, FINE), np.arange(len(starts))
    best = np.full((len(starts), 4), np.inf)
    # All minima are refined at once: each round looks at FINE places between the neighbours of the best one so far.
    for _ in range(ROUNDS):
        tried = lower[:, None] + (upper - lower)[:, None] * steps
        a = np.exp(tried).ravel()
        profile = _profile(a, data)
        k = profile.error.reshape(tried.shape).argmin(axis=1)
        table = np.stack([a, profile.sigma, profile.one, profile.error], axis=1)[rows * FINE + k]
        best = np.where((table[:, 3] < best[:, 3])[:, None], table, best)
        lower, upper = tried[rows, np.maximum(k - 1, 0)], tried[rows, np.minimum(k + 1, FINE - 1)]

    return np.asarray(best[np.argsort(best[:, 3], kind="stable")])


def _problem(n: Array, t: Array, weights: Array | None, one: SearchRange | None) -> Problem:
    w = np.full(len(n), 1.0 / len(n)) if weights is None else weights / weights.sum()
    return Problem(n, 1.0 / t, w, (0.0, np.inf) if one is None else (one.low, one.high))


def _grid(least: float, most: float, n: Array) -> Array:
    """ln A in even steps, and where points change their branch."""
    even = np.linspace(np.log(least), np.log(most), COARSE)
    if len(n) > FEW:
        return even
    bends = np.log(np.concatenate([n, (n + 1.0) / 2.0]))
    return np.sort(np.concatenate([even, bends[(bends > even[0]) & (bends < even[-1])]]))


def _valleys(error: Array) -> NDArray[np.intp]:
    """The least of the local minima, several at most; of a level stretch its left end."""
    ends = np.array([np.inf])
    padded = np.concatenate([ends, error, ends])
    valleys = np.flatnonzero((error < padded[:-2] * (1 - LEVEL)) & (error <= padded[2:] * (1 + LEVEL)))
    return valleys[np.argsort(error[valleys], kind="stable")[:STARTS]]


def _profile(a: Array, data: Problem) -> _Profile:
    """The best sigma and T(1) for each A: ever finer around the best share."""
    low, high = np.zeros_like(a), np.full_like(a, MOST_SIGMA / (MOST_SIGMA + 1.0))
    steps, rows = np.linspace(0.0, 1.0, FINE + 1), np.arange(len(a))
    for _ in range(SHARE_ROUNDS):
        shares = low[:, None] + (high - low)[:, None] * steps
        sigma = np.where(shares <= 0.5, 2.0 * shares, shares / (1.0 - shares))
        error, one = _scaled(slowness(a[:, None, None], sigma[..., None], data.n) * data.inverse, data)
        k = error.argmin(axis=1)
        low, high = shares[rows, np.maximum(k - 1, 0)], shares[rows, np.minimum(k + 1, FINE)]
    return _Profile(error[rows, k], sigma[rows, k], one[rows, k])


def _scaled(f: Array, data: Problem) -> tuple[Array, Array]:
    """The mean square of `one f - 1` at its least over T(1) in its range, and that T(1)."""
    first, second = f @ data.w, (f * f) @ data.w
    one = first / second
    if data.one[1] < np.inf:
        one = np.clip(one, *data.one)
    return np.maximum(one * one * second - 2.0 * one * first + 1.0, 0.0), one
