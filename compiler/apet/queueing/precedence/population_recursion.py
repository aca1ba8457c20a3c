"""Response times of jobs with precedence over a closed network: one tagged job exactly, the others as a mean field.

The tagged job is solved on its own: its precedence, its own competition and its phases are exact (`chain`). The others
enter by a few numbers per station, found by the recursion of mean value analysis over the population (M. Reiser and
S. S. Lavenberg, JACM 27(2), 1980) with the arrival theorem: a job that arrives meets the network as it is with one job
of its class less. Since jobs bring several tasks at once, what is met at a shared station is the number of tasks of
another job, by time and by how the job lasts; at a queue it is batches of tasks, with an arrival factor for service
that is not exponential (`arrival_factor`). One job alone, and networks of product form, come out exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import Circulation, Scenario, Step
from apet.queueing.precedence.arrival_factor import arrival_factor
from apet.queueing.precedence.mean_field import Field, JobMeans, JobSolver, empty_field, is_queue

Array = NDArray[np.float64]
Jobs = tuple[int, ...]
"""A population: the number of jobs of each class."""
MOST_MET = 0.999
"""The greatest probability of others at a queue: at 1, a job that meets nobody would have no weight at all."""
MOST_OWN_TASKS = 64
"""Tasks of one job at a station for which the slowdown is known before the job has been solved."""


@dataclass(frozen=True, slots=True)
class ClassAtStation:
    """How one class is at a shared station.

    jobs      mean number of its jobs there
    share     that per job of the class
    fixed     (x_max,)  distribution of a job's tasks there (index: tasks - 1), as a fixed set of jobs shows it
    arriving  (x_max,)  the same as jobs that come and go show it
    alone     seconds that a job without others is there
    """

    jobs: float
    share: float
    fixed: Array
    arriving: Array
    alone: float


@dataclass(frozen=True, slots=True)
class PopulationMeans:
    """A network with a given number of jobs of each class.

    jobs         the population
    throughput   (classes,)  jobs per second
    means        by class, of those with jobs: the tagged job
    jobs_at      (stations,)  mean number of jobs that have tasks there
    batches_at   (stations,)  mean number of batches at queues
    batch_rates  (stations, 4)  per second: batches, their work [s], its second moment [s^2], queues entered together
    busy         (stations,)  seconds of service per second (the utilization law: X D)
    classes_at   by shared station: the classes there
    counts       by shared station of several servers (jobs + 1,): distribution of the number of jobs there
    """

    jobs: Jobs
    throughput: Array
    means: Mapping[int, JobMeans]
    jobs_at: Array
    batches_at: Array
    batch_rates: Array
    busy: Array
    classes_at: tuple[tuple[ClassAtStation, ...], ...]
    counts: tuple[Array, ...]


class Loads:
    """What a job brings to stations: expectations over its variants, each (classes, stations).

    demands [s], visits, squared demands [s^2] of steps as means and as they vary.
    """

    def __init__(self, scenario: Scenario) -> None:
        def per_job(amount: Callable[[Step], float]) -> Array:
            return np.array([_per_station(c, len(scenario.stations), amount) for c in scenario.classes])

        self.demands = per_job(lambda step: step.demand)
        self.visits = per_job(lambda step: 1.0)
        self.squared_means = per_job(lambda step: step.demand**2)
        self.second_moments = per_job(lambda step: step.demand**2 * (1 + step.distribution.variation))


def _per_station(circulation: Circulation, stations: int, amount: Callable[[Step], float]) -> Array:
    """The expected sum over the steps of a job at each station."""
    total = np.zeros(stations)
    for variant in circulation.variants:
        for task in variant.tasks:
            for step in task.steps:
                total[step.station] += variant.probability * amount(step)
    return total


@dataclass(frozen=True, slots=True)
class _Solved:
    """A population whose tagged jobs are solved: throughput (classes,), and by class means and the field met."""

    jobs: Jobs
    rates: Array
    means: Mapping[int, JobMeans]
    fields: Mapping[int, Field]


def solve(scenario: Scenario, solver: JobSolver) -> PopulationMeans:
    """The network with all its jobs."""
    return _Recursion(scenario, solver).run()


class _Recursion:
    """Populations from none to all jobs; `alone` are the jobs of each class without others."""

    def __init__(self, scenario: Scenario, solver: JobSolver) -> None:
        self.stations, self.classes, self.solver = scenario.stations, scenario.classes, solver
        self.loads = Loads(scenario)
        self.alone = [solver(c, empty_field(self.stations, MOST_OWN_TASKS)) for c in range(len(self.classes))]
        self.populations: dict[Jobs, PopulationMeans] = {}

    def run(self) -> PopulationMeans:
        full = tuple(c.population for c in self.classes)
        for jobs in product(*(range(n + 1) for n in full)):
            self.populations[jobs] = self._population(self._solved(jobs))
            if len(full) == 1 and len(self.populations) > 2:
                del self.populations[(jobs[0] - 2,)]
        return self.populations[full]

    def _before(self, jobs: Jobs, c: int) -> PopulationMeans:
        """The population with one job of class c less: what an arriving job of the class meets."""
        return self.populations[tuple(n - (i == c) for i, n in enumerate(jobs))]

    def _solved(self, jobs: Jobs) -> _Solved:
        rates, means, fields = np.zeros(len(jobs)), dict[int, JobMeans](), dict[int, Field]()
        for c, n in enumerate(jobs):
            if n:
                fields[c] = self._field(self._before(jobs, c), c, sum(jobs))
                means[c] = self.solver(c, fields[c])
                cycle = self.classes[c].think + means[c].response
                rates[c] = n / cycle if cycle else 0.0  # Little's law
        return _Solved(jobs, rates, means, fields)

    def _population(self, now: _Solved) -> PopulationMeans:
        number = len(self.stations)
        jobs_at, batches_at = np.zeros(number), np.zeros(number)
        batch_rates = sum((now.rates[c] * m.batches for c, m in now.means.items()), np.zeros((number, 4)))
        classes_at = tuple(self._classes_at(now, k) for k in range(number))

        for c, means in now.means.items():
            for k in range(number):
                inside = now.rates[c] * float(means.present[k][1:].sum())
                jobs_at[k] += inside
                if is_queue(self.stations[k]):
                    batches_at[k] += now.rates[c] * _batch_seconds(means, now.fields[c], k, inside / now.jobs[c])

        return PopulationMeans(
            jobs=now.jobs,
            throughput=now.rates,
            means=now.means,
            jobs_at=jobs_at,
            batches_at=batches_at,
            batch_rates=batch_rates,
            busy=now.rates @ self.loads.demands,
            classes_at=classes_at,
            counts=tuple(self._job_counts(now, k) for k in range(number)),
        )

    def _classes_at(self, now: _Solved, k: int) -> tuple[ClassAtStation, ...]:
        classes = []
        for c, means in now.means.items():
            seconds = means.present[k][1:]
            if seconds.sum() <= 0:
                continue
            fixed = seconds / now.fields[c].slowdown[k][1 : len(seconds) + 1]
            jobs = now.rates[c] * float(seconds.sum())
            classes.append(
                ClassAtStation(
                    jobs=jobs,
                    share=jobs / now.jobs[c],
                    fixed=fixed / fixed.sum(),
                    arriving=seconds / seconds.sum(),
                    alone=self._seconds_alone(c, k),
                )
            )
        return tuple(classes)

    def _seconds_alone(self, c: int, k: int) -> float:
        return float(self.alone[c].present[k][1:].sum())

    def _job_counts(self, now: _Solved, k: int) -> Array:
        """The distribution of the number of jobs at a shared station of several servers."""
        station = self.stations[k]
        if station.servers == 1 or station.discipline == "delay":
            return np.zeros(0)

        chances = np.zeros(sum(now.jobs) + 1)
        for c, means in now.means.items():
            before, seconds = self._before(now.jobs, c), means.present[k]
            others = before.counts[k]
            own = self._seconds_alone(c, k)
            stretch = _stretch(before.classes_at[k], own, station.servers, len(others) - 1, len(seconds) - 1)
            work = seconds[1:] / now.fields[c].slowdown[k][1 : len(seconds)]
            for i, chance in enumerate(others):
                chances[i + 1] += now.rates[c] / (i + 1) * chance * float(work @ stretch[i][1:])

        busy = float(chances.sum())
        if busy > 1:
            return np.asarray(chances / busy)
        chances[0] = 1 - busy
        return chances

    def _field(self, before: PopulationMeans, c: int, total: int) -> Field:
        """What a job of class c meets in a network of `total` jobs, itself included."""
        most = max(len(p) for p in self.alone[c].present)
        empty = empty_field(self.stations, most)
        if total == 1:
            return empty

        slowdown, behind = list(empty.slowdown), dict[int, Array]()
        wait, met = np.zeros(len(self.stations)), np.zeros(len(self.stations))
        for k, station in enumerate(self.stations):
            classes = before.classes_at[k]
            if station.discipline == "delay" or not classes:
                continue
            if is_queue(station):
                wait[k], met[k] = _batch_wait(before, k, total), min(MOST_MET, float(before.busy[k]))
                continue
            own = self._seconds_alone(c, k)
            if station.servers == 1:
                tasks = _other_tasks(classes, own)
                each = float(tasks @ np.arange(len(tasks)))
                slowdown[k] = np.maximum(1.0, np.arange(most + 1) + before.jobs_at[k] * each)
                continue
            others = before.counts[k]
            slowdown[k] = others @ _stretch(classes, own, station.servers, len(others) - 1, most)
            visits, demand = self.loads.visits[c, k], self.loads.demands[c, k]
            if station.discipline == "FCFS" and visits:
                behind[k] = self._wait_in_order(before, k, total, slowdown[k] - empty.slowdown[k])
                slowdown[k] = empty.slowdown[k] + behind[k] * visits / demand
        return Field(tuple(slowdown), wait, met, behind)

    def _wait_in_order(self, before: PopulationMeans, k: int, total: int, longer: Array) -> Array:
        """Seconds that a step waits for others at several servers that serve in order of arrival.

        `longer` is by how much others slow a job where all steps are alike and exponential.
        """
        rate, work = float(before.throughput @ self.loads.visits[:, k]), float(before.busy[k])
        if not rate or not work:
            return longer * 0.0

        mean = work / rate
        squared_mean = float(before.throughput @ self.loads.squared_means[:, k]) / rate
        second_moment = float(before.throughput @ self.loads.second_moments[:, k]) / rate
        tasks = sum(before.throughput[c] * m.present[k] @ np.arange(len(m.present[k])) for c, m in before.means.items())
        met, variation = _met_demand(float(tasks) / rate, mean, squared_mean, second_moment)
        if abs(variation - 1) < 1e-9:
            return longer * met

        away = (total - 1 - before.jobs_at[k]) / rate
        factor = arrival_factor(total, away / mean * self.stations[k].servers, variation)
        if variation < 1:  # several servers even out steady service: half of what one server would gain
            factor = (factor + (1 + variation) / 2) / 2
        return np.asarray(longer * met * factor)


def _batch_seconds(means: JobMeans, met: Field, k: int, share: float) -> float:
    """Seconds per job times batches at a queue: their number as a fixed set of jobs shows it, mixed with the mean over
    time."""
    seconds = means.leading[k].copy()
    seconds[0] = 0.0
    inside = float(seconds.sum())
    if not inside:
        return 0.0

    count = np.arange(len(seconds))
    batches, work = means.batches[k][:2]
    mean = work / batches if batches else 0.0
    by_set = seconds / np.maximum(count + (met.wait[k] / mean if mean else 0.0), 1e-300)
    by_time, mixed = float(seconds @ count) / inside, (1 - share) / 2
    return inside * ((1 - mixed) * float(by_set @ count) / float(by_set.sum()) + mixed * by_time)


def _other_tasks(classes: Sequence[ClassAtStation], own: float) -> Array:
    """The distribution of how many tasks another job has at a station (index 0: none of it)."""
    most = max(len(s.fixed) for s in classes)
    total, chances = sum(s.jobs for s in classes), np.zeros(most + 1)
    for s in classes:
        mixed = (1 - s.share) * s.alone / (s.alone + own) if s.alone + own else 0.0
        chances[1 : len(s.fixed) + 1] += s.jobs / total * ((1 - mixed) * s.fixed + mixed * s.arriving)
    return chances


def _stretch(classes: Sequence[ClassAtStation], own: float, servers: int, others: int, most: int) -> Array:
    """S[i, x]: how much slower x own tasks are beside i other jobs at a station of several servers."""
    tasks = np.arange(most + 1)
    rows = [np.maximum(1.0, tasks / servers)]
    beside = np.array([1.0])
    count = _other_tasks(classes, own) if classes else np.array([0.0, 1.0])
    for _ in range(others):
        beside = np.convolve(beside, count)
        sums = tasks[:, None] + np.arange(len(beside))[None, :]
        rows.append(np.maximum(1.0, sums / servers) @ beside)
    return np.array(rows)


def _met_demand(stay: float, mean: float, squared_mean: float, second_moment: float) -> tuple[float, float]:
    """The mean demand of what is met at a queue, and its squared variation about means of their own.

    All wait equally long, so that those of demand d are met as often as they are there, in proportion to wait + d.
    `squared_mean` is the mean of squared mean demands, `second_moment` that of squared demands, `stay` the mean time
    there.
    """
    wait = max(0.0, stay - mean)
    variation = float(f"{max(0.0, second_moment / squared_mean - 1):.9g}")
    return (wait * mean + squared_mean) / (wait + mean), variation


def _batch_wait(before: PopulationMeans, k: int, total: int) -> float:
    """The mean wait for other jobs' batches at a queue."""
    rate, work, second_moment, width = before.batch_rates[k]
    there = float(before.batches_at[k])
    if not rate or not there:
        return 0.0

    mean = work / rate
    variation = max(0.0, second_moment * rate / work**2 - 1)
    away = ((total - 1) - there) / rate
    together = max(1.0, width / rate)
    residual = 1 + min(rate * mean, 1.0, there) * (variation - 1) / (2 * there)
    # Jobs whose batches go to several queues at once come back together: less like independent sources the more
    # service varies, so that the residual life of the batch in service counts instead.
    likeness = 1 / (1 + variation**0.75)
    weight = 1 / together + (1 - 1 / together) * likeness**2
    return float(there * mean * (weight * arrival_factor(total, away / mean, variation) + (1 - weight) * residual))
