"""Two simple opinions beside the structures: a plane and a Gaussian process, both in logarithms.

They say how much depends on the shapes of terms, and help where no processors are among the parameters. The process is
that of C. Rasmussen and C. Williams (Gaussian Processes for Machine Learning, 2006, sections 2.2, 2.7 and 5.4), with
slopes that programs usually have as its prior, averaged over its hyperparameters by evidence.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from apet.runs.experiments import PROCESSORS
from apet.runs.fit.surface.term_library import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apet.runs.experiments import RunParameter

SLOPES = {"size": 1.0, PROCESSORS: -0.7}
"""Expected exponents by role."""
CONSTANT, SLOPE, BILINEAR = 10.0, 0.8, 0.1
"""Standard deviations of the prior."""
LENGTHS, DEVIATIONS, NOISES = (1.0, 3.0, 12.0), (0.1, 0.3, 0.8), (0.01, 0.04)
FEW_LENGTHS, FEW_DEVIATIONS, FEW_NOISES = (1.0, 4.0), (0.15, 0.5), (0.02,)
"""With more than two parameters."""
MOST_ARD = 4
"""Parameters with lengths of their own."""


def plane(z: Array, logs: Array, z_targets: Array) -> Array:
    """ln t at targets by least squares: runs count less the farther they are from the largest corner (z = 0)."""
    weights = np.exp(-(z**2).sum(axis=1) / 4)
    columns = np.column_stack([np.ones(len(z)), z])
    slopes = np.linalg.lstsq(columns * weights[:, None], logs * weights, rcond=None)[0]
    return np.asarray(np.column_stack([np.ones(len(z_targets)), z_targets]) @ slopes)


def gaussian_process(z: Array, logs: Array, z_targets: Array, parameters: Sequence[RunParameter]) -> Array:
    """ln t at targets, the mean over hyperparameters."""
    slopes = np.array([SLOPES[p.role] for p in parameters])
    rest = logs - z @ slopes
    plain, plain_ahead = _polynomial(z, z), _polynomial(z_targets, z)
    squares, squares_ahead = _squares(z, z), _squares(z_targets, z)
    evidences, means = [], []

    for lengths, deviation, noise in _hyperparameters(len(parameters)):
        inverse_squares = np.array(lengths) ** -2.0
        near = deviation**2 * np.exp(-(squares @ inverse_squares) / 2)
        covariance = plain + near + noise**2 * np.eye(len(z))
        lower = np.linalg.cholesky(covariance)
        weights = np.linalg.solve(covariance, rest)
        evidences.append(-0.5 * rest @ weights - np.log(np.diag(lower)).sum())
        ahead = plain_ahead + deviation**2 * np.exp(-(squares_ahead @ inverse_squares) / 2)
        means.append(ahead @ weights)

    weights = np.exp(np.array(evidences) - max(evidences))
    return np.asarray(z_targets @ slopes + weights @ np.array(means) / weights.sum())


def _hyperparameters(parameters: int) -> list[tuple[tuple[float, ...], float, float]]:
    few = parameters > 2
    lengths = FEW_LENGTHS if few else LENGTHS
    choices = product(lengths, repeat=parameters) if parameters <= MOST_ARD else ((v,) * parameters for v in lengths)
    deviations, noises = (FEW_DEVIATIONS, FEW_NOISES) if few else (DEVIATIONS, NOISES)
    return list(product(choices, deviations, noises))


def _polynomial(a: Array, b: Array) -> Array:
    """The covariance of a constant, slopes, and products of two logarithms."""
    total = CONSTANT**2 + SLOPE**2 * (a @ b.T)
    for i, j in combinations(range(a.shape[1]), 2):
        total = total + BILINEAR**2 * np.outer(a[:, i] * a[:, j], b[:, i] * b[:, j])
    return np.asarray(total)


def _squares(a: Array, b: Array) -> Array:
    """Squared distances by parameter, (points of a, points of b, parameters)."""
    return np.asarray((a[:, None, :] - b[None, :, :]) ** 2)
