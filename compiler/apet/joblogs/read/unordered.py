"""Tables of tasks that do not say what each waited for: Nextflow's trace, and task instances of Airflow.

What waited for what is taken from the times. Tasks of one series (a sample of Nextflow, a run of Airflow) follow each
other as they did; a group (a process, a task of a graph) follows those that had ended before any of it was ready.
Nothing of that is guaranteed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.ground.source import Source
from apet.ground.tables import table_rows
from apet.joblogs.job_log import MS, US, JobLog, LoggedJob
from apet.joblogs.job_order import job_order
from apet.joblogs.read.containers import text_of
from apet.joblogs.read.table import FINE, TaskRow, cores_of, log_of, refuse, time_of

NEXTFLOW = frozenset(("name", "status", "hash", "realtime"))
AIRFLOW = frozenset(("dag_id", "task_id", "start_date", "end_date"))
TAGGED = re.compile(r"(.+?) \((.*)\)")
DURATION = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)\s{0,9}(ms|s|m|h|d)")
UNITS = {"ms": MS, "s": US, "m": 60 * US, "h": 3600 * US, "d": 86_400 * US}
MOST_DIGITS = 15
"""Of a number of milliseconds, 30,000 years."""
MOST_EDGES = 100_000
"""From one group to the next; of a larger one only the tasks that ended last count."""
NO_ORDER = "what tasks waited for is not in the file: it is taken from when they ran"


class SeenTask(NamedTuple):
    """A task, the group of those like it, the series of which it is a step ("" for none), and when it could begin."""

    row: TaskRow
    group: str
    series: str
    ready: int


def read_unordered(path: str) -> JobLog:
    """The tasks of a table; `ApetError`."""
    source = Source(path, text_of(path))
    lines = table_rows(source)
    heading = [cell.lower() for cell in next(lines).cells]
    seen = dict[str, SeenTask]()
    for line, cells in lines:
        row = {name: cell for name, cell in zip(heading, cells, strict=False) if cell not in ("", "-", "None", "null")}
        if row.get("status", row.get("state", "")).lower() not in FINE:
            continue
        task = _task(source, line, row)
        name = task.row.name
        while name in seen:
            name = f"{name} #{line}"
        seen[name] = task._replace(row=task.row._replace(name=name))
    return log_of_seen(path, list(seen.values()))


def log_of_seen(path: str, seen: Sequence[SeenTask]) -> JobLog:
    """The log of tasks as they follow each other by their times; `ApetError`."""
    return log_of(path, {task.row.name: task.row for task in seen}, _after(seen), NO_ORDER)


def _after(seen: Sequence[SeenTask]) -> dict[str, tuple[str, ...]]:
    """By name, the tasks that each is taken to have waited for."""
    after: dict[str, dict[str, None]] = {task.row.name: {} for task in seen}
    for series, tasks in _by(seen, [task.series for task in seen]).items():
        if series:
            spans = [LoggedJob(k, task.ready, task.row.end) for k, task in enumerate(tasks)]
            for task, places in zip(tasks, job_order(spans), strict=True):
                after[task.row.name] |= dict.fromkeys(tasks[p].row.name for p in places)

    groups = list(_by(seen, [task.group for task in seen]).values())
    spans = [LoggedJob(k, tasks[0].ready, max(t.row.end for t in tasks)) for k, tasks in enumerate(groups)]
    for tasks, places in zip(groups, job_order(spans), strict=True):
        for p in places:
            last = sorted(groups[p], key=lambda task: -task.row.end)[: max(1, MOST_EDGES // len(tasks))]
            names = dict.fromkeys(task.row.name for task in last)
            for task in tasks:
                after[task.row.name] |= names
    return {name: tuple(others) for name, others in after.items()}


def _by(seen: Sequence[SeenTask], keys: Sequence[str]) -> dict[str, list[SeenTask]]:
    """Tasks by key, each list and the lists in the order in which tasks were ready."""
    parts: dict[str, list[SeenTask]] = {}
    for key, task in sorted(zip(keys, seen, strict=True), key=lambda each: (each[1].ready, each[1].row.name)):
        parts.setdefault(key, []).append(task)
    return parts


def _task(source: Source, line: int, row: Mapping[str, str]) -> SeenTask:
    """A row, in which cells without a value are left out."""

    def time(*names: str) -> int | None:
        text = next((row[name] for name in names if name in row), None)
        return None if text is None else time_of(source, line, text)

    def duration(name: str) -> int:
        return _duration(source, line, row.get(name, ""))

    ready = time("submit", "queued_dttm", "queued_when", "queued_at")
    end = time("complete", "end_date")
    if end is None and ready is not None:
        end = ready + duration("duration")
    if end is None:
        refuse(source, line, "the end of this task is missing", "a trace has complete, or submit and duration")
    start = time("start", "start_date")
    start = end - duration("realtime") if start is None else start
    if not 0 <= start <= end:
        refuse(source, line, "this task ends before it starts", "are the columns in the right order?")

    cpus = cores_of(source, line, row.get("cpus") or row.get("pool_slots") or "1")
    name, group, series = _names(row)
    ready = start if ready is None else min(ready, start)
    return SeenTask(TaskRow(name, start, end, "", cpus, line), group, series, ready)


def _names(row: Mapping[str, str]) -> tuple[str, str, str]:
    """What a task is called, its group and its series: `PROCESS (sample)`, or a task of a run."""
    name = row.get("name") or row.get("task_id", "")
    process = TAGGED.fullmatch(name)
    if process is not None:
        return name, row.get("process", process[1]), row.get("tag", process[2])

    runs = ("run_id", "dag_run_id", "logical_date", "execution_date")
    series = next((row[key] for key in runs if key in row), "")
    place = row.get("map_index", "-1")  # of a task that was mapped
    return name if place == "-1" else f"{name} {place}", row.get("process", name), series


def _duration(source: Source, line: int, text: str) -> int:
    """In microseconds: `3m 4s`, `1.2s`, or whole milliseconds, as Nextflow writes them raw."""
    if text.isdecimal() and len(text) <= MOST_DIGITS:
        return int(text) * MS
    parts = DURATION.findall(text)
    if not parts or DURATION.sub("", text).strip():
        refuse(source, line, f"{text[:40] or 'an empty cell'} is no duration", "for example 3m 4s, or milliseconds")
    return round(sum(float(number) * UNITS[unit] for number, unit in parts))
