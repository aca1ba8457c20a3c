"""Spark logs of runs that were disturbed: attempts that fail, speculative copies, executors that are lost, lost events.

On top of the scheduler of `spark_logs`; it also tells which time each task took at last, so that the same run without
disturbance can be had on any number of cores.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.joblogs.spark_logs import START, JobShape, SparkRun, StageShape, _Cluster, run_spark

Key = tuple[int, int]


class DisturbedRun:
    """A log with disturbances, and `quiet`: the same jobs with the times that their tasks took at last."""

    def __init__(self, source: random.Random, jobs: Sequence[JobShape], cores: int, executors: int) -> None:
        self.run = run_spark([], cores, executors)
        self.run.events = [event for event in self.run.events if "ApplicationEnd" not in event[2]["Event"]]
        cluster = _Disturbed(self.run, jobs, cores // executors, executors, source)
        cluster.go()
        times = cluster.taken
        self.quiet = [
            replace(job, stages=[StageShape(times[j, s], shape.parents) for s, shape in enumerate(job.stages)])
            for j, job in enumerate(jobs)
        ]
        self.lost = cluster.lost

    def without_some(self, source: random.Random) -> str:
        """The log without one in ten ends of tasks, and at least one."""
        ends = [k for k, event in enumerate(self.run.events) if event[2]["Event"].endswith("TaskEnd")]
        gone = set(source.sample(ends, max(1, len(ends) // 10)))
        kept = SparkRun([event for k, event in enumerate(self.run.events) if k not in gone])
        return kept.text()


class _Disturbed(_Cluster):
    """One in eight attempts fails, one in eight tasks has a copy, and of several executors one may go."""

    def __init__(
        self, run: SparkRun, jobs: Sequence[JobShape], each: int, executors: int, source: random.Random
    ) -> None:
        super().__init__(run, jobs, each, executors)
        self.source = source
        self.taken = {(j, s): list(shape.durations) for j, job in enumerate(jobs) for s, shape in enumerate(job.stages)}
        self.running: dict[int, tuple[Key, int, str, int]] = {}  # by number of an attempt
        self.finished = set[tuple[Key, int]]()
        self.copied = set[tuple[Key, int]]()
        self.gone = set[str]()
        self.lost = 0
        if executors > 1 and source.random() < 0.5:
            self.at(source.randint(10, 3000), ("lose", str(executors - 1)))

    def _serve(self, time: int) -> None:
        while self.cores and self.waiting:
            core = heapq.heappop(self.cores)
            k, s, index = heapq.heappop(self.waiting)
            key = (k, s)
            if (key, index) in self.finished:  # a copy that nobody needs any more
                heapq.heappush(self.cores, core)
                continue
            duration = self.jobs[k].stages[s].durations[index]
            number, self.task_id = self.task_id, self.task_id + 1
            self.running[number] = (key, index, core, time)
            draw = self.source.random()
            if draw < 1 / 8 and (key, index) not in self.copied:
                self.at(time + max(1, duration // 2), ("fails", number))
                continue
            if draw > 7 / 8 and (key, index) not in self.copied:
                self.copied.add((key, index))
                heapq.heappush(self.waiting, (k, s, index))
            self.at(time + duration, ("ends", number))

    def _ends(self, time: int, number: int) -> None:
        if number not in self.running:
            return
        key, index, _, launched = self.running[number]
        self._over(time, number, "Success")
        self.finished.add((key, index))
        self.taken[key][index] = time - launched
        for other in [n for n, (k, i, _, _) in self.running.items() if (k, i) == (key, index)]:
            self._over(time, other, "TaskKilled")
        self.left[key] -= 1
        if not self.left[key]:
            self.at(time + 2, ("done", key))

    def _fails(self, time: int, number: int) -> None:
        if number in self.running:
            key, index, _, _ = self.running[number]
            self._over(time, number, "ExceptionFailure")
            heapq.heappush(self.waiting, (*key, index))

    def _lose(self, time: int, executor: str) -> None:
        self.gone.add(executor)
        self.run.add(time, "ExecutorRemoved", Timestamp=START + time, Executor_ID=executor, Removed_Reason="lost")
        self.cores = [core for core in self.cores if core != executor]
        heapq.heapify(self.cores)
        for number in [n for n, (_, _, core, _) in self.running.items() if core == executor]:
            key, index, _, _ = self.running[number]
            self._over(time, number, "ExecutorLostFailure")
            if not any((k, i) == (key, index) for k, i, _, _ in self.running.values()):
                heapq.heappush(self.waiting, (*key, index))

    def _over(self, time: int, number: int, reason: str) -> None:
        """An attempt ends, and its core is free, if it is still there."""
        key, index, core, launched = self.running.pop(number)
        self.lost += reason != "Success"
        if core not in self.gone:
            heapq.heappush(self.cores, core)
        info = {"Task ID": number, "Index": index, "Attempt": 0, "Launch Time": START + launched,
                "Executor ID": core, "Getting Result Time": 0, "Finish Time": START + time}  # fmt: skip
        metrics: dict[str, Any] = {"Executor Run Time": time - launched}
        self.run.add(time, "TaskEnd", Stage_ID=self.first[key[0]] + key[1], Stage_Attempt_ID=0,
                     Task_End_Reason={"Reason": reason}, Task_Info=info, Task_Metrics=metrics)  # fmt: skip
