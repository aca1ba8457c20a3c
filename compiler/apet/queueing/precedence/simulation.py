"""Jobs with precedence run event by event with random demands: the check of the analytic methods.

Response times are those of jobs that end after the first tenth; their mean is given with the half-width of a 95 %
confidence interval from 20 batches of them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from random import Random

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.jobs import (
    Circulation,
    ClassResult,
    Distribution,
    JobsResult,
    JobStation,
    JobTask,
    Scenario,
    StationResult,
)
from apet.queueing.problems import Asked

WARM_UP = 0.1
BATCHES = 20
STUDENT = 2.093
"""The 97.5 % quantile of Student's t with 19 degrees of freedom."""
MOST_EVENTS = 50_000_000


class _Job:
    """A job on its way: what its tasks wait for, and which step they are at."""

    __slots__ = ("after", "born", "left", "missing", "owner", "tasks")

    def __init__(self, owner: int, born: float, tasks: Sequence[JobTask], after: Sequence[Sequence[int]]) -> None:
        self.owner, self.born, self.tasks, self.after = owner, born, tasks, after
        self.missing = [len(t.predecessors) for t in tasks]
        self.left = len(tasks)


Visit = tuple[_Job, int, int]
"""A job, one of its tasks, and a step."""


class _Shared:
    """A processor-sharing station, or a delay: each task is served at speed min(1, servers / tasks there).

    `served` is what a task that is always there has been served; a task ends when that has grown by its demand.
    """

    def __init__(self, servers: float) -> None:
        self.servers, self.served, self.last = servers, 0.0, 0.0
        self.tasks: list[tuple[float, int, Visit]] = []
        self.count, self.area, self.work = 0, 0.0, 0.0

    def forward(self, now: float) -> None:
        count = len(self.tasks)
        if count:
            pause = now - self.last
            self.served += pause * min(1.0, self.servers / count)
            self.area += pause * count
            self.work += pause * min(count, self.servers)
        self.last = now

    def add(self, now: float, demand: float, visit: Visit) -> None:
        self.forward(now)
        self.count += 1
        heappush(self.tasks, (self.served + demand, self.count, visit))

    def next_end(self) -> float:
        if not self.tasks:
            return math.inf
        return self.last + max(0.0, self.tasks[0][0] - self.served) / min(1.0, self.servers / len(self.tasks))

    def end(self, now: float) -> Visit:
        self.forward(now)
        return heappop(self.tasks)[2]


class _Ordered:
    """Servers that take tasks in the order of arrival."""

    def __init__(self, servers: int) -> None:
        self.free, self.last = servers, 0.0
        self.waiting: deque[tuple[float, Visit]] = deque()
        self.tasks: list[tuple[float, int, Visit]] = []
        self.count, self.area, self.work = 0, 0.0, 0.0

    def forward(self, now: float) -> None:
        pause = now - self.last
        self.area += pause * (len(self.tasks) + len(self.waiting))
        self.work += pause * len(self.tasks)
        self.last = now

    def add(self, now: float, demand: float, visit: Visit) -> None:
        self.forward(now)
        if self.free:
            self.free -= 1
            self.count += 1
            heappush(self.tasks, (now + demand, self.count, visit))
        else:
            self.waiting.append((demand, visit))

    def next_end(self) -> float:
        return self.tasks[0][0] if self.tasks else math.inf

    def end(self, now: float) -> Visit:
        self.forward(now)
        visit = heappop(self.tasks)[2]
        if self.waiting:
            demand, following = self.waiting.popleft()
            self.count += 1
            heappush(self.tasks, (now + demand, self.count, following))
        else:
            self.free += 1
        return visit


Place = _Shared | _Ordered


