"""The neutral job log as JSON: what `--emit json` and `anonymise` write, and what can be read again.

    {"job log": 1, "name": …, "engine": …, "version": …, "order": …, "end": …, "complete": …, "partitions": […],
     "executors": [[name, slots, from, to], …], "jobs": [[number, start, end, pool], …],
     "gaps": [what is missing, …], "missing": [[stage, tasks], …],
     "stages": [[number, job, name, [parents], submitted, completed, [priority], reads input], …],
     "tasks": {"stage": […], "index": […], …}}

Times are whole microseconds since the start of the application. Logs of one program at several input sizes are

    {"job logs": 1, "sizes": [size, …], "logs": [job log, …]}
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.job_log import (
    AllocationRules,
    ExecutorSpan,
    JobLog,
    LoggedJob,
    LoggedStage,
    LoggedTasks,
    SizedLogs,
    sized_logs,
)
from apet.joblogs.read.containers import text_of

VERSION = 1
ORDERS = ("fifo", "fair", "priority", "dask")
KEY, SIZED_KEY = "job log", "job logs"


def neutral_text(log: JobLog, *, anonymous: bool = False) -> str:
    """A log as JSON, one line per part; `anonymous` keeps structure and durations, and no name."""
    pools = {pool: f"pool {k}" if pool else "" for k, pool in enumerate(sorted({job.pool for job in log.jobs}))}
    executors = [
        (f"executor {k}" if anonymous else executor.name, *executor[1:]) for k, executor in enumerate(log.executors)
    ]
    jobs = [job._replace(pool=pools[job.pool]) if anonymous else job for job in log.jobs]
    stages = _anonymous(log) if anonymous else log.stages

    parts: dict[str, Any] = {
        KEY: VERSION,
        "name": "anonymous" if anonymous else log.name,
        "engine": log.engine,
        "version": log.version,
        "order": log.order,
        "end": log.end,
        "complete": log.complete,
        "partitions": sorted(log.partitions),
        **({"allocation": log.allocation} if log.allocation else {}),
        **({"gaps": log.gaps, "missing": sorted(log.missing.items())} if log.gaps else {}),
    }
    head = ",\n ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in parts.items())
    lists = [
        f'"{name}": [\n  ' + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]"
        for name, rows in (("executors", executors), ("jobs", jobs), ("stages", stages))
    ]
    columns = [f'  "{name}": {json.dumps(list(getattr(log.tasks, name)))}' for name in LoggedTasks.COLUMNS]
    tasks = '"tasks": {\n' + ",\n".join(columns) + "}"
    return "{" + ",\n ".join((head, *lists, tasks)) + "}\n"


def _anonymous(log: JobLog) -> list[LoggedStage]:
    """Stages without their names; those of Dask are numbered, since its scheduler goes by what has the same name."""
    names = {name: f"group {k}" for k, name in enumerate(sorted({stage.name for stage in log.stages}))}
    return [stage._replace(name=names[stage.name] if log.order == "dask" else "") for stage in log.stages]


def sized_text(sizes: Sequence[float], logs: Sequence[JobLog]) -> str:
    """Logs of one program at several input sizes, which can be asked of as one model."""
    texts = ",\n".join(neutral_text(log).rstrip("\n") for log in logs)
    return f'{{"{SIZED_KEY}": {VERSION},\n "sizes": {json.dumps(list(sizes))},\n "logs": [\n{texts}]}}\n'


def read_neutral(path: str) -> SizedLogs:
    """What `neutral_text` or `sized_text` wrote; `ApetError`."""
    try:
        content = json.loads(text_of(path))
        if SIZED_KEY not in content:
            return SizedLogs((1,), (_log(content),))
        return sized_logs(content["sizes"], [_log(each) for each in content["logs"]])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, AttributeError) as error:
        reason = f"it is a neutral job log of another form ({type(error).__name__}: {str(error)[:60]})"
        raise ApetError(errors.UnknownLog(None, None, path, reason)) from None


def _log(content: dict[str, Any]) -> JobLog:
    if content[KEY] != VERSION:
        raise ValueError(f"version {content[KEY]}")
    if content["order"] not in ORDERS:
        raise ValueError("order")
    stages = [
        LoggedStage(
            *(_whole(n), _whole(job), str(name), _wholes(parents), _whole(begin), _whole(end), _wholes(priority)),
            reads=any(reads),  # which logs of earlier versions lack
        )
        for n, job, name, parents, begin, end, priority, *reads in content["stages"]
    ]
    jobs = [LoggedJob(_whole(n), _whole(start), _whole(end), str(pool)) for n, start, end, pool in content["jobs"]]
    executors = [
        ExecutorSpan(str(name), max(1, _whole(slots)), _whole(begin), _whole(end))
        for name, slots, begin, end in content["executors"]
    ]
    tasks = _tasks(content["tasks"])
    if not jobs or not any(tasks.ok):
        raise ValueError("no job ran")
    gaps = tuple(str(gap) for gap in content.get("gaps", ()))
    missing = {_whole(stage): min(_whole(count), MOST_MISSING) for stage, count in content.get("missing", ())}

    return JobLog(
        name=str(content["name"]),
        engine=str(content["engine"]),
        version=str(content["version"]),
        end=_whole(content["end"]),
        executors=tuple(executors),
        jobs=tuple(sorted(jobs, key=lambda job: (job.start, job.number))),
        stages=tuple(stages),
        tasks=tasks,
        order=content["order"],
        allocation=_rules(content.get("allocation")),
        complete=bool(content["complete"]),
        partitions=frozenset(_wholes(content["partitions"])),
        notes=gaps,
        gaps=gaps,
        missing=missing,
    )


def _rules(values: list[Any] | None) -> AllocationRules | None:
    if values is None:
        return None
    least, initial, most, backlog, sustained, idle, keeps = values
    counts, times = (_whole(least), _whole(initial), _whole(most)), (_whole(backlog), _whole(sustained), _whole(idle))
    return AllocationRules(*counts, *times, bool(keeps))


def _tasks(columns: dict[str, list[int]]) -> LoggedTasks:
    tasks = LoggedTasks()
    for name in LoggedTasks.COLUMNS:
        kind = getattr(tasks, name).typecode
        setattr(tasks, name, array(kind, columns[name]))

    lengths = {len(getattr(tasks, name)) for name in LoggedTasks.COLUMNS}
    if len(lengths) != 1:
        raise ValueError("columns of different lengths")
    if any(not 0 <= b <= c <= d < _LATEST for b, c, d in zip(tasks.launched, tasks.freed, tasks.finished, strict=True)):
        raise ValueError("a task ends before it begins")
    if any(not 0 <= run < _LATEST for run in tasks.run):
        raise ValueError("a run time below 0")
    return tasks


_LATEST = 1 << 53
MOST_MISSING = 1_000_000
"""Tasks that a log may lack of a stage."""


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value < _LATEST:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _wholes(values: list[int]) -> tuple[int, ...]:
    return tuple(_whole(value) for value in values)
