"""The tagged job whose demands do not vary: what the Markov chain becomes there.

A job is followed once for each point of a quadrature over waits. Points take, of each wait, the means of equal shares
of its distribution: every share once, so that all means are right. Waits are paired with events by sequences that are
the same in every run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Scenario
from apet.queueing.precedence.event_stepping import EventStepping
from apet.queueing.precedence.mean_field import JobMeans, MeanField, is_queue, mixture

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
POINTS = 24
PAIRINGS = 512
"""Different orders in which waits are paired with points; events beyond use them again."""
WAIT_PHASES = 2
"""Waits are steadier than exponential ones where nothing else varies."""


class ConstantSolver:
    """Solves one job of a class in a field by following it once for each point.

    `pairings` (PAIRINGS, points) says which share of a wait each point takes, by event.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.last: dict[int, list[JobMeans]] = {}
        queues = any(map(is_queue, scenario.stations))
        self.pairings = np.array([_kronecker(event) for event in range(PAIRINGS)]) if queues else np.zeros((0, 0))

    def __call__(self, c: int, met: MeanField) -> JobMeans:
        """The means of one job of class c."""
        variants, stations = [], self.scenario.stations
        cells = {k: _wait_cells(float(met.wait[k]), float(met.met[k])) for k, s in enumerate(stations) if is_queue(s)}
        points = np.arange(POINTS if met.met.any() else 1)

        def waits(events: Whole, k: int) -> Array:
            return np.asarray(cells[k][self.pairings[events % PAIRINGS, points]])

        for variant in self.scenario.classes[c].variants:
            means = EventStepping(variant.tasks, stations, met, len(points), waits).run()
            variants.append((variant.probability, means))

        self.last[c] = [means for _, means in variants]
        return mixture(variants)


def _kronecker(event: int) -> Whole:
    """The order of the multiples of an irrational number, modulo 1."""
    values = ((np.arange(POINTS) + 0.5) * _irrational(event)) % 1.0
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


def _wait_cells(mean: float, met: float) -> Array:
    """The means of equal shares of a wait: none with probability 1 - met, else Erlang of two phases."""
    from scipy.special import gammainc, gammaincinv

    if met <= 0 or mean <= 0:
        return np.zeros(POINTS)
    edges = np.clip((np.linspace(0.0, 1.0, POINTS + 1) - (1 - met)) / met, 0.0, 1.0)
    below = gammainc(WAIT_PHASES + 1, gammaincinv(WAIT_PHASES, edges))  # E[X; X below its quantile], of mean 1
    return np.asarray(mean * POINTS * np.diff(below))
