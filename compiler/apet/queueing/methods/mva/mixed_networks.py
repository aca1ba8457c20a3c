"""Open and closed classes over stations whose speed depends on the jobs present: exact, by convolution.

Given n closed jobs at a station, m open ones are there with weight C(n + m, m) rho^m prod 1 / speed(j), j from n + 1
to n + m (F. Baskett et al., JACM 22(2), 1975). The sum over m is part of the closed weights; the mean over m, weighed
with how often n closed jobs are there, is the number of open ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.methods.mva import convolution
from apet.queueing.methods.mva.open_networks import closed_classes, offered_work, with_open_classes


def solve(network: Network) -> NetworkResult:
    """The exact solution; no station may be overloaded."""
    work = offered_work(network)
    closed, closed_jobs = convolution.solution(closed_classes(network, network.service), work)

    def open_jobs(station: int, own: float) -> float:
        if network.stations[station].is_delay or not work[station]:
            return own  # 0 where no work comes
        return own * (_open_jobs(closed_jobs[station], work[station], network.speed(station)) / work[station])

    return with_open_classes(network, closed, open_jobs)


def _open_jobs(closed_jobs: Sequence[float], work: float, speeds: Sequence[float]) -> float:
    """The mean number of open jobs at a station where n closed jobs are with probability `closed_jobs[n]`."""
    return float(np.dot(closed_jobs, [_open_mean(n, work, speeds) for n in range(len(closed_jobs))]))


def _open_mean(n: int, work: float, speeds: Sequence[float]) -> float:
    total, mean = convolution.open_sums(n, work, speeds)
    return mean / total
