"""Jobs whose tasks follow each other, over stations that they compete for: the data that solvers and reports share."""

from __future__ import annotations

from typing import NamedTuple


class Distribution(NamedTuple):
    """How a demand varies about its mean: "det", "erlang" (of `order` phases), "exp" or "hyperexp" (of `scv` > 1)."""

    kind: str = "exp"
    order: int = 1
    scv: float = 1.0

    @property
    def variation(self) -> float:
        """The squared coefficient of variation."""
        return {"det": 0.0, "erlang": 1 / self.order, "hyperexp": self.scv}.get(self.kind, 1.0)


class JobStation(NamedTuple):
    """Where steps are served: `servers` equal servers, shared ("PS"), first come first served ("FCFS") or no waiting
    ("delay")."""

    name: str
    discipline: str = "PS"
    servers: int = 1


class Step(NamedTuple):
    """Service at one station, by number: mean seconds, and how they vary."""

    station: int
    demand: float
    distribution: Distribution = Distribution()


class Task(NamedTuple):
    """Steps one after the other; they begin when all predecessors, by number, are done."""

    name: str
    steps: tuple[Step, ...]
    predecessors: tuple[int, ...] = ()


class Variant(NamedTuple):
    """What a job turns out to be, with this probability: tasks in an order in which predecessors come first."""

    probability: float
    tasks: tuple[Task, ...]


class Circulation(NamedTuple):
    """A class of `population` jobs that think for `think` seconds in the mean between one job and the next."""

    name: str
    population: int
    think: float
    variants: tuple[Variant, ...]
    think_distribution: Distribution = Distribution()


class Scenario(NamedTuple):
    """Classes of jobs that compete for stations."""

    stations: tuple[JobStation, ...]
    classes: tuple[Circulation, ...]


class TaskResult(NamedTuple):
    """Mean seconds from start to end of a task, and the share of them during which each other task is active."""

    name: str
    response_time: float
    overlap: tuple[float, ...]


class ClassResult(NamedTuple):
    """Of one class: seconds per job, jobs per second, and its tasks by variant."""

    name: str
    response_time: float
    throughput: float
    variants: tuple[tuple[TaskResult, ...], ...]


class StationResult(NamedTuple):
    """Of one station: the busy share of its servers (a delay station: tasks there), and the mean number of tasks."""

    name: str
    utilization: float
    mean_tasks: float


class JobsResult(NamedTuple):
    """What was found for a scenario, and how: the method, whether numbers come from quadrature over sampled demands."""

    method: str
    classes: tuple[ClassResult, ...]
    stations: tuple[StationResult, ...]
    iterations: int = 0
    converged: bool = True
    notes: tuple[str, ...] = ()


class ForkJoin(NamedTuple):
    """Jobs arriving at a rate per second, and the mean seconds of service at each of the queues they fork to."""

    arrival_rate: float
    means: tuple[float, ...]
    distribution: Distribution = Distribution()


class ForkJoinResult(NamedTuple):
    """Mean seconds from arrival to the end of the last task, of single tasks by queue, and utilizations."""

    response_time: float
    station_response: tuple[float, ...]
    utilization: tuple[float, ...]
    independent: float
    common: float


# What a job is made of, as it is written


class Serial(NamedTuple):
    """Parts one after the other."""

    parts: tuple[Job, ...]


class Parallel(NamedTuple):
    """Parts at the same time; the whole ends with the last."""

    parts: tuple[Job, ...]


class Choice(NamedTuple):
    """One of the parts, with the given probabilities."""

    probabilities: tuple[float, ...]
    parts: tuple[Job, ...]


class Stage(NamedTuple):
    """A stage of a pipeline: the steps of one item."""

    name: str
    steps: tuple[Step, ...]


class Pipeline(NamedTuple):
    """`items` go through stages in order; between two stages at most `buffer` of them wait (None: any number)."""

    name: str
    items: int
    stages: tuple[Stage, ...]
    buffer: int | None = None


class Graph(NamedTuple):
    """Tasks with their predecessors by number; predecessors come first."""

    name: str
    tasks: tuple[Task, ...]


Job = Task | Serial | Parallel | Choice | Pipeline | Graph
