"""What Sparklens would predict from a log: its method, written again from its published description, as a peer.

    T(N) = wall of the application - sum of the walls of its jobs + sum of their simulated walls on N cores

A task takes its `Executor Run Time`, at least 1 ms; tasks of a stage go in their order to the core that is free first;
a stage may begin when its parents have ended, the least number first (Qubole, 2018, "Sparklens", simulation of
`CompletionEstimator`). Jobs of one SQL execution that overlap are one job there; in logs without SQL there are none, so
jobs of several threads count their walls several times.
"""

from __future__ import annotations

import heapq

from apet.joblogs.job_log import MS, US, JobLog, LoggedStage

StageTimes = list[tuple[LoggedStage, list[int]]]


def sparklens(log: JobLog, cores: int) -> float:
    """Seconds on so many cores."""
    walls = sum(job.end - job.start for job in log.jobs)
    return (log.end - walls + sum(_simulated(stages, cores) for stages in _jobs(log).values())) / US


def _jobs(log: JobLog) -> dict[int, StageTimes]:
    """By job its stages with the run times of all attempts, in the order of their launch."""
    times: dict[int, list[tuple[int, int]]] = {}
    for stage, launched, run in zip(log.tasks.stage, log.tasks.launched, log.tasks.run, strict=True):
        times.setdefault(stage, []).append((launched, max(MS, run)))

    jobs: dict[int, StageTimes] = {job.number: [] for job in log.jobs}
    for logged in sorted(log.stages, key=lambda each: each.number):
        if logged.number in times:
            jobs[logged.job].append((logged, [run for _, run in sorted(times[logged.number], key=lambda t: t[0])]))
    return jobs


def _simulated(stages: StageTimes, cores: int) -> int:
    """The wall of one job: all tasks of a stage are dealt before another is considered."""
    numbers = {stage.number for stage, _ in stages}
    waiting = [({p for p in stage.parents if p in numbers}, stage.number, runs) for stage, runs in stages]
    left = {number: len(runs) for _, number, runs in waiting}
    running = list[tuple[int, int]]()
    clock = 0

    def finish_one() -> int:
        end, number = heapq.heappop(running)
        left[number] -= 1
        return end

    while waiting:
        ready = next((each for each in waiting if not any(left[p] for p in each[0])), None)
        if ready is None:
            clock = finish_one()
            continue

        waiting.remove(ready)
        for run in ready[2]:
            if len(running) == cores:
                clock = finish_one()
            heapq.heappush(running, (clock + run, ready[1]))
    return max((end for end, _ in running), default=clock)
