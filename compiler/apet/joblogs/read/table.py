"""Task tables: one row per task with start, end and what it came after, as exported from workflow engines.

    task,start,end,after
    fetch,0,12.5,
    parse,12.6,40,fetch
    count,40.2,60,parse;fetch

Columns are known under the names that Airflow, Nextflow and Snakemake use. Times are seconds, milliseconds since 1970,
or dates. How many tasks could run at once is in no table: it is taken to be the most that did.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, NoReturn

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_source
from apet.joblogs import errors
from apet.joblogs.job_log import US, ExecutorSpan, JobLog, LoggedJob, LoggedStage, LoggedTasks

COLUMNS = {
    "task": ("task", "task_id", "name", "key", "job"),
    "start": ("start", "start_date", "started", "begin"),
    "end": ("end", "end_date", "complete", "completed", "finished", "stop"),
    "after": ("after", "deps", "depends_on", "dependencies", "upstream", "needs"),
    "state": ("state", "status"),
}
NEEDED = ("task", "start", "end", "after")
FINE = ("success", "succeeded", "completed", "cached", "ok", "done", "")
MILLISECONDS = 1e11
"""A number from here on is milliseconds since 1970: as seconds it would be the year 5138."""
MOST_NAMED = 6


class _Row(NamedTuple):
    name: str
    start: int
    end: int
    after: tuple[str, ...]


def is_task_table(head: bytes) -> bool:
    """Whether the first line has the columns of a task table."""
    first = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    columns = _columns(first.decode("utf-8", "replace"))
    return all(name in columns for name in NEEDED)


def read_table(path: str) -> JobLog:
    """The tasks of a table as a log of one job; `ApetError`."""
    rows = _rows(path, read_source(path).text)
    if not rows:
        advice = "each row has a task, its start and its end"
        raise ApetError(errors.NoJobs(None, None, path, "no task ran", advice))

    origin, end = min(row.start for row in rows.values()), max(row.end for row in rows.values())
    ordered = sorted(rows.values(), key=lambda row: (row.start, row.name))
    numbers = {row.name: k for k, row in enumerate(ordered)}
    _check_order(path, rows)

    tasks, stages = LoggedTasks(), list[LoggedStage]()
    for row in ordered:
        number, span = numbers[row.name], (row.start - origin, row.end - origin)
        ready = max((rows[other].end for other in row.after), default=origin)
        parents = tuple(numbers[other] for other in row.after)
        stages.append(
            LoggedStage(number, 0, row.name[:60], parents, min(ready, row.start) - origin, span[1], (number,))
        )
        tasks.add((number, 0, 0, span[0], span[1], span[1], span[1] - span[0], 1))

    slots = _most_at_once(ordered)
    return JobLog(
        name=os.path.basename(path),
        engine="tasks",
        version="",
        end=end - origin,
        executors=(ExecutorSpan("tasks at once", slots, 0, end - origin),),
        jobs=(LoggedJob(0, 0, end - origin),),
        stages=tuple(stages),
        tasks=tasks,
        order="priority",
        notes=(f"at most {slots} tasks ran at once; a table does not show whether more could have",),
    )


def _columns(line: str) -> dict[str, int]:
    """Places of the columns by their meaning."""
    cells = [cell.strip().strip('"').lower() for cell in re.split(r"[,\t]", line)]
    return {
        meaning: next(k for k, cell in enumerate(cells) if cell in names)
        for meaning, names in COLUMNS.items()
        if any(cell in names for cell in cells)
    }


def _rows(path: str, text: str) -> dict[str, _Row]:
    """Tasks by name; those that did not succeed are left out."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    columns = _columns(lines[0])
    delimiter = "\t" if "\t" in lines[0] else ","
    rows: dict[str, _Row] = {}
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        next(reader)
        for cells in reader:
            if any(cell.strip() for cell in cells):
                row = _row(path, reader.line_num, cells, columns)
                if row is not None:
                    rows[row.name] = row
    except csv.Error as error:
        _refuse(path, reader.line_num, f"no table: {error}", "is it a table with commas or tabs?")

    return {name: row._replace(after=tuple(n for n in row.after if n in rows)) for name, row in rows.items()}


def _row(path: str, line: int, cells: Sequence[str], columns: Mapping[str, int]) -> _Row | None:
    if len(cells) <= max(columns[name] for name in NEEDED if name != "after"):
        _refuse(path, line, f"{len(cells)} cells are too few", "each row has all columns of the heading")
    state = cells[columns["state"]].strip().lower() if columns.get("state", len(cells)) < len(cells) else ""
    if state not in FINE:
        return None

    start, end = (_time(path, line, cells[columns[name]]) for name in ("start", "end"))
    if end < start:
        _refuse(path, line, "this task ends before it starts", "are the columns in the right order?")
    after = cells[columns["after"]] if columns["after"] < len(cells) else ""
    return _Row(cells[columns["task"]].strip(), start, end, tuple(dict.fromkeys(re.split(r"[;|\s]+", after.strip()))))


def _time(path: str, line: int, text: str) -> int:
    """In microseconds."""
    try:
        value = float(text)
    except ValueError:
        try:
            date = datetime.fromisoformat(text.strip())
        except ValueError:
            advice = "a time is seconds (12.5), milliseconds since 1970, or a date: 2026-01-31 10:00:00"
            _refuse(path, line, f"{text.strip()[:40] or 'an empty cell'} is no time", advice)
        value = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    if not 0 <= value < 1e15:
        _refuse(path, line, f"{text.strip()[:40]} is no time", "times are 0 or more")
    return round(value / 1000 * US) if value >= MILLISECONDS else round(value * US)


def _check_order(path: str, rows: Mapping[str, _Row]) -> None:
    """`ApetError` where tasks wait for each other."""
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter({row.name: row.after for row in rows.values()}).prepare()
    except CycleError as circle:
        names = list(circle.args[1])
        shown = " -> ".join(name[:40] for name in names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
        raise ApetError(errors.CircularTasks(None, None, path, shown)) from None


def _most_at_once(rows: Sequence[_Row]) -> int:
    changes = sorted(change for row in rows for change in ((row.start, 1), (row.end, -1)))
    count = most = 0
    for _, change in changes:
        count += change
        most = max(most, count)
    return max(1, most)


def _refuse(path: str, line: int, reason: str, advice: str) -> NoReturn:
    raise ApetError(errors.BadTaskTable(None, None, path, line, reason, advice))
