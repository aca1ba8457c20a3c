"""A generator of Spark event logs: stages with precedence, run on so many cores by a scheduler of its own.

It knows nothing of the product: a queue of tasks in order of stages, a heap of cores, and the events that Spark writes.
"""

from __future__ import annotations

import heapq
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

START = 1_800_000_000_000
LAG, TAIL, GAP = 3, 2, 40


@dataclass
class StageShape:
    """A stage: durations of its tasks in milliseconds, and places of the stages that it waits for."""

    durations: Sequence[int]
    parents: Sequence[int] = ()


@dataclass
class JobShape:
    """A job: its stages, and when its driver submits it: after the job before, or `at` milliseconds."""

    stages: Sequence[StageShape]
    at: int | None = None
    pool: str = ""
    result: str = "JobSucceeded"


@dataclass
class SparkRun:
    """Events by time, and the wall time in milliseconds."""

    events: list[tuple[int, int, dict[str, Any]]] = field(default_factory=list)
    wall: int = 0

    def lines(self) -> Iterator[str]:
        """The log, a line each."""
        for _, _, event in sorted(self.events, key=lambda e: e[:2]):
            yield json.dumps(event, separators=(",", ":")) + "\n"

    def text(self) -> str:
        """The whole log."""
        return "".join(self.lines())

    def add(self, time: int, event: str, **fields: Any) -> None:
        """One event."""
        named = {key.replace("_", " "): value for key, value in fields.items()}
        self.events.append((time, len(self.events), {"Event": f"SparkListener{event}", **named}))


def run_spark(
    jobs: Sequence[JobShape], cores: int, executors: int = 1, properties: Mapping[str, str] = MappingProxyType({})
) -> SparkRun:
    """Jobs one after the other (those with `at` at that time) on executors of `cores` together."""
    run = SparkRun()
    run.add(-3, "LogStart", Spark_Version="3.5.1")
    run.add(-2, "ApplicationStart", App_Name="generated", Timestamp=START)
    run.add(-1, "EnvironmentUpdate", Spark_Properties={"spark.master": "generated", **properties})
    each = cores // executors
    for number in range(executors):
        info = {"Total Cores": each}
        run.add(0, "ExecutorAdded", Timestamp=START, Executor_ID=str(number), Executor_Info=info)

    _Cluster(run, jobs, each, executors).go()
    return run


