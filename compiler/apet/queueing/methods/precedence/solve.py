"""Jobs with precedence in a steady state: simulated until every mean is known to a few parts in a thousand.

Approximations by formulas are quicker and miss by 3 to 20 % (`tests.benchmarks.queue_accuracy`), and nothing tells
where. Seeds are fixed: the same problem has the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apet.queueing.data.jobs import LEVELS, JobsResult, Scenario
from apet.queueing.methods.precedence import simulation
from apet.queueing.methods.precedence.capacity import StationLoads, missing_waits, refuse_overload
from apet.queueing.methods.precedence.simulation import Estimate

SEED = 20_260_103
MOST_EVENTS = 10_000_000
"""Events after which a simulation ends, whatever its precision: queues of open classes are slow to forget."""
PRECISE = 0.004
"""Relative half-width at which a simulation ends. No more: batches of queues that are slow to forget depend on each
other, and a wider interval rather ends where they happen to be alike."""


def solve(scenario: Scenario, levels: tuple[float, ...] = LEVELS) -> JobsResult:
    """Response times with percentiles, throughputs, tasks and stations of a scenario."""
    refuse_overload(scenario)
    result = simulation.as_result(scenario, simulation.run(scenario, MOST_EVENTS, SEED, precise, levels))
    circulates = not scenario.pools and not any(c.is_open for c in scenario.classes)
    return _by_little(scenario, result) if circulates else result


def _by_little(scenario: Scenario, result: JobsResult) -> JobsResult:
    """With throughputs N / (Z + R) in the place of jobs counted, and R no less than stations can do."""
    waits = missing_waits(scenario, [c.response_time for c in result.classes]).sum(axis=1).tolist()
    classes = []
    for circulation, c, wait in zip(scenario.classes, result.classes, waits, strict=True):
        response = c.response_time + wait
        cycle = circulation.think + response
        rate = circulation.population / cycle if cycle else 0.0
        classes.append(replace(c, response_time=response, throughput=rate))

    work = np.array([c.throughput for c in classes]) @ StationLoads(scenario).demands
    stations = [
        s if s.utilization is None else replace(s, utilization=float(w) / place.servers)
        for s, place, w in zip(result.stations, scenario.stations, work, strict=True)
    ]
    return replace(result, classes=tuple(classes), stations=tuple(stations))


def precise(means: Sequence[Estimate], share: float = PRECISE) -> bool:
    """Whether the means of all classes are known to so small a share."""
    return all(e.half_width <= share * e.value for e in means)
