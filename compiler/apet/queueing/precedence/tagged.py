"""Response times of jobs with precedence over a closed network: one tagged job exactly, the others as a mean field.

The tagged job is an acyclic Markov chain (`states`): its precedence, its own competition and its phases are exact. The
others enter by a few numbers per station, found by the recursion of mean value analysis over the population (M. Reiser
and S. S. Lavenberg, JACM 27(2), 1980): a job that arrives meets the network as it is with one job of its class less.
Since jobs bring several tasks at once, what is met at a shared station is the number of tasks of another job, by time
and by how the job lasts; at a queue it is batches of tasks, with an arrival factor for service that is not exponential
(`factor`). One job alone, and networks of product form, come out exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Circulation, JobStation, Scenario, Step
from apet.queueing.precedence.arrival_factor import arrival_factor
from apet.queueing.precedence.chain import Field, Solved, is_queue

Array = NDArray[np.float64]
Solver = Callable[[int, Field], Solved]
"""Solves one job of a class, by number, in a field."""
SUREST = 0.999


class Shape(NamedTuple):
    """How one class is at a shared station: jobs there, jobs there per job of the class, and the distributions of its
    task count there, as a fixed set of jobs and as arriving ones show it (index: tasks - 1), and its seconds there
    alone."""

    jobs: float
    share: float
    fixed: Array
    arriving: Array
    alone: float


class Population(NamedTuple):
    """A network with a given number of jobs of each class: rates and solutions by class, and per station what the
    recursion needs."""

    jobs: tuple[int, ...]
    throughput: Array
    solved: Mapping[int, Solved]
    jobs_at: Array
    batches_at: Array
    batch_rates: Array
    busy: Array
    shapes: tuple[tuple[Shape, ...], ...]
    counts: tuple[Array, ...]


class Network:
    """A scenario with what does not change over the recursion: demands per class and station, their variation."""

    def __init__(self, scenario: Scenario) -> None:
        self.stations = scenario.stations
        self.classes = scenario.classes
        number = len(self.stations)
        self.demands = np.array([_per_station(c, number, lambda step: step.demand) for c in self.classes])
        self.visits = np.array([_per_station(c, number, lambda step: 1.0) for c in self.classes])
        self.squares = np.array([_per_station(c, number, lambda step: step.demand**2) for c in self.classes])
        self.seconds = np.array([_per_station(c, number, _second_moment) for c in self.classes])


def solve(scenario: Scenario, solver: Solver) -> Population:
    """The network with all its jobs; `solver` solves a class's job in a field."""
    network = Network(scenario)
    full = tuple(c.population for c in scenario.classes)
    alone = [solver(c, empty_field(network.stations, 64)) for c in range(len(full))]
    found: dict[tuple[int, ...], Population] = {}
    for jobs in product(*(range(n + 1) for n in full)):
        found[jobs] = _population(network, jobs, found, alone, solver)
        if len(full) == 1 and len(found) > 2:
            del found[(jobs[0] - 2,)]
    return found[full]


def empty_field(stations: Sequence[JobStation], most: int) -> Field:
    """What a job meets where it is alone, with up to `most` own tasks."""
    own = np.arange(most + 1)
    slow = tuple(np.maximum(1.0, own / s.servers) for s in stations)
    return Field(slow, np.zeros(len(stations)), np.zeros(len(stations)))


def _population(
    network: Network,
    jobs: tuple[int, ...],
    found: Mapping[tuple[int, ...], Population],
    alone: Sequence[Solved],
    solver: Solver,
) -> Population:
    rates, solved, fields = np.zeros(len(jobs)), dict[int, Solved](), dict[int, Field]()
    for c, n in enumerate(jobs):
        if n:
            before = found[tuple(m - (i == c) for i, m in enumerate(jobs))]
            fields[c] = _field(network, before, c, sum(jobs), alone)
            solved[c] = solver(c, fields[c])
            cycle = network.classes[c].think + solved[c].response
            rates[c] = n / cycle if cycle else 0.0
    number = len(network.stations)
    at, batches = np.zeros(number), np.zeros(number)
    batch_rates = sum((rates[c] * s.batches for c, s in solved.items()), np.zeros((number, 4)))
    shapes = tuple(_shapes(network, k, jobs, rates, solved, fields, alone) for k in range(number))
    for c, s in solved.items():
        for k in range(number):
            inside = rates[c] * float(s.present[k][1:].sum())
            at[k] += inside
            if is_queue(network.stations[k]):
                batches[k] += rates[c] * _batches(s, fields[c], k, inside / jobs[c])
    busy = rates @ network.demands
    counts = tuple(_counts(network, k, jobs, rates, solved, fields, found, alone) for k in range(number))
    return Population(jobs, rates, solved, at, batches, batch_rates, busy, shapes, counts)


