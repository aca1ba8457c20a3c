"""Approximate mean values of closed networks whose exact solution would take too long.

An arriving job of class c finds Q_jk(N - 1_c) jobs of class j. Schweitzer (1979) takes Q_jk for j != c and
(N_c - 1) / N_c Q_ck for its own class; Linearizer (K. M. Chandy and D. Neuse, CACM 25(2), 1982) improves on it with the
changes of the fractions F_jk = Q_jk / N_j that solutions at N - 1_c show. Stations with m servers are a server of
demand D / m and a delay of D (m - 1) / m (A. Seidmann et al., 1987).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apet.queueing.mva.results import result
from apet.queueing.networks import Network, NetworkResult

Array = NDArray[np.float64]
TOLERANCE = 1e-12
MOST_ITERATIONS = 100_000
CHECKED = 4
"""Every so many rounds it is looked whether anything still changes."""
FLAT, STEEP = 0.2, 0.995
"""Between these ratios of two steps their limit is worth a guess."""
UPDATES = 3
"""How often Linearizer computes the changes of the fractions anew (Chandy and Neuse: two or three suffice)."""


class _Arrays:
    """Demands at servers, seconds without queueing per class, populations of the classes that have jobs."""

    def __init__(self, network: Network) -> None:
        population = np.array([c.population or 0 for c in network.classes], dtype=float)
        demands = np.array(network.demands(), dtype=float)
        servers = np.array([1 if s.is_delay else len(network.speed(k)) for k, s in enumerate(network.stations)])
        peak = np.array([1.0 if s.is_delay else network.speed(k)[-1] for k, s in enumerate(network.stations)])
        self.delay = np.array([s.is_delay for s in network.stations])
        self.present = population > 0
        self.population = population[self.present]
        own = demands[self.present]
        self.queueing = np.where(self.delay, 0.0, own / np.where(servers > 1, peak, 1.0))
        self.fixed = own - self.queueing
        think = np.array([c.think for c in network.classes])[self.present]
        self.idle = think + self.fixed.sum(axis=1)
        self.shape = demands.shape


def schweitzer(network: Network, tolerance: float = TOLERANCE) -> NetworkResult:
    """The fixed point of Schweitzer's approximation; queue lengths change by less than `tolerance` (relative)."""
    arrays = _Arrays(network)
    if not arrays.population.size:
        return result(network, "schweitzer", [0.0] * arrays.shape[0], [[0.0] * arrays.shape[1]] * arrays.shape[0])
    jobs, own = _start(arrays), (1.0 / arrays.population)[:, None]
    rounds, change = 0, np.inf
    rows, columns = np.ones(len(jobs)), np.ones(jobs.shape[1])
    seen, found, last = np.empty_like(jobs), np.empty_like(jobs), np.zeros_like(jobs)
    while change > tolerance and rounds < MOST_ITERATIONS:
        np.multiply(jobs, -own, out=seen)
        seen += rows @ jobs + 1.0
        np.multiply(arrays.queueing, seen, out=seen)
        total = seen @ columns + arrays.idle
        np.multiply(seen, (arrays.population / np.where(total > 0, total, np.inf))[:, None], out=found)
        rounds += 1
        if rounds % CHECKED == CHECKED - 1:
            last = found - jobs
        elif rounds % CHECKED == 0:
            step = found - jobs
            change = float(np.abs(step).max() / arrays.population.max())
            if change > tolerance:
                _leap(found, step, last)
        jobs, found = found, jobs
    return _finished(
        network, "schweitzer", arrays, jobs, 1.0 + jobs.sum(axis=0) - own * jobs, rounds, change <= tolerance
    )