class _Cluster:
    """Cores, tasks that wait, and stages that wait for others."""

    def __init__(self, run: SparkRun, jobs: Sequence[JobShape], each: int, executors: int) -> None:
        self.run, self.jobs = run, jobs
        self.cores = [str(k // each) for k in range(each * executors)]
        heapq.heapify(self.cores)
        self.agenda = list[tuple[int, int, Any]]()
        self.first = [sum(len(j.stages) for j in jobs[:k]) for k in range(len(jobs))]
        self.open = {(j, s): len(shape.parents) for j, job in enumerate(jobs) for s, shape in enumerate(job.stages)}
        self.left = {(j, s): len(shape.durations) for j, job in enumerate(jobs) for s, shape in enumerate(job.stages)}
        self.waiting = list[tuple[int, int, int]]()
        self.submitted: dict[tuple[int, int], int] = {}
        self.stages_left = [len(job.stages) for job in jobs]
        self.serial = 0
        self.task_id = 0

    def at(self, time: int, what: Any) -> None:
        self.serial += 1
        heapq.heappush(self.agenda, (time, self.serial, what))

    def go(self) -> None:
        chain = [k for k, job in enumerate(self.jobs) if job.at is None]
        for k, job in enumerate(self.jobs):
            if job.at is not None:
                self.at(job.at, ("job", k))
        if chain:
            self.at(GAP, ("job", chain[0]))
        end = 0
        while self.agenda:
            time, _, (kind, *about) = heapq.heappop(self.agenda)
            end = getattr(self, f"_{kind}")(time, *about) or end
            if not self.agenda or self.agenda[0][0] > time:
                self._serve(time)

        self.run.wall = end + GAP
        self.run.add(self.run.wall, "ApplicationEnd", Timestamp=START + self.run.wall)

    def _job(self, time: int, k: int) -> None:
        job, first = self.jobs[k], self.first[k]
        infos = [self._info((k, s)) for s in range(len(job.stages))]
        properties = {"spark.scheduler.pool": job.pool} if job.pool else {}
        ids = [first + s for s in range(len(job.stages))]
        self.run.add(time, "JobStart", Job_ID=k, Submission_Time=START + time, Stage_Infos=infos, Stage_IDs=ids,
                     Properties=properties)  # fmt: skip
        for s, shape in enumerate(job.stages):
            if not shape.parents:
                self.at(time, ("stage", (k, s)))

    def _info(self, key: tuple[int, int]) -> dict[str, Any]:
        k, s = key
        shape = self.jobs[k].stages[s]
        parents = [self.first[k] + p for p in shape.parents]
        name = f"map at Generated.java:{s}"
        return {"Stage ID": self.first[k] + s, "Stage Attempt ID": 0, "Stage Name": name,
                "Number of Tasks": len(shape.durations), "Parent IDs": parents}  # fmt: skip

    def _stage(self, time: int, key: tuple[int, int]) -> None:
        self.submitted[key] = time
        info = {**self._info(key), "Submission Time": START + time}
        self.run.add(time, "StageSubmitted", Stage_Info=info)
        self.at(time + LAG, ("ready", key))

    def _ready(self, time: int, key: tuple[int, int]) -> None:
        for index in range(len(self.jobs[key[0]].stages[key[1]].durations)):
            heapq.heappush(self.waiting, (*key, index))

    def _serve(self, time: int) -> None:
        while self.cores and self.waiting:
            core = heapq.heappop(self.cores)
            k, s, index = heapq.heappop(self.waiting)
            duration = self.jobs[k].stages[s].durations[index]
            self.at(time + duration, ("task", (k, s), index, core, time))

    def _task(self, time: int, key: tuple[int, int], index: int, core: str, launched: int) -> None:
        heapq.heappush(self.cores, core)
        info = {"Task ID": self.task_id, "Index": index, "Attempt": 0, "Launch Time": START + launched,
                "Executor ID": core, "Getting Result Time": 0, "Finish Time": START + time}  # fmt: skip
        self.task_id += 1
        self.run.add(time, "TaskEnd", Stage_ID=self.first[key[0]] + key[1], Stage_Attempt_ID=0,
                     Task_End_Reason={"Reason": "Success"}, Task_Info=info,
                     Task_Metrics={"Executor Run Time": time - launched})  # fmt: skip
        self.left[key] -= 1
        if not self.left[key]:
            self.at(time + TAIL, ("done", key))

    def _done(self, time: int, key: tuple[int, int]) -> int:
        k, s = key
        info = {**self._info(key), "Submission Time": START + self.submitted[key], "Completion Time": START + time}
        self.run.add(time, "StageCompleted", Stage_Info=info)
        for child, shape in enumerate(self.jobs[k].stages):
            if s in shape.parents:
                self.open[k, child] -= 1
                if not self.open[k, child]:
                    self.at(time, ("stage", (k, child)))
        self.stages_left[k] -= 1
        if not self.stages_left[k]:
            self.run.add(time, "JobEnd", Job_ID=k, Completion_Time=START + time,
                         Job_Result={"Result": self.jobs[k].result})  # fmt: skip
            following = next((n for n in range(k + 1, len(self.jobs)) if self.jobs[n].at is None), None)
            if self.jobs[k].at is None and following is not None:
                self.at(time + GAP, ("job", following))
        return time


def random_jobs(random_source: random.Random, jobs: int = 2, most_tasks: int = 30) -> list[JobShape]:
    """Jobs of one to four stages, each waiting for some of those before it; times with a few long tasks."""

    def stage(place: int) -> StageShape:
        count = random_source.randint(1, most_tasks)
        scale = random_source.choice((20, 200, 2000))
        durations = [1 + int(scale * random_source.paretovariate(2.0)) for _ in range(count)]
        parents = sorted(random_source.sample(range(place), random_source.randint(0, min(place, 2))))
        return StageShape(durations, parents)

    return [JobShape([stage(s) for s in range(random_source.randint(1, 4))]) for _ in range(jobs)]
