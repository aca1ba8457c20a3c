"""Approximate MVA: closed networks whose exact solution would take too long.

By the arrival theorem, an arriving job of class c meets Q_jk(N - 1_c) jobs of class j. P. J. Schweitzer (1979) takes
Q_jk for j != c and (N_c - 1) / N_c Q_ck for its own class; Linearizer (K. M. Chandy and D. Neuse, CACM 25(2), 1982)
improves on it with the changes of the fractions F_jk = Q_jk / N_j that solutions at N - 1_c show. Stations with m
servers are a server of demand D / m and a delay of D (m - 1) / m (A. Seidmann et al., 1987).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.methods.mva.results import mean_values

Array = NDArray[np.float64]
TOLERANCE = 1e-12
MOST_ITERATIONS = 100_000
CHECKED = 4
"""Convergence is tested every so many iterations."""
FLAT, STEEP = 0.2, 0.995
"""Between these ratios of two steps their limit is worth an extrapolation."""
UPDATES = 3
"""How often Linearizer computes the changes of the fractions anew (Chandy and Neuse: two or three suffice)."""


class _Demands:
    """The classes that have jobs, as demands; C of them, K stations.

    population  (C,)    jobs
    queueing    (C, K)  service demand where jobs wait, in seconds; of m servers D / m
    fixed       (C, K)  seconds at stations without waiting; of m servers D (m - 1) / m
    idle        (C,)    think time and all fixed seconds
    present     (classes,) bool  which classes these are; `shape` is (classes, K)
    """

    def __init__(self, network: Network) -> None:
        population = np.array([c.population or 0 for c in network.classes], dtype=float)
        service = np.array(network.demands(), dtype=float)
        servers = np.array([1 if s.is_delay else len(network.speed(k)) for k, s in enumerate(network.stations)])
        peak = np.array([1.0 if s.is_delay else network.speed(k)[-1] for k, s in enumerate(network.stations)])
        self.delay = np.array([s.is_delay for s in network.stations])
        self.present = population > 0
        self.population = population[self.present]

        own = service[self.present]
        self.queueing = np.where(self.delay, 0.0, own / np.where(servers > 1, peak, 1.0))
        self.fixed = own - self.queueing
        think = np.array([c.think for c in network.classes])[self.present]
        self.idle = think + self.fixed.sum(axis=1)
        self.shape = service.shape


def schweitzer(network: Network, tolerance: float = TOLERANCE) -> NetworkResult:
    """Schweitzer's approximate MVA; at its fixed point queue lengths change by less than `tolerance` (relative)."""
    demands = _Demands(network)
    if not demands.population.size:
        return _no_jobs(network, "schweitzer")
    jobs, own = _start(demands), (1.0 / demands.population)[:, None]
    rounds, change = 0, np.inf
    rows, columns = np.ones(len(jobs)), np.ones(jobs.shape[1])
    residence, new, last = np.empty_like(jobs), np.empty_like(jobs), np.zeros_like(jobs)

    while change > tolerance and rounds < MOST_ITERATIONS:
        # R_ck = D_ck (1 + Q_k - Q_ck / N_c), then X_c and Q_ck by Little's law; in place, this is the inner loop.
        np.multiply(jobs, -own, out=residence)
        residence += rows @ jobs + 1.0
        np.multiply(demands.queueing, residence, out=residence)
        cycle = residence @ columns + demands.idle
        np.multiply(residence, (demands.population / np.where(cycle > 0, cycle, np.inf))[:, None], out=new)
        rounds += 1
        # Steps cost as much as an iteration, so only now and then two in a row tell how fast they shrink.
        if rounds % CHECKED == CHECKED - 1:
            last = new - jobs
        elif rounds % CHECKED == 0:
            step = new - jobs
            change = float(np.abs(step).max() / demands.population.max())
            if change > tolerance:
                _leap(new, step, last)
        jobs, new = new, jobs

    met = 1.0 + jobs.sum(axis=0) - own * jobs
    return _result(network, "schweitzer", demands, met, rounds, change <= tolerance)


