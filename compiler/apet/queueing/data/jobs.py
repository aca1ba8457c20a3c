"""Jobs whose tasks follow each other, over stations that they compete for: the data that methods and reports share.

A `Scenario` is a network of stations with classes of circulating jobs; what a job does is a tree (`Job`) in files, and
tasks with predecessors (`Variant`) to the methods, which `unrolling` leads to. Demands are service demands in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

EQUAL = 1e-12
"""Relative difference of times that are the same but for rounding."""


class Distribution(NamedTuple):
    """How a demand varies about its mean: "det", "erlang" (of `order` phases), "exp", "hyperexp" (of `scv` > 1), or
    "measured": one of `values`, equally frequent times over their mean, as often as another."""

    kind: str = "exp"
    order: int = 1
    scv: float = 1.0
    values: tuple[float, ...] = ()

    @property
    def variation(self) -> float:
        """The squared coefficient of variation: variance over squared mean."""
        if self.values:
            return sum(v * v for v in self.values) / len(self.values) - 1
        return {"det": 0.0, "erlang": 1 / self.order, "hyperexp": self.scv}.get(self.kind, 1.0)

    @property
    def is_exponential(self) -> bool:
        """Whether it is the exponential one, and not only varies as much."""
        return self.kind == "exp" or (self.kind == "erlang" and self.order == 1)

    def transform(self, s: Any) -> Any:
        """E exp(-s X) of a time X of mean 1, for numbers or arrays."""
        if self.kind in ("det", "measured"):
            import numpy

            values = self.values or (1.0,)
            return sum(numpy.exp(-s * v) for v in values) / len(values)
        if self.kind == "hyperexp":
            p = self.short_share
            return p / (1 + s / (2 * p)) + (1 - p) / (1 + s / (2 * (1 - p)))
        return (1 + s / self.order) ** -self.order

    def moment_beyond(self, n: int, times: Any) -> Any:
        """E X^n where a time X of mean 1 exceeds each of these times, else 0; n is 0, 1 or 2.

        Of an Erlang time it is the moment times the tail of one with n phases more.
        """
        from scipy.special import gammaincc

        if self.kind in ("det", "measured"):
            values = self.values or (1.0,)
            return sum(v**n * (times < v * (1 - EQUAL)) for v in values) / len(values)
        if self.kind == "hyperexp":
            pairs = [(p, 1 / (2 * p)) for p in (self.short_share, 1 - self.short_share)]
            return sum(p * math.factorial(n) * mean**n * gammaincc(1 + n, times / mean) for p, mean in pairs)
        moment = math.prod((self.order + i) / self.order for i in range(n))
        return moment * gammaincc(self.order + n, self.order * times)

    @property
    def longest_residual(self) -> float:
        """The greatest mean of what is left of a time of mean 1, whatever has passed of it."""
        if self.values:
            ordered = sorted(self.values)
            rests = (sum(ordered[i:]) / (len(ordered) - i) - (ordered[i - 1] if i else 0) for i in range(len(ordered)))
            return max(rests)
        return 1 / (2 - 2 * self.short_share) if self.kind == "hyperexp" else 1.0

    @property
    def short_share(self) -> float:
        """Of "hyperexp" with balanced means: p of the demands are exponential with mean d / 2p, the others with mean
        d / (2 - 2p)."""
        return (1 + math.sqrt((self.scv - 1) / (self.scv + 1))) / 2


ONE_SERVER = ("LCFS-PR", "preemptive")
"""Disciplines of a single server."""


class JobStation(NamedTuple):
    """Where steps are served: `servers` equal servers, shared ("PS"), first come first served ("FCFS"), last come first
    served with preemption ("LCFS-PR", one server), or no waiting ("delay"). "priority" serves the class of the least
    `priority` first and lets services end, "preemptive" (one server) interrupts them, to be resumed later."""

    name: str
    discipline: str = "PS"
    servers: int = 1
    price: float = 0.0

    @property
    def is_delay(self) -> bool:
        """Whether jobs never wait here."""
        return self.discipline == "delay"


class JobStep(NamedTuple):
    """Service at one station, by number: the mean demand in seconds, and how it varies."""

    station: int
    demand: float
    distribution: Distribution = Distribution()


class JobTask(NamedTuple):
    """Steps one after the other; they begin when all predecessors, by number, are done."""

    name: str
    steps: tuple[JobStep, ...]
    predecessors: tuple[int, ...] = ()


class Variant(NamedTuple):
    """What a job turns out to be, with this probability: tasks in an order in which predecessors come first."""

    probability: float
    tasks: tuple[JobTask, ...]


class Circulation(NamedTuple):
    """A closed class: a population of jobs with a mean think time of `think` seconds between one and the next. Or an
    open one: `arrival_rate` jobs per second, a population of 0, and `think_distribution` that of the times between
    arrivals."""

    name: str
    population: int
    think: float
    variants: tuple[Variant, ...]
    think_distribution: Distribution = Distribution()
    arrival_rate: float | None = None
    priority: int = 1

    @property
    def is_open(self) -> bool:
        """Whether jobs come from outside and leave."""
        return self.arrival_rate is not None


class Pool(NamedTuple):
    """A limit on the jobs of some classes, by number, that are inside at once: a pool of threads or connections. Others
    wait outside, at most `backlog` of them (None: any number); more are refused, to leave or to think again."""

    name: str
    size: int
    classes: tuple[int, ...]
    backlog: int | None = None


class NamedCount(NamedTuple):
    """A number of servers or threads that has a name: its value, the range that questions look at, and what it is, each
    "servers" of a station or "size" of a pool, by number."""

    name: str
    value: int
    low: int
    high: int
    places: tuple[tuple[str, int], ...] = ()


class Scenario(NamedTuple):
    """Classes of jobs that compete for stations; no class is in two pools."""

    stations: tuple[JobStation, ...]
    classes: tuple[Circulation, ...]
    pools: tuple[Pool, ...] = ()
    counts: tuple[NamedCount, ...] = ()


# Results


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Mean seconds from start to end of a task."""

    name: str
    response_time: float


