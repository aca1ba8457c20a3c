"""Response times of jobs with precedence over a closed network: one tagged job exactly, the others as a mean field.

The tagged job is solved on its own: its precedence, its own competition and its phases are exact (`chain`). The others
enter by a few numbers per station, found by the recursion of mean value analysis over the population (M. Reiser and
S. S. Lavenberg, JACM 27(2), 1980) with the arrival theorem: a job that arrives meets the network as it is with one job
of its class less. Since jobs bring several tasks at once, what is met at a shared station is the number of tasks of
another job, by time and by how the job lasts; at a queue it is batches of tasks, with an arrival factor for service
that is not exponential (`arrival_factor`). One job alone, and networks of product form, come out exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.job_methods.arrival_factor import arrival_factor
from tests.benchmarks.job_methods.mean_field import JobMeans, JobSolver, MeanField, empty_field, is_queue
from tests.benchmarks.job_methods.populations import (
    ClassAtStation,
    Jobs,
    PopulationMeans,
    batch_seconds,
    batch_wait,
    met_demand,
    other_tasks,
    stretch,
)

from apet.ground.activity import over
from apet.queueing.data.jobs import Circulation, Scenario
from apet.queueing.methods.precedence.capacity import StationLoads

Array = NDArray[np.float64]
MOST_MET = 0.999
"""The greatest probability of others at a queue: at 1, a job that meets nobody would have no weight at all."""


@dataclass(frozen=True, slots=True)
class _Solved:
    """A population whose tagged jobs are solved: throughput (classes,), and by class means and the field met."""

    jobs: Jobs
    rates: Array
    means: Mapping[int, JobMeans]
    fields: Mapping[int, MeanField]


def solve(scenario: Scenario, solver: JobSolver) -> PopulationMeans:
    """The network with all its jobs."""
    return _Recursion(scenario, solver).run()


class _Recursion:
    """Populations from none to all jobs; `alone` are the jobs of each class without others."""

    def __init__(self, scenario: Scenario, solver: JobSolver) -> None:
        self.stations, self.classes, self.solver = scenario.stations, scenario.classes, solver
        self.loads = StationLoads(scenario)
        self.own_tasks = [_most_tasks(c, len(self.stations)) for c in self.classes]
        self.alone = [solver(c, empty_field(self.stations, most)) for c, most in enumerate(self.own_tasks)]
        self.populations: dict[Jobs, PopulationMeans] = {}

    def run(self) -> PopulationMeans:
        full = tuple(c.population for c in self.classes)
        populations = list(product(*(range(n + 1) for n in full)))
        for jobs in over(populations, "solving the network", "populations", "take fewer jobs"):
            self.populations[jobs] = self._population(self._solved(jobs))
            if len(full) == 1 and len(self.populations) > 2:
                del self.populations[(jobs[0] - 2,)]
        return self.populations[full]

    def _before(self, jobs: Jobs, c: int) -> PopulationMeans:
        """The population with one job of class c less: what an arriving job of the class meets."""
        return self.populations[tuple(n - (i == c) for i, n in enumerate(jobs))]

    def _solved(self, jobs: Jobs) -> _Solved:
        rates, means, fields = np.zeros(len(jobs)), dict[int, JobMeans](), dict[int, MeanField]()
        for c, n in enumerate(jobs):
            if n:
                fields[c] = self._field(self._before(jobs, c), c, sum(jobs))
                means[c] = self.solver(c, fields[c])
                cycle = self.classes[c].think + means[c].response
                rates[c] = n / cycle if cycle else 0.0  # Little's law
        return _Solved(jobs, rates, means, fields)

    def _population(self, now: _Solved) -> PopulationMeans:
        number = len(self.stations)
        jobs_at, batches_at = np.zeros(number), np.zeros((len(now.jobs), number))
        batch_rates = np.zeros((len(now.jobs), number, 4))
        classes_at = tuple(self._classes_at(now, k) for k in range(number))

        for c, means in now.means.items():
            batch_rates[c] = now.rates[c] * means.batches
            for k in range(number):
                inside = now.rates[c] * float(means.present[k][1:].sum())
                jobs_at[k] += inside
                if is_queue(self.stations[k]):
                    batches_at[c, k] = now.rates[c] * batch_seconds(means, now.fields[c], k, inside / now.jobs[c])

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
            slower = stretch(before.classes_at[k], own, station.servers, len(others) - 1, len(seconds) - 1)
            work = seconds[1:] / now.fields[c].slowdown[k][1 : len(seconds)]
            for i, chance in enumerate(others):
                chances[i + 1] += now.rates[c] / (i + 1) * chance * float(work @ slower[i][1:])

        busy = float(chances.sum())
        if busy > 1:
            return np.asarray(chances / busy)
        chances[0] = 1 - busy
        return chances

    def _field(self, before: PopulationMeans, c: int, total: int) -> MeanField:
        """What a job of class c meets in a network of `total` jobs, itself included."""
        most = self.own_tasks[c]
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
                wait[k], met[k] = batch_wait(before, k, total), min(MOST_MET, float(before.busy[k]))
                continue
            own = self._seconds_alone(c, k)
            if station.servers == 1:
                tasks = other_tasks(classes, own)
                each = float(tasks @ np.arange(len(tasks)))
                slowdown[k] = np.maximum(1.0, np.arange(most + 1) + before.jobs_at[k] * each)
                continue
            others = before.counts[k]
            slowdown[k] = others @ stretch(classes, own, station.servers, len(others) - 1, most)
            visits, demand = self.loads.visits[c, k], self.loads.demands[c, k]
            if station.discipline == "FCFS" and visits:
                behind[k] = self._wait_in_order(before, k, total, slowdown[k] - empty.slowdown[k])
                slowdown[k] = empty.slowdown[k] + behind[k] * visits / demand
        return MeanField(tuple(slowdown), wait, met, behind)

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
        met, variation = met_demand(float(tasks) / rate, mean, squared_mean, second_moment)
        if abs(variation - 1) < 1e-9:
            return longer * met

        away = (total - 1 - before.jobs_at[k]) / rate
        factor = arrival_factor(total, away / mean * self.stations[k].servers, variation)
        if variation < 1:  # several servers even out steady service: half of what one server would gain
            factor = (factor + (1 + variation) / 2) / 2
        return np.asarray(longer * met * factor)


def _most_tasks(circulation: Circulation, stations: int) -> int:
    """The most tasks that a job may have at one station."""
    counts = [
        sum(any(step.station == k for step in task.steps) for task in variant.tasks)
        for variant in circulation.variants
        for k in range(stations)
    ]
    return max(counts, default=0)
