"""Jobs with precedence by the tagged job, and the result in full.

The chain of states answers where demands have few phases. Demands of many phases, or that do not vary, and jobs with
too many states are left to simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Circulation, JobsResult, JobTask, Scenario, TaskResult
from apet.queueing.precedence import population_recursion
from apet.queueing.precedence.capacity import StationLoads, missing_waits
from apet.queueing.precedence.chain_solver import ChainSolver
from apet.queueing.precedence.mean_field import JobMeans
from apet.queueing.precedence.results import jobs_result, thinking_varies, throughput
from apet.queueing.precedence.state_space import TooManyStates

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


def _variant_times(scenario: Scenario, c: int, means: Sequence[JobMeans]) -> list[tuple[Array, Array]]:
    """Seconds by variant that tasks and pairs are active, the same for tasks that may be exchanged."""
    times = []
    for variant, one in zip(scenario.classes[c].variants, means, strict=False):
        groups: dict[object, list[int]] = {}
        for t, task in enumerate(variant.tasks):
            after = tuple(j for j, other in enumerate(variant.tasks) if t in other.predecessors)
            groups.setdefault((task.steps, task.predecessors, after), []).append(t)

        active, together = one.active.copy(), one.together.copy()
        for group in groups.values():
            active[group] = active[group].mean()
        for left in groups.values():
            for right in groups.values():
                _average_pairs(together, left, right)
        times.append((active, together))
    return times


def _average_pairs(together: Array, left: list[int], right: list[int]) -> None:
    """Give all pairs of two groups the same time, the diagonal apart."""
    block = together[np.ix_(left, right)]
    if left is not right:
        together[np.ix_(left, right)] = block.mean()
        return
    own, number = float(np.trace(block)), len(left)
    others = (float(block.sum()) - own) / (number * (number - 1)) if number > 1 else 0.0
    together[np.ix_(left, left)] = others
    together[left, left] = own / number


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
            _task_results(v.tasks, *times)
            for v, times in zip(circulation.variants, _variant_times(scenario, c, variants.get(c, [])), strict=False)
        ]
        for c, circulation in enumerate(scenario.classes)
    ]
    work = (np.array(rates) @ StationLoads(scenario).demands).tolist()
    there = (np.array(rates)[:, None] * (tasks + waits)).tolist()
    notes = thinking_varies(scenario)
    return jobs_result(scenario, "tagged job, exact chain", response, rates, work, there, results, notes=notes)


def _task_results(tasks: Sequence[JobTask], active: Array, together: Array) -> tuple[TaskResult, ...]:
    results = []
    for t, task in enumerate(tasks):
        whole = float(active[t])
        overlap = tuple(
            float(min(1.0, max(0.0, together[t, u] / whole))) if whole and u != t else 0.0 for u in range(len(active))
        )
        results.append(TaskResult(task.name, whole, overlap))
    return tuple(results)
