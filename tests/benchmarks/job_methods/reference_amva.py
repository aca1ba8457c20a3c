"""The published model of jobs with precedence: approximate mean values with queue lengths inflated by overlap factors.

The tree of a job over its tasks gives the response time of the job from those of its tasks (V. W. Mak and S. F.
Lundstrom, IEEE TPDS 1(3), 1990; D.-R. Liang and S. K. Tripathi, IEEE TPDS 11(9), 2000; E. Vianna et al., IJPP 41(6),
2013). A task meets the tasks of its own job with which it overlaps, alpha_ij = p_ij d_ij / R_i, d_ij = 1 / (1 / R_i +
1 / R_j), p_ij = 1 - P(E_j < S_i) - P(E_i < S_j), and of every other job task j for the share beta_j = R_j / (R + Z):

    A_ik = sum_{j != i} alpha_ij R_jk / R_j + (N - 1) sum_j beta_j R_jk / R_j
    R_ik = D_ik (1 + A_ik), with m servers D_ik (1 + A_ik) / min(1 + A_ik, m)

until nothing changes, each step taken by half. Tasks whose order is no tree are laid on a timeline; there they overlap
for the time that they have in common, and each piece between two events is a fork of the tasks active in it. The
variance of a task is that of a sum of exponential times. The `forkjoin` variant takes H_k times the longest branch as
the time of a fork, instead of the fitted maximum.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.job_methods import moments
from tests.benchmarks.job_methods.moments import Moments
from tests.benchmarks.job_methods.results import jobs_result, thinking_varies, throughput
from tests.benchmarks.job_methods.trees import Leaf, Series, TimelineBlock, Tree, TreeFork, tree

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import JobsResult, JobTask, Scenario, TaskResult
from apet.queueing.methods.precedence.capacity import missing_waits

Array = NDArray[np.float64]
Join = Callable[[Iterable[Moments]], Moments]
JOINS: dict[str, Join] = {"reference": moments.parallel, "forkjoin": moments.harmonic}
TOLERANCE = 1e-9
MOST_ROUNDS = 2_000
DAMPING = 0.5
MOST_PAIRS = 60
"""Jobs of more tasks take their overlaps from the timeline of means."""


class _Variant(NamedTuple):
    """One variant of a class: its tree, which tasks are ordered, and demands by task and station."""

    owner: int
    probability: float
    tasks: tuple[JobTask, ...]
    tree: Tree
    demands: Array


class _ClassSolution(NamedTuple):
    """Response times of jobs by variant, and how much each task overlaps each other (share of its own time)."""

    jobs: list[float]
    overlaps: list[Array]


def solve(scenario: Scenario, method: str) -> JobsResult:
    """Means by the "reference" or "forkjoin" variant; `ApetError` where the fixed point is not reached."""
    variants = [
        _Variant(c, v.probability, v.tasks, tree(v.tasks), _demands(v.tasks, len(scenario.stations)))
        for c, circulation in enumerate(scenario.classes)
        for v in circulation.variants
    ]
    times = [v.demands.copy() for v in variants]
    solution = _paths(variants, times, JOINS[method])
    change = float("inf")
    for rounds in range(1, MOST_ROUNDS + 1):
        new = _step(scenario, variants, times, solution)
        change = max((_change(a, b) for a, b in zip(new, times, strict=True)), default=0.0)
        times = [DAMPING * a + (1 - DAMPING) * b for a, b in zip(new, times, strict=True)]
        solution = _paths(variants, times, JOINS[method])
        if change <= TOLERANCE:
            return _result(scenario, variants, times, solution, method, rounds)

    raise ApetError(errors.NotConverged(None, None, method, MOST_ROUNDS, f"{change:.1%}".replace("%", " %")))


def _change(after: Array, before: Array) -> float:
    top = float(before.max(initial=0.0))
    return float(np.abs(after - before).max()) / top if top else 0.0


def _demands(tasks: Sequence[JobTask], stations: int) -> Array:
    demands = np.zeros((len(tasks), stations))
    for t, task in enumerate(tasks):
        for step in task.steps:
            demands[t, step.station] += step.demand
    return demands


def _responses(scenario: Scenario, variants: Sequence[_Variant], solution: _ClassSolution) -> list[float]:
    responses = [0.0] * len(scenario.classes)
    for v, seconds in zip(variants, solution.jobs, strict=True):
        responses[v.owner] += v.probability * seconds
    return responses


def _step(
    scenario: Scenario, variants: Sequence[_Variant], times: Sequence[Array], solution: _ClassSolution
) -> list[Array]:
    """New residence times by task and station."""
    responses = _responses(scenario, variants, solution)
    per_job = np.zeros((len(scenario.classes), len(scenario.stations)))
    for v, inside in zip(variants, times, strict=True):
        cycle = scenario.classes[v.owner].think + responses[v.owner]
        if cycle:
            per_job[v.owner] += v.probability * inside.sum(axis=0) / cycle

    population = np.array([c.population for c in scenario.classes], dtype=float)
    residence = []
    for v, inside, overlap in zip(variants, times, solution.overlaps, strict=True):
        others = population - np.eye(len(population))[v.owner]
        whole = inside.sum(axis=1, keepdims=True)
        where = np.divide(inside, whole, out=np.zeros_like(inside), where=whole > 0)
        crowd = 1 + overlap @ where + np.maximum(others, 0.0) @ per_job
        stretched = np.empty_like(inside)
        for k, station in enumerate(scenario.stations):
            if station.discipline == "delay":
                stretched[:, k] = v.demands[:, k]
            else:
                stretched[:, k] = v.demands[:, k] * crowd[:, k] / np.minimum(crowd[:, k], station.servers)
        residence.append(stretched)
    return residence


# From tasks to jobs


def _paths(variants: Sequence[_Variant], times: Sequence[Array], join: Join) -> _ClassSolution:
    jobs, overlaps = [], []
    for v, inside in zip(variants, times, strict=True):
        walk = _Timeline(v.tasks, inside, join)
        jobs.append(walk.part(v.tree, moments.NONE).mean)
        overlaps.append(walk.overlaps(v.tree))
    return _ClassSolution(jobs, overlaps)


class _Timeline:
    """Lays a tree out in time: when each task starts, and which pairs overlap."""

    def __init__(self, tasks: Sequence[JobTask], inside: Array, join: Join) -> None:
        self.tasks, self.join = tasks, join
        self.times = [Moments(float(r.sum()), float((r**2).sum())) for r in inside]
        self.starts = [moments.NONE] * len(tasks)
        self.alpha = np.zeros((len(tasks), len(tasks)))

    def part(self, node: Tree, start: Moments) -> Moments:
        """The time of a part that begins at `start`; notes the starts of its tasks."""
        match node:
            case Leaf(task):
                self.starts[task] = start
                return self.times[task]
            case Series(parts):
                whole = moments.NONE
                for p in parts:
                    whole = moments.serial([whole, self.part(p, moments.serial([start, whole]))])
                return whole
            case TreeFork(parts):
                return self.join([self.part(p, start) for p in parts])
            case TimelineBlock(tasks):
                return self._block(tasks, start)

    def _block(self, tasks: Sequence[int], start: Moments) -> Moments:
        """Pieces between two starts or ends of the timeline, each a fork of the tasks active in it."""
        begin, end = self._timeline(tasks)
        for t in tasks:
            self.starts[t] = Moments(start.mean + begin[t], start.variance)

        cuts = sorted({*begin.values(), *end.values()})
        whole = []
        for left, right in itertools.pairwise(cuts):
            length = right - left
            if length <= 1e-12 * cuts[-1]:
                continue
            active = [t for t in tasks if begin[t] < right and end[t] > left]
            pieces = [Moments(length, self.times[t].variance * length / self.times[t].mean) for t in active]
            whole.append(self.join(pieces) if len(pieces) > 1 else Moments(length, pieces[0].variance))
        return moments.serial(whole)

    def _timeline(self, tasks: Sequence[int]) -> tuple[dict[int, float], dict[int, float]]:
        begin: dict[int, float] = {}
        end: dict[int, float] = {}
        for t in tasks:
            begin[t] = max((end[p] for p in self.tasks[t].predecessors if p in end), default=0.0)
            end[t] = begin[t] + self.times[t].mean
        return begin, end

    def overlaps(self, root: Tree) -> Array:
        """alpha_ij for all pairs."""
        if len(self.tasks) > MOST_PAIRS:
            self._common(range(len(self.tasks)))
        else:
            self._pairs(root)
        return self.alpha

    def _pairs(self, node: Tree) -> list[int]:
        """The tasks of a part; sets the overlaps inside it."""
        match node:
            case Leaf(task):
                return [task]
            case TimelineBlock(tasks):
                self._common(tasks)
                return list(tasks)
            case Series(parts):
                return [t for p in parts for t in self._pairs(p)]
            case TreeFork(parts):
                inside = [self._pairs(p) for p in parts]
                offset = _least([self.starts[t] for tasks in inside for t in tasks])
                for i, left in enumerate(inside):
                    for right in inside[i + 1 :]:
                        for a in left:
                            for b in right:
                                self._pair(a, b, offset)
                return [t for tasks in inside for t in tasks]

    def _pair(self, a: int, b: int, offset: Moments) -> None:
        ra, rb = self.times[a], self.times[b]
        if ra.mean <= 0 or rb.mean <= 0:
            return
        sa, sb = (_since(self.starts[t], offset) for t in (a, b))
        ea, eb = moments.serial([sa, ra]), moments.serial([sb, rb])
        chance = max(0.0, 1 - moments.before(eb, sa) - moments.before(ea, sb))
        common = chance / (1 / ra.mean + 1 / rb.mean)
        self.alpha[a, b], self.alpha[b, a] = common / ra.mean, common / rb.mean

    def _common(self, tasks: Sequence[int]) -> None:
        """Overlaps on the timeline of means."""
        begin, end = self._timeline(tasks)
        for a in tasks:
            for b in tasks:
                shared = min(end[a], end[b]) - max(begin[a], begin[b])
                if a != b and shared > 0 and self.times[a].mean > 0:
                    self.alpha[a, b] = min(1.0, shared / self.times[a].mean)


def _since(start: Moments, offset: Moments) -> Moments:
    return Moments(max(0.0, start.mean - offset.mean), max(0.0, start.variance - offset.variance))


def _least(starts: Sequence[Moments]) -> Moments:
    return min(starts, key=lambda m: (m.mean, m.variance))


def _result(
    scenario: Scenario,
    variants: Sequence[_Variant],
    times: Sequence[Array],
    solution: _ClassSolution,
    method: str,
    rounds: int,
) -> JobsResult:
    responses = _responses(scenario, variants, solution)
    waits = missing_waits(scenario, responses)
    responses = [r + float(w) for r, w in zip(responses, waits.sum(axis=1), strict=True)]
    rates = throughput(scenario, responses)

    work, mean_tasks = np.zeros(len(scenario.stations)), np.array(rates)[:, None] * waits
    tasks: list[list[tuple[TaskResult, ...]]] = [[] for _ in scenario.classes]
    for v, inside in zip(variants, times, strict=True):
        work += rates[v.owner] * v.probability * v.demands.sum(axis=0)
        mean_tasks[v.owner] += rates[v.owner] * v.probability * inside.sum(axis=0)
        tasks[v.owner].append(tuple(TaskResult(t.name, float(r.sum())) for t, r in zip(v.tasks, inside, strict=True)))
    notes, there = thinking_varies(scenario), mean_tasks.tolist()
    return jobs_result(scenario, method, responses, rates, work.tolist(), there, tasks, rounds, notes)
