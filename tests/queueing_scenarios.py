"""Random jobs with precedence of the kinds that the reference cases have: forks, trees, pipelines, map/reduce."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from apet.queueing.data.jobs import (
    Circulation,
    Distribution,
    Job,
    JobChoice,
    JobGraph,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pipeline,
    PipelineStage,
    Scenario,
    SerialJob,
)
from apet.queueing.data.unrolling import variants

DISTRIBUTIONS = (
    Distribution("exp"),
    Distribution("exp"),
    Distribution("det"),
    Distribution("erlang", 4),
    Distribution("hyperexp", 1, 4.0),
)


class _Draw:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.shape = self.random.choice(DISTRIBUTIONS)
        number = self.random.randint(2, 4)
        self.stations = tuple(
            JobStation(f"s{k}", self.random.choice(("PS", "FCFS")), self.random.choice((1, 1, 1, 2)))
            for k in range(number)
        )

    def demand(self) -> float:
        return round(self.random.uniform(0.2, 1.5), 3)

    def steps(self, most: int = 2) -> tuple[JobStep, ...]:
        count = self.random.randint(1, most)
        return tuple(
            JobStep(self.random.randrange(len(self.stations)), self.demand(), self.shape) for _ in range(count)
        )

    def task(self) -> JobTask:
        return JobTask("t", self.steps())


def _fork(d: _Draw) -> Job:
    if d.random.random() < 0.5:
        steps = d.steps(1)
        return ParallelJob(tuple(JobTask(f"t{i}", steps) for i in range(d.random.randint(2, 8))))
    return ParallelJob(tuple(d.task() for _ in range(d.random.randint(2, 4))))


def _tree(d: _Draw, depth: int = 0) -> Job:
    if depth == 2 or d.random.random() < 0.3:
        return d.task()
    kind = d.random.choice((SerialJob, ParallelJob))
    return kind(tuple(_tree(d, depth + 1) for _ in range(2)))


def _pipeline(d: _Draw) -> Job:
    stages = tuple(PipelineStage(f"p{s}", (JobStep(s, d.demand(), d.shape),)) for s in range(2))
    return Pipeline("pipe", d.random.randint(3, 8), stages, d.random.choice((None, None, 1, 2)))


def _query(d: _Draw) -> Job:
    stages = (PipelineStage("scan", d.steps(2)), PipelineStage("probe", d.steps(1)))
    return SerialJob((d.task(), Pipeline("probe", d.random.randint(3, 5), stages, None), d.task()))


def _reduce(d: _Draw) -> Job:
    maps = d.random.randint(2, 4)
    tasks = [JobTask(f"m{i}", d.steps(2)) for i in range(maps)]
    shuffle = d.steps(1)
    for i in range(maps):
        before = (i,) if not i else (i, maps + i - 1)
        tasks.append(JobTask(f"s{i}", shuffle, before))
    tasks.append(JobTask("reduce", d.steps(2), (2 * maps - 1,)))
    return JobGraph("hop", tuple(tasks))


def _choice(d: _Draw) -> Job:
    return SerialJob((d.task(), JobChoice((0.3, 0.7), (_fork(d), d.task()))))


KINDS: tuple[Callable[[_Draw], Job], ...] = (_fork, _tree, _pipeline, _query, _reduce, _choice)


def random_scenario(seed: int) -> tuple[str, Scenario]:
    """A scenario and what it is, always the same for a seed."""
    d = _Draw(seed)
    kind = d.random.choice(KINDS)
    classes = []
    for c in range(2 if d.random.random() < 0.15 else 1):
        jobs = d.random.choice((1, 2, 4, 6)) if not c else 2
        think = d.random.choice((0.0, 5.0, 15.0))
        if d.shape.kind == "det":  # nothing random at all would go on as it began
            think = max(think, 5.0)
        classes.append(Circulation(f"c{c}", jobs, think, variants(kind(d))))
    about = f"{kind.__name__[1:]}, {d.shape.kind}, {' + '.join(str(c.population) for c in classes)} jobs"
    return about, Scenario(d.stations, tuple(classes))
