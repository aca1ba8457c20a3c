"""What jobs turn out to be: choices taken, pipelines unrolled to tasks with predecessors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple, assert_never

from apet.queueing.data.jobs import Job, JobChoice, JobGraph, JobTask, ParallelJob, Pipeline, SerialJob, Variant

MOST_VARIANTS = 1_000
MOST_TASKS = 2_000
"""Beyond, every method would take minutes."""


class JobTooBig(ValueError):
    """A job with more variants or tasks than can be solved; the text says which."""


class _UnrolledJob(NamedTuple):
    """Tasks in order, with the numbers of those that begin it and those that end it."""

    probability: float
    tasks: tuple[JobTask, ...]
    first: tuple[int, ...]
    last: tuple[int, ...]


def variants(job: Job) -> tuple[Variant, ...]:
    """All that a job may turn out to be, with their probabilities; `JobTooBig` if that is too much."""
    number = _variants(job)
    if number > MOST_VARIANTS:
        raise JobTooBig(f"{number:,} combinations of choices, more than {MOST_VARIANTS:,}")
    if _tasks(job) > MOST_TASKS:
        raise JobTooBig(f"{_tasks(job):,} tasks, more than {MOST_TASKS:,}")
    return tuple(Variant(part.probability, part.tasks) for part in _parts(job) if part.probability > 0)


def _variants(job: Job) -> int:
    match job:
        case JobTask() | Pipeline() | JobGraph():
            return 1
        case JobChoice(_, parts):
            return sum(map(_variants, parts))
        case SerialJob(parts) | ParallelJob(parts):
            return math.prod(map(_variants, parts))
        case _:
            assert_never(job)


def _tasks(job: Job) -> int:
    match job:
        case JobTask():
            return 1
        case Pipeline(_, items, stages, _):
            return items * len(stages)
        case JobGraph(_, tasks):
            return len(tasks)
        case JobChoice(_, parts):
            return max(map(_tasks, parts), default=0)
        case SerialJob(parts) | ParallelJob(parts):
            return sum(map(_tasks, parts))
        case _:
            assert_never(job)


def _parts(job: Job) -> Iterator[_UnrolledJob]:
    match job:
        case JobTask():
            yield _UnrolledJob(1.0, (job._replace(predecessors=()),), (0,), (0,))
        case SerialJob(parts) | ParallelJob(parts):
            for chosen in itertools.product(*map(_parts, parts)):
                yield _joined(chosen, isinstance(job, SerialJob))
        case JobChoice(probabilities, parts):
            for p, part in zip(probabilities, parts, strict=True):
                for part_variant in _parts(part):
                    yield part_variant._replace(probability=p * part_variant.probability)
        case Pipeline():
            yield _unrolled(job)
        case JobGraph(_, tasks):
            predecessors = {p for t in tasks for p in t.predecessors}
            first = tuple(i for i, t in enumerate(tasks) if not t.predecessors)
            yield _UnrolledJob(1.0, tasks, first, tuple(i for i in range(len(tasks)) if i not in predecessors))
        case _:
            assert_never(job)


def _shifted(part: _UnrolledJob, by: int) -> _UnrolledJob:
    tasks = tuple(t._replace(predecessors=tuple(p + by for p in t.predecessors)) for t in part.tasks)
    return _UnrolledJob(part.probability, tasks, tuple(i + by for i in part.first), tuple(i + by for i in part.last))


def _joined(parts: tuple[_UnrolledJob, ...], in_series: bool) -> _UnrolledJob:
    """Parts one after the other, or at the same time."""
    whole = _UnrolledJob(1.0, (), (), ())
    for part in parts:
        moved = _shifted(part, len(whole.tasks))
        tasks, first, last = list(moved.tasks), (*whole.first, *moved.first), (*whole.last, *moved.last)
        if in_series:
            for i in part.first:
                tasks[i] = tasks[i]._replace(predecessors=whole.last)
            first, last = whole.first if whole.tasks else moved.first, moved.last
        whole = _UnrolledJob(whole.probability * part.probability, (*whole.tasks, *tasks), first, last)

    return whole


def _unrolled(pipeline: Pipeline) -> _UnrolledJob:
    """Item i of a stage follows item i - 1 there and its own way through the stage before; with a buffer of b, stage s
    begins item i when stage s + 1 is done with item i - b."""
    width = len(pipeline.stages)

    def number(item: int, stage: int) -> int:
        return item * width + stage

    tasks = []
    for item, (s, stage) in itertools.product(range(pipeline.items), enumerate(pipeline.stages)):
        before = []
        if item:
            before.append(number(item - 1, s))
        if s:
            before.append(number(item, s - 1))
        if pipeline.buffer is not None and s + 1 < width and item >= pipeline.buffer:
            before.append(number(item - pipeline.buffer, s + 1))
        tasks.append(JobTask(f"{pipeline.name}.{stage.name}{item}", stage.steps, tuple(before)))
    return _UnrolledJob(1.0, tuple(tasks), (0,), (len(tasks) - 1,))