def linearizer(network: Network, tolerance: float = 1e-10) -> NetworkResult:
    """Linearizer."""
    demands = _Demands(network)
    if not demands.population.size:
        return _no_jobs(network, "linearizer")
    classes = len(demands.population)

    # Row 0 is the whole population, row c + 1 that with one job of class c less.
    sizes = np.vstack([demands.population, demands.population - np.eye(classes)])
    jobs = np.stack([_start(demands) * (s / demands.population)[:, None] for s in sizes])
    changes = np.zeros((classes, *jobs.shape[1:]))  # by job taken away, class, station

    rounds, converged = 0, True
    # The fractions with a job less are solved for too, and their changes fed back; the last round needs only row 0.
    for last in [False] * UPDATES + [True]:
        which = slice(0, 1) if last else slice(None)
        jobs[which], iterations, converged = _core(demands, sizes[which], jobs[which], changes, tolerance)
        rounds += iterations
        if not last:
            shares = _shares(jobs, sizes)
            changes = shares[1:] - shares[0]

    met = _met(sizes[:1], jobs[:1], changes)[0]
    return _result(network, "linearizer", demands, met, rounds, converged)


def _leap(jobs: Array, step: Array, last: Array) -> None:
    """Go where steps that shrink like the last two would lead (A. C. Aitken, 1926); plain steps follow, so that only
    the number of iterations depends on it."""
    before = float(np.vdot(last, last))
    ratio = float(np.vdot(step, last)) / before if before else 0.0
    if FLAT < ratio < STEEP:
        step *= ratio / (1 - ratio)
        jobs += step
        np.maximum(jobs, 0.0, out=jobs)


def _core(demands: _Demands, sizes: Array, jobs: Array, changes: Array, tolerance: float) -> tuple[Array, int, bool]:
    """The fixed point at all populations `sizes` (populations, C) at once, for given changes of the fractions."""
    rounds, change = 0, np.inf
    constant, each = 1.0 + _moved(sizes, changes), _inverse(sizes)
    new, columns = np.empty_like(jobs), np.ones(jobs.shape[2])
    jobs = jobs.copy()

    while change > tolerance and rounds < MOST_ITERATIONS:
        # 1 + what an arriving job meets: all jobs less its own share, and what the changes add; then as above.
        np.multiply(jobs, each, out=new)
        np.subtract(constant, new, out=new)
        new += jobs.sum(axis=1, keepdims=True)
        np.maximum(new, 1.0, out=new)
        np.multiply(new, demands.queueing, out=new)
        new *= (sizes / (new @ columns + demands.idle))[:, :, None]
        rounds += 1
        if rounds % CHECKED == 0:
            change = float(np.abs(new - jobs).max() / demands.population.max())
        jobs, new = new, jobs
    return jobs, rounds, change <= tolerance


def _inverse(sizes: Array) -> Array:
    """1 / N_j, or 0 where no job is."""
    return np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)[:, :, None]


def _shares(jobs: Array, sizes: Array) -> Array:
    return np.asarray(jobs * _inverse(sizes))


def _moved(sizes: Array, changes: Array) -> Array:
    """What the changes of the fractions add to what an arriving job meets, less its own."""
    return np.asarray(np.einsum("pj,cjk->pck", sizes, changes) - np.einsum("cck->ck", changes))


def _met(sizes: Array, jobs: Array, changes: Array) -> Array:
    """1 + what an arriving job of each class meets at each station, for each population: (populations, C, K).

    Q_jk(n - 1_c) = (n_j - [j = c]) (F_jk(n) + change_cjk), summed over j.
    """
    shares = _shares(jobs, sizes)
    return np.asarray(np.maximum(1.0 + jobs.sum(axis=1, keepdims=True) + _moved(sizes, changes) - shares, 1.0))


def _start(demands: _Demands) -> Array:
    """Jobs spread in proportion to demand."""
    total = demands.queueing.sum(axis=1) + demands.idle
    return np.asarray((demands.population / np.where(total > 0, total, 1.0))[:, None] * demands.queueing)


def _result(
    network: Network, method: str, demands: _Demands, met: Array, rounds: int, converged: bool
) -> NetworkResult:
    """From what arriving jobs meet, themselves included (C, K), to the mean values of all classes."""
    residence = demands.queueing * met
    cycle = demands.idle + residence.sum(axis=1)
    rates = demands.population / np.where(cycle > 0, cycle, np.inf)

    throughput, queue_length = np.zeros(demands.shape[:1]), np.zeros(demands.shape)
    throughput[demands.present] = rates
    queue_length[demands.present] = rates[:, None] * (residence + demands.fixed)
    return mean_values(network, method, list(throughput), [row.tolist() for row in queue_length], rounds, converged)


def _no_jobs(network: Network, method: str) -> NetworkResult:
    nobody = [[0.0] * len(network.stations) for _ in network.classes]
    return mean_values(network, method, [0.0] * len(network.classes), nobody)
