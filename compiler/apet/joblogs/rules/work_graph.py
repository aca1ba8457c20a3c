"""A log as units of work: one per stage, and one per delay of the driver before, after and between jobs."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from apet.joblogs.job_log import ExecutorSpan, JobLog, LoggedJob, LoggedStage
from apet.joblogs.job_order import job_order
from apet.joblogs.rules.growth import StageGrowth, growing
from apet.joblogs.rules.latencies import latencies
from apet.joblogs.rules.overheads import lean_units
from apet.joblogs.rules.slot_times import slot_times
from apet.joblogs.rules.work import DRIVER, WorkGraph, WorkUnit


def work_graph(log: JobLog, *, failures: bool = False) -> WorkGraph:
    """The units of a log, in microseconds; R1 to R8 of its method in turn. With `failures` all attempts are tasks."""
    log = replace(log, executors=usable_executors(log))
    freed, turnaround = slot_times(log)
    attempts, lost = _first_successes(log, freed)
    following = _follows(log, attempts)
    others = _other_attempts(log, freed, attempts) if failures and lost else {}
    builder = _UnitBuilder(log, freed, attempts, growing(log, attempts, following), others)
    units = tuple(builder.units())

    return WorkGraph(
        units=units,
        lean=lean_units(units),
        cores=log.cores,
        turnaround=turnaround,
        measured=log.end,
        order=log.order,
        profile=_changing(log),
        following=following,
        per_executor=max((executor.slots for executor in log.executors), default=1),
        lost=lost,
        sure=log.engine != "Dask" and not log.gaps,
    )


def usable_executors(log: JobLog) -> tuple[ExecutorSpan, ...]:
    """Executors from when they run tasks: one that came while the stage of its first task waited was of no use before.
    One that is given back gets no task from then on, however long it takes to end."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for k, place in enumerate(log.tasks.executor):
        if place not in first or log.tasks.launched[k] < log.tasks.launched[first[place]]:
            first[place] = k
        last[place] = max(last.get(place, 0), log.tasks.finished[k])
    submitted = {stage.number: stage.submitted for stage in log.stages}

    def usable(place: int, executor: ExecutorSpan) -> ExecutorSpan:
        if log.allocation is not None and executor.end < log.end:
            kept = max(last.get(place, 0), executor.start) + log.allocation.idle
            executor = executor._replace(end=min(executor.end, kept))
        k = first.get(place)
        if k is None or submitted.get(log.tasks.stage[k], executor.start) >= executor.start:
            return executor
        return executor._replace(start=min(executor.end, max(executor.start, log.tasks.launched[k])))

    return tuple(usable(place, executor) for place, executor in enumerate(log.executors))


def _first_successes(log: JobLog, freed: Sequence[int]) -> tuple[dict[int, list[int]], int]:
    """Attempts by stage, per index the success that came first, in the order in which the first attempt of each was
    launched; and what others took."""
    tasks = log.tasks
    first: dict[tuple[int, int], int] = {}
    began: dict[tuple[int, int], int] = {}
    for k, key in enumerate(zip(tasks.stage, tasks.index, strict=True)):
        launched = tasks.launched[k]
        if began.setdefault(key, launched) > launched:
            began[key] = launched
        if tasks.ok[k]:
            other = first.get(key)
            if other is None or tasks.finished[k] < tasks.finished[other]:
                first[key] = k

    attempts: dict[int, list[int]] = {}
    for (stage, _), k in first.items():
        attempts.setdefault(stage, []).append(k)
    for stage, members in attempts.items():
        members.sort(key=lambda k: (began[stage, tasks.index[k]], tasks.index[k]))

    chosen = set(first.values())
    lost = sum(freed[k] - tasks.launched[k] for k in range(len(tasks)) if k not in chosen)
    return attempts, lost


def _other_attempts(log: JobLog, freed: Sequence[int], attempts: Mapping[int, list[int]]) -> dict[int, dict[int, int]]:
    """By stage, what else ran for it and did not count: attempts that failed, copies, and what others outran, in the
    order of launches. Each with the attempt that followed it soon, sooner than it took itself, or -1."""
    tasks = log.tasks
    chosen = {k for members in attempts.values() for k in members}
    others: dict[int, dict[int, int]] = {stage: {} for stage in attempts}
    latest: dict[tuple[int, int], int] = {}
    for k in sorted(range(len(tasks)), key=lambda k: (tasks.launched[k], k)):
        stage, key = tasks.stage[k], (tasks.stage[k], tasks.index[k])
        previous = latest.get(key, -1)
        if previous in others.get(stage, ()):
            waited, took = tasks.launched[k] - freed[previous], freed[previous] - tasks.launched[previous]
            others[stage][previous] = k if 0 <= waited < took else -1
        if stage in others and k not in chosen:
            others[stage][k] = -1
        latest[key] = k
    return others


