"""Exact mean values of closed networks with one class whose stations are single servers or delays.

Mean value analysis (M. Reiser and S. S. Lavenberg, JACM 27(2), 1980): R_k(n) = D_k (1 + Q_k(n - 1)), X(n) = n / (Z +
sum R_k(n)), Q_k(n) = X(n) R_k(n). All terms are positive, so that no digits are lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apet.queueing.mva.results import result
from apet.queueing.networks import Network, NetworkResult


def mean_values(network: Network) -> NetworkResult:
    """The exact solution; the network must have one closed class and plain stations only."""
    job = network.classes[0]
    demands = np.array(network.demands()[0])
    delays = np.array([s.is_delay for s in network.stations])
    population = job.population or 0
    rate, waiting = recursion(demands[~delays], job.think + float(demands[delays].sum()), population)
    jobs = rate * demands
    jobs[~delays] = waiting
    return result(network, "exact", [rate], [jobs.tolist()])


def recursion(demands: NDArray[np.float64], think: float, population: int) -> tuple[float, NDArray[np.float64]]:
    """Throughput and mean queue lengths of single servers with a delay of `think` seconds."""
    rate = 0.0
    present = np.ones_like(demands)  # 1 + Q: what an arriving job finds, with itself
    ones = np.ones_like(demands)
    work = np.zeros_like(demands)
    for n in range(1, population + 1):
        np.multiply(demands, present, out=work)
        total = think + float(work.dot(ones))
        rate = n / total if total else 0.0
        np.multiply(work, rate, out=present)
        present += 1.0
    return rate, present - 1.0
