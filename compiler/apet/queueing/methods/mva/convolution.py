"""Exact solutions of closed networks with load-dependent stations: their speed depends on the jobs present.

The product form (F. Baskett et al., JACM 22(2), 1975) gives a state the weight of the product over stations of
f_k(n) = |n|! / prod n_c! · prod D_ck^n_c / prod_{j <= |n|} speed_k(j); convolving the f_k (J. P. Buzen, CACM 16(9),
1973) gives the normalising constants G, and X_c = G(N - 1_c) / G(N). The textbook mean value recursion for such
stations subtracts nearly equal numbers and loses all digits; here nothing is subtracted.

Weights may be multiplied by t_c^n_c without changing any result but for X_c, which comes out divided by t_c. With t
close to the throughputs each f_k, divided by its sum, is about the distribution of the jobs at station k, so that
neither 10^4 jobs nor long think times leave the range of floats: what underflows is that much smaller than the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.methods.mva.results import mean_values
from apet.queueing.methods.mva.schweitzer import schweitzer

Array = NDArray[np.float64]
MOST_PRODUCTS = 4_000_000_000
"""Multiplications that a solution may take: some seconds."""


def products(network: Network) -> int:
    """About how many multiplications a solution takes."""
    states = math.prod((c.population or 0) + 1 for c in network.classes)
    return states * states * (3 * len(network.stations))


def solve(network: Network) -> NetworkResult:
    """The exact solution of closed classes."""
    return solution(network)[0]


def solution(network: Network, busy: Sequence[float] | None = None) -> tuple[NetworkResult, list[list[float]]]:
    """The exact solution of closed classes, and for each station the probabilities of 0, 1, … closed jobs there.

    `busy[k]` is what open classes bring to station k, in seconds of service per second. Arrays are indexed by
    population: (N_1 + 1, …, N_C + 1).
    """
    full = tuple(c.population or 0 for c in network.classes)
    # Approximate throughputs suffice: they only keep the weights in the range of floats.
    tilt = np.array([max(x, 1e-300) for x in schweitzer(network, tolerance=1e-4).throughput])
    demands = np.array(network.demands())
    factors = [
        _weights(demands[:, k] * tilt, _log_speeds(network, k, sum(full), busy), full)
        for k in range(len(network.stations))
    ]
    think = np.array([c.think for c in network.classes])
    thinking = _weights(think * tilt, _log_factorials(sum(full)), full)

    # G without station k is what comes before it convolved with what comes after it.
    before, after = _running(factors, thinking), _running(factors[::-1], _nobody(full))[::-1]
    constants = before[-1]
    throughput = [_throughput(constants, full, c, float(tilt[c])) for c in range(len(full))]
    jobs, margins = np.zeros_like(demands), []
    for k, factor in enumerate(factors):
        others = _convolved(before[k], after[k + 1])
        weight = factor * np.flip(others)
        weight /= weight.sum()
        jobs[:, k] = _means(weight)
        margins.append(np.bincount(_totals(full).ravel(), weights=weight.ravel()).tolist())
    return mean_values(network, "exact", throughput, jobs.tolist()), margins


def _running(factors: Sequence[Array], start: Array) -> list[Array]:
    products = [start]
    for factor in factors:
        products.append(_convolved(products[-1], factor))
    return products


def _nobody(full: tuple[int, ...]) -> Array:
    """Weights that convolve to the other operand."""
    weights = np.zeros([n + 1 for n in full])
    weights.flat[0] = 1.0
    return weights


def _convolved(left: Array, right: Array) -> Array:
    """The sums over all ways to split a population; divided by the greatest, since only ratios matter."""
    if left.ndim == 1:
        product = np.convolve(left, right)[: len(left)]
    else:
        # Only the corner up to the population is needed, and scipy.signal alone takes a second to import.
        product = np.zeros_like(left)
        for place in np.ndindex(left.shape):
            reached = tuple(slice(i, None) for i in place)
            rest = tuple(slice(0, n - i) for i, n in zip(place, left.shape, strict=True))
            product[reached] += right[place] * left[rest]
    return np.asarray(product / product.max(), dtype=np.float64)


def _throughput(constants: Array, full: tuple[int, ...], c: int, tilt: float) -> float:
    """G(N - 1_c) / G(N)."""
    if not full[c]:
        return 0.0
    less = tuple(n - (i == c) for i, n in enumerate(full))
    return float(constants[less] / constants[full]) * tilt


def _means(weight: Array) -> list[float]:
    """Mean numbers of jobs by class at a station, from the probabilities of what is there."""
    means = []
    for c in range(weight.ndim):
        margin = weight.sum(axis=tuple(a for a in range(weight.ndim) if a != c))
        means.append(float(margin @ np.arange(len(margin))))
    return means


def _totals(full: tuple[int, ...]) -> NDArray[np.int64]:
    """The number of jobs of all classes, for all populations up to the full one."""
    return np.asarray(np.indices([n + 1 for n in full]).sum(axis=0), dtype=np.int64)


def _weights(demands: Array, log_speeds: Array, full: tuple[int, ...]) -> Array:
    """|n|! / prod n_c! · prod D_c^n_c / prod speed(j) for all n <= N, divided by the greatest."""
    shape = tuple(n + 1 for n in full)
    logs, total = np.zeros(shape), _totals(full)
    for c, (n, demand) in enumerate(zip(full, demands, strict=True)):
        count = np.arange(n + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            term = np.where(count == 0, 0.0, count * np.log(demand)) - _log_factorials(n)
        logs = logs + term.reshape([-1 if a == c else 1 for a in range(len(full))])
    logs = logs + _log_factorials(sum(full))[total] - log_speeds[total]
    return np.asarray(np.exp(logs - logs.max()), dtype=np.float64)


def _log_factorials(most: int) -> Array:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1)))])


def _log_speeds(network: Network, station: int, most: int, busy: Sequence[float] | None) -> Array:
    """log prod_{j <= n} speed(j) for n = 0, …, most; with open classes, less the log of what they add.

    Open jobs that use the share rho add the factor sum_m C(n + m, m) rho^m prod_{n < j <= n + m} 1 / speed(j).
    """
    if network.stations[station].is_delay:
        return _log_factorials(most)

    speeds = list(network.speed(station))
    speeds = (speeds + [speeds[-1]] * most)[: max(most, len(speeds))]
    logs = np.concatenate([[0.0], np.cumsum(np.log(speeds))])[: most + 1]
    work = busy[station] if busy else 0.0
    if not work:
        return np.asarray(logs)
    extra = [open_sums(n, work, network.speed(station))[0] for n in range(most + 1)]
    return np.asarray(logs - np.log(extra))


def open_sums(n: int, work: float, speeds: Sequence[float]) -> tuple[float, float]:
    """The weights of 0, 1, … open jobs beside n closed ones, summed: as they are, and times the open jobs."""
    total = term = 1.0
    mean, m = 0.0, 0
    while m + n < len(speeds) or max(m, 1) * term > 1e-18 * total:
        m += 1
        term *= (n + m) / m * work / speeds[min(n + m, len(speeds)) - 1]
        total += term
        mean += m * term
    return total, mean
