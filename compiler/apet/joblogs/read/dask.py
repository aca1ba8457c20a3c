"""Logs of `apet.joblogs.dask_plugin`: graphs, tasks with their dependencies, and when workers computed them.

Graphs that a client submits are jobs, every task is a stage of its own. A task holds a thread from the first of its
spans that needs one (deserialising, computing) to the last; what it fetches from other workers comes before that.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.job_log import US, ExecutorSpan, JobLog, LoggedJob, LoggedStage, LoggedTasks
from apet.joblogs.read.events import Event, EventLines

WANTED = frozenset(("start", "worker", "worker-gone", "graph", "task", "done"))
HOLDING = ("compute", "deserialize", "disk-read", "disk-write")
LATEST = 1 << 33


class _Task:
    """What the log says of one task."""

    __slots__ = ("deps", "done", "finished", "graph", "launched", "name", "ok", "priority", "worker")

    def __init__(self, graph: int, deps: Sequence[str], priority: tuple[int, ...], name: str) -> None:
        self.graph, self.deps, self.priority, self.name = graph, deps, priority, name
        self.launched = self.finished = self.done = 0
        self.worker = ""
        self.ok = False


class DaskEvents:
    """What the events of one scheduler say; times in microseconds since 1970."""

    def __init__(self) -> None:
        self.version = ""
        self.workers: dict[str, list[int]] = {}  # by address: threads, from, to
        self.graphs = list[int]()
        self.tasks: dict[str, _Task] = {}
        self.last = 0
        self.failed = 0
        self.jobs: dict[int, int] = {}  # of graphs

    def take(self, kind: str, event: Event) -> None:
        """One event."""
        time = _time(event["t"])
        self.last = max(self.last, time)

        if kind == "start":
            self.version = str(event.get("version", ""))[:40]
        elif kind == "worker":
            self.workers[str(event["address"])] = [max(1, int(event["threads"])), time, 0]
        elif kind == "worker-gone":
            self.workers.get(str(event["address"]), [0, 0, 0])[2] = time
        elif kind == "graph":
            self.graphs.append(time)
        elif kind == "task":
            self._task(event)
        else:
            self._done(event, time)

    def _task(self, event: Event) -> None:
        priority = tuple(int(p) for p in event.get("priority") or ())
        deps = [str(dep) for dep in event["deps"]]
        task = _Task(max(0, len(self.graphs) - 1), deps, priority, str(event.get("prefix", "")))
        self.tasks.setdefault(str(event["key"]), task)

    def _done(self, event: Event, time: int) -> None:
        task = self.tasks.get(str(event["key"]))
        spans = [(str(kind), _time(begin), _time(end)) for kind, begin, end in event.get("spans") or ()]
        holding = [span for span in spans if span[0] in HOLDING]
        if not event.get("ok", True) or task is None or not holding:
            self.failed += not event.get("ok", True)
            return
        task.launched = min(begin for _, begin, _ in holding)
        task.finished = max(task.launched, *(end for _, _, end in holding))
        task.done, task.ok = max(time, task.finished), True
        task.worker = str(event.get("worker", ""))

    def log(self, path: str, lines: EventLines) -> JobLog:
        """The neutral log; `ApetError` where nothing was computed."""
        keys = [key for key, task in self.tasks.items() if task.ok]
        if not keys:
            advice = "was the plugin there before the first graph was submitted?"
            raise ApetError(errors.NoJobs(None, None, path, "no task was computed", advice))

        numbers = {key: k for k, key in enumerate(sorted(keys, key=lambda key: self.tasks[key].priority))}
        first = [self.tasks[key].launched for key in keys]
        origin = min([*self.graphs[:1], *first])
        end = max(self.tasks[key].done for key in keys)
        executors = self._executors(origin, end)
        places = {executor.name: k for k, executor in enumerate(executors)}
        jobs = tuple(self._jobs(keys, origin))
        notes = [*lines.notes, *([f"{self.failed} tasks failed and are left out"] if self.failed else [])]
        return JobLog(
            name=os.path.basename(path),
            engine="Dask",
            version=self.version,
            end=end - origin,
            executors=tuple(executors),
            jobs=jobs,
            stages=tuple(self._stage(key, numbers, origin) for key in keys),
            tasks=self._columns(keys, numbers, places, origin),
            order="dask",
            notes=tuple(notes),
        )

    def _jobs(self, keys: Sequence[str], origin: int) -> list[LoggedJob]:
        """Graphs by the time of their submission; those that overlap are one job, since futures tie them together."""
        spans: dict[int, tuple[int, int]] = {}
        for key in keys:
            task = self.tasks[key]
            start = self.graphs[task.graph] if self.graphs else task.launched
            low, high = spans.get(task.graph, (start, task.done))
            spans[task.graph] = min(low, start, task.launched), max(high, task.done)

        jobs = list[LoggedJob]()
        for graph, (low, high) in sorted(spans.items(), key=lambda item: (item[1], item[0])):
            if jobs and low - origin < jobs[-1].end:
                jobs[-1] = jobs[-1]._replace(end=max(jobs[-1].end, high - origin))
            else:
                jobs.append(LoggedJob(graph, low - origin, high - origin))
            self.jobs[graph] = jobs[-1].number
        return jobs

    def _stage(self, key: str, numbers: dict[str, int], origin: int) -> LoggedStage:
        """A task is submitted when the last task that it needs is done."""
        task = self.tasks[key]
        needed = [dep for dep in task.deps if dep in numbers and dep != key]
        job = self.jobs[task.graph]
        same = tuple(numbers[dep] for dep in needed if self.jobs[self.tasks[dep].graph] == job)
        start = self.graphs[task.graph] if self.graphs else task.launched
        ready = max([start, *(self.tasks[dep].done for dep in needed)])
        times = min(ready, task.launched) - origin, task.done - origin
        return LoggedStage(numbers[key], job, task.name[:60], same, *times, (task.graph, *task.priority))

    def _columns(
        self, keys: Sequence[str], numbers: dict[str, int], places: dict[str, int], origin: int
    ) -> LoggedTasks:
        columns = LoggedTasks()
        for key in keys:
            task = self.tasks[key]
            launched, finished = task.launched - origin, task.finished - origin
            place = places.get(task.worker, -1)
            columns.add((numbers[key], 0, place, launched, finished, finished, finished - launched, 1))
        return columns

    def _executors(self, origin: int, end: int) -> list[ExecutorSpan]:
        return [
            ExecutorSpan(name, threads, max(0, since - origin), max(0, (until or end) - origin))
            for name, (threads, since, until) in self.workers.items()
        ]


def _time(value: Any) -> int:
    if not 0 <= value < LATEST:
        raise ValueError("no time")
    return int(value * US)


def read_dask(path: str) -> JobLog:
    """The log of one scheduler; `ApetError`."""
    events = DaskEvents()
    lines = EventLines(path, [path], WANTED)
    lines.events(events.take)
    return events.log(path, lines)
