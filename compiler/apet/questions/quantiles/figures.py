"""Figures of a machine file as random quantities: one value, or the mean over many independent executions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from apet.machine.spread import Piece, central_moment, mean
from apet.questions.quantiles.streams import Streams

Floats = NDArray[np.float64]
MOST_DRAWN = 24
"""Executions whose mean is made of a draw each; the mean of more is nearly normal."""
QUADRATURE = 4096
LEAST_GAMMA = 0.1
"""Skewness from which on the normal distribution with a correction is too far off."""


class Figure:
    """A quantile function, vectorised, and the moments that the mean of many values needs."""

    def __init__(self, pieces: Sequence[Piece], change: Callable[[Floats], Floats] | None = None) -> None:
        """`change` is applied to every value: the reciprocal of a bandwidth."""
        self.ends = np.concatenate(([0.0], np.cumsum([p.weight for p in pieces])))
        self.low = np.array([p.lo for p in pieces])
        self.width = np.array([p.hi - p.lo for p in pieces])
        self.weight = np.array([p.weight for p in pieces])
        self.change = change
        self.is_point = len(pieces) == 1 and pieces[0].lo == pieces[0].hi

        # a reciprocal turns the ends around
        least, greatest = (float(v) for v in self._changed(np.array([pieces[0].lo, pieces[-1].hi])))
        self.least, self.greatest = min(least, greatest), max(least, greatest)
        self._pieces = pieces
        self._moments: tuple[float, float, float] | None = None

    def at(self, level: Floats) -> Floats:
        """The values at levels in (0, 1)."""
        if len(self.low) == 1:
            stretched = self.low[0] + self.width[0] * level
            return self._changed(np.minimum(stretched, self.low[0] + self.width[0], out=stretched))
        k = np.minimum(np.searchsorted(self.ends, level, side="right") - 1, len(self.low) - 1)
        inside = np.minimum((level - self.ends[k]) / self.weight[k], 1.0)
        return self._changed(np.minimum(self.low[k] + self.width[k] * inside, self.low[-1] + self.width[-1]))

    def draws(self, streams: Streams, name: Hashable, start: int, count: int) -> Floats:
        """Draws of one value each, shape (count,)."""
        return self.at(streams.uniform(name, start, count))

    def moments(self) -> tuple[float, float, float]:
        """Mean, standard deviation and skewness."""
        if self._moments is None:
            self._moments = self._found_moments()
        return self._moments

    def _found_moments(self) -> tuple[float, float, float]:
        if self.change is None:
            middle, deviation = mean(self._pieces), central_moment(self._pieces, 2) ** 0.5
            third = central_moment(self._pieces, 3)
        else:
            values = self.at((np.arange(QUADRATURE) + 0.5) / QUADRATURE)
            middle, deviation = float(values.mean()), float(values.std())
            third = float(((values - middle) ** 3).mean())
        return middle, deviation, third / deviation**3 if deviation > 0 else 0.0

    def _changed(self, values: Floats) -> Floats:
        return values if self.change is None else self.change(values)


class ProductFigure:
    """The product of two independent figures that are not negative."""

    def __init__(self, one: Figure, other: Figure) -> None:
        self.factors = one, other
        self.is_point = one.is_point and other.is_point
        self.least, self.greatest = one.least * other.least, one.greatest * other.greatest

    def draws(self, streams: Streams, name: Hashable, start: int, count: int) -> Floats:
        """Draws of one value each, shape (count,)."""
        one, other = (f.draws(streams, (name, k), start, count) for k, f in enumerate(self.factors))
        return one * other

    def moments(self) -> tuple[float, float, float]:
        """Mean, standard deviation and skewness, from E[(x y)^k] = E[x^k] E[y^k]."""
        (m, second, third), other = (_raw_moments(*f.moments()) for f in self.factors)
        m, second, third = m * other[0], second * other[1], third * other[2]
        variance = max(second - m * m, 0.0)
        centred = third - 3 * m * second + 2 * m**3
        return m, variance**0.5, centred / variance**1.5 if variance > 0 else 0.0


def _raw_moments(middle: float, deviation: float, skew: float) -> tuple[float, float, float]:
    """E[x], E[x^2] and E[x^3]."""
    variance = deviation * deviation
    return middle, middle**2 + variance, middle**3 + 3 * middle * variance + skew * deviation**3


def one_value(
    figure: Figure | ProductFigure, streams: Streams, name: Hashable, start: int, count: int
) -> Floats | float:
    """Draws of one value each."""
    if figure.is_point:
        return figure.least
    return figure.draws(streams, name, start, count)


def mean_of(
    figure: Figure | ProductFigure, executions: float, streams: Streams, name: Hashable, start: int, count: int
) -> Floats | float:
    """Draws of the mean over a number of independent executions.

    Up to `MOST_DRAWN` of them are drawn each; the mean of more has their mean, variance / n and
    skewness / sqrt(n), and is kept within the figure's ends.
    """
    number = max(1, round(executions))
    if figure.is_point:
        return figure.least

    if number <= MOST_DRAWN:
        total = np.zeros(count)
        for k in range(number):
            total += figure.draws(streams, (name, k), start, count)
        return np.asarray(np.clip(total / number, figure.least, figure.greatest))

    middle, deviation, skew = figure.moments()
    w = nearly_normal(streams.uniform((name, "mean"), start, count), skew / number**0.5)
    return np.asarray(np.clip(middle + deviation / number**0.5 * w, figure.least, figure.greatest))


def nearly_normal(level: Floats, skew: float) -> Floats:
    """Quantiles of mean 0, variance 1 and a skewness: normal with the first term of Cornish & Fisher (1938) where that
    is small, else of the gamma distribution with that skewness."""
    from scipy.special import gammainccinv, gammaincinv, ndtri

    if abs(skew) < LEAST_GAMMA:
        z = ndtri(level)
        return np.asarray(z + (z * z - 1) * (skew / 6))
    shape = 4 / skew**2
    if skew < 0:
        return np.asarray((shape - gammainccinv(shape, level)) / shape**0.5)
    return np.asarray((gammaincinv(shape, level) - shape) / shape**0.5)
