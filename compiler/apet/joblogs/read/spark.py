"""Spark event logs, 1.x to 4.x: the events of its JsonProtocol, one JSON object a line.

Fields are never removed from that protocol, and new ones are optional; what is unknown is skipped. SQL texts, paths and
properties are not kept, but for the few settings that decide how many tasks there are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.job_log import MS, ExecutorSpan, JobLog, LoggedJob, LoggedStage, LoggedTasks, Overheads, most_at_once
from apet.joblogs.read.completeness import ATTEMPT, SparkJob, SparkStage, completeness
from apet.joblogs.read.events import Event, EventLines, whole_ms
from apet.joblogs.read.spark_allocation import ALLOCATION, allocation_rules

LISTENER = "SparkListener"
WANTED = frozenset(
    f"{LISTENER}{name}"
    for name in (
        *("LogStart", "ApplicationStart", "ApplicationEnd", "EnvironmentUpdate", "ExecutorAdded", "ExecutorRemoved"),
        *("JobStart", "JobEnd", "StageSubmitted", "StageCompleted", "TaskEnd"),
    )
)
CALL_SITE = re.compile(r"[\w$.<>]{1,40} at [\w.$/<>-]{1,80}:\d{1,7}")
STREAMS = ("sql.streaming.queryId", "spark.streaming.internal.batchTime")
FIXING = ("spark.sql.shuffle.partitions", "spark.default.parallelism")


class AnotherApplication(Exception):
    """Another application begins in the same log."""


class SparkEvents:
    """What the events of one application say; times are in milliseconds until the end."""

    def __init__(self) -> None:
        self.name, self.version = "", ""
        self.application: tuple[Any, ...] | None = None  # what is its own alone
        self.started: int | None = None
        self.ended: int | None = None
        self.first: int | None = None
        self.last = 0
        self.settings: dict[str, str] = {}

        self.executors: dict[str, list[int | None]] = {}  # by name: slots, from, to
        self.jobs: dict[int, SparkJob] = {}
        self.stages: dict[int, SparkStage] = {}
        self.tasks = LoggedTasks()
        self.places: dict[str, int] = {}  # of executors, by name
        self.fetch_wait, self.run, self.spilled = 0, 0, 0
        self.streaming = False
        self.known = set[int]()  # tasks, by a number that is theirs alone
        self.repeated = 0

    def take(self, kind: str, event: Event) -> None:
        """One event."""
        getattr(self, f"_{kind.removeprefix(LISTENER)}")(event)

    def _at(self, value: object) -> int:
        time = whole_ms(value)
        self.first = time if self.first is None else min(self.first, time)
        self.last = max(self.last, time)
        return time

    def _time_of(self, event: Event, name: str) -> int:
        """When jobs start and end, which Spark logs from 1.3 on; before, the time of the last event is it."""
        return self._at(event[name] if name in event or not self.last else self.last)

    def _LogStart(self, event: Event) -> None:
        self.version = str(event.get("Spark Version", ""))[:40]

    def _ApplicationStart(self, event: Event) -> None:
        name = " ".join(str(event.get("App Name", "")).split())[:100]  # of one line
        application = self._at(event["Timestamp"]), event.get("App ID"), name
        if self.application not in (None, application):
            raise AnotherApplication
        self.application, self.started, self.name = application, application[0], name

    def _ApplicationEnd(self, event: Event) -> None:
        self.ended = self._at(event["Timestamp"])

    def _EnvironmentUpdate(self, event: Event) -> None:
        pairs: Any = event.get("Spark Properties") or {}
        properties: Mapping[str, str] = dict(pairs)  # some versions write a list of pairs
        wanted = (*FIXING, "spark.task.cpus", "spark.scheduler.mode", *ALLOCATION)
        self.settings |= {k: str(v) for k, v in properties.items() if k in wanted}

    def _ExecutorAdded(self, event: Event) -> None:
        slots = whole_ms(event["Executor Info"]["Total Cores"])
        self.executors[str(event["Executor ID"])] = [slots, self._at(event["Timestamp"]), None]

    def _ExecutorRemoved(self, event: Event) -> None:
        executor = self.executors.get(str(event["Executor ID"]))
        if executor is not None:
            executor[2] = self._at(event["Timestamp"])

    def _JobStart(self, event: Event) -> None:
        number, properties = whole_ms(event["Job ID"]), event.get("Properties") or {}
        self.streaming |= any(name in properties for name in STREAMS)
        pool = str(properties.get("spark.scheduler.pool", ""))
        self.jobs[number] = SparkJob(self._time_of(event, "Submission Time"), pool)
        for info in event.get("Stage Infos") or ():
            self._described(info)
        for stage in event.get("Stage IDs") or ():
            self.stages.setdefault(whole_ms(stage), SparkStage()).listed.append(number)

    def _JobEnd(self, event: Event) -> None:
        job = self.jobs[whole_ms(event["Job ID"])]
        job.end = self._time_of(event, "Completion Time")
        job.succeeded = event["Job Result"]["Result"] == "JobSucceeded"

    def _StageSubmitted(self, event: Event) -> None:
        info = event["Stage Info"]
        stage = self._described(info)
        time = info.get("Submission Time")
        if time is not None:
            stage.submitted = min(self._at(time), stage.submitted or self.last)

    def _StageCompleted(self, event: Event) -> None:
        info = event["Stage Info"]
        stage = self._described(info)
        if info.get("Submission Time") is not None:
            stage.submitted = min(self._at(info["Submission Time"]), stage.submitted or self.last)
        stage.failed = "Failure Reason" in info
        if info.get("Completion Time") is not None:
            stage.completed = max(self._at(info["Completion Time"]), stage.completed or 0)

    def _described(self, info: Event) -> SparkStage:
        stage = self.stages.setdefault(whole_ms(info["Stage ID"]), SparkStage())
        stage.name = str(info.get("Stage Name", ""))
        stage.parents = tuple(whole_ms(parent) for parent in info.get("Parent IDs") or ())
        if not info.get("Stage Attempt ID") and "Number of Tasks" in info:
            stage.tasks = whole_ms(info["Number of Tasks"])
        return stage

    def _TaskEnd(self, event: Event) -> None:
        task, metrics = event["Task Info"], event.get("Task Metrics") or {}
        if task.get("Task ID") in self.known:
            self.repeated += 1
            return
        self.known.add(task.get("Task ID", -1 - len(self.known)))
        launched, finished = self._at(task["Launch Time"]), self._at(task["Finish Time"])
        fetched = whole_ms(task.get("Getting Result Time") or 0)
        freed = fetched if launched <= fetched <= finished and fetched else finished
        if finished < launched:
            raise ValueError("a task ends before it begins")

        run = min(whole_ms(metrics.get("Executor Run Time", finished - launched)), finished - launched)
        place = self.places.setdefault(str(task["Executor ID"]), len(self.places))
        ok = (event.get("Task End Reason") or {}).get("Reason") == "Success"
        stage, index = whole_ms(event["Stage ID"]), _partition(event, task)
        self.tasks.add((stage, index, place, launched, freed, finished, run, ok))
        reads = (metrics.get("Input Metrics") or {}).get("Bytes Read")
        self.stages.setdefault(stage, SparkStage()).reads |= bool(reads)
        self.run += run
        self.fetch_wait += whole_ms((metrics.get("Shuffle Read Metrics") or {}).get("Fetch Wait Time", 0))
        self.spilled += int(metrics.get("Disk Bytes Spilled", 0))

    def log(self, path: str, lines: EventLines) -> JobLog:
        """The neutral log; `ApetError` where nothing ran to its end."""
        self._check(path)
        origin = self.started if self.started is not None else self.first or 0
        end = self.ended if self.ended is not None else self.last
        found = completeness(self.stages, self.jobs, self.tasks, self.last if self.ended is None else None)
        notes = [*lines.notes, *self._notes(), *found.gaps]
        jobs = self._jobs(origin, end)
        stages = self._stages(origin, end)
        _shift(self.tasks, origin)

        return JobLog(
            name=self.name or os.path.basename(path.rstrip("/")),
            engine="Spark",
            version=self.version,
            end=(end - origin) * MS,
            executors=self._executors(origin, end),
            jobs=tuple(jobs),
            stages=tuple(stages),
            tasks=self.tasks,
            allocation=allocation_rules(self.settings),
            order="fair" if self.settings.get("spark.scheduler.mode", "").upper() == "FAIR" else "fifo",
            complete=self.ended is not None,
            partitions=frozenset(int(v) for k, v in self.settings.items() if k in FIXING and v.isdecimal()),
            overheads=Overheads(self.fetch_wait / 1000, self.run / 1000, self.spilled),
            notes=tuple(notes),
            gaps=found.gaps,
            missing=found.missing,
        )

    def _check(self, path: str) -> None:
        if self.streaming:
            raise ApetError(errors.Streaming(None, None, path))

        if not self.jobs:
            advice = "is it the log of an application that submitted jobs?"
            raise ApetError(errors.NoJobs(None, None, path, "no job ran", advice))

        over = [job for job in self.jobs.values() if job.end is not None]
        if over and not any(job.succeeded for job in over):
            advice = "take the log of a run that succeeded"
            raise ApetError(errors.NoJobs(None, None, path, "every job failed", advice))
        if not any(self.tasks.ok):
            advice = "is it a part of a rolled log? Name its folder"
            raise ApetError(errors.NoJobs(None, None, path, "no task ended with success", advice))

    def _notes(self) -> list[str]:
        notes = []
        if self.ended is None:
            notes.append("the application has no end in this log: it ends with the last event")
        failed = sum(job.end is not None and not job.succeeded for job in self.jobs.values())
        if failed:
            notes.append(f"{failed} of {len(self.jobs)} jobs failed; their tasks count as they ran")
        if self.repeated:
            notes.append(f"{self.repeated} tasks are in the log twice; they count once")
        return notes

    def _jobs(self, origin: int, end: int) -> list[LoggedJob]:
        jobs = [
            LoggedJob(n, (j.start - origin) * MS, (max(j.start, end if j.end is None else j.end) - origin) * MS, j.pool)
            for n, j in self.jobs.items()
        ]
        return sorted(jobs, key=lambda job: (job.start, job.number))

    def _stages(self, origin: int, end: int) -> list[LoggedStage]:
        """Those that ran, each in the job within whose span it was submitted."""
        stages = []
        for number, stage in sorted(self.stages.items()):
            if stage.submitted is None:
                continue
            completed = max(stage.submitted, end if stage.completed is None else stage.completed)
            job = self._owner(stage.listed, stage.submitted)
            if job is not None:
                times = (stage.submitted - origin) * MS, (completed - origin) * MS
                name = _stage_name(stage.name)
                stages.append(LoggedStage(number, job, name, stage.parents, *times, reads=stage.reads))
        return stages

    def _owner(self, listed: Sequence[int], submitted: int) -> int | None:
        jobs = [n for n in listed if n in self.jobs] or list(self.jobs)
        within = [n for n in jobs if self.jobs[n].start <= submitted <= (self.jobs[n].end or submitted)]
        return max(within or jobs, key=lambda n: (self.jobs[n].start, n), default=None)

    def _executors(self, origin: int, end: int) -> tuple[ExecutorSpan, ...]:
        """In the places that tasks name; of executors that nothing was logged of, as many slots as tasks at once."""
        setting = self.settings.get("spark.task.cpus", "1")
        cpus = max(1, int(setting)) if setting.isdecimal() else 1
        used = _slots_in_use(self.tasks)

        spans = []
        for name in (*self.places, *(n for n in self.executors if n not in self.places)):
            slots, since, until = self.executors.get(name, [None, None, None])
            count = max(1, used.get(self.places.get(name, -1), 1)) if slots is None else max(1, slots // cpus)
            times = (since or origin) - origin, (end if until is None else until) - origin
            spans.append(ExecutorSpan(name, count, max(0, times[0]) * MS, max(times) * MS))
        return tuple(spans)


def _partition(event: Event, task: Event) -> int:
    """What a task does, whichever attempt of its stage it is of. An index counts the tasks of one attempt; before Spark
    3.2 that is all that is logged."""
    partition, index = task.get("Partition ID", -1), whole_ms(task["Index"])
    if isinstance(partition, int) and partition >= 0:
        return partition
    return whole_ms(event.get("Stage Attempt ID") or 0) * ATTEMPT + index


def _stage_name(name: str) -> str:
    """Where in the program a stage begins; a name of another form may be SQL, and is left out."""
    short = name.strip()
    return short if CALL_SITE.fullmatch(short) else ""


def _shift(tasks: LoggedTasks, origin: int) -> None:
    """Times from milliseconds since 1970 to microseconds since the start."""
    for name in ("launched", "freed", "finished"):
        column = getattr(tasks, name)
        for k, value in enumerate(column):
            column[k] = max(0, (value - origin) * MS)
    for k, value in enumerate(tasks.run):
        tasks.run[k] = value * MS


def _slots_in_use(tasks: LoggedTasks) -> dict[int, int]:
    """By place of an executor, the most tasks at once."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for place, launched, freed in zip(tasks.executor, tasks.launched, tasks.freed, strict=True):
        spans.setdefault(place, []).append((launched, freed))
    return {place: most_at_once(each) for place, each in spans.items()}


def read_spark(path: str, files: Sequence[str]) -> JobLog:
    """The log of one application out of its files in order; `ApetError`."""
    events = SparkEvents()
    lines = EventLines(path, files, WANTED)
    try:
        lines.events(events.take)
    except AnotherApplication:
        raise ApetError(errors.SeveralApplications(None, None, path, lines.lines)) from None
    if not lines.lines:
        raise ApetError(errors.NoJobs(None, None, path, "no job ran: the file is empty", "is it still being written?"))
    return events.log(path, lines)
