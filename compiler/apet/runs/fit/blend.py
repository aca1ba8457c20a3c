"""A weighted blend of shapes with a smooth deviation: one closed form for sizes and for processors.

    ln t(z) = c + ln v_m(z) + d(z) + noise

with m a shape of the grid, c unknown with a flat prior, d a Gaussian process with a Matern kernel of order 3/2 (C. E.
Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, §2.7 and §4.2), and a common scale of
both with an inverse-gamma prior, integrated out. The data weigh the shapes; the prediction is the weighted mean of ln
t. Constants were chosen on measured curves by leaving out groups.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.shapes import Prior, prior_weights, shapes

Array = NDArray[np.float64]
LEAST_SHAPE, LEAST_VALUE = 1e-5, 0.02
"""Of the largest run: a shape below the first at a run makes no sense; at a target it is at least the second."""
NEAR_THE_BEST = 8.0
"""Of the logarithm of weights: shapes less likely than e^-8 of the best add nothing but time."""


class Constants(NamedTuple):
    """Of one kind of target: prior weights of shapes; size and reach of the deviation, noise (all in ln t); degrees of
    freedom of the prior of their scale."""

    prior: Prior
    deviation: float
    reach: float
    noise: float
    freedom: float


@dataclass(frozen=True, slots=True)
class BlendFit:
    """A blend at targets, all in ln t.

    mean      (targets,)  weighted mean of the shapes
    between   (targets,)  standard deviation between shapes
    within    (targets,)  standard deviation of the deviation and the noise
    line      (targets,)  the log-log line through the last two points
    misfit    in units of the expected noise
    weights   by number of shape; shapes near the best only
    offsets   ln t at the largest run, by number of shape
    """

    mean: Array
    between: Array
    within: Array
    line: Array
    misfit: float
    weights: dict[int, float]
    offsets: dict[int, float]


def fit(kind: str, n: Array, t: Array, targets: Array, constants: Constants, noise: Array | None = None) -> BlendFit:
    """Fit a curve (n ascending, t > 0, seconds) and predict ln t at the targets.

    `noise` is extra variance of ln t by point. All arrays are one-dimensional; at least two points.
    """
    grid = shapes(kind)
    z, at, y = np.log(n / n[-1]), np.log(targets / n[-1]), np.log(t)

    # The covariance of points, and what is left of its inverse when the constant c is integrated out.
    inner = _kernel(z[:, None] - z[None, :], constants)
    inner[np.diag_indices(len(z))] += constants.noise**2 + (0.0 if noise is None else noise)
    inverse = np.linalg.inv(inner)
    ones = inverse.sum(axis=1)
    total = float(ones.sum())
    projection = inverse - np.outer(ones, ones) / total

    # Weights of shapes: prior times likelihood, a Student distribution as the scale is integrated out.
    values = grid.values(z, float(n[-1]))
    sensible = np.flatnonzero(values.min(axis=1) > LEAST_SHAPE)
    rest = y - np.log(values[sensible])
    misfits = np.einsum("mi,ij,mj->m", rest, projection, rest)
    weights = prior_weights(constants.prior)[sensible]
    weights = weights - (constants.freedom + len(n) - 1) / 2 * np.log(constants.freedom + misfits)
    near = weights >= weights.max() - NEAR_THE_BEST
    sensible, rest, misfits, weights = sensible[near], rest[near], misfits[near], weights[near]
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    offsets = rest @ ones / total

    # Each shape's prediction: its value, its constant, and the deviation as far as it reaches from the points.
    cross = _kernel(at[:, None] - z[None, :], constants)
    reach = cross @ inverse
    shape = np.log(np.maximum(grid.values(at, float(n[-1]))[sensible], LEAST_VALUE))
    each = shape + offsets[:, None] + (rest - offsets[:, None]) @ reach.T
    mean = weights @ each
    between = np.sqrt(np.maximum(weights @ (each - mean) ** 2, 0.0))

    spread = constants.deviation**2 + constants.noise**2 - np.einsum("ij,ij->i", reach, cross)
    spread = spread + (1 - reach.sum(axis=1)) ** 2 / total
    scale = float(weights @ (constants.freedom + misfits)) / (constants.freedom + len(n) - 1)
    within = np.sqrt(np.maximum(scale * spread, 0.0))
    numbers = [int(i) for i in sensible]
    return BlendFit(
        mean=mean,
        between=between,
        within=within,
        line=line(z, y, at),
        misfit=math.sqrt(scale),
        weights=dict(zip(numbers, map(float, weights), strict=True)),
        offsets=dict(zip(numbers, map(float, offsets), strict=True)),
    )


def _kernel(distance: Array, constants: Constants) -> Array:
    q = math.sqrt(3) * np.abs(distance) / constants.reach
    return np.asarray(constants.deviation**2 * (1 + q) * np.exp(-q))


def line(z: Array, y: Array, at: Array) -> Array:
    """Straight in both logarithms: between points, and beyond the last through the last two."""
    slope = (y[-1] - y[-2]) / (z[-1] - z[-2])
    return np.where(at > 0, y[-1] + slope * at, np.interp(at, z, y))
