"""Jobs with precedence: which way of solving the tagged job fits, and the result in full.

The chain of states answers directly where demands have few phases. Demands of many phases, or none that vary, are
reached by interpolation in the coefficient of variation c: chains with 1, 2, 3, 5 phases per demand, and the job that
does not vary (c = 0). Jobs with too many states are simulated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Circulation, Distribution, JobsResult, JobTask, Scenario, TaskResult
from apet.queueing.precedence import population_recursion
from apet.queueing.precedence.capacity import StationLoads, missing_waits
from apet.queueing.precedence.chain_solver import MOST_STATES_ALONE, ChainSolver
from apet.queueing.precedence.constant_solver import ConstantSolver
from apet.queueing.precedence.mean_field import JobMeans, JobSolver
from apet.queueing.precedence.results import jobs_result, throughput
from apet.queueing.precedence.state_space import TooManyStates

Array = NDArray[np.float64]
MOST_PHASES = 6
"""Phases per demand up to which the chain is tried as it is."""
ORDERS = (1, 2, 3, 5)
PER_VARIANT, PER_STEP = 4e-4, 4e-4
"""Seconds that it takes to solve one job in a field: the order of magnitude."""


@dataclass(frozen=True, slots=True)
class _Means:
    """Means that may be interpolated.

    response  (classes,)  seconds per job
    tasks     (classes, stations)  seconds times tasks, per job
    active    by class and variant (tasks,)  seconds that each task is under way
    together  by class and variant (tasks, tasks)  seconds that both of a pair are
    """

    response: Array
    tasks: Array
    active: list[list[Array]]
    together: list[list[Array]]


class AnalysisTooSlow(Exception):
    """The solution would take longer than it may, or has too many states."""


def solve(scenario: Scenario, most_seconds: float = math.inf) -> JobsResult:
    """Response times, throughputs, tasks and stations of a scenario.

    Raises `AnalysisTooSlow` where that is estimated to take longer than `most_seconds`, and for too many states.
    """
    if seconds(scenario) > most_seconds:
        raise AnalysisTooSlow
    kinds = {s.distribution for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps}
    order = max((d.order for d in kinds if d.kind == "erlang"), default=1)
    constant = any(d.kind == "det" and _is_used(scenario, d) for d in kinds)

    if kinds and all(d.kind == "det" for d in kinds):
        return _result(scenario, _means(scenario, ConstantSolver(scenario)), "tagged job, deterministic")
    if not constant and order <= MOST_PHASES:
        try:
            return _result(scenario, _means(scenario, ChainSolver(scenario)), "tagged job, exact chain")
        except TooManyStates:
            if order == 1:
                raise AnalysisTooSlow from None

    target = 0.0 if constant else 1 / np.sqrt(order)
    points = _points(scenario, order if not constant else ORDERS[-1] + 1)
    if not points:
        raise AnalysisTooSlow
    if all(d.kind in ("det", "erlang") for d in kinds):
        points = [(0.0, _means(scenario, ConstantSolver(scenario))), *points[-2:]]
    return _result(scenario, _interpolated(points[-3:], float(target)), "tagged job, interpolated in the variation")


def seconds(scenario: Scenario) -> float:
    """About how long the solution takes, however fast the machine is: populations times jobs that are solved for
    each."""
    populations = math.prod(c.population + 1 for c in scenario.classes)
    return populations * sum(_seconds_per_job(c) for c in scenario.classes)


def _seconds_per_job(circulation: Circulation) -> float:
    return sum(PER_VARIANT + PER_STEP * sum(len(t.steps) for t in v.tasks) for v in circulation.variants)


def _is_used(scenario: Scenario, distribution: Distribution) -> bool:
    """Whether some demand above 0 is distributed so."""
    steps = (s for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps)
    return any(s.distribution == distribution and s.demand > 0 for s in steps)


def _points(scenario: Scenario, order: int) -> list[tuple[float, _Means]]:
    """Solutions with fewer phases, as far as they fit, with their coefficients of variation."""
    points = list[tuple[float, _Means]]()
    for phases in ORDERS:
        if phases >= order and points:
            break
        try:
            # The second point is worth a larger chain: one alone gives no slope.
            chains = ChainSolver(scenario, phases, MOST_STATES_ALONE if len(points) == 1 else None)
            points.append((1 / np.sqrt(phases), _means(scenario, chains)))

            # The next chain would have about twice as many states.
            if len(points) > 1 and 2 * chains.states > MOST_STATES_ALONE:
                break
        except TooManyStates:
            break
    return points


def _means(scenario: Scenario, solver: JobSolver) -> _Means:
    population = population_recursion.solve(scenario, solver)
    classes = range(len(scenario.classes))
    response = [population.means[c].response if c in population.means else 0.0 for c in classes]
    tasks = np.zeros((len(scenario.classes), len(scenario.stations)))
    for c, means in population.means.items():
        tasks[c] = [means.mean_tasks(k) for k in range(len(scenario.stations))]
    variants = [_variant_times(scenario, c, solver.last.get(c, [])) for c in classes]
    return _Means(
        np.array(response), tasks, [[a for a, _ in v] for v in variants], [[b for _, b in v] for v in variants]
    )


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


def _interpolated(points: Sequence[tuple[float, _Means]], target: float) -> _Means:
    """The Lagrange polynomial through the points, at the target."""
    at = [c for c, _ in points]
    weights = [float(np.prod([(target - x) / (c - x) for j, x in enumerate(at) if j != i])) for i, c in enumerate(at)]
    means = [m for _, m in points]

    def mixed(parts: Sequence[Array]) -> Array:
        return np.asarray(sum(w * p for w, p in zip(weights, parts, strict=True)))

    def by_variant(parts: Sequence[list[list[Array]]]) -> list[list[Array]]:
        return [[mixed(arrays) for arrays in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]

    return _Means(
        mixed([m.response for m in means]),
        np.maximum(mixed([m.tasks for m in means]), 0.0),
        by_variant([m.active for m in means]),
        by_variant([m.together for m in means]),
    )


def _result(scenario: Scenario, means: _Means, method: str) -> JobsResult:
    waits = missing_waits(scenario, means.response.tolist())
    response = [float(seconds) for seconds in means.response + waits.sum(axis=1)]
    rates = throughput(scenario, response)
    tasks = [
        [
            _task_results(v.tasks, active, together)
            for v, active, together in zip(circulation.variants, means.active[c], means.together[c], strict=False)
        ]
        for c, circulation in enumerate(scenario.classes)
    ]

    work = (np.array(rates) @ StationLoads(scenario).demands).tolist()
    there = (np.array(rates)[:, None] * (means.tasks + waits)).tolist()
    return jobs_result(scenario, method, response, rates, work, there, tasks)


def _task_results(tasks: Sequence[JobTask], active: Array, together: Array) -> tuple[TaskResult, ...]:
    results = []
    for t, task in enumerate(tasks):
        whole = float(active[t])
        overlap = tuple(
            float(min(1.0, max(0.0, together[t, u] / whole))) if whole and u != t else 0.0 for u in range(len(active))
        )
        results.append(TaskResult(task.name, whole, overlap))
    return tuple(results)
