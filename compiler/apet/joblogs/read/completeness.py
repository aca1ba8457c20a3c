"""What a log of Spark lacks: tasks of stages that ended, and ends of jobs. What can be taken from the rest is.

Spark drops events when its queue of them is full, and a log may have been cut or put together. A stage says how many
tasks it has, and a job without an end is followed by others; so a gap shows, and nothing from such a log is guaranteed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from apet.joblogs.job_log import LoggedTasks

MOST_NAMED = 3
ATTEMPT = 1 << 32
"""Numbers of tasks from one attempt of a stage to the next, where the log has none of partitions."""


@dataclass(slots=True)
class SparkStage:
    """What events say of a stage; times in milliseconds since 1970."""

    name: str = ""
    parents: tuple[int, ...] = ()
    submitted: int | None = None
    completed: int | None = None
    listed: list[int] = field(default_factory=list)
    reads: bool = False
    tasks: int | None = None  # of its first attempt, which has all of them
    failed: bool = False  # its last attempt that ended


@dataclass(slots=True)
class SparkJob:
    """What events say of a job; times in milliseconds since 1970."""

    start: int
    pool: str
    end: int | None = None
    succeeded: bool = False


class Completeness(NamedTuple):
    """What is missing, as sentences; and by stage, how many tasks are."""

    gaps: tuple[str, ...]
    missing: Mapping[int, int]


def completeness(
    stages: Mapping[int, SparkStage], jobs: Mapping[int, SparkJob], tasks: LoggedTasks, cut: int | None
) -> Completeness:
    """Looks for gaps, and gives jobs without an end that of their last stage. `cut` is the time of the last event of a
    log that has no end, up to which jobs may still have run."""
    missing = _missing_tasks(stages, tasks)
    gaps = []
    for number, count in missing.items():
        whole = stages[number].tasks or count
        gaps.append(f"stage {number} has {whole - count:,} of its {whole:,} tasks in this log")
    if len(gaps) > MOST_NAMED:
        more = sum(list(missing.values())[MOST_NAMED - 1 :])
        gaps = [*gaps[: MOST_NAMED - 1], f"{len(gaps) - MOST_NAMED + 1} more stages lack {more:,} tasks in this log"]
    if gaps:
        gaps[-1] += "; missing tasks are taken to be like the others of their stage"

    ended = _end_jobs(stages, jobs, cut)
    if ended:
        names = ", ".join(map(str, ended[:MOST_NAMED])) + (", …" if len(ended) > MOST_NAMED else "")
        have = f"job {names} has" if len(ended) == 1 else f"jobs {names} have"
        gaps.append(f"{have} no end in this log: the end of the last stage is taken for it")
    return Completeness(tuple(gaps), missing)


def _missing_tasks(stages: Mapping[int, SparkStage], tasks: LoggedTasks) -> dict[int, int]:
    """By stage that ended well and of which some task did, how many did not."""
    done: dict[int, set[int]] = {}
    for number, index, ok in zip(tasks.stage, tasks.index, tasks.ok, strict=True):
        if ok:
            done.setdefault(number, set()).add(index)

    _join_attempts({k for k, found in done.items() if len(found) > (stages[k].tasks or len(found))}, tasks)
    missing = dict[int, int]()
    for number, found in sorted(done.items()):
        stage = stages[number]
        if stage.tasks is not None and stage.completed is not None and not stage.failed and len(found) < stage.tasks:
            missing[number] = stage.tasks - len(found)
    return missing


def _join_attempts(stages: Collection[int], tasks: LoggedTasks) -> None:
    """A later attempt did again what the first had done, where there are more tasks than the stage has."""
    for k, number in enumerate(tasks.stage):
        if number in stages:
            tasks.index[k] %= ATTEMPT


def _end_jobs(stages: Mapping[int, SparkStage], jobs: Mapping[int, SparkJob], cut: int | None) -> list[int]:
    """Numbers of the jobs that were given an end: all their stages have ended, and the log goes on without them."""
    latest = max(job.start for job in jobs.values())
    ended = list[int]()
    for number, job in jobs.items():
        if job.end is not None:
            continue
        own = [stage for stage in stages.values() if number in stage.listed and stage.submitted is not None]
        ends = [stage.completed for stage in own if stage.completed is not None and stage.completed >= job.start]
        if ends and len(ends) == len(own) and (cut is None or latest > max(ends)):
            job.end, job.succeeded = max(ends), True
            ended.append(number)
    return ended