def linearizer(network: Network, tolerance: float = 1e-10) -> NetworkResult:
    """The solution of Linearizer."""
    arrays = _Arrays(network)
    if not arrays.population.size:
        return result(network, "linearizer", [0.0] * arrays.shape[0], [[0.0] * arrays.shape[1]] * arrays.shape[0])
    classes = len(arrays.population)
    # Row 0 is the whole population, row c + 1 that with one job of class c less.
    sizes = np.vstack([arrays.population, arrays.population - np.eye(classes)])
    jobs = np.stack([_start(arrays) * (s / arrays.population)[:, None] for s in sizes])
    changes = np.zeros((classes, *jobs.shape[1:]))  # by job taken away, class, station
    rounds, met = 0, True
    for last in [False] * UPDATES + [True]:
        which = slice(0, 1) if last else slice(None)
        jobs[which], used, met = _core(arrays, sizes[which], jobs[which], changes, tolerance)
        rounds += used
        if not last:
            shares = _shares(jobs, sizes)
            changes = shares[1:] - shares[0]
    found = _seen(arrays, sizes[:1], jobs[:1], changes)[0]
    return _finished(network, "linearizer", arrays, jobs[0], found, rounds, met)


def _leap(jobs: Array, step: Array, last: Array) -> None:
    """Go where steps that shrink like the last two would lead (A. C. Aitken, 1926); plain steps follow."""
    before = float(np.vdot(last, last))
    ratio = float(np.vdot(step, last)) / before if before else 0.0
    if FLAT < ratio < STEEP:
        step *= ratio / (1 - ratio)
        jobs += step
        np.maximum(jobs, 0.0, out=jobs)


def _core(arrays: _Arrays, sizes: Array, jobs: Array, changes: Array, tolerance: float) -> tuple[Array, int, bool]:
    rounds, change = 0, np.inf
    constant, each = 1.0 + _moved(sizes, changes), _inverse(sizes)
    found, columns = np.empty_like(jobs), np.ones(jobs.shape[2])
    jobs = jobs.copy()
    while change > tolerance and rounds < MOST_ITERATIONS:
        np.multiply(jobs, each, out=found)
        np.subtract(constant, found, out=found)
        found += jobs.sum(axis=1, keepdims=True)
        np.maximum(found, 1.0, out=found)
        np.multiply(found, arrays.queueing, out=found)
        found *= (sizes / (found @ columns + arrays.idle))[:, :, None]
        rounds += 1
        if rounds % CHECKED == 0:
            change = float(np.abs(found - jobs).max() / arrays.population.max())
        jobs, found = found, jobs
    return jobs, rounds, change <= tolerance


def _inverse(sizes: Array) -> Array:
    """1 / N_j, or 0 where no job is."""
    return np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)[:, :, None]


def _shares(jobs: Array, sizes: Array) -> Array:
    return np.asarray(jobs * _inverse(sizes))


def _moved(sizes: Array, changes: Array) -> Array:
    """What the changes of the fractions add to what an arriving job finds, less its own."""
    return np.asarray(np.einsum("pj,cjk->pck", sizes, changes) - np.einsum("cck->ck", changes))


def _seen(arrays: _Arrays, sizes: Array, jobs: Array, changes: Array) -> Array:
    """1 + what an arriving job of each class finds at each station, for each population: (populations, classes, K).

    Q_jk(n - 1_c) = (n_j - [j = c]) (F_jk(n) + change_cjk), summed over j.
    """
    shares = _shares(jobs, sizes)
    return np.asarray(np.maximum(1.0 + jobs.sum(axis=1, keepdims=True) + _moved(sizes, changes) - shares, 1.0))


def _start(arrays: _Arrays) -> Array:
    """Jobs spread in proportion to demand."""
    total = arrays.queueing.sum(axis=1) + arrays.idle
    return np.asarray((arrays.population / np.where(total > 0, total, 1.0))[:, None] * arrays.queueing)


def _finished(
    network: Network, method: str, arrays: _Arrays, jobs: Array, seen: Array, rounds: int, converged: bool
) -> NetworkResult:
    total = arrays.idle + (arrays.queueing * seen).sum(axis=1)
    rates = arrays.population / np.where(total > 0, total, np.inf)
    everywhere, rate = np.zeros(arrays.shape), np.zeros(arrays.shape[:1])
    rate[arrays.present] = rates
    everywhere[arrays.present] = rates[:, None] * (arrays.queueing * seen + arrays.fixed)
    return result(network, method, [float(r) for r in rate], [row.tolist() for row in everywhere], rounds, converged)
