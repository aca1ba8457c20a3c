"""Response times that no station contradicts.

A station of m servers does at most m seconds of service per second (utilization law): sum_c X_c D_ck <= m_k, whatever
the order and the times of service. With Little's law, X_c = N_c / (Z_c + R_c), it follows for each class that
R_c >= N_c D_ck / m_k - Z_c. Approximations that know only means may fall below; the time that is missing is a wait.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ROUNDS = 200
"""Halvings of an interval of waits: to the last digit."""
FULL = 1.0 + 1e-12
"""Utilization up to which a station is not overloaded: sums of floats."""


def overload_waits(jobs: Array, cycle: Array, shares: Array, weights: Array) -> Array:
    """(classes, stations) seconds per job that cycles lack where stations would be more than 100 % busy.

    `jobs` and `cycle` (seconds) are by class, `shares` (classes, stations) demands over servers in seconds, 0 where
    nobody waits; `weights` (classes, stations) says in which proportion classes wait in addition. A longer wait at
    one station leaves less to do at the others, so that each is looked at once.
    """
    waits = np.zeros_like(shares)
    for k in range(shares.shape[1]):
        work = jobs * shares[:, k]
        if _busy(work, cycle + waits.sum(axis=1)) > FULL:
            waits[:, k] = _wait(work, cycle + waits.sum(axis=1), weights[:, k]) * weights[:, k]
    return waits


def _busy(work: Array, cycle: Array) -> float:
    used = work > 0
    return float((work[used] / np.maximum(cycle[used], 1e-300)).sum())


def _wait(work: Array, cycle: Array, weights: Array) -> float:
    """The wait per weight with which a station is just 100 % busy."""
    low, high = 0.0, float(work.sum() / weights[work > 0].min())
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _busy(work, cycle + middle * weights) > 1:
            low = middle
        else:
            high = middle
    return high
