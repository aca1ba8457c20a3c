"""Distributions on an even grid: sums by convolution, maxima by products of distribution functions.

A grid stands for a continuous distribution by at most `POINTS` masses. After each step it is moved and stretched to the
mean and variance that are known exactly, so that errors of the grid do not add up: only the shape is approximate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.machine.spread import Piece

Floats = NDArray[np.float64]
POINTS = 1025
AT_ONCE = 32
EXACT_POWER = 32**3
"""Sums of up to so many alike are convolved; beyond, their first three cumulants tell the shape."""
LEAST_SKEW = 1e-4
LEAST_MASS = 1e-17
WIDEST = 9.0
"""Standard deviations from the mean beyond which the sum of many has no mass worth keeping."""


class Grid(NamedTuple):
    """Masses at `start`, `start + step`, …; they sum to 1. A single mass has step 0."""

    start: float
    step: float
    masses: Floats

    @property
    def points(self) -> Floats:
        """Where the masses are."""
        return np.asarray(self.start + self.step * np.arange(len(self.masses)), dtype=np.float64)

    @property
    def end(self) -> float:
        """The last point."""
        return self.start + self.step * (len(self.masses) - 1)

    def moments(self) -> tuple[float, float]:
        """Mean and variance."""
        mean = float(self.masses @ self.points)
        return mean, float(self.masses @ (self.points - mean) ** 2)

    def cumulants(self) -> tuple[float, float, float, float]:
        """Mean, variance, and the third and fourth cumulants."""
        mean, variance = self.moments()
        away = self.points - mean
        third, fourth = float(self.masses @ away**3), float(self.masses @ away**4)
        return mean, variance, third, fourth - 3 * variance**2

    def quantile(self, level: float) -> float:
        """The value at which the distribution function, straight between the points, reaches the level."""
        return float(np.interp(level, np.cumsum(self.masses) - self.masses / 2, self.points))


def point(value: float) -> Grid:
    """All mass at one value."""
    return Grid(value, 0.0, np.ones(1))


def of_pieces(pieces: Sequence[Piece]) -> Grid:
    """A mixture of uniform stretches and atoms."""
    low, high = min(p.lo for p in pieces), max(p.hi for p in pieces)
    if low == high:
        return point(low)
    step = (high - low) / (POINTS - 1)
    masses = np.zeros(POINTS)

    for weight, lo, hi in pieces:
        # The mass of [x, x+dx] is split between the two neighbours so that its mean stays: hats integrated.
        a, b = (lo - low) / step, (hi - low) / step
        if b - a < 1e-9:
            k = min(int(a), POINTS - 2)
            masses[k] += weight * (1 - (a - k))
            masses[k + 1] += weight * (a - k)
        else:
            first, last = max(0, math.floor(a) - 1), min(POINTS, math.ceil(b) + 2)
            middle = np.arange(first, last, dtype=np.float64)
            masses[first:last] += weight * (_hat(b - middle) - _hat(a - middle)) / (b - a)
    return Grid(low, step, masses / masses.sum())


def _hat(t: Floats) -> Floats:
    """The integral of the hat function from -1 to t."""
    t = np.clip(t, -1.0, 1.0)
    return np.where(t < 0, (1 + t) ** 2 / 2, 1 - (1 - t) ** 2 / 2)


def power(grid: Grid, n: int) -> Grid:
    """The sum of n >= 1 independent values of a grid, n up to `EXACT_POWER`."""
    if n == 1 or grid.step == 0:
        return grid if grid.step else point(grid.start * n)

    if n > AT_ONCE:
        # Blocks of as many as fit, summed in turn; what is left over is one block more.
        block, left = power(grid, AT_ONCE), n % AT_ONCE
        whole = power(block, n // AT_ONCE)
        product = sum_of_two(whole, power(grid, left)) if left else whole
    else:
        length = n * (len(grid.masses) - 1) + 1
        size = 1 << (length - 1).bit_length()
        masses = np.fft.irfft(np.fft.rfft(grid.masses, size) ** n, size)[:length]
        product = thinned(Grid(grid.start * n, grid.step, _clean(masses)))
    mean, variance = grid.moments()
    return adjusted(product, n * mean, n * variance)


def sum_of_two(a: Grid, b: Grid) -> Grid:
    """The sum of two independent values."""
    if a.step == 0 or b.step == 0:
        wide, shift = (b, a.start) if a.step == 0 else (a, b.start)
        return wide._replace(start=wide.start + shift)

    # one step for both, coarse enough for the sum to fit; a finer one than the finer grid has would only
    # split masses
    step = max((a.end - a.start + b.end - b.start) / (POINTS - 1), min(a.step, b.step))
    a, b = on_step(a, step), on_step(b, step)
    masses = np.convolve(a.masses, b.masses)
    return thinned(Grid(a.start + b.start, step, _clean(masses)))


def on_step(grid: Grid, step: float) -> Grid:
    """The same masses on a grid of another step, each split between its neighbours so that the mean stays."""
    places = (grid.points - grid.start) / step
    below = np.floor(places).astype(np.int64)
    rest = places - below
    masses = np.bincount(below, grid.masses * (1 - rest), below[-1] + 2)
    masses = masses + np.bincount(below + 1, grid.masses * rest, below[-1] + 2)
    return Grid(grid.start, step, np.asarray(masses, dtype=np.float64))


def thinned(grid: Grid) -> Grid:
    """No more than `POINTS` masses, without tails that hold less than rounding."""
    places = np.flatnonzero(grid.masses > LEAST_MASS / 10)
    first, last = int(places[0]), int(places[-1])
    grid = Grid(grid.start + first * grid.step, grid.step, grid.masses[first : last + 1])
    if len(grid.masses) > POINTS:
        grid = on_step(grid, (grid.end - grid.start) / (POINTS - 2))
    return grid


def _clean(masses: Floats) -> Floats:
    """Without the negative masses that a transform leaves by rounding."""
    masses = np.where(masses > LEAST_MASS, masses, 0.0)
    return np.asarray(masses / masses.sum())


def adjusted(grid: Grid, mean: float, variance: float) -> Grid:
    """Moved and stretched to a mean and a variance."""
    mean_of_grid, spread = grid.moments()
    if grid.step == 0 or spread == 0 or variance <= 0:
        return grid if grid.step and variance > 0 else point(mean)
    scale = math.sqrt(variance / spread)
    return Grid(mean - (mean_of_grid - grid.start) * scale, grid.step * scale, grid.masses)


def of_cumulants(mean: float, variance: float, third: float) -> Grid:
    """The gamma distribution (K. Pearson's type III, 1895), moved and perhaps mirrored, with these three cumulants.

    A sum of very many times has a skewness near 0, where it is the normal distribution.
    """
    if variance <= 0:
        return point(mean)

    deviation = math.sqrt(variance)
    skew = third / deviation**3
    z, above, below = _normal() if abs(skew) < LEAST_SKEW else _gamma(abs(skew))

    # a cell has the difference of what lies beyond its edges, from the side of the nearer tail: from the
    # other side it would be a difference of two numbers near 1
    middle = (z[1:] + z[:-1]) / 2
    masses = np.where(middle < 0, np.diff(below), -np.diff(above))
    if skew <= -LEAST_SKEW:
        middle, masses = -middle[::-1], masses[::-1]

    step = float(middle[1] - middle[0]) * deviation
    shaped = Grid(mean + deviation * float(middle[0]), step, np.asarray(masses / masses.sum()))
    return adjusted(shaped, mean, variance)


def _normal() -> tuple[Floats, Floats, Floats]:
    """Edges, and the mass above and below each."""
    from scipy.special import ndtr

    z = np.linspace(-WIDEST, WIDEST, POINTS + 1)
    return z, ndtr(-z), ndtr(z)


def _gamma(skew: float) -> tuple[Floats, Floats, Floats]:
    """The same for the standardised gamma distribution of a skewness above 0."""
    from scipy.special import gammainc, gammaincc, gammainccinv

    shape = 4 / skew**2
    highest = (float(gammainccinv(shape, LEAST_MASS)) - shape) / math.sqrt(shape)
    z = np.linspace(max(-WIDEST, -math.sqrt(shape)), highest, POINTS + 1)
    x = np.maximum(shape + math.sqrt(shape) * z, 0.0)
    return z, gammaincc(shape, x), gammainc(shape, x)


def greatest(grids: Sequence[tuple[Grid, float]]) -> Grid:
    """The greatest of independent values, n of each grid: the product of F^n, exact for the masses where they are."""
    low, high = max(g.start for g, _ in grids), max(g.end for g, _ in grids)
    if low == high:
        return point(low)

    if len(grids) == 1:
        first, step = low, grids[0][0].step
        logarithm = grids[0][1] * _log_distribution(grids[0][0].masses)
    else:
        first, step = low, (high - low) / (POINTS - 1)
        logarithm = np.zeros(POINTS)
        for grid, n in grids:
            logarithm += n * _log_distribution(_clipped(grid, low, step))

    below = np.exp(logarithm)
    return thinned(Grid(first, step, np.diff(below, prepend=0.0)))


def _log_distribution(masses: Floats) -> Floats:
    """log F at each mass, itself included; from the upper tail, so that it is exact where F is nearly 1."""
    above = np.concatenate((np.cumsum(masses[:0:-1])[::-1], [0.0]))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-np.minimum(above, 1.0)))


def _clipped(grid: Grid, low: float, step: float) -> Floats:
    """The masses on `POINTS` points from `low`; what lies below is put on the first."""
    places = np.clip((grid.points - low) / step, 0.0, POINTS - 1.0)
    below = np.minimum(np.floor(places).astype(np.int64), POINTS - 2)
    rest = places - below
    masses = np.bincount(below, grid.masses * (1 - rest), POINTS)
    return np.asarray(masses + np.bincount(below + 1, grid.masses * rest, POINTS))
