"""Service times from response times: what a request would take if it met nobody.

By the arrival theorem a response time is the service time stretched by who is there: R = S (1 + N) at one shared server
with Poisson arrivals, N the mean number of requests under way, which by Little's law is X R. At m servers N is that of
M/M/m under a load of a servers, and S = R a / N. In each interval of a log that gives a service time; their mean over
intervals is weighted with requests, their spread gives the interval of confidence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from apet.queueing.measured.access_logs import AccessLog
from apet.queueing.measured.demands import ServiceDemand
from apet.queueing.mva.open_networks import mean_jobs

FULL = 1 - 1e-9
"""Utilization up to which a load is looked for."""
HALVINGS = 60
STUDENT = 1.96


def service_times(log: AccessLog, servers: int) -> Mapping[str, ServiceDemand] | None:
    """By class seconds of service, with the half-width of a 95 % interval; None for a log without times."""
    speeds = [float(j) for j in range(1, servers + 1)]
    rows: dict[str, list[tuple[int, float]]] = {name: [] for name in log.classes}
    for interval in log.intervals:
        if interval.seconds is None:
            return None
        stretch = _stretch(sum(interval.seconds.values()) / log.length, speeds)
        for name, number in interval.requests.items():
            rows[name].append((number, interval.seconds[name] / number / stretch))
    return {name: _mean(samples) for name, samples in rows.items()}


def _stretch(jobs: float, speeds: list[float]) -> float:
    """Time at a station over service time, where so many jobs are there in the mean."""
    low, high = 0.0, FULL * speeds[-1]
    for _ in range(HALVINGS):
        work = (low + high) / 2
        low, high = (work, high) if mean_jobs(work, speeds) < jobs else (low, work)
    return jobs / low if low else 1.0


def _mean(samples: list[tuple[int, float]]) -> ServiceDemand:
    weight = sum(n for n, _ in samples)
    mean = sum(n * s for n, s in samples) / weight
    if len(samples) < 2:
        return ServiceDemand(mean, None)
    squares = sum((n * (s - mean)) ** 2 for n, s in samples)
    return ServiceDemand(mean, STUDENT * math.sqrt(squares * len(samples) / (len(samples) - 1)) / weight)
