"""Layered queues: tasks that serve requests and, while they do, wait for answers of other tasks (C. M. Woodside, J. E.
Neilson, D. C. Petriu and S. Majumdar, IEEE Trans. Computers 44(1), 1995).

A task has processes that serve one request each, as an entry says: activities on the task's processor, with calls of
other entries between slices of service. A call that waits holds its process, and so on down the layers. What an entry
does after its answer is a second phase. Times are in seconds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from apet.queueing.data.jobs import Circulation, Distribution, JobStation, NamedCount, Pool


class Call(NamedTuple):
    """Requests to an entry, by number: how many in the mean, and whether each waits for the answer."""

    entry: int
    mean: float
    waits: bool = True


class Activity(NamedTuple):
    """Service at the task's processor in slices, a call between two of them. There are as many calls as `calls` says,
    in its order, where `is_fixed`, else geometrically many in the mean, in any order; slices of no time wait for the
    processor as others do. It begins with a pause of `think`
    seconds in the mean. With its end the request has its answer where it `replies`, and then comes a `Fork`."""

    name: str
    task: int
    demand: float
    distribution: Distribution = Distribution()
    calls: tuple[Call, ...] = ()
    is_fixed: bool = False
    think: float = 0.0
    replies: bool = False
    fork: int | None = None


class Fork(NamedTuple):
    """What begins when `needed` activities have ended: all of these, or, with `chances`, one."""

    activities: tuple[int, ...]
    chances: tuple[float, ...] = ()
    needed: int = 1


class LayeredEntry(NamedTuple):
    """What a task does for a request: its first activity; and the entries that answer in its place, with the
    probability of each."""

    name: str
    task: int
    start: int
    forwards: tuple[tuple[int, float], ...] = ()


class LayeredTask(NamedTuple):
    """Processes on a processor; any number of them where there are 0. A reference task has no requests: its processes
    begin the entry `reference` again and again, with `think` seconds in the mean before each. The source of arrivals is
    such a task too: it sends a request to that entry every `think` seconds, and does not wait."""

    name: str
    processor: int
    processes: int
    priority: int = 1
    reference: int | None = None
    think: float = 0.0
    is_source: bool = False


class Layered(NamedTuple):
    """Tasks on processors; activities and forks have numbers through all tasks. Without `counts` and `pools`."""

    processors: tuple[JobStation, ...]
    tasks: tuple[LayeredTask, ...]
    entries: tuple[LayeredEntry, ...]
    activities: tuple[Activity, ...]
    forks: tuple[Fork, ...]
    counts: tuple[NamedCount, ...] = ()
    pools: tuple[Pool, ...] = ()

    @property
    def origins(self) -> list[int]:
        """The tasks that requests come from, by number."""
        return [t for t, task in enumerate(self.tasks) if task.reference is not None]

    @property
    def classes(self) -> tuple[Circulation, ...]:
        """Reference tasks and arrivals, as results have them."""
        tasks = [self.tasks[t] for t in self.origins]
        return tuple(
            Circulation(t.name, 0, 0.0, (), arrival_rate=1 / t.think)
            if t.is_source
            else Circulation(t.name, t.processes, t.think, ())
            for t in tasks
        )

    def with_class(self, name: str, kind: str, value: float) -> Layered:
        """With another population, think time or arrival rate of one of its classes."""
        change: dict[str, Any] = {"processes" if kind == "population" else "think": value}
        if kind == "arrival_rate":
            change = {"think": 1 / value}
        origins = {t for t in self.origins if self.tasks[t].name == name}
        tasks = (task._replace(**change) if t in origins else task for t, task in enumerate(self.tasks))
        return self._replace(tasks=tuple(tasks))

    def with_servers(self, k: int, number: int) -> Layered:
        """With another number of servers of a processor, or of processes of a task, by its place among stations."""
        processors, tasks = list(self.processors), list(self.tasks)
        if k < len(processors):
            processors[k] = processors[k]._replace(servers=number)
        else:
            t = [t for t, task in enumerate(tasks) if task.reference is None][k - len(processors)]
            tasks[t] = tasks[t]._replace(processes=number)
        return self._replace(processors=tuple(processors), tasks=tuple(tasks))

    @property
    def stations(self) -> tuple[JobStation, ...]:
        """Processors, and the tasks that serve requests."""
        servers = [t for t in self.tasks if t.reference is None]
        tasks = (JobStation(f"task {t.name}", "FCFS" if t.processes else "delay", t.processes) for t in servers)
        return (*self.processors, *tasks)
