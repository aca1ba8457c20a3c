"""What jobs bring to stations, and the waits that their response times lack."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import Circulation, JobStep, Scenario
from apet.queueing.data.networks import BY_RANK
from apet.queueing.methods.capacity import overload_waits

Array = NDArray[np.float64]
NORMAL = 1.96
"""The 97.5 % quantile of the normal distribution."""


class StationLoads:
    """What a job brings to stations: expectations over its variants, each (classes, stations).

    demands [s], visits, squared demands [s^2] of steps as means and as they vary.
    """

    def __init__(self, scenario: Scenario) -> None:
        def per_job(amount: Callable[[JobStep], float]) -> Array:
            return np.array([_per_station(c, len(scenario.stations), amount) for c in scenario.classes])

        self.demands = per_job(lambda step: step.demand)
        self.visits = per_job(lambda step: 1.0)
        self.squared_means = per_job(lambda step: step.demand**2)
        self.second_moments = per_job(lambda step: step.demand**2 * (1 + step.distribution.variation))


def refuse_overload(scenario: Scenario) -> None:
    """`ApetError` naming the stations that open classes overload, unless pools refuse what is too much."""
    refusing = {c for pool in scenario.pools if pool.backlog is not None for c in pool.classes}
    rates = [0.0 if i in refusing else c.arrival_rate or 0.0 for i, c in enumerate(scenario.classes)]
    works = (np.array(rates) @ StationLoads(scenario).demands).tolist()
    names = [
        f"{s.name}: utilization {work / s.servers:.4g}"
        for s, work in zip(scenario.stations, works, strict=True)
        if s.discipline != "delay" and work >= s.servers
    ]
    if names:
        raise ApetError(errors.Overloaded(None, None, "; ".join(names)))


def uncertainty(scenario: Scenario, seconds: float) -> list[float]:
    """By class the half-width of the 95 % interval, over the mean, that a simulation of so many seconds has at least
    where open classes load a station: 1.96 sqrt(2 (c2_a + c2_s) / n) / (1 - rho) of n arrivals (W. Whitt, Management
    Science 35(11), 1989). Batches of a queue that is slow to forget are alike by chance, and say less."""
    loads, rates = StationLoads(scenario), np.array([c.arrival_rate or 0.0 for c in scenario.classes])
    bursts = max((c.think_distribution.variation for c in scenario.classes if c.is_open), default=1.0)
    floors = [0.0] * len(scenario.classes)
    for k, station in enumerate(scenario.stations):
        if station.is_delay:
            continue
        for c, circulation in enumerate(scenario.classes):
            ranked = station.discipline in BY_RANK
            ahead = [not ranked or other.priority <= circulation.priority for other in scenario.classes]
            flow = rates * np.array(ahead)
            visits, work = float(flow @ loads.visits[:, k]), float(flow @ loads.demands[:, k])
            free = 1 - work / station.servers
            if not visits or not loads.demands[c, k] or free <= 0:
                continue
            shape = float(flow @ loads.second_moments[:, k]) * visits / work**2 - 1
            spread = 2 * (bursts + max(shape, 0.0)) / (visits * seconds)
            floors[c] = max(floors[c], NORMAL * math.sqrt(spread) / free * work / station.servers)
    return floors


def _per_station(circulation: Circulation, stations: int, amount: Callable[[JobStep], float]) -> Array:
    """The expected sum over the steps of a job at each station."""
    total = np.zeros(stations)
    for variant in circulation.variants:
        for task in variant.tasks:
            for step in task.steps:
                total[step.station] += variant.probability * amount(step)
    return total


def missing_waits(scenario: Scenario, response: Sequence[float]) -> Array:
    """(classes, stations) seconds per job that response times lack where stations would be more than 100 % busy.

    All visits to such a station wait equally long in addition; where servers are shared, in proportion to their work.
    """
    loads = StationLoads(scenario)
    servers = np.array([math.inf if s.discipline == "delay" else s.servers for s in scenario.stations])
    in_order = np.array([s.discipline == "FCFS" for s in scenario.stations])
    jobs = np.array([c.population for c in scenario.classes], dtype=float)
    cycle = np.array([c.think for c in scenario.classes]) + np.array(response, dtype=float)
    weights = np.where(in_order, loads.visits * (loads.demands > 0), loads.demands)
    return overload_waits(jobs, cycle, loads.demands / servers, weights)