class _SimulationRun:
    def __init__(self, scenario: Scenario, jobs: int, seed: int) -> None:
        self.scenario, self.random, self.wanted = scenario, Random(seed), jobs
        self.places: list[Place] = [_place(s) for s in scenario.stations]
        self.after = [
            [
                [[j for j, t in enumerate(v.tasks) if i in t.predecessors] for i in range(len(v.tasks))]
                for v in c.variants
            ]
            for c in scenario.classes
        ]
        self.now, self.started, self.numbers = 0.0, 0.0, 0

        self.calendar: list[tuple[float, int, int]] = []
        self.responses: list[list[float]] = [[] for _ in scenario.classes]
        self.ended, self.warm = 0, False
        self.draws: dict[Distribution, Callable[[float], float]] = {}

    def run(self) -> JobsResult:
        for c, circulation in enumerate(self.scenario.classes):
            for _ in range(circulation.population):
                self.think(c)

        total = self.wanted * len(self.scenario.classes)
        events = 0
        while self.ended < total or min(map(len, self.responses)) < BATCHES:
            self.advance()
            events += 1
            if events > MOST_EVENTS:
                break
            if not self.warm and self.ended >= WARM_UP * total:
                self.begin_counting()
        return self.result()

    def think(self, c: int) -> None:
        mean, shape = self.scenario.classes[c].think, self.scenario.classes[c].think_distribution
        self.numbers += 1
        heappush(self.calendar, (self.now + (self.drawn(shape, mean) if mean else 0.0), self.numbers, c))

    def advance(self) -> None:
        at, k = min((place.next_end(), k) for k, place in enumerate(self.places))
        if self.calendar and self.calendar[0][0] <= at:
            self.now, _, c = heappop(self.calendar)
            self.born(c)
            return
        self.now = at
        job, t, step = self.places[k].end(at)
        self.arrive(job, t, step + 1)

    def born(self, c: int) -> None:
        circulation = self.scenario.classes[c]
        v = self.variant(circulation)
        job = _Job(c, self.now, circulation.variants[v].tasks, self.after[c][v])
        if not job.tasks:
            self.done(job)
        for t, missing in enumerate([len(x.predecessors) for x in job.tasks]):
            if not missing:
                self.arrive(job, t, 0)

    def variant(self, circulation: Circulation) -> int:
        if len(circulation.variants) == 1:
            return 0
        weights = [v.probability for v in circulation.variants]
        return self.random.choices(range(len(weights)), weights)[0]

    def arrive(self, job: _Job, t: int, step: int) -> None:
        """A task comes to its next step, or is done."""
        steps = job.tasks[t].steps
        if step < len(steps):
            service = steps[step]
            self.places[service.station].add(self.now, self.drawn(service.distribution, service.demand), (job, t, step))
            return

        job.left -= 1
        for s in job.after[t]:
            job.missing[s] -= 1
            if not job.missing[s]:
                self.arrive(job, s, 0)
        if not job.left:
            self.done(job)

    def done(self, job: _Job) -> None:
        self.ended += 1
        if self.warm:
            self.responses[job.owner].append(self.now - job.born)
        self.think(job.owner)

    def drawn(self, distribution: Distribution, mean: float) -> float:
        draw = self.draws.get(distribution)
        if draw is None:
            draw = self.draws[distribution] = _sampler(distribution, self.random)
        return draw(mean)

    def begin_counting(self) -> None:
        self.warm, self.started = True, self.now
        for place in self.places:
            place.forward(self.now)
            place.area = place.work = 0.0

    def result(self) -> JobsResult:
        elapsed = self.now - self.started
        classes, notes = [], []
        for circulation, times in zip(self.scenario.classes, self.responses, strict=True):
            mean, half = _confidence(times)
            classes.append(ClassResult(circulation.name, mean, len(times) / elapsed if elapsed else 0.0, ()))
            notes.append(f"{circulation.name}: {mean:.6g} ± {half:.2g} s (95 %, {len(times):,} jobs)")

        stations = []
        for station, place in zip(self.scenario.stations, self.places, strict=True):
            place.forward(self.now)
            busy = place.work / elapsed / (1 if station.discipline == "delay" else station.servers) if elapsed else 0.0
            stations.append(StationResult(station.name, busy, place.area / elapsed if elapsed else 0.0))
        return JobsResult("simulation", tuple(classes), tuple(stations), notes=tuple(notes))


def _place(station: JobStation) -> Place:
    if station.discipline == "FCFS":
        return _Ordered(station.servers)
    return _Shared(math.inf if station.discipline == "delay" else station.servers)


def _sampler(distribution: Distribution, random: Random) -> Callable[[float], float]:
    """A function from a mean to a random demand."""
    if distribution.kind == "det":
        return lambda mean: mean
    if distribution.kind == "erlang":
        order = distribution.order
        return lambda mean: random.gammavariate(order, mean / order)
    if distribution.kind == "hyperexp":
        p = distribution.short_share
        return lambda mean: random.expovariate(1.0) * mean / (2 * (p if random.random() < p else 1 - p))
    return lambda mean: random.expovariate(1.0) * mean


def _confidence(times: Sequence[float]) -> tuple[float, float]:
    """The mean, and the half-width of its interval from means of batches."""
    size = len(times) // BATCHES
    if not size:
        return sum(times) / len(times) if times else 0.0, math.inf
    means = [sum(times[i * size : (i + 1) * size]) / size for i in range(BATCHES)]
    mean = sum(means) / BATCHES
    variance = sum((m - mean) ** 2 for m in means) / (BATCHES - 1)
    return sum(times) / len(times), STUDENT * math.sqrt(variance / BATCHES)


def simulate(problem: Asked, jobs: int, seed: int) -> JobsResult:
    """`jobs` jobs per class in the mean; `ApetError` for anything but jobs with precedence.

    The same call gives the same numbers.
    """
    if not isinstance(problem, Scenario):
        raise ApetError(errors.OnlyJobsSimulated(None, None))
    return _SimulationRun(problem, max(jobs, BATCHES), seed).run()
