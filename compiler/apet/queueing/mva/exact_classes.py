"""Exact mean values of closed networks with several classes whose stations are single servers or delays.

Mean value analysis over all populations n <= N (M. Reiser and S. S. Lavenberg, JACM 27(2), 1980):
R_ck(n) = D_ck (1 + Q_k(n - 1_c)), X_c(n) = n_c / (Z_c + sum_k R_ck(n)), Q_k(n) = sum_c X_c(n) R_ck(n).
Populations of the same total depend only on those of one job less, so each total is one array operation.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from apet.queueing.mva.results import result
from apet.queueing.networks import Network, NetworkResult

MOST_STATES = 20_000_000
"""Populations times stations that are kept at once: 160 MB."""


def states(network: Network) -> int:
    """How many numbers the recursion keeps."""
    return math.prod((c.population or 0) + 1 for c in network.classes) * len(network.stations)


def mean_values(network: Network) -> NetworkResult:
    """The exact solution of closed classes over plain stations."""
    full = tuple(c.population or 0 for c in network.classes)
    demands = np.array(network.demands())
    think = np.array([c.think for c in network.classes])
    queueing = np.array([0.0 if s.is_delay else 1.0 for s in network.stations])
    shape = tuple(n + 1 for n in full)
    strides = np.array([math.prod(shape[c + 1 :]) for c in range(len(full))])
    present = np.zeros((math.prod(shape), len(network.stations)))
    places = np.argsort(_totals(shape), kind="stable")
    ends = np.cumsum(np.bincount(_totals(shape)))
    rates = residence = np.zeros(0)
    for total in range(1, sum(full) + 1):
        level = places[ends[total - 1] : ends[total]]
        rates, residence = _level(level, strides, shape, present, demands, think, queueing)
    if not sum(full):
        return result(network, "exact", [0.0] * len(full), np.zeros_like(demands).tolist())
    return result(network, "exact", rates[0].tolist(), (rates[0][:, None] * residence[0]).tolist())


def _totals(shape: tuple[int, ...]) -> NDArray[np.int64]:
    total = np.zeros((1,) * len(shape), dtype=np.int64)
    for axis, size in enumerate(shape):
        total = total + np.arange(size).reshape([-1 if a == axis else 1 for a in range(len(shape))])
    return total.ravel()


def _level(
    level: NDArray[np.int64],
    strides: NDArray[np.int64],
    shape: tuple[int, ...],
    present: NDArray[np.float64],
    demands: NDArray[np.float64],
    think: NDArray[np.float64],
    queueing: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Throughputs and residence times at all populations of one total; puts queue lengths into `present`."""
    classes, stations = demands.shape
    rates = np.zeros((len(level), classes))
    residence = np.zeros((len(level), classes, stations))
    for c in range(classes):
        count = level // strides[c] % shape[c]
        some = count > 0
        found = demands[c] * (1.0 + queueing * present[level[some] - strides[c]])
        residence[some, c] = found
        total = think[c] + found.sum(axis=1)
        rates[some, c] = np.divide(count[some], total, out=np.zeros(len(total)), where=total > 0)
    present[level] = np.einsum("lc,lck->lk", rates, residence)
    return rates, residence
