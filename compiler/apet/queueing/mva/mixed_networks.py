"""Open and closed classes over stations whose speed depends on the jobs present: exact, by convolution.

Given n closed jobs at a station, m open ones are there with weight C(n + m, m) rho^m prod 1 / speed(j), j from n + 1
to n + m (F. Baskett et al., JACM 22(2), 1975). The sum over m is part of the closed weights; the mean over m, weighed
with how often n closed jobs are there, is the number of open ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apet.queueing.mva import convolution
from apet.queueing.mva.open_networks import offered
from apet.queueing.mva.results import result
from apet.queueing.networks import Network, NetworkResult


def mean_values(network: Network) -> NetworkResult:
    """The exact solution; no station may be overloaded."""
    closed = [i for i, c in enumerate(network.classes) if not c.is_open]
    inner = network._replace(
        classes=tuple(network.classes[i] for i in closed),
        service=[network.service[i] for i in closed],
        visits=[network.visits[i] for i in closed],
    )
    works, demands = offered(network), network.demands()
    solved, margins = convolution.solution(inner, works)
    rates, jobs = list[float](), list[list[float]]()
    known = dict(zip(closed, zip(solved.throughput, solved.queue_length, strict=True), strict=True))
    for i, c in enumerate(network.classes):
        if i in known:
            rate, row = known[i]
        else:
            rate = c.arrival_rate or 0.0
            row = [
                rate
                * demands[i][k]
                * (1.0 if s.is_delay else _open_jobs(margins[k], works[k], network.speed(k)) / works[k])
                if works[k]
                else 0.0
                for k, s in enumerate(network.stations)
            ]
        rates.append(rate)
        jobs.append(row)
    return result(network, "exact", rates, jobs)


def _open_jobs(margin: Sequence[float], work: float, speeds: Sequence[float]) -> float:
    """The mean number of open jobs at a station where n closed jobs are with probability `margin[n]`."""
    return float(np.dot(margin, [_open_mean(n, work, speeds) for n in range(len(margin))]))


def _open_mean(n: int, work: float, speeds: Sequence[float]) -> float:
    total = term = 1.0
    mean, m = 0.0, 0
    while m + n < len(speeds) or max(m, 1) * term > 1e-18 * total:
        m += 1
        term *= (n + m) / m * work / speeds[min(n + m, len(speeds)) - 1]
        total += term
        mean += m * term
    return mean / total
