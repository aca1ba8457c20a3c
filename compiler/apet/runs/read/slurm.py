"""The jobs of Slurm's accounting, as `sacct` prints them, with -P or without: a run each, whose processors and time are
columns.

`JobID|JobName|State|NCPUS|Elapsed`: jobs count, their steps do not, but where a file has only steps; and the number of
tasks, which only steps have, is that of the largest step. Names of jobs may hold parameters: `stencil_n1000`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source
from apet.ground.tables import TableRow, place
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import MOST_SHOWN
from apet.runs.read.name_pattern import by_pattern, labelled
from apet.runs.read.samples import WHOLE, SampleSet, Value

JOB, NAME, STATE, ELAPSED, ELAPSED_RAW, TASKS = "JobID", "JobName", "State", "Elapsed", "ElapsedRaw", "NTasks"
PROCESSORS = (TASKS, "AllocCPUS", "NCPUS", "ReqCPUS", "NNodes", "AllocNodes", "ReqNodes")
COMPLETED = "COMPLETED"
OWN_STEPS = ("batch", "extern", "interactive")
"""Steps that Slurm starts itself."""
COARSE = 100.0
"""Seconds: times are whole seconds, and of shorter runs that is more than one per cent."""


MOST_DIGITS = 16
_RULE = re.compile(r"\s*-+(?:\s+-+)*\s*")
"""The line below the heading where columns have widths."""


class Job(NamedTuple):
    """A line of the table under the names of its columns."""

    line: int
    cells: dict[str, str]

    def text(self, name: str) -> str:
        """A cell; empty where there is no such column."""
        return self.cells.get(name, "")


def is_accounting(text: str) -> bool:
    """Whether a text is a table of jobs with their elapsed times, of `sacct -P` or as it prints without."""
    heading, rule = [*[line for line in text[:65_536].splitlines() if line.strip()][:2], "", ""][:2]
    names = {name.strip() for name in (heading.split("|") if "|" in heading else heading.split())}
    return bool(names & {ELAPSED, ELAPSED_RAW}) and ("|" in heading or _RULE.fullmatch(rule) is not None)


def read_samples(source: Source, pattern: str = "", parameters: Sequence[str] = ()) -> SampleSet:
    """The completed jobs; `parameters` names columns of processors where several could be meant. `ApetError`."""
    rows = list(_rows(source))
    jobs = _jobs(rows)
    completed = [job for job in jobs if _state(job).startswith(COMPLETED)]
    if not completed:
        advised = "sacct -P -o JobID,JobName,State,NCPUS,Elapsed lists jobs"
        raise ApetError(errors.NoRuns(source, None, f"this file: none of {len(jobs)} jobs is completed", advised))

    times = _times(source, completed)
    points = [
        {**named, **counts}
        for named, counts in zip(_named(completed, pattern), _counts(completed, parameters), strict=True)
    ]
    names = tuple(_telling(points, parameters))
    roles = {name: "procs" for name in names if name in PROCESSORS}
    samples = SampleSet("", names, source, False, roles)
    for point, seconds in zip(points, times, strict=True):
        samples.add(tuple(point[name] for name in names), WHOLE, (seconds,))
    if len(completed) < len(jobs):
        left_out = f"{len(jobs) - len(completed)} of {len(jobs)} are not completed and are left out"
        samples.notes.append(Note(NoteKind.JOBS, left_out))
    if min(times) < COARSE:
        shortest = f"Slurm counts whole seconds, and the shortest run takes {min(times):g} s"
        samples.notes.append(Note(NoteKind.COARSE, shortest))
    return samples


def _rows(source: Source) -> Iterator[Job]:
    """The jobs and steps, whose cells are between bars, or where the rule below the heading has its columns."""
    lines = [(k, line) for k, line in enumerate(source.text.splitlines(), start=1) if line.strip()]
    rule = lines[1][1] if "|" not in lines[0][1] else ""
    columns, names = [m.span() for m in re.finditer(r"-+", rule)], list[str]()
    for number, line in (each for each in lines if each[1] != rule):
        cells = [line[a:b].strip() for a, b in columns] or [cell.strip() for cell in line.split("|")]
        cells = line.split() if len(line.split()) == len(columns) else cells  # wider ones move those behind them
        if names and len(cells) != len(names):
            what = (len(cells), "cells", len(names), "columns are in the heading", "was it printed by sacct -P?")
            raise ApetError(errors.WrongCellCount(source, line_span(source, number), *what))
        if names:
            yield Job(number, dict(zip(names, cells, strict=True)))
        names = names or cells


def _jobs(rows: Sequence[Job]) -> list[Job]:
    """The jobs, each with the tasks of its largest step; the users' steps where there are no jobs."""
    jobs = [row for row in rows if "." not in row.text(JOB)]
    steps = [row for row in rows if "." in row.text(JOB) and row.text(JOB).rpartition(".")[2] not in OWN_STEPS]
    tasks = dict[str, str]()
    for step in steps:
        job, count = step.text(JOB).partition(".")[0], step.text(TASKS)
        if _count(count):
            tasks[job] = max(tasks.get(job, count), count, key=int)
    own = [job._replace(cells={**job.cells, TASKS: tasks.get(job.text(JOB), job.text(TASKS))}) for job in jobs]
    return own or steps


