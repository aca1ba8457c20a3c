"""Jobs with precedence: which way of solving the tagged job fits, and the result in full.

The chain of states answers directly where demands have few phases. Demands of many phases, or none that vary, are
reached by interpolation in the coefficient of variation c: chains with 1, 2, 3, 5 phases per demand, and the job that
does not vary (c = 0). Jobs with too many states are followed through sampled demands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import ClassResult, JobsResult, Scenario, StationResult, TaskResult
from apet.queueing.precedence import tagged
from apet.queueing.precedence.chain import Solved
from apet.queueing.precedence.quadrature import DEMANDS, Passes
from apet.queueing.precedence.states import MOST_EVER, TooManyStates
from apet.queueing.precedence.tagged_chain import Direct
from apet.queueing.precedence.thinking import left_out

Array = NDArray[np.float64]
MOST_PHASES = 6
ORDERS = (1, 2, 3, 5)
SAMPLED = f"demands are sampled at {DEMANDS} fixed points: means are good to some percent"


class _Answer(NamedTuple):
    """Means that may be interpolated: response times by class, tasks by station, and by class and variant seconds that
    each task, and each pair, is active."""

    response: Array
    tasks: Array
    active: list[list[Array]]
    together: list[list[Array]]


def solve(scenario: Scenario) -> JobsResult:
    """Response times, throughputs, tasks and stations of a scenario."""
    found = _solved(scenario)
    return found._replace(notes=(*found.notes, *left_out(scenario)))


def _solved(scenario: Scenario) -> JobsResult:
    kinds = {s.distribution for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps}
    order = max((d.order for d in kinds if d.kind == "erlang"), default=1)
    fixed = any(d.kind == "det" and _used(scenario, d) for d in kinds)
    if kinds and all(d.kind == "det" for d in kinds):
        return _result(scenario, _answer(scenario, Passes(scenario, False)), "tagged job, deterministic")
    if not fixed and order <= MOST_PHASES:
        try:
            return _result(scenario, _answer(scenario, Direct(scenario)), "tagged job, exact chain")
        except TooManyStates:
            if order == 1:
                return _result(scenario, _answer(scenario, Passes(scenario, True)), "tagged job, sampled", (SAMPLED,))
    target = 0.0 if fixed else 1 / np.sqrt(order)
    points = _points(scenario, order if not fixed else ORDERS[-1] + 1)
    if not points:
        return _result(scenario, _answer(scenario, Passes(scenario, True)), "tagged job, sampled", (SAMPLED,))
    if all(d.kind in ("det", "erlang") for d in kinds):
        points = [(0.0, _answer(scenario, Passes(scenario, False))), *points[-2:]]
    return _result(scenario, _interpolated(points[-3:], float(target)), "tagged job, interpolated in the variation")


def _used(scenario: Scenario, distribution: object) -> bool:
    """Whether some demand above 0 is distributed so."""
    steps = (s for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps)
    return any(s.distribution == distribution and s.demand > 0 for s in steps)


def _points(scenario: Scenario, order: int) -> list[tuple[float, _Answer]]:
    """Solutions with fewer phases, as far as they fit, with their coefficients of variation."""
    found = list[tuple[float, _Answer]]()
    for phases in ORDERS:
        if phases >= order and found:
            break
        try:
            most = MOST_EVER if len(found) == 1 else None
            chains = Direct(scenario, phases, most)
            found.append((1 / np.sqrt(phases), _answer(scenario, chains)))
            if len(found) > 1 and 2 * chains.states > MOST_EVER:
                break
        except TooManyStates:
            break
    return found


def _answer(scenario: Scenario, solver: Direct | Passes) -> _Answer:
    population = tagged.solve(scenario, solver)
    response = np.array(
        [population.solved[c].response if c in population.solved else 0.0 for c in range(len(scenario.classes))]
    )
    tasks = np.zeros(len(scenario.stations))
    for c, solved in population.solved.items():
        tasks += population.throughput[c] * np.array([float(p @ np.arange(len(p))) for p in solved.present])
    last = [_tasks(scenario, c, solver.last.get(c, [])) for c in range(len(scenario.classes))]
    return _Answer(response, tasks, [[a for a, _ in v] for v in last], [[b for _, b in v] for v in last])


def _tasks(scenario: Scenario, c: int, solved: Sequence[Solved]) -> list[tuple[Array, Array]]:
    """Seconds that tasks and pairs are active, the same for tasks that may be exchanged."""
    found = []
    for variant, one in zip(scenario.classes[c].variants, solved, strict=False):
        groups: dict[object, list[int]] = {}
        for t, task in enumerate(variant.tasks):
            after = tuple(j for j, other in enumerate(variant.tasks) if t in other.predecessors)
            groups.setdefault((task.steps, task.predecessors, after), []).append(t)
        active, together = one.active.copy(), one.together.copy()
        for group in groups.values():
            active[group] = active[group].mean()
        for left in groups.values():
            for right in groups.values():
                _averaged(together, left, right)
        found.append((active, together))
    return found


def _averaged(together: Array, left: list[int], right: list[int]) -> None:
    block = together[np.ix_(left, right)]
    if left is not right:
        together[np.ix_(left, right)] = block.mean()
        return
    own, number = float(np.trace(block)), len(left)
    others = (float(block.sum()) - own) / (number * (number - 1)) if number > 1 else 0.0
    together[np.ix_(left, left)] = others
    together[left, left] = own / number


def _interpolated(points: Sequence[tuple[float, _Answer]], target: float) -> _Answer:
    """The Lagrange polynomial through the points, at the target."""
    at = [c for c, _ in points]
    weights = [float(np.prod([(target - x) / (c - x) for j, x in enumerate(at) if j != i])) for i, c in enumerate(at)]
    answers = [a for _, a in points]

    def mixed(parts: Sequence[Array]) -> Array:
        return np.asarray(sum(w * p for w, p in zip(weights, parts, strict=True)))

    first = answers[0]
    return _Answer(
        mixed([a.response for a in answers]),
        np.maximum(mixed([a.tasks for a in answers]), 0.0),
        [
            [mixed([a.active[c][v] for a in answers]) for v in range(len(first.active[c]))]
            for c in range(len(first.active))
        ],
        [
            [mixed([a.together[c][v] for a in answers]) for v in range(len(first.together[c]))]
            for c in range(len(first.together))
        ],
    )


def _result(scenario: Scenario, answer: _Answer, method: str, notes: tuple[str, ...] = ()) -> JobsResult:
    network = tagged.Network(scenario)
    classes, rates = [], []
    for c, circulation in enumerate(scenario.classes):
        response = float(answer.response[c])
        cycle = circulation.think + response
        rates.append(circulation.population / cycle if cycle else 0.0)
        variants = tuple(
            _named(v.tasks, active, together)
            for v, active, together in zip(circulation.variants, answer.active[c], answer.together[c], strict=False)
        )
        classes.append(ClassResult(circulation.name, response, rates[-1], variants))
    work = np.array(rates) @ network.demands
    stations = tuple(
        StationResult(s.name, float(w) / (1 if s.discipline == "delay" else s.servers), float(n))
        for s, w, n in zip(scenario.stations, work, answer.tasks, strict=True)
    )
    return JobsResult(method, tuple(classes), stations, notes=notes)


def _named(tasks: Sequence[object], active: Array, together: Array) -> tuple[TaskResult, ...]:
    found = []
    for t, task in enumerate(tasks):
        whole = float(active[t])
        overlap = tuple(
            float(min(1.0, max(0.0, together[t, u] / whole))) if whole and u != t else 0.0 for u in range(len(active))
        )
        found.append(TaskResult(task.name, whole, overlap))  # type: ignore[attr-defined]
    return tuple(found)
