"""The neutral job log: what every engine's reader makes, and all that the rules know.

Times are whole microseconds since the start of the application. An engine without stages (Dask, task tables) has one
stage per task.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

US = 1_000_000
"""Microseconds of a second."""
MS = 1_000
"""Microseconds of a millisecond."""


class ExecutorSpan(NamedTuple):
    """A process that runs tasks: how many at once, and between which times it was there."""

    name: str
    slots: int
    start: int
    end: int


class AllocationRules(NamedTuple):
    """How an application asks for executors and gives them back: numbers of executors, times in microseconds."""

    least: int  #: executors that are always there
    initial: int  #: executors that it starts with
    most: int  #: executors at once
    backlog: int  #: from when tasks wait until the first request
    sustained: int  #: from one request to the next, while tasks wait
    idle: int  #: how long an executor without work is kept
    keeps: bool = False  #: whether executors stay that hold data which later stages read


class LoggedJob(NamedTuple):
    """What a driver submits at once; `pool` is that of a fair scheduler, "" for none."""

    number: int
    start: int
    end: int
    pool: str = ""


class LoggedStage(NamedTuple):
    """Tasks that may run beside each other once the `parents` have ended: numbers of stages of the same job.

    `reads` is whether the tasks read input from outside, each a part of it."""

    number: int
    job: int
    name: str
    parents: tuple[int, ...]
    submitted: int
    completed: int
    priority: tuple[int, ...] = ()
    reads: bool = False


class LoggedTasks:
    """All attempts of tasks, as columns of whole numbers of equal length.

    `stage` and `index` name the task, `executor` is a place in the list of executors, -1 if unknown. A task is
    `launched`, runs for `run` microseconds, leaves its core at `freed`, and its result is there at `finished`. `ok` is
    1 for a success.
    """

    __slots__ = COLUMNS = ("stage", "index", "executor", "launched", "freed", "finished", "run", "ok")

    def __init__(self) -> None:
        self.stage = array("q")
        self.index = array("q")
        self.executor = array("q")
        self.launched = array("q")
        self.freed = array("q")
        self.finished = array("q")
        self.run = array("q")
        self.ok = array("b")

    def __len__(self) -> int:
        return len(self.ok)

    def add(self, values: Iterable[int]) -> None:
        """One attempt, in the order of the columns; `OverflowError` and `TypeError`, and nothing is added."""
        stage, index, executor, launched, freed, finished, run, ok = values
        try:
            self.stage.append(stage)
            self.index.append(index)
            self.executor.append(executor)
            self.launched.append(launched)
            self.freed.append(freed)
            self.finished.append(finished)
            self.run.append(run)
            self.ok.append(ok)
        except (OverflowError, TypeError):
            for name in self.COLUMNS:
                del getattr(self, name)[len(self) :]
            raise


def most_at_once(spans: Iterable[tuple[int, int]]) -> int:
    """The most spans that overlap; one that ends when another starts does not."""
    changes = sorted(change for start, end in spans for change in ((start, 1), (end, -1)))
    return max(accumulate(change for _, change in changes), default=0)


class Overheads(NamedTuple):
    """Sums over all tasks: seconds that they waited for data of others, and bytes that did not fit the memory."""

    fetch_wait: float = 0.0
    run: float = 0.0
    spilled: int = 0


class SizedLogs(NamedTuple):
    """Logs of one program, from the smallest input to the largest; `sizes` of a single log are (1,)."""

    sizes: tuple[float, ...]
    logs: tuple[JobLog, ...]


def sized_logs(sizes: Sequence[float], logs: Sequence[JobLog]) -> SizedLogs:
    """Logs in the order of their sizes; `ValueError` where these are no sizes to compare."""
    usable = [size for size in sizes if not isinstance(size, bool) and 0 < size < LARGEST]
    if len(set(usable)) != len(logs) or len(sizes) != len(logs) or len(logs) < 2:
        raise ValueError("these are no sizes to compare")
    order = sorted(range(len(logs)), key=sizes.__getitem__)
    return SizedLogs(tuple(sizes[k] for k in order), tuple(logs[k] for k in order))


LARGEST = 1e15
"""Of sizes of inputs."""


@dataclass(frozen=True, slots=True, repr=False)
class JobLog:
    """One run of an application. `order` is what the scheduler serves first: "fifo", "fair", "priority", or "dask"."""

    name: str  #: of the application
    engine: str  #: "Spark", "Dask", "Hadoop" or "tasks"
    version: str  #: of the engine, "" if unknown
    end: int  #: microseconds since its start
    executors: tuple[ExecutorSpan, ...]
    jobs: tuple[LoggedJob, ...]  #: in the order of their start
    stages: tuple[LoggedStage, ...]
    tasks: LoggedTasks
    order: str = "fifo"
    allocation: AllocationRules | None = None  #: where executors come and go with the load
    complete: bool = True  #: whether the log has the end of the application
    partitions: frozenset[int] = frozenset()  #: numbers of tasks that settings fix
    overheads: Overheads = field(default_factory=Overheads)
    notes: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()  #: what is missing; if anything is, nothing that follows is guaranteed
    missing: Mapping[int, int] = field(default_factory=dict)  #: by stage, how many of its tasks

    def __repr__(self) -> str:
        return f"JobLog({self.name}: {self.engine}, {len(self.jobs)} jobs, {len(self.tasks)} tasks, {self.cores} cores)"

    @property
    def cores(self) -> int:
        """The most tasks that could run at once."""
        return max((slots for _, slots in self.profile), default=1)

    @property
    def profile(self) -> list[tuple[int, int]]:
        """Slots from a time on, by time."""
        changes: dict[int, int] = {}
        for executor in self.executors:
            changes[executor.start] = changes.get(executor.start, 0) + executor.slots
            changes[executor.end] = changes.get(executor.end, 0) - executor.slots

        profile, slots = list[tuple[int, int]](), 0
        for time in sorted(changes):
            slots += changes[time]
            profile.append((time, slots))
        return profile