class _UnitBuilder:
    """Units in order: of each job its start, its stages, its end; then the end of the application."""

    def __init__(
        self,
        log: JobLog,
        freed: Sequence[int],
        attempts: Mapping[int, list[int]],
        growth: Mapping[int, StageGrowth],
        others: Mapping[int, Mapping[int, int]],
    ) -> None:
        self.log, self.freed, self.attempts, self.growth, self.others = log, freed, attempts, growth, others
        self.stages: dict[int, list[LoggedStage]] = {}
        for stage in sorted(log.stages, key=lambda s: (s.priority, s.number)):
            if stage.number in attempts:
                self.stages.setdefault(stage.job, []).append(stage)

        ran = [stage for stages in self.stages.values() for stage in stages]
        first: dict[int, int] = {}
        for stage_number, began in zip(log.tasks.stage, log.tasks.launched, strict=True):
            first[stage_number] = min(began, first.get(stage_number, began))
        launched, free = sorted(log.tasks.launched), sorted(freed)
        self.sources = _sources(log, ran, attempts) if log.order == "dask" else None
        self.latency = latencies(ran, first, launched, free, _profile(log), sources=self.sources)
        self.result = list[WorkUnit]()

    def units(self) -> list[WorkUnit]:
        """All of them."""
        jobs, ends = self.log.jobs, list[int]()
        orders = job_order(jobs)
        for job, before in zip(jobs, orders, strict=True):
            latest = max((jobs[place].end for place in before), default=0)
            start = self._driver(f"driver before job {job.number}", job, [ends[p] for p in before], job.start - latest)
            ends.append(self._job(job, start))

        last = max((job.end for job in jobs), default=0)
        followed = {place for before in orders for place in before}
        open_ends = [end for place, end in enumerate(ends) if place not in followed]
        final = LoggedJob(max((j.number for j in jobs), default=0) + 1, self.log.end, self.log.end)
        self._driver("driver after the last job", final, open_ends, self.log.end - last)
        return self.result

    def _job(self, job: LoggedJob, start: int) -> int:
        """The units of a job after its start; the number of its end."""
        stages = _in_order(self.stages.get(job.number, []))
        numbers: dict[int, int] = {}
        completions = {stage.number: stage.completed for stage in stages}
        for stage in stages:
            parents = [p for p in stage.parents if p in numbers]
            ready = max((completions[p] for p in parents), default=job.start)
            before = tuple(numbers[p] for p in parents) or (start,)
            numbers[stage.number] = self._stage(job, stage, before, max(0, stage.submitted - ready))

        inner = {p for stage in stages for p in stage.parents}
        leaves = [numbers[stage.number] for stage in stages if stage.number not in inner]
        last = max(completions.values(), default=job.start)
        return self._driver(f"driver at the end of job {job.number}", job, leaves or [start], job.end - last)

    def _stage(self, job: LoggedJob, stage: LoggedStage, before: tuple[int, ...], wait: int) -> int:
        tasks, members = self.log.tasks, self.attempts[stage.number]
        finished = max(tasks.finished[k] for k in members)
        delay = wait + self.latency[stage.number]
        tail = max(0, stage.completed - finished)
        name = f"stage {stage.number}" + (f" ({stage.name})" if stage.name else "")
        order = stage.priority or (job.number, stage.number)
        growth = self.growth[stage.number]
        holds, results, runs = self._tasks(stage.number)
        unit = WorkUnit(
            *(name, job.number, stage.number, before, delay, tail, holds, results, order, job.pool),
            runs=runs,
            began=tasks.launched[members[0]],
            growth=growth.share,
            splits=growth.splits,
            group=stage.name,
            holders=1 if self.sources is None else self.sources[stage.number],
        )
        self.result.append(unit)
        return len(self.result) - 1

    def _tasks(self, stage: int) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """By task, how long its core is taken, until when its result is there, and what it ran itself."""
        tasks, members, others = self.log.tasks, self.attempts[stage], self.others.get(stage, {})
        began = {k: tasks.launched[k] for k in (*members, *others)}
        for k, followed in others.items():
            if followed >= 0:  # one task out of both
                began[followed] = min(began[followed], began.pop(k))
        if others:
            members = sorted(began, key=lambda k: (began[k], tasks.index[k]))
        times = [(self.freed[k] - began[k], tasks.finished[k] - began[k], tasks.run[k]) for k in members]
        holds = array("q", [max(0, hold) for hold, _, _ in times])
        results = array("q", [max(0, hold, result) for hold, result, _ in times])
        runs = array("q", [min(max(0, hold), run) for hold, _, run in times])
        if others:  # a stage does not wait for what does not count
            results = array("q", [0 if k in others else result for k, result in zip(members, results, strict=True)])

        if missing := self.log.missing.get(stage, 0):
            for column in (holds, results, runs):  # those that the log lacks are like the others
                column.extend([sum(column) // len(members)] * missing)
        return holds, results, runs

    def _driver(self, name: str, job: LoggedJob, before: Sequence[int], delay: int) -> int:
        nothing = array("q")
        order = (job.number, DRIVER)
        unit = WorkUnit(name, job.number, DRIVER, tuple(before), max(0, delay), 0, nothing, nothing, order, job.pool)
        self.result.append(unit)
        return len(self.result) - 1


def _sources(log: JobLog, stages: Sequence[LoggedStage], attempts: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """By number of a stage, how many executors its parents ran on; 1 without parents."""
    places = {number: log.tasks.executor[members[0]] for number, members in attempts.items()}
    return {s.number: max(1, len({places[p] for p in s.parents if p in places})) for s in stages}


def _in_order(stages: Sequence[LoggedStage]) -> list[LoggedStage]:
    """Stages so that none comes before its parents; those of a circle, which only a broken log has, at the end."""
    numbers = {stage.number for stage in stages}
    waits = {s.number: sum(p in numbers for p in set(s.parents)) for s in stages}
    children: dict[int, list[LoggedStage]] = {}
    for stage in stages:
        for parent in set(stage.parents):
            children.setdefault(parent, []).append(stage)

    ready = [stage for stage in stages if not waits[stage.number]]
    for stage in ready:  # which grows
        for child in children.get(stage.number, ()):
            waits[child.number] -= 1
            if not waits[child.number]:
                ready.append(child)
    placed = {stage.number for stage in ready}
    return [*ready, *(stage._replace(parents=()) for stage in stages if stage.number not in placed)]


def _profile(log: JobLog) -> list[tuple[int, int]]:
    """Cores from a time on, as far as what waits for them is not the driver's time: where they come and go by rules,
    and once some have gone."""
    if log.allocation is not None:
        return [(0, 0), *log.profile]
    profile = log.profile
    gone = next((k for k, (a, b) in enumerate(pairwise(profile), start=1) if b[1] < a[1]), len(profile))
    return [(0, log.cores), *profile[gone:]]


def _changing(log: JobLog) -> tuple[tuple[int, int], ...]:
    """The profile of cores, where it changes between the first launch and the last finish."""
    if not log.tasks.launched:
        return ()
    profile = [(time, slots) for time, slots in log.profile if time < max(log.tasks.finished)]
    if log.allocation is not None:
        return ((0, 0), *profile)
    first = min(log.tasks.launched)
    at_first = max((k for k, (time, _) in enumerate(profile) if time <= first), default=0)
    profile = profile[at_first:]
    return ((0, profile[0][1]), *profile[1:]) if len(profile) > 1 else ()


FEW = (1, 2, 3)
"""Tasks per core where programs, or Spark's default parallelism, make the number of tasks a multiple of the cores."""


def _follows(log: JobLog, attempts: Mapping[int, Sequence[int]]) -> bool:
    """Whether all stages of several tasks have 1, 2 or 3 tasks per core, and no setting fixes their number (R9)."""
    counts = {len(members) for members in attempts.values()} - {1}
    per_core = {n // log.cores for n in counts if n % log.cores == 0}
    fitting = all(n % log.cores == 0 and n not in log.partitions for n in counts)
    return log.engine == "Spark" and log.cores >= 2 and bool(counts) and fitting and per_core <= set(FEW)