def _batches(solved: Solved, field: Field, k: int, share: float) -> float:
    """Seconds per job times batches there: their number as a fixed set of jobs shows it, mixed with the mean over
    time."""
    seconds = solved.leading[k].copy()
    seconds[0] = 0.0
    inside = float(seconds.sum())
    if not inside:
        return 0.0
    count = np.arange(len(seconds))
    lot, work = solved.batches[k][:2]
    mean = work / lot if lot else 0.0
    by_set = seconds / np.maximum(count + (field.wait[k] / mean if mean else 0.0), 1e-300)
    by_time, mixed = float(seconds @ count) / inside, (1 - share) / 2
    return inside * ((1 - mixed) * float(by_set @ count) / float(by_set.sum()) + mixed * by_time)


def _shapes(
    network: Network,
    k: int,
    jobs: tuple[int, ...],
    rates: Array,
    solved: Mapping[int, Solved],
    fields: Mapping[int, Field],
    alone: Sequence[Solved],
) -> tuple[Shape, ...]:
    shapes = []
    for c, s in solved.items():
        seconds = s.present[k][1:]
        if seconds.sum() <= 0:
            continue
        slow = fields[c].slow[k][1 : len(seconds) + 1]
        by_set = seconds / slow
        inside = rates[c] * float(seconds.sum())
        own = float(alone[c].present[k][1:].sum())
        shapes.append(Shape(inside, inside / jobs[c], by_set / by_set.sum(), seconds / seconds.sum(), own))
    return tuple(shapes)


def _other_tasks(shapes: Sequence[Shape], own: float) -> Array:
    """The distribution of how many tasks another job has at a station (index 0: none of it)."""
    most = max(len(s.fixed) for s in shapes)
    total, found = sum(s.jobs for s in shapes), np.zeros(most + 1)
    for shape in shapes:
        mixed = (1 - shape.share) * shape.alone / (shape.alone + own) if shape.alone + own else 0.0
        found[1 : len(shape.fixed) + 1] += shape.jobs / total * ((1 - mixed) * shape.fixed + mixed * shape.arriving)
    return found


def _stretch(shapes: Sequence[Shape], own: float, servers: int, others: int, most: int) -> Array:
    """S[i, x]: how much slower x own tasks are beside i other jobs at a station of several servers."""
    tasks = np.arange(most + 1)
    rows = [np.maximum(1.0, tasks / servers)]
    beside = np.array([1.0])
    count = _other_tasks(shapes, own) if shapes else np.array([0.0, 1.0])
    for _ in range(others):
        beside = np.convolve(beside, count)
        sums = tasks[:, None] + np.arange(len(beside))[None, :]
        rows.append(np.maximum(1.0, sums / servers) @ beside)
    return np.array(rows)


def _counts(
    network: Network,
    k: int,
    jobs: tuple[int, ...],
    rates: Array,
    solved: Mapping[int, Solved],
    fields: Mapping[int, Field],
    found: Mapping[tuple[int, ...], Population],
    alone: Sequence[Solved],
) -> Array:
    """The distribution of the number of jobs at a shared station of several servers."""
    station = network.stations[k]
    if station.servers == 1 or station.discipline == "delay":
        return np.zeros(0)
    total = sum(jobs)
    chances = np.zeros(total + 1)
    for c, s in solved.items():
        before = found[tuple(n - (i == c) for i, n in enumerate(jobs))]
        held = before.counts[k]
        seconds = s.present[k]
        own = float(alone[c].present[k][1:].sum())
        stretch = _stretch(before.shapes[k], own, station.servers, len(held) - 1, len(seconds) - 1)
        work = seconds[1:] / fields[c].slow[k][1 : len(seconds)]
        for i, chance in enumerate(held):
            chances[i + 1] += rates[c] / (i + 1) * chance * float(work @ stretch[i][1:])
    busy = float(chances.sum())
    if busy > 1:
        return np.asarray(chances / busy)
    chances[0] = 1 - busy
    return chances


