"""Jobs with precedence by the tagged job, and the result in full.

The chain of states answers where demands have few phases. Demands of many phases, or that do not vary, and jobs with
too many states are left to simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.job_methods import population_recursion
from tests.benchmarks.job_methods.chain_solver import ChainSolver
from tests.benchmarks.job_methods.mean_field import JobMeans
from tests.benchmarks.job_methods.results import jobs_result, thinking_varies, throughput
from tests.benchmarks.job_methods.state_space import TooManyStates

from apet.queueing.data.jobs import Circulation, JobsResult, Scenario, TaskResult
from apet.queueing.methods.precedence.capacity import StationLoads, missing_waits

Array = NDArray[np.float64]
MOST_PHASES = 6
"""Phases per demand up to which there is a chain."""
PER_VARIANT, PER_STEP = 4e-4, 4e-4
"""Seconds that it takes to solve one job in a field: the order of magnitude."""


class NoAnalysis(Exception):
    """The solution would take longer than it may, or there is no chain of so few states."""


def solve(scenario: Scenario, most_seconds: float = math.inf) -> JobsResult:
    """Response times, throughputs, tasks and stations of a scenario.

    Raises `NoAnalysis` where that is estimated to take longer than `most_seconds`, and for too many states.
    """
    if seconds(scenario) > most_seconds:
        raise NoAnalysis
    kinds = {s.distribution for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps if s.demand}
    if any(d.kind == "det" or (d.kind == "erlang" and d.order > MOST_PHASES) for d in kinds):
        raise NoAnalysis
    try:
        solver = ChainSolver(scenario)
    except TooManyStates:
        raise NoAnalysis from None
    return _result(scenario, population_recursion.solve(scenario, solver).means, solver.last)


def seconds(scenario: Scenario) -> float:
    """About how long the solution takes, however fast the machine is: populations times jobs that are solved for
    each."""
    populations = math.prod(c.population + 1 for c in scenario.classes)
    return populations * sum(_seconds_per_job(c) for c in scenario.classes)


def _seconds_per_job(circulation: Circulation) -> float:
    return sum(PER_VARIANT + PER_STEP * sum(len(t.steps) for t in v.tasks) for v in circulation.variants)


def _variant_times(scenario: Scenario, c: int, means: Sequence[JobMeans]) -> list[Array]:
    """Seconds by variant that tasks are active, the same for tasks that may be exchanged."""
    times = []
    for variant, one in zip(scenario.classes[c].variants, means, strict=False):
        groups: dict[object, list[int]] = {}
        for t, task in enumerate(variant.tasks):
            after = tuple(j for j, other in enumerate(variant.tasks) if t in other.predecessors)
            groups.setdefault((task.steps, task.predecessors, after), []).append(t)

        active = one.active.copy()
        for group in groups.values():
            active[group] = active[group].mean()
        times.append(active)
    return times


def _result(scenario: Scenario, means: Mapping[int, JobMeans], variants: Mapping[int, list[JobMeans]]) -> JobsResult:
    """The result from means by class, of those with jobs, and by class and variant."""
    alone, tasks = np.zeros(len(scenario.classes)), np.zeros((len(scenario.classes), len(scenario.stations)))
    for c, one in means.items():
        alone[c], tasks[c] = one.response, [one.mean_tasks(k) for k in range(len(scenario.stations))]
    waits = missing_waits(scenario, alone.tolist())
    response = [float(seconds) for seconds in alone + waits.sum(axis=1)]
    rates = throughput(scenario, response)

    results = [
        [
            tuple(TaskResult(t.name, float(seconds)) for t, seconds in zip(v.tasks, times, strict=True))
            for v, times in zip(circulation.variants, _variant_times(scenario, c, variants.get(c, [])), strict=False)
        ]
        for c, circulation in enumerate(scenario.classes)
    ]
    work = (np.array(rates) @ StationLoads(scenario).demands).tolist()
    there = (np.array(rates)[:, None] * (tasks + waits)).tolist()
    notes = thinking_varies(scenario)
    return jobs_result(scenario, "tagged job, exact chain", response, rates, work, there, results, notes=notes)
