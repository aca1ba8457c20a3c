"""The tagged job with given demands: what the Markov chain becomes where demands do not vary, and a quadrature over
demands where the chain would have too many states.

Points of the quadrature take, of each demand and each wait, the means of equal shares of its distribution: every share
once, so that all means are right. Waits are paired with events by sequences that are the same in every run; tasks that
an event sends to several queues meet equally long queues or independent ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Distribution, JobTask, Scenario
from apet.queueing.precedence.event_stepping import EventStepping
from apet.queueing.precedence.mean_field import JobMeans, MeanField, is_queue, mixture

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
WAITS, DEMANDS = 24, 64
"""Points over waits where demands do not vary, and over demands and waits together."""
PAIRINGS = 512
"""Different orders in which waits are paired with points; events beyond use them again."""
DEMAND_SEED, WAIT_SEED = 20_260_101, 20_260_102
"""Fixed, so that the same file gives the same answer."""


class SamplingSolver:
    """Solves one job of a class in a field by following it once for each point of a quadrature.

    `sampled` says whether demands vary from point to point, or only waits. `factors[c][v]` (points, tasks, steps) are
    demands relative to their means, `pairings[k]` (PAIRINGS, points) which share of the wait at queue k each point
    takes, by event.
    """

    def __init__(self, scenario: Scenario, sampled: bool) -> None:
        self.scenario, self.sampled = scenario, sampled
        self.last: dict[int, list[JobMeans]] = {}
        # Waits are exponential where much varies, else Erlang of two phases.
        self.wait_phases = 1 if sampled and _mean_variation(scenario) > 0.5 else 2
        self.count = DEMANDS if sampled else WAITS
        self.factors = [[self._factors(v.tasks) for v in c.variants] for c in scenario.classes]
        self.pairings = self._pairings()

    def __call__(self, c: int, met: MeanField) -> JobMeans:
        """The means of one job of class c."""
        variants, stations = [], self.scenario.stations
        cells = {
            k: _wait_cells(float(met.wait[k]), float(met.met[k]), self.wait_phases, self.count)
            for k, s in enumerate(stations)
            if is_queue(s)
        }

        for variant, factors in zip(self.scenario.classes[c].variants, self.factors[c], strict=True):
            used = factors if self.sampled or met.met.any() else factors[:1]
            points = np.arange(len(used))

            def waits(events: Whole, k: int, points: Whole = points) -> Array:
                return np.asarray(cells[k][self.pairings[k][events % PAIRINGS, points]])

            means = EventStepping(variant.tasks, stations, met, used, waits).run()
            variants.append((variant.probability, means))

        self.last[c] = [means for _, means in variants]
        return mixture(variants)

    def _factors(self, tasks: Sequence[JobTask]) -> Array:
        """Demands relative to their means, by point, task and step."""
        longest = max((len(t.steps) for t in tasks), default=1)
        factors = np.ones((self.count, len(tasks), max(longest, 1)))
        if not self.sampled:
            return factors
        draws = np.random.default_rng(DEMAND_SEED)
        for t, task in enumerate(tasks):
            for j, step in enumerate(task.steps):
                factors[:, t, j] = _cells(step.distribution, self.count)[draws.permutation(self.count)]
        return factors

    def _pairings(self) -> dict[int, Whole]:
        """By queue: which share of the waits each point takes, for each event."""
        queues = [k for k, s in enumerate(self.scenario.stations) if is_queue(s)]
        if not self.sampled:
            rows = np.array([_kronecker(event, self.count) for event in range(PAIRINGS)]) if queues else np.zeros(0)
            return dict.fromkeys(queues, rows.astype(np.int64))

        # The less service varies, the more points see equally long waits at all queues.
        draws = np.random.default_rng(WAIT_SEED)
        likeness = 1 / (1 + _mean_variation(self.scenario) ** 0.75)
        common = round(max(0.0, (likeness**2 - 0.25) / 0.75) * self.count)
        base = np.array([draws.permutation(self.count) for _ in range(PAIRINGS)])
        pairings = {}
        for k in queues:
            own = base.copy()
            for row in own:
                row[common:] = draws.permutation(row[common:])
            pairings[k] = own
        return pairings


def _kronecker(event: int, count: int) -> Whole:
    """The order of the multiples of an irrational number, modulo 1."""
    values = ((np.arange(count) + 0.5) * _irrational(event)) % 1.0
    return np.asarray(values.argsort().argsort(), dtype=np.int64)


def _irrational(event: int) -> float:
    """A different irrational number for each event: the roots of 2, 3, 5, 7, … less their whole part."""
    while len(_PRIMES) <= event:
        n = _PRIMES[-1] + 1
        while any(n % p == 0 for p in _PRIMES if p * p <= n):
            n += 1
        _PRIMES.append(n)
    return float(np.sqrt(_PRIMES[event]) % 1.0)


_PRIMES = [2]


def _mean_variation(scenario: Scenario) -> float:
    """The mean squared variation of all steps."""
    steps = [s for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps]
    return sum(s.distribution.variation for s in steps) / len(steps) if steps else 1.0


def _wait_cells(mean: float, met: float, order: int, count: int) -> Array:
    """The means of equal shares of a wait: none with probability 1 - met, else Erlang of the order."""
    if met <= 0 or mean <= 0:
        return np.zeros(count)
    edges = np.clip((np.linspace(0.0, 1.0, count + 1) - (1 - met)) / met, 0.0, 1.0)
    return np.asarray(mean * count * np.diff(_partial_means(Distribution("erlang", order), edges)))


def _cells(distribution: Distribution, count: int) -> Array:
    """The means of equal shares of a demand of mean 1."""
    if distribution.kind == "det":
        return np.ones(count)
    return np.asarray(count * np.diff(_partial_means(distribution, np.linspace(0.0, 1.0, count + 1))))


def _partial_means(distribution: Distribution, u: Array) -> Array:
    """E[X; X below its u-quantile] for a demand X of mean 1."""
    if distribution.kind == "hyperexp":
        p = distribution.short_share
        grid = np.concatenate([np.linspace(0, 4, 2000), np.geomspace(4.001, 400 * distribution.scv, 2000)])
        parts = [(p, 2 * p), (1 - p, 2 * (1 - p))]
        below = 1 - sum(q * np.exp(-rate * grid) for q, rate in parts)
        means = sum(q / rate * (1 - (1 + rate * grid) * np.exp(-rate * grid)) for q, rate in parts)
        return np.asarray(np.where(u >= 1, 1.0, np.interp(u, below, means)))
    from scipy.special import gammainc, gammaincinv

    return np.asarray(gammainc(distribution.order + 1, gammaincinv(distribution.order, u)))