def _field(network: Network, before: Population, c: int, total: int, alone: Sequence[Solved]) -> Field:
    """What a job of class c meets in a network with one job of its class less."""
    own = alone[c]
    most = max(len(p) for p in own.present)
    empty = empty_field(network.stations, most)
    if total == 1:
        return empty
    slow, wait, met = list(empty.slow), np.zeros(len(network.stations)), np.zeros(len(network.stations))
    behind: dict[int, Array] = {}
    for k, station in enumerate(network.stations):
        if station.discipline == "delay" or not before.shapes[k]:
            continue
        if is_queue(station):
            wait[k], met[k] = _wait(before, k, total), min(SUREST, float(before.busy[k]))
            continue
        inside = float(own.present[k][1:].sum())
        if station.servers == 1:
            count = _other_tasks(before.shapes[k], inside)
            slow[k] = np.maximum(1.0, np.arange(most + 1) + before.jobs_at[k] * float(count @ np.arange(len(count))))
        else:
            held = before.counts[k]
            stretch = _stretch(before.shapes[k], inside, station.servers, len(held) - 1, most)
            slow[k] = held @ stretch
            if station.discipline == "FCFS" and network.visits[c, k]:
                behind[k] = _ordered(network, before, k, total, slow[k] - empty.slow[k])
                slow[k] = empty.slow[k] + behind[k] * network.visits[c, k] / network.demands[c, k]
    return Field(tuple(slow), wait, met, behind)


def _ordered(network: Network, before: Population, k: int, total: int, longer: Array) -> Array:
    """Seconds that a step waits for others at several servers that serve in order of arrival.

    `longer` is by how much others slow a job where all steps are alike and exponential.
    """
    rate, work = float(before.throughput @ network.visits[:, k]), float(before.busy[k])
    if not rate or not work:
        return longer * 0.0
    mean = work / rate
    square = float(before.throughput @ network.squares[:, k]) / rate
    tasks = sum(before.throughput[c] * s.present[k] @ np.arange(len(s.present[k])) for c, s in before.solved.items())
    met, variation = _met(float(tasks) / rate, mean, square, float(before.throughput @ network.seconds[:, k]) / rate)
    if abs(variation - 1) < 1e-9:
        return longer * met
    away = (total - 1 - before.jobs_at[k]) / rate
    factor = arrival_factor(total, away / mean * network.stations[k].servers, variation)
    if variation < 1:
        factor = (factor + (1 + variation) / 2) / 2
    return np.asarray(longer * met * factor)


def _met(stay: float, mean: float, square: float, moment: float) -> tuple[float, float]:
    """The mean demand of what is met at a queue, and its squared variation about means of their own.

    All wait equally long, so that those of demand d are met as often as they are there, in proportion to wait + d.
    `square` is the mean of squared mean demands, `moment` that of squared demands, `stay` the mean time there.
    """
    wait = max(0.0, stay - mean)
    return (wait * mean + square) / (wait + mean), float(f"{max(0.0, moment / square - 1):.9g}")


def _wait(before: Population, k: int, total: int) -> float:
    """The mean wait for other jobs' batches at a queue."""
    lots, work, moment, width = before.batch_rates[k]
    there = float(before.batches_at[k])
    if not lots or not there:
        return 0.0
    mean = work / lots
    variation = max(0.0, moment * lots / work**2 - 1)
    away = ((total - 1) - there) / lots
    wide = max(1.0, width / lots)
    residual = 1 + min(lots * mean, 1.0, there) * (variation - 1) / (2 * there)
    like = 1 / (1 + variation**0.75)
    weight = 1 / wide + (1 - 1 / wide) * like**2
    return float(there * mean * (weight * arrival_factor(total, away / mean, variation) + (1 - weight) * residual))


def _per_station(circulation: Circulation, stations: int, amount: Callable[[Step], float]) -> Array:
    """The expected sum over the steps of a job at each station."""
    found = np.zeros(stations)
    for variant in circulation.variants:
        for task in variant.tasks:
            for step in task.steps:
                found[step.station] += variant.probability * amount(step)
    return found


def _second_moment(step: Step) -> float:
    return step.demand**2 * (1 + step.distribution.variation)
