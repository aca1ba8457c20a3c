"""Limits on the jobs inside: pools of threads or connections, of one class by an equivalent station.

All that a pool of size m lets in is one station whose speed with n jobs is the throughput of the network with n jobs
that circulate in it without thinking, X(min(n, m)) (K. M. Chandy, U. Herzog and L. Woo, IBM J. Res. Dev. 19(1), 1975).
Jobs come to it from their thinking, (N - n) / Z per second, or from outside; the birth-death process of their number n
is solved in full. In product form that is exact without a limit; with one it is exact where jobs inside visit one
station, M/M/s/m, and else an estimate, good where a job makes many short visits. What it does not cover is simulated:
several classes, uneven service in order of arrival, priorities, arrivals that are not Poisson.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import LEVELS, Pool
from apet.queueing.data.networks import JobClass, Network, NetworkResult
from apet.queueing.methods import in_order
from apet.queueing.methods.mva import solve as mva
from apet.queueing.methods.mva.results import mean_values
from apet.queueing.methods.precedence import solve as jobs_in_steady_state

Array = NDArray[np.float64]
LARGEST = 500
"""Jobs inside up to which the network is solved for each number of them."""
NEGLIGIBLE = 1e-15
"""Probability of states of which no more are counted."""


def solve(network: Network, method: str, levels: tuple[float, ...] = LEVELS) -> NetworkResult:
    """Mean values of a network with pools; `ApetError` where more jobs come than are served."""
    in_order.check(network, method)
    pool = network.pools[0]
    plain = len(network.classes) == 1 and len(network.obstacles) == len(network.pools)
    if not plain or _shapes_matter(network) or pool.size > LARGEST:
        return in_order.as_network_result(network, jobs_in_steady_state.solve(in_order.as_jobs(network), levels))
    return _equivalent(network, pool)


def _shapes_matter(network: Network) -> bool:
    """Whether more than means of service matters: behind a limit with a line outside even where it does not inside."""
    visited = [network.stations[k] for k in network.visitors_of(0)]
    return network.pools[0].backlog != 0 and not all(s.service.is_exponential for s in visited)


def _equivalent(network: Network, pool: Pool) -> NetworkResult:
    """The one class of a network in product form, by the equivalent station."""
    job = network.classes[0]
    most = pool.size if job.is_open else min(pool.size, job.population or 0)
    inside = [_with_inside(network, n) for n in range(1, most + 1)]
    speeds = np.array([result.throughput[0] for result in inside])
    chances = _probabilities(job, pool, speeds)

    number = np.arange(len(chances))
    coming = _births(job, number)
    refusing = float(chances[-1]) if pool.backlog is not None and len(chances) == most + pool.backlog + 1 else 0.0
    offered = float(chances @ coming)
    rate = float(chances[1:] @ speeds[np.minimum(number[1:], most) - 1])
    shares = np.bincount(np.minimum(number, most), weights=chances, minlength=most + 1)

    queues = np.array([[0.0] * len(network.stations), *(result.queue_length[0] for result in inside)])
    result = mean_values(network, _method(network), [rate], [(shares @ queues).tolist()])
    outside = float(chances @ np.maximum(0, number - most)) / rate if rate else 0.0
    refused = refusing * float(coming[-1]) / offered if offered else 0.0
    total = result.system_response_time[0] + outside
    return replace(result, system_response_time=[total], outside=(outside,), refused=(refused,))


def _method(network: Network) -> str:
    visited = [d for d in network.demands()[0] if d]
    return "equivalent station, exact" if len(visited) == 1 else "estimate: equivalent station"


def _with_inside(network: Network, jobs: int) -> NetworkResult:
    """The network with so many jobs inside, none of which thinks."""
    circulating = JobClass(network.classes[0].name, jobs)
    return mva.solve(replace(network, classes=(circulating,), pools=()))


def _probabilities(job: JobClass, pool: Pool, speeds: Array) -> Array:
    """Of 0, 1, … jobs inside and in the line outside, by birth and death in logarithms."""
    limit = math.inf if pool.backlog is None else pool.size + pool.backlog
    population = job.population or 0
    if job.is_open:
        if pool.backlog is None and (job.arrival_rate or 0.0) >= speeds[-1]:
            unstable = f"pool {pool.name}: {speeds[-1]:.4g} jobs per second at most"
            raise ApetError(errors.Overloaded(None, None, unstable))
        return _open_probabilities(job.arrival_rate or 0.0, speeds, limit)

    if not job.think or not population:
        return np.append(np.zeros(population), 1.0)  # nobody is anywhere else
    most = population if math.isinf(limit) else min(int(limit), population)
    births = _births(job, np.arange(most))
    return _normalized(np.log(births) - np.log(_deaths(speeds, len(births))))


def _births(job: JobClass, number: NDArray[np.int64]) -> Array:
    """Jobs per second that come where so many are there."""
    if job.is_open:
        return np.full(len(number), job.arrival_rate or 0.0)
    return np.asarray(((job.population or 0) - number) / job.think) if job.think else np.zeros(len(number))


def _open_probabilities(rate: float, speeds: Array, limit: float) -> Array:
    ratio = rate / float(speeds[-1])
    if not rate:
        return np.ones(1)
    if ratio < 1:  # beyond the pool weights are geometric
        limit = min(limit, len(speeds) + math.ceil(math.log(NEGLIGIBLE) / math.log(ratio)))
    return _normalized(np.log(rate) - np.log(_deaths(speeds, int(limit))))


def _deaths(speeds: Array, number: int) -> Array:
    """Jobs per second that end with 1, 2, … jobs."""
    return speeds[np.minimum(np.arange(number), len(speeds) - 1)]


def _normalized(log_ratios: Sequence[float] | Array) -> Array:
    weights = np.concatenate([[0.0], np.cumsum(log_ratios)])
    chances = np.exp(weights - weights.max())
    return np.asarray(chances / chances.sum())
