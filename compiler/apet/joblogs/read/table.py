"""Task tables: one row per task with start, end and what it came after, as exported from workflow engines.

    task,start,end,after
    fetch,0,12.5,
    parse,12.6,40,fetch
    count,40.2,60,parse;fetch

Columns are known under the names that Airflow, Nextflow and Snakemake use; a column `cpus` says how many cores a task
takes. Times are seconds, milliseconds since 1970, or dates. How many tasks could run at once is in no table: as many
are taken as did.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, NoReturn

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.tables import heading_of, table_rows
from apet.joblogs import errors
from apet.joblogs.job_log import US, ExecutorSpan, JobLog, LoggedJob, LoggedStage, LoggedTasks, most_at_once
from apet.joblogs.read.containers import text_of

COLUMNS = {
    "task": ("task", "task_id", "name", "key", "job"),
    "start": ("start", "start_date", "started", "begin"),
    "end": ("end", "end_date", "complete", "completed", "finished", "stop"),
    "after": ("after", "deps", "depends_on", "dependencies", "upstream", "needs"),
    "state": ("state", "status"),
    "cpus": ("cpus", "threads", "cores", "pool_slots"),
}
NEEDED = ("task", "start", "end", "after")
FINE = ("success", "succeeded", "completed", "ok", "done", "")
MILLISECONDS = 1e11
"""A number from here on is milliseconds since 1970: as seconds it would be the year 5138."""
MOST_NAMED, MOST_CPUS = 6, 4096


class TaskRow(NamedTuple):
    """A task: its name, when it ran in microseconds, what it came after as written, its cores, and its line."""

    name: str
    start: int
    end: int
    after: str
    cpus: int
    line: int


def is_task_table(head: bytes) -> bool:
    """Whether the first line has the columns of a task table."""
    columns = _columns(heading_of(head.decode("utf-8-sig", "replace")))
    return all(name in columns for name in NEEDED)


def read_table(path: str) -> JobLog:
    """The tasks of a table as a log of one job; `ApetError`."""
    source = Source(path, text_of(path))
    rows, absent = _rows(source)
    names = frozenset((*rows, *absent))
    return log_of(path, rows, {row.name: _after(source, row, rows, names) for row in rows.values()})


def log_of(path: str, rows: Mapping[str, TaskRow], after: Mapping[str, Sequence[str]], note: str = "") -> JobLog:
    """The log of tasks by name, and of the names that each came after. With a `note` on what is assumed nothing is
    guaranteed. `ApetError`."""
    if not rows:
        advice = "each row has a task, its start and its end"
        raise ApetError(errors.NoJobs(None, None, path, "no task ran", advice))

    origin, end = min(row.start for row in rows.values()), max(row.end for row in rows.values())
    if end == origin:
        advice = "are starts and ends the right columns?"
        raise ApetError(errors.NoJobs(None, None, path, "no task took any time", advice))
    ordered = sorted(rows.values(), key=lambda row: (row.start, row.name))
    numbers = {row.name: k for k, row in enumerate(ordered)}
    _check_order(path, rows, after)

    tasks, stages = LoggedTasks(), list[LoggedStage]()
    for row in ordered:
        number, span = numbers[row.name], (row.start - origin, row.end - origin)
        parents = tuple(numbers[other] for other in after[row.name])
        ready = max((rows[other].end for other in after[row.name]), default=origin)
        stages.append(
            LoggedStage(number, 0, row.name[:60], parents, min(ready, row.start) - origin, span[1], (number,))
        )
        for index in range(row.cpus):  # a task of several cores is as many tasks side by side
            tasks.add((number, index, 0, span[0], span[1], span[1], span[1] - span[0], 1))

    slots = max(1, most_at_once((row.start, row.end) for row in ordered for _ in range(row.cpus)))
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
        notes=(note or f"at most {slots} tasks ran at once; a table does not show whether more could have",),
        gaps=(note,) if note else (),
    )


def _columns(heading: Sequence[str]) -> dict[str, int]:
    """Places of the columns by their meaning."""
    cells = [cell.lower() for cell in heading]
    return {
        meaning: next(k for k, cell in enumerate(cells) if cell in names)
        for meaning, names in COLUMNS.items()
        if any(cell in names for cell in cells)
    }


def _rows(source: Source) -> tuple[dict[str, TaskRow], set[str]]:
    """Tasks by name, and the names of those that did not run to their end."""
    rows, absent = dict[str, TaskRow](), set[str]()
    lines = table_rows(source)
    columns = _columns(next(lines).cells)
    for line, cells in lines:
        row = _row(source, line, cells, columns)
        if isinstance(row, str):
            absent.add(row)
        elif row.name in rows:
            advice = f"it is in line {rows[row.name].line} too; each task has a name of its own"
            refuse(source, row.line, f"{row.name[:40]} is there twice", advice)
        else:
            rows[row.name] = row

    return rows, absent


def _after(source: Source, row: TaskRow, rows: Mapping[str, TaskRow], task_names: frozenset[str]) -> tuple[str, ...]:
    """The tasks that a row waited for, of those that ran. Names with blanks in them are known before blanks divide."""
    if not row.after:
        return ()
    names = list[str]()
    for part in filter(None, map(str.strip, re.split(r"[;|]", row.after))):
        names += part.split() if part not in task_names and task_names.issuperset(part.split()) else [part]
    for name in names:
        if name not in task_names:
            advice = "write names as in the column of tasks, with ; between them"
            refuse(source, row.line, f"it waits for {name[:40]}, which is in no row", advice)
    return tuple(name for name in dict.fromkeys(names) if name in rows)


def _row(source: Source, line: int, cells: Sequence[str], columns: Mapping[str, int]) -> TaskRow | str:
    """A task, or the name of one that did not run to its end."""
    if len(cells) <= max(columns["task"], columns["start"], columns["end"]):
        refuse(source, line, f"{len(cells)} cells are too few", "each row has all columns of the heading")

    cells = [
        *cells,
        *[""] * (1 + max(columns.values()) - len(cells)),
        "",
    ]  # the last is that of columns that are not there
    name, after, state, cpus = (cells[columns.get(column, -1)] for column in ("task", "after", "state", "cpus"))
    if state.lower() not in FINE:
        return name
    start, end = time_of(source, line, cells[columns["start"]]), time_of(source, line, cells[columns["end"]])
    if end < start:
        refuse(source, line, "this task ends before it starts", "are the columns in the right order?")
    return TaskRow(name, start, end, after, cores_of(source, line, cpus) if cpus else 1, line)


def cores_of(source: Source, line: int, text: str) -> int:
    """A number of cores in a cell; `ApetError`."""
    if not (text.isdecimal() and 1 <= int(text[:9]) <= MOST_CPUS):
        refuse(source, line, f"{text[:40]} is no number of cores", f"a whole number from 1 to {MOST_CPUS}")
    return int(text)


def time_of(source: Source, line: int, text: str) -> int:
    """A time in a cell, in microseconds; `ApetError`."""
    try:
        value = float(text)
    except ValueError:
        try:
            date = datetime.fromisoformat(text.strip())
        except ValueError:
            advice = "a time is seconds (12.5), milliseconds since 1970, or a date: 2026-01-31 10:00:00"
            refuse(source, line, f"{text.strip()[:40] or 'an empty cell'} is no time", advice)

        value = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    if not 0 <= value < 1e15:
        refuse(source, line, f"{text.strip()[:40]} is no time", "times are 0 or more")
    return round(value / 1000 * US) if value >= MILLISECONDS else round(value * US)


def _check_order(path: str, rows: Mapping[str, TaskRow], after: Mapping[str, Sequence[str]]) -> None:
    """`ApetError` where tasks wait for each other."""
    if all(rows[other].start < rows[name].start for name, others in after.items() for other in others):
        return
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(after).prepare()
    except CycleError as circle:
        names = list(circle.args[1])
        cycle = " -> ".join(name[:40] for name in names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
        raise ApetError(errors.CircularTasks(None, None, path, cycle)) from None


def refuse(source: Source, line: int, reason: str, advice: str) -> NoReturn:
    raise ApetError(errors.BadTaskTable(source, line_span(source, line), reason, advice))
