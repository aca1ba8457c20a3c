"""Hadoop's job histories (.jhist): events of one MapReduce job, in Avro's JSON or binary encoding.

Maps are one stage, reduces the next. A reduce that begins while maps run fetches what is there; what counts is its work
after the last map. The container that it holds meanwhile is not modelled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_bytes
from apet.joblogs import errors
from apet.joblogs.job_log import MS, ExecutorSpan, JobLog, LoggedJob, LoggedStage, LoggedTasks, most_at_once
from apet.joblogs.read.avro import AvroValues
from apet.joblogs.read.events import Event, whole_ms

MAP, REDUCE = 0, 1
ENDED = ("MAP_ATTEMPT_FINISHED", "REDUCE_ATTEMPT_FINISHED")
LOST = ("MAP_ATTEMPT_FAILED", "REDUCE_ATTEMPT_FAILED", "MAP_ATTEMPT_KILLED", "REDUCE_ATTEMPT_KILLED")


class _Attempt:
    """Times of one attempt, in milliseconds."""

    __slots__ = ("finished", "ok", "stage", "started", "task")

    def __init__(self, task: str, stage: int, started: int) -> None:
        self.task, self.stage, self.started, self.finished, self.ok = task, stage, started, -1, False


class HadoopEvents:
    """What the events of one job say; times are in milliseconds until the end."""

    def __init__(self) -> None:
        self.submitted: int | None = None
        self.launched = 0
        self.finished: int | None = None
        self.failed = False
        self.attempts: dict[str, _Attempt] = {}
        self.last = 0

    def take(self, kind: str, event: Event) -> None:
        """One event by the name of its kind."""
        if kind == "JOB_SUBMITTED":
            self.submitted = whole_ms(event["submitTime"])
        elif kind == "JOB_INITED":
            self.launched = whole_ms(event["launchTime"])

        elif kind in ("MAP_ATTEMPT_STARTED", "REDUCE_ATTEMPT_STARTED"):
            stage = MAP if str(event["taskType"]) == "MAP" else REDUCE
            attempt = _Attempt(str(event["taskid"]), stage, whole_ms(event["startTime"]))
            self.attempts[str(event["attemptId"])] = attempt
        elif kind in (*ENDED, *LOST):
            attempt = self.attempts[str(event["attemptId"])]
            attempt.finished = max(attempt.started, whole_ms(event["finishTime"]))
            attempt.ok = kind in ENDED
            self.last = max(self.last, attempt.finished)

        elif kind in ("JOB_FINISHED", "JOB_FAILED", "JOB_KILLED", "JOB_ERROR"):
            self.finished = whole_ms(event["finishTime"])
            self.failed = kind != "JOB_FINISHED"

    def log(self, path: str) -> JobLog:
        """The neutral log; `ApetError` where no task ended well."""
        attempts = [a for a in self.attempts.values() if a.finished >= 0]
        successful = [a for a in attempts if a.ok]
        if self.failed or not successful:
            reason = "the job failed" if self.failed else "no task ended with success"
            raise ApetError(errors.NoJobs(None, None, path, reason, "take the log of a run that succeeded"))

        origin = min([a.started for a in attempts] + ([self.submitted] if self.submitted is not None else []))
        end = max(self.last, self.finished or 0)
        last_map = max((a.finished for a in successful if a.stage == MAP), default=origin)
        ready = max(origin, min(self.launched or origin, last_map))
        begin, mapped, ended = ((time - origin) * MS for time in (ready, last_map, max(last_map, self.last)))
        stages = [
            LoggedStage(MAP, 0, "map", (), begin, mapped, reads=True),
            LoggedStage(REDUCE, 0, "reduce", (MAP,), mapped, ended),
        ]
        slots = max(1, most_at_once((a.started, a.finished) for a in attempts))
        notes = ["containers are not in this log: as many as ran at once are taken"]
        if any(a.stage == REDUCE and a.started < last_map for a in attempts):
            notes.append("reduces that began before the last map held containers; only their later work is modelled")
        return JobLog(
            name=os.path.basename(path),
            engine="Hadoop",
            version="",
            end=(end - origin) * MS,
            executors=(ExecutorSpan("containers", slots, 0, (end - origin) * MS),),
            jobs=(LoggedJob(0, 0, (end - origin) * MS),),
            stages=tuple(stages),
            tasks=_columns(attempts, origin, last_map),
            complete=self.finished is not None,
            notes=tuple(notes),
        )


def _columns(attempts: list[_Attempt], origin: int, last_map: int) -> LoggedTasks:
    columns = LoggedTasks()
    numbers: dict[str, int] = {}
    for attempt in sorted(attempts, key=lambda a: (a.started, a.task)):
        index = numbers.setdefault(attempt.task, len(numbers))
        begin = attempt.started if attempt.stage == MAP else max(attempt.started, last_map)
        launched, finished = (begin - origin) * MS, (max(begin, attempt.finished) - origin) * MS
        columns.add((attempt.stage, index, 0, launched, finished, finished, finished - launched, attempt.ok))
    return columns


def read_hadoop(path: str) -> JobLog:
    """The history of one job; `ApetError`."""
    events = HadoopEvents()
    try:
        for event in _events(read_bytes(path)):
            events.take(str(event["type"]), _fields(event["event"]))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        reason = f"an event cannot be read ({type(error).__name__}: {str(error)[:60]})"
        raise ApetError(errors.UnknownLog(None, None, path, reason)) from None
    return events.log(path)


def _events(content: bytes) -> Iterator[Any]:
    form, _, rest = content.partition(b"\n")
    schema, _, body = rest.partition(b"\n")
    if form.strip() == b"Avro-Binary":
        yield from AvroValues(json.loads(schema), body).all()
        return
    for line in body.splitlines():
        if line.strip():
            yield json.loads(line)


def _fields(event: Any) -> Event:
    """The fields of an event; in JSON unions are written `{"string": …}`, and the event is one."""
    if len(event) == 1 and isinstance(inner := next(iter(event.values())), dict):
        event = inner
    return {k: next(iter(v.values())) if isinstance(v, dict) and len(v) == 1 else v for k, v in event.items()}
