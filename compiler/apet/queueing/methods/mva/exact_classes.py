"""Exact MVA, several classes: closed networks of single servers and delays.

Mean value analysis over all populations n <= N (M. Reiser and S. S. Lavenberg, JACM 27(2), 1980), by the arrival
theorem: R_ck(n) = D_ck (1 + Q_k(n - 1_c)), X_c(n) = n_c / (Z_c + sum_k R_ck(n)), Q_k(n) = sum_c X_c(n) R_ck(n).
Populations of the same total depend only on those of one job less, so each total is one array operation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apet.ground.activity import over
from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.methods.mva.results import mean_values

Array = NDArray[np.float64]
MOST_STATES = 20_000_000
"""Populations times stations that are kept at once: 160 MB."""


def states(network: Network) -> int:
    """How many numbers the recursion keeps."""
    return math.prod((c.population or 0) + 1 for c in network.classes) * len(network.stations)


@dataclass(frozen=True, slots=True)
class _Populations:
    """All populations n <= N, numbered with the last class fastest.

    shape         N_c + 1 by class
    strides       (classes,) int64  by how much a number falls with one job of a class less
    demands       (classes, stations) seconds
    think         (classes,) seconds
    waits         (stations,)  1 where jobs wait, 0 at delays
    queue_length  (populations, stations)  Q_k(n), filled total by total
    """

    shape: tuple[int, ...]
    strides: NDArray[np.int64]
    demands: Array
    think: Array
    waits: Array
    queue_length: Array


def solve(network: Network) -> NetworkResult:
    """The exact solution of closed classes over plain stations."""
    full = tuple(c.population or 0 for c in network.classes)
    shape = tuple(n + 1 for n in full)
    populations = _Populations(
        shape=shape,
        strides=np.array([math.prod(shape[c + 1 :]) for c in range(len(full))]),
        demands=np.array(network.demands()),
        think=np.array([c.think for c in network.classes]),
        waits=np.array([0.0 if s.is_delay else 1.0 for s in network.stations]),
        queue_length=np.zeros((math.prod(shape), len(network.stations))),
    )
    if not sum(full):
        nobody = np.zeros_like(populations.demands).tolist()
        return mean_values(network, "exact", [0.0] * len(full), nobody)

    totals = np.indices(shape).sum(axis=0).ravel()  # jobs of all classes in each population
    by_total, ends = np.argsort(totals, kind="stable"), np.cumsum(np.bincount(totals))
    throughput = residence = np.zeros(0)
    for total in over(range(1, sum(full) + 1), "solving the network", "jobs", "take fewer jobs"):
        throughput, residence = _step(populations, by_total[ends[total - 1] : ends[total]])
    return mean_values(network, "exact", throughput[0].tolist(), (throughput[0][:, None] * residence[0]).tolist())


def _step(populations: _Populations, level: NDArray[np.int64]) -> tuple[Array, Array]:
    """X (level, classes) and R (level, classes, stations) at the populations of one total; sets their queue lengths."""
    classes, stations = populations.demands.shape
    throughput = np.zeros((len(level), classes))
    residence = np.zeros((len(level), classes, stations))
    for c in range(classes):
        jobs = level // populations.strides[c] % populations.shape[c]
        some = jobs > 0
        met = populations.queue_length[level[some] - populations.strides[c]]
        own = populations.demands[c] * (1.0 + populations.waits * met)
        residence[some, c] = own
        cycle = populations.think[c] + own.sum(axis=1)
        throughput[some, c] = np.divide(jobs[some], cycle, out=np.zeros(len(cycle)), where=cycle > 0)

    populations.queue_length[level] = np.einsum("lc,lck->lk", throughput, residence)
    return throughput, residence