def _state(row: Job) -> str:
    return row.text(STATE) or COMPLETED


def _times(source: Source, rows: Sequence[Job]) -> list[float]:
    """Elapsed seconds; `ApetError` with every one that is none."""
    wrong, times = list[Diagnostic](), list[float]()
    for row in rows:
        name = ELAPSED_RAW if ELAPSED_RAW in row.cells else ELAPSED
        text = row.text(name)
        seconds = _seconds(text)
        if not seconds:
            span = place(source, TableRow(row.line, [*row.cells.values()]), [*row.cells].index(name))
            error = errors.NotATime(source, span, name, f"'{text}'")
            wrong.append(error if seconds is None else errors.NotPositive(source, span, name, text))
        times.append(seconds or 1.0)

    if wrong:
        raise ApetError(wrong[:MOST_SHOWN])
    return times


def _seconds(text: str) -> float | None:
    """`1-02:03:04`, `02:03:04` or whole seconds; None for anything else."""
    return float(text) if text.isdecimal() and len(text) < MOST_DIGITS else units.of_parts(text)


def _count(text: str) -> int:
    """A number of processors; 0 where a cell has none."""
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0


def _named(rows: Sequence[Job], pattern: str) -> list[dict[str, Value]]:
    """Parameters in the names of jobs; the names themselves where they differ in other ways."""
    names = [row.text(NAME) for row in rows]
    if pattern:
        return [dict(by_pattern(pattern, name)) for name in names]
    if len(set(names)) < 2:
        return [{} for _ in names]
    numbered = labelled(names)
    return [{NAME: name} for name in names] if numbered is None else [dict(point) for point in numbered]


def _counts(rows: Sequence[Job], parameters: Sequence[str]) -> list[dict[str, Value]]:
    """Processors, from columns that have a number for every job."""
    columns = [c for c in PROCESSORS if all(_count(row.text(c)) > 0 for row in rows)]
    wanted = [c for c in columns if c in parameters] or columns
    return [{c: float(row.text(c)) for c in wanted} for row in rows]


def _telling(points: Sequence[Mapping[str, Value]], parameters: Sequence[str]) -> Iterator[str]:
    """Parameters asked for, and all others that those before them do not determine."""
    chosen = list[str]()
    for name in points[0]:
        seen = dict[tuple[Value, ...], Value]()
        for point in points:
            seen.setdefault(tuple(point[c] for c in chosen), point[name])
        determined = all(seen[tuple(p[c] for c in chosen)] == p[name] for p in points)
        if name in parameters or not determined:
            chosen.append(name)
            yield name
