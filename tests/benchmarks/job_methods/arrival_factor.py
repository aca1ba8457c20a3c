"""How much longer than by the arrival theorem an arriving job waits where service times are not exponential.

In a queue with one server, n sources that stay away for exponential times of mean O, and phase-type service of mean 1,
an arriving job waits W_n = (J_n - U_n) / U_n in the mean, J_n jobs being there and U_n the server's utilization. With
exponential service W_n = J_(n-1) (arrival theorem); the factor is W_n / J_(n-1). Service of squared variation c2 > 1 is
hyperexponential with balanced means, of c2 < 1 a mixture of Erlangs of k - 1 and k phases (H. C. Tijms, 1986).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apet.queueing.data.jobs import Distribution

Array = NDArray[np.float64]
SMALLEST = 1 / 16
"""Squared variation of Erlang service of 16 phases: steadier service would need larger matrices."""


def arrival_factor(sources: int, away: float, variation: float) -> float:
    """W_n / J_(n-1) for n sources; 1 for exponential service or a single source.

    Below a squared variation of 1/16 it is continued in a straight line.
    """
    if sources <= 1 or abs(variation - 1) < 1e-9:
        return 1.0

    # Farther away, the queue is empty but for the one that is looked at, within the precision of numbers.
    away = min(max(away, 1e-6), 1e6)
    if variation < SMALLEST:
        at, beyond = _factor(sources, _rounded(away), SMALLEST), _factor(sources, _rounded(away), 2 * SMALLEST)
        return at + (variation - SMALLEST) * (beyond - at) / SMALLEST
    return _factor(sources, _rounded(away), _rounded(variation))


def _rounded(value: float) -> float:
    """To ten digits, so that what was computed is found again."""
    return float(f"{value:.10g}")


@lru_cache(maxsize=4096)
def _factor(sources: int, away: float, variation: float) -> float:
    start, rates, following = service(variation)
    jobs, busy = _queue(sources, away, start, rates, following)
    fewer, _ = _queue(sources - 1, away, start, rates, following)
    return (jobs - busy) / busy / fewer if fewer else 1.0


def service(variation: float) -> tuple[Array, Array, Array]:
    """A phase-type service of mean 1: initial probabilities, rates, and probabilities of the next phase."""
    if variation > 1:
        p = Distribution("hyperexp", scv=variation).short_share
        return np.array([p, 1 - p]), np.array([2 * p, 2 * (1 - p)]), np.zeros((2, 2))
    order = max(2, math.ceil(1 / variation - 1e-12))
    root = math.sqrt(max(0.0, order * (1 + variation) - order * order * variation))
    short = (order * variation - root) / (1 + variation)
    start = np.zeros(order)
    start[0], start[1] = 1 - short, short
    return start, np.full(order, order - short), np.eye(order, k=1)


def _queue(sources: int, away: float, start: Array, rates: Array, following: Array) -> tuple[float, float]:
    """Mean number of jobs and utilization; level by level from the fullest, with matrices of one phase each."""
    if not sources:
        return 0.0, 0.0
    phases = len(start)
    inside = rates[:, None] * (following - np.eye(phases))
    leaves = rates * (1 - following.sum(axis=1))
    down = np.outer(leaves, start)

    # up[level] takes the probabilities of a level to those of the level above (matrix-geometric, finite).
    up = [np.zeros((phases, phases))] * (sources + 1)
    for level in range(sources, 0, -1):
        coming = (sources - level) / away
        block = inside - coming * np.eye(phases)
        if level < sources:
            block = block + up[level + 1] @ down
        rate = (sources - level + 1) / away
        up[level] = np.asarray(rate * np.linalg.inv(-block), dtype=np.float64)

    weights = [1.0]
    vector = start @ up[1]
    for level in range(1, sources + 1):
        weights.append(float(vector.sum()))
        if level < sources:
            vector = vector @ up[level + 1]
    probabilities = np.array(weights) / sum(weights)
    return float(probabilities @ np.arange(sources + 1)), 1 - float(probabilities[0])
