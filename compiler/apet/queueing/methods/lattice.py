"""Distributions of times on a lattice: sums of independent times, and their percentiles.

A time is spread over the points k h next to it so that its mean stays (each point has the mean of a hat around it,
that is second differences of the integral of the tail); constants that are multiples of h are points
themselves. Sums are products of transforms. Weights are damped by r^k, r^size = exp(-DECAY), so that what lies beyond
the lattice returns to it exp(-DECAY) times as great (J. Abate and W. Whitt, Queueing Systems 10, 1992): no lattice
need reach further than the percentile that it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.data.jobs import Distribution

Array = NDArray[np.float64]
Spectrum = NDArray[np.complex128]
POINTS = 2**15
DECAY = 14.0
SHORTEST, LONGEST = 0.25, 0.97
"""Of the lattice, where a percentile may lie."""
MOST_LATTICES = 200
ATOM = 20.0
"""How many times likelier than its neighbours a point is that stands for a constant."""


class Lattice(NamedTuple):
    """`size` points from 0 in steps of `step` seconds."""

    step: float
    size: int = POINTS

    def spectrum(self, chances: Array) -> Spectrum:
        """The damped transform of chances by point."""
        return np.asarray(np.fft.rfft(chances * self._damping()), dtype=np.complex128)

    def chances(self, spectrum: Spectrum) -> Array:
        """Chances by point."""
        return np.asarray(np.fft.irfft(spectrum, self.size) / self._damping(), dtype=np.float64)

    def law(self, shape: Distribution, mean: float) -> Spectrum:
        """Of a time."""
        return self.spectrum(hats(self.step, self.size, shape, mean))

    def remainder(self, shape: Distribution, mean: float) -> Spectrum:
        """Of what is left of a time at a random moment in it."""
        times = self.step / mean * np.arange(self.size + 1)
        above, first, second = (shape.moment_beyond(n, times) for n in range(3))
        return self.spectrum(_hats_of(second / 2 - times * first + times**2 / 2 * above, self.step / mean))

    def _damping(self) -> Array:
        return np.asarray(np.exp(-DECAY / self.size * np.arange(self.size)), dtype=np.float64)


def hats(step: float, size: int, shape: Distribution, mean: float) -> Array:
    """Chances of the points of a lattice for a time of this shape and mean."""
    times = step / mean * np.arange(size + 1)
    return _hats_of(shape.moment_beyond(1, times) - times * shape.moment_beyond(0, times), step / mean)


def _hats_of(beyond: Array, step: float) -> Array:
    """Second differences of what is beyond 0, 1, … steps of a time in the mean: the integral of its tail."""
    return np.asarray(np.diff(beyond, 2, prepend=beyond[0] + step) / step, dtype=np.float64)


def percentiles(
    law: Callable[[Lattice], Spectrum], levels: Sequence[float], mean: float, constant: float = 0.0
) -> list[float]:
    """Seconds that so many percent of a time of this `mean` do not exceed; `constant` is one that it contains, of
    which steps are parts."""
    span, seconds = 4 * mean, []
    for level in levels:
        for _ in range(MOST_LATTICES):
            lattice = Lattice(_step(span, constant))
            length = lattice.step * lattice.size
            below = np.cumsum(lattice.chances(law(lattice)))
            if below[-1] < level / 100:
                span = 4 * length
                continue
            value = _value(below, level / 100) * lattice.step
            if value > LONGEST * length:
                span = 2 * length
            elif 0 < value < SHORTEST * length and (not constant or length > 2 * constant):
                span = max(2 * value, 1.5 * constant)
            else:
                break
        seconds.append(value)
    return seconds


def _step(span: float, constant: float) -> float:
    """Near span / POINTS, and a part of a constant."""
    step = span / POINTS
    return constant / max(1, round(constant / step)) if constant else step


def value_at(chances: Array, share: float) -> float:
    """The place on a lattice below which a share of these chances lies, in steps."""
    return _value(np.cumsum(chances), share)


def _value(below: Array, share: float) -> float:
    """Chances of a point stand for what is nearest to it, unless it is a constant."""
    k = int(np.searchsorted(below, share - 1e-12))
    if k >= len(below):
        return float(len(below))
    before = float(below[k - 1]) if k else 0.0
    own = float(below[k]) - before
    beside = float(below[k + 1] - below[k]) if k + 1 < len(below) else 0.0
    previous = before - (float(below[k - 2]) if k > 1 else 0.0)
    if own > ATOM * max(beside, previous):
        return float(k)
    return max(0.0, k - 0.5 + (share - before) / own)
