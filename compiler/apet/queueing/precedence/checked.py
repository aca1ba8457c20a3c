"""Jobs with precedence: the analytic answer where a short simulation agrees with it, else the simulated one.

The tagged job in a mean field is exact for one job alone and in product form. Elsewhere the mean field may mislead:
stations that are nearly always busy, jobs that return quickly, parallel tasks at several servers in order of arrival.
No formula says by how much, so that every such answer is compared with a simulation, whose error is known. The same
simulation gives percentiles. Seeds are fixed: the same problem has the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apet.queueing.jobs import LEVELS, ClassResult, JobsResult, Scenario, TaskResult
from apet.queueing.networks import BY_RANK
from apet.queueing.precedence import simulation, solve
from apet.queueing.precedence.capacity import StationLoads, missing_waits, refuse_overload
from apet.queueing.precedence.results import jobs_result, throughput
from apet.queueing.precedence.simulation import Estimate, Simulated

SEED = 20_260_103
MOST_EVENTS, MOST_ROUNDS = 1_200_000, 50
"""Events, and rounds of all jobs, after which a simulation ends, whatever its precision."""
MOST_EVENTS_ALONE = 10_000_000
"""The same for what is simulated only: queues of open classes are slow to forget."""
CLOSE = 0.01
"""Relative difference of means that is never held against the analytic one."""
VAGUE = 0.02
"""Relative half-width from which on a comparison says nothing."""
PRECISE, PRECISE_ALONE = 0.008, 0.004
"""Relative half-width at which a simulation ends; half of it for what is simulated only, since batches of queues that
are slow to forget depend on each other, and a simulation rather ends where they happen to be alike."""
MOST_SECONDS = 0.06
"""Estimated time of the analytic solution from which on a simulation takes its place."""
NOT_ANALYSED = "simulated: open classes of jobs, priorities and pools"
TOO_SLOW = "simulated: demands that hardly vary, or take longer to analyse than to simulate"
MISLED = "simulated, because the analytic means ({}) differ from what a simulation shows"


def checked(scenario: Scenario, levels: tuple[float, ...] = LEVELS) -> JobsResult:
    """Response times with percentiles, throughputs, tasks and stations of a scenario."""
    if beyond_analysis(scenario):
        refuse_overload(scenario)
        simulated = simulation.run(
            scenario, MOST_EVENTS_ALONE, SEED, lambda means: precise(means, PRECISE_ALONE), levels
        )
        result = simulation.as_result(scenario, simulated)
        return replace(result, notes=(NOT_ANALYSED, *result.notes))
    try:
        analytic = solve.solve(scenario, MOST_SECONDS)
    except solve.NoAnalysis:
        return _simulated(scenario, None, simulation.run(scenario, _most_events(scenario), SEED, precise, levels))

    exact = is_exact(scenario)
    simulated = simulation.run(
        scenario, _most_events(scenario), SEED, lambda means: exact or precise(means) or _agree(analytic, means), levels
    )
    if exact or _agree(analytic, simulated.response):
        return _with_percentiles(analytic, simulated)
    return _simulated(scenario, analytic, simulated)


def beyond_analysis(scenario: Scenario) -> bool:
    """Whether the tagged job does not cover it: open classes, priorities, pools."""
    ranked = any(s.discipline in BY_RANK for s in scenario.stations)
    return bool(scenario.pools) or ranked or any(c.is_open for c in scenario.classes)


def _most_events(scenario: Scenario) -> int:
    many = MOST_ROUNDS * simulation.events_per_round(scenario)
    return min(simulation.MOST_EVENTS, max(MOST_EVENTS, many))


def precise(means: Sequence[Estimate], share: float = PRECISE) -> bool:
    """Whether the means of all classes are known to so small a share."""
    return all(e.half_width <= share * e.value for e in means)


def is_exact(scenario: Scenario) -> bool:
    """Whether the network is in product form (F. Baskett et al., JACM 22(2), 1975): jobs of single tasks, exponential
    demands, at queues equal means for all."""
    for k, station in enumerate(scenario.stations):
        steps = {
            step
            for c in scenario.classes
            for v in c.variants
            for task in v.tasks
            for step in task.steps
            if step.station == k
        }

        if station.discipline == "FCFS" and len({s.demand for s in steps}) > 1:
            return False
        if station.discipline == "LCFS-PR" or any(s.distribution.variation != 1 for s in steps):
            return False
    return all(len(v.tasks) <= 1 for c in scenario.classes for v in c.variants)


def _agree(analytic: JobsResult, means: Sequence[Estimate]) -> bool:
    return all(_agrees(c.response_time, e) for c, e in zip(analytic.classes, means, strict=True))


def _agrees(mean: float, estimate: Estimate) -> bool:
    if estimate.half_width > VAGUE * estimate.value:
        return False
    return abs(mean - estimate.value) <= max(estimate.half_width, CLOSE * estimate.value)


def _with_percentiles(analytic: JobsResult, simulated: Simulated) -> JobsResult:
    classes = [replace(c, percentiles=simulation.percentiles(simulated, i)) for i, c in enumerate(analytic.classes)]
    return replace(analytic, classes=tuple(classes))


def _simulated(scenario: Scenario, analytic: JobsResult | None, simulated: Simulated) -> JobsResult:
    """The simulated means, within what stations can do; overlaps of tasks are those of the analytic result."""
    raw = simulation.as_result(scenario, simulated)
    response = [e.value for e in simulated.response]
    waits = missing_waits(scenario, response)
    response = [r + float(w) for r, w in zip(response, waits.sum(axis=1), strict=True)]
    rates = throughput(scenario, response)
    work = (np.array(rates) @ StationLoads(scenario).demands).tolist()
    tasks = [_tasks(c, analytic.classes[i] if analytic else None) for i, c in enumerate(raw.classes)]

    result = jobs_result(scenario, "simulation", response, rates, work, simulated.tasks_at, tasks, notes=raw.notes)
    classes = [
        replace(c, percentiles=one.percentiles, half_width=one.half_width)
        for c, one in zip(result.classes, raw.classes, strict=True)
    ]
    return replace(result, classes=tuple(classes), notes=(_reason(analytic), *result.notes))


def _tasks(simulated: ClassResult, analytic: ClassResult | None) -> list[tuple[TaskResult, ...]]:
    """Simulated times of tasks with analytic overlaps, where there are some."""
    if analytic is None or not analytic.variants:
        return list(simulated.variants)
    return [
        tuple(TaskResult(s.name, s.response_time, a.overlap) for s, a in zip(*rows, strict=True))
        for rows in zip(simulated.variants, analytic.variants, strict=True)
    ]


def _reason(analytic: JobsResult | None) -> str:
    if analytic is None:
        return TOO_SLOW
    times = ", ".join(f"{c.name} {c.response_time:.4g} s" for c in analytic.classes)
    return MISLED.format(times)
