"""Open fork-join: jobs that arrive at random split into one task per queue, and end when the last of them does.

Each queue alone is M/G/1: the first two moments of its wait are those of Pollaczek and Khinchine, and the wait, given
that there is one, is taken as Gamma distributed. Queues fed by the same arrivals are neither independent nor equal: the
response time is taken between E max of independent sums of service and wait, and E max with waits that are the same
quantile everywhere, with a weight kappa = r^e, r = 1 / (1 + c^1.5), e = 2 (1.5 / H_k)^0.4; c is the coefficient of
variation of service and H_k the k-th harmonic number. For two exponential queues (kappa = 1/4) this is the exact
(12 - rho) / 8 / (mu - lambda) of L. Flatto and S. Hahn (1984), for constant service it is exact as well.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Distribution, ForkJoin, ForkJoinResult

Array = NDArray[np.float64]
POINTS = 4000
"""Of the grid over time on which distributions are convolved: three digits and more."""
QUANTILES = 40
"""Of waits, where queues differ."""


class _Queue(NamedTuple):
    """A queue: mean service in seconds, probability of a wait, mean wait, and shape and scale of its Gamma distribution
    when there is one."""

    mean: float
    busy: float
    wait: float
    shape: float
    scale: float


def fork_join(network: ForkJoin) -> ForkJoinResult:
    """The mean response time; every utilization must be below 1."""
    queues = [_queue(network, mean) for mean in network.means]
    deviation = max(_deviation(network, q) for q in queues)
    k = len(queues)
    horizon = max(q.mean + q.wait for q in queues) + (16 + 2 * math.log(k)) * deviation
    grid = np.linspace(0.0, horizon, POINTS + 1)
    kinds = Counter(queues)
    independent = _independent(network, kinds, grid)
    common = _common(network, kinds, grid)

    variation = math.sqrt(network.distribution.variation)
    harmonic = sum(1 / i for i in range(1, k + 1))
    weight = (1 / (1 + variation**1.5)) ** (2 * (1.5 / harmonic) ** 0.4)
    longest = max(q.mean + q.wait for q in queues)
    response = max(longest, (1 - weight) * independent + weight * common)
    return ForkJoinResult(
        response_time=response,
        station_response=tuple(q.mean + q.wait for q in queues),
        utilization=tuple(q.busy for q in queues),
        independent=independent,
        common=common,
    )


def _queue(network: ForkJoin, mean: float) -> _Queue:
    rate, (second, third) = network.arrival_rate, _moments(network.distribution)
    busy = rate * mean
    wait = rate * mean**2 * second / (2 * (1 - busy))
    square = 2 * wait**2 + rate * mean**3 * third / (3 * (1 - busy))
    if not busy:
        return _Queue(mean, 0.0, 0.0, 1.0, 1.0)
    inside, inside_square = wait / busy, square / busy
    scale = (inside_square - inside**2) / inside
    return _Queue(mean, busy, wait, inside / scale, scale)


def _moments(distribution: Distribution) -> tuple[float, float]:
    """The second and third moment of a demand of mean 1."""
    if distribution.kind == "det":
        return 1.0, 1.0
    if distribution.kind == "hyperexp":
        p = distribution.short_share
        return sum(2 * x / (2 * x) ** 2 for x in (p, 1 - p)), sum(6 * x / (2 * x) ** 3 for x in (p, 1 - p))
    k = distribution.order
    return (k + 1) / k, (k + 1) * (k + 2) / k**2


def _deviation(network: ForkJoin, queue: _Queue) -> float:
    service = queue.mean * math.sqrt(max(network.distribution.variation, 1e-6))
    waiting = queue.busy * queue.shape * (1 + queue.shape) * queue.scale**2 - queue.wait**2
    return math.sqrt(service**2 + max(0.0, waiting))


def _independent(network: ForkJoin, kinds: Mapping[_Queue, int], grid: Array) -> float:
    """E max of independent sums of service and wait: the integral of 1 - prod F."""
    below = np.ones_like(grid)
    for queue, count in kinds.items():
        below *= _response(network.distribution, queue, grid) ** count
    return _integral(1 - below, grid)


def _common(network: ForkJoin, kinds: Mapping[_Queue, int], grid: Array) -> float:
    """E max where all waits are the same quantile of their distributions."""
    if len(kinds) == 1:
        queue, count = next(iter(kinds.items()))
        if network.distribution.kind == "det":
            return queue.mean + queue.wait
        return queue.wait + _integral(1 - _service(network.distribution, queue.mean, grid) ** count, grid)

    shares = [float(u) for u in (np.arange(QUANTILES) + 0.5) / QUANTILES]
    busiest = max(kinds, key=lambda queue: queue.wait)
    # Few quantiles miss the tail: their mean at the busiest queue is known.
    total = QUANTILES * busiest.wait - sum(_wait_quantile(busiest, u) for u in shares)
    for u in shares:
        if network.distribution.kind == "det":
            total += max(queue.mean + _wait_quantile(queue, u) for queue in kinds)
            continue
        below = np.ones_like(grid)
        for queue, count in kinds.items():
            below *= _service(network.distribution, queue.mean, grid - _wait_quantile(queue, u)) ** count
        total += _integral(1 - below, grid)
    return total / QUANTILES


def _wait_quantile(queue: _Queue, u: float) -> float:
    from scipy.special import gammaincinv

    if u <= 1 - queue.busy:
        return 0.0
    return float(queue.scale * gammaincinv(queue.shape, (u - 1 + queue.busy) / queue.busy))


def _response(distribution: Distribution, queue: _Queue, grid: Array) -> Array:
    """The distribution function of service and wait together."""
    from scipy.signal import fftconvolve
    from scipy.special import gammainc

    if distribution.kind == "det":
        left = np.maximum(grid - queue.mean, 0.0) / queue.scale
        return np.where(grid < queue.mean, 0.0, 1 - queue.busy + queue.busy * gammainc(queue.shape, left))
    waits = np.diff(gammainc(queue.shape, grid / queue.scale))
    middles = _service(distribution, queue.mean, grid[:-1] + (grid[1] - grid[0]) / 2)
    both = np.concatenate([[0.0], fftconvolve(waits, middles)[: len(grid) - 1]])
    alone = _service(distribution, queue.mean, grid)
    return np.asarray(np.clip((1 - queue.busy) * alone + queue.busy * both, 0.0, 1.0))


def _service(distribution: Distribution, mean: float, grid: Array) -> Array:
    """The distribution function of a demand."""
    x = np.maximum(grid, 0.0) / mean
    if distribution.kind == "det":
        return (grid >= mean).astype(float)
    if distribution.kind == "hyperexp":
        p = distribution.short_share
        return np.asarray(1 - p * np.exp(-2 * p * x) - (1 - p) * np.exp(-2 * (1 - p) * x))
    from scipy.special import gammainc

    return np.asarray(gammainc(distribution.order, distribution.order * x))


def _integral(values: Array, grid: Array) -> float:
    return float((values[1:] + values[:-1]).sum() * (grid[1] - grid[0]) / 2)