LEVELS: tuple[float, ...] = (50, 90, 95, 99)
"""Percent that answers give response times of, unless others are asked for."""


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Response times in seconds that `levels` percent of jobs do not exceed, and how they were found: "exact", "model"
    or "simulated". `half_width` holds those of their 95 % confidence intervals, where they are simulated."""

    seconds: tuple[float, ...]
    source: str = "exact"
    half_width: tuple[float, ...] = ()
    levels: tuple[float, ...] = LEVELS

    def by_level(self) -> dict[float, float]:
        """Seconds by percent."""
        return dict(zip(self.levels, self.seconds, strict=True))


@dataclass(frozen=True, slots=True)
class ClassResult:
    """Of one class: mean seconds per job without the think time, jobs per second, its tasks by variant, and percentiles
    of the response time where they are known.

    `half_width` is that of the 95 % confidence interval of the response time where it is simulated, `tasks_at` the mean
    number of tasks at each station, `outside` the part of the response time that passes before a pool lets the job in,
    `refused` the share of jobs that the pool turns away.
    """

    name: str
    response_time: float
    throughput: float
    variants: tuple[tuple[TaskResult, ...], ...]
    percentiles: Percentiles | None = None
    half_width: float | None = None
    tasks_at: tuple[float, ...] = ()
    outside: float = 0.0
    refused: float = 0.0


@dataclass(frozen=True, slots=True)
class StationResult:
    """Of one station: the busy share of its servers (None at a delay station), and the mean number of tasks."""

    name: str
    utilization: float | None
    mean_tasks: float


@dataclass(frozen=True, slots=True)
class JobsResult:
    """The mean values of a scenario, and how they were found: `iterations` is 0 for methods that do not iterate, notes
    are for readers."""

    method: str
    classes: tuple[ClassResult, ...]
    stations: tuple[StationResult, ...]
    iterations: int = 0
    converged: bool = True
    notes: tuple[str, ...] = ()


# What a job does, as it is written


class SerialJob(NamedTuple):
    """Parts one after the other."""

    parts: tuple[Job, ...]


class ParallelJob(NamedTuple):
    """Parts at the same time; the whole ends with the last."""

    parts: tuple[Job, ...]


class JobChoice(NamedTuple):
    """One of the parts, with the given probabilities."""

    probabilities: tuple[float, ...]
    parts: tuple[Job, ...]


class PipelineStage(NamedTuple):
    """A stage of a pipeline: the steps of one item."""

    name: str
    steps: tuple[JobStep, ...]


class Pipeline(NamedTuple):
    """`items` go through stages in order; between two stages at most `buffer` of them wait (None: any number)."""

    name: str
    items: int
    stages: tuple[PipelineStage, ...]
    buffer: int | None = None


class JobGraph(NamedTuple):
    """Tasks with their predecessors by number; predecessors come first."""

    name: str
    tasks: tuple[JobTask, ...]


Job = JobTask | SerialJob | ParallelJob | JobChoice | Pipeline | JobGraph
