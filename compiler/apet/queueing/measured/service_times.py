"""Service times from response times: what a request would take if it met nobody.

By the arrival theorem a response time is the service time stretched by who is there: R = S (1 + N) at one shared server
with Poisson arrivals, N the mean number of requests under way, which by Little's law is X R. At m servers N is that of
M/M/m under a load of a servers, and S = R a / N. In each interval of a log that gives a service time; their mean over
intervals is weighted with requests, their spread gives the interval of confidence.

Where the load varies, the intervals of a log show how many servers there are: with the true number, service times do
not depend on the load. Numbers whose service times vary more than those of the best one by more than chance allows (the
test of R. A. Fisher on ratios of variances, 5 %) are refuted; the least other one is taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.queueing.measured.access_logs import AccessLog
from apet.queueing.measured.demands import ServiceDemand
from apet.queueing.methods.mva.open_networks import mean_jobs

FULL = 1 - 1e-9
"""Utilization up to which a load is looked for."""
HALVINGS = 60
STUDENT = 1.96
FEWEST = 4
"""Intervals that numbers of servers are told apart from."""
LEVEL = 0.95
MOST_SERVERS = 256


def service_times(log: AccessLog, servers: int) -> Mapping[str, ServiceDemand] | None:
    """By class seconds of service, with the half-width of a 95 % interval; None for a log without times."""
    rows: dict[str, list[tuple[int, float]]] = {name: [] for name in log.classes}
    for interval in log.intervals:
        if interval.seconds is None:
            return None
        stretch = stretched(sum(interval.seconds.values()) / log.length, servers)
        for name, number in interval.requests.items():
            rows[name].append((number, interval.seconds[name] / number / stretch))
    return {name: _mean(samples) for name, samples in rows.items()}


class ServersFound(NamedTuple):
    """The number of servers that intervals of a log show, and how many smaller ones they refute; `certain` is false
    where nothing is refuted, one server neither."""

    servers: int
    certain: bool


def servers_of(log: AccessLog) -> ServersFound:
    """Which number of servers makes service times independent of the load."""
    rows = [(sum(i.requests.values()), sum(i.seconds.values())) for i in log.intervals if i.seconds and i.requests]
    busiest = max((seconds / log.length for _, seconds in rows), default=0.0)
    numbers = range(1, min(MOST_SERVERS, math.ceil(2 * busiest) + 1) + 1)
    spreads = {m: _spread(rows, log.length, m) for m in numbers}
    if len(rows) < FEWEST:
        return ServersFound(1, False)

    from scipy.special import fdtri

    best, limit = min(spreads.values()), float(fdtri(len(rows) - 1, len(rows) - 1, LEVEL))
    least = next(m for m, spread in spreads.items() if spread <= limit * best)
    return ServersFound(least, least > 1)


def _spread(rows: Sequence[tuple[int, float]], length: float, servers: int) -> float:
    """The variance of logarithms of service times over intervals, weighted with requests."""
    pairs = [(n, math.log(seconds / n / stretched(seconds / length, servers))) for n, seconds in rows if seconds]
    weight = sum(n for n, _ in pairs)
    middle = sum(n * x for n, x in pairs) / weight if weight else 0.0
    return sum(n * (x - middle) ** 2 for n, x in pairs) / weight if weight else 0.0


def model_response(log: AccessLog, estimates: Mapping[str, ServiceDemand], servers: int) -> list[float]:
    """By interval the mean response time that the estimates answer with, infinite where no steady state is."""
    means = []
    for interval in log.intervals:
        number = sum(interval.requests.values())
        work = sum(n * estimates[name].seconds for name, n in interval.requests.items()) / log.length
        if work >= servers:
            means.append(math.inf)
        else:
            jobs = mean_jobs(work, speeds_of(servers)) if work else 0.0
            means.append(jobs * log.length / number if number else 0.0)
    return means


def speeds_of(servers: int) -> list[float]:
    """How fast so many servers work with 1, 2, … requests."""
    return [float(j) for j in range(1, servers + 1)]


def stretched(jobs: float, servers: int) -> float:
    """Time at a station over service time, where so many jobs are there in the mean."""
    speeds = speeds_of(servers)
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
