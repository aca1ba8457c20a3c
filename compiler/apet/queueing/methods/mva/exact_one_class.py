"""Exact MVA, one class: closed networks of single servers and delays.

Mean value analysis (M. Reiser and S. S. Lavenberg, JACM 27(2), 1980) rests on the arrival theorem: a job that arrives
at station k among n jobs meets the queue Q_k(n - 1) of a network with one job less. So, from n = 1 to the population N,

    R_k(n) = D_k (1 + Q_k(n - 1))    residence time at a server, D_k at a delay
    X(n)   = n / (Z + sum R_k(n))    throughput, by Little's law over the whole cycle
    Q_k(n) = X(n) R_k(n)             queue length, by Little's law at the station

All terms are positive, so that no digits are lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apet.ground.activity import over_many
from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.methods.mva.results import mean_values

Array = NDArray[np.float64]


def solve(network: Network) -> NetworkResult:
    """The exact solution; the network must have one closed class and plain stations only."""
    job = network.classes[0]
    demands = np.array(network.demands()[0])
    delays = np.array([s.is_delay for s in network.stations])
    think = job.think + float(demands[delays].sum())  # a delay station is thinking somewhere else
    throughput, queues = recursion(demands[~delays], think, job.population or 0)

    queue_length = throughput * demands
    queue_length[~delays] = queues
    return mean_values(network, "exact", [throughput], [queue_length.tolist()])


def recursion(demands: Array, think: float, population: int) -> tuple[float, Array]:
    """Throughput and mean queue lengths (stations,) of single servers with demands (stations,) in seconds."""
    throughput = 0.0
    met = np.ones_like(demands)  # 1 + Q(n - 1): what an arriving job meets, and itself
    ones = np.ones_like(demands)
    residence = np.zeros_like(demands)

    for n in over_many(range(1, population + 1), "solving the network", "jobs", "take fewer jobs"):
        np.multiply(demands, met, out=residence)
        cycle = think + float(residence.dot(ones))
        throughput = n / cycle if cycle else 0.0
        np.multiply(residence, throughput, out=met)
        met += 1.0
    return throughput, met - 1.0
