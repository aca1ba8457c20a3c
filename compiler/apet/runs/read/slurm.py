"""The jobs of Slurm's accounting, as `sacct` prints them, with -P or without: a run each, whose processors and time are
columns.

`JobID|JobName|State|NCPUS|Elapsed`: jobs count, their steps do not, but where a file has only steps; and the number of
tasks, which only steps have, is that of the largest step. Names of jobs may hold parameters: `stencil_n1000`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source, Span
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


_RULE = re.compile(r"\s*-+(?:\s+-+)*\s*")
"""The line below the heading where columns have widths."""


class _TableCell(NamedTuple):
    """A cell and its place."""

    text: str
    span: Span


Row = Mapping[str, _TableCell]


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


def _rows(source: Source) -> Iterator[Row]:
    names = list[str]()
    for cells in _lines(source):
        if not names:
            names = [cell.text for cell in cells]
            if not {ELAPSED, ELAPSED_RAW} & set(names):
                raise ApetError(errors.MissingColumn(source, cells[0].span, ELAPSED, ", ".join(names)))
            continue
        if len(cells) != len(names):
            span = cells[0].span.to(cells[-1].span)
            what = (len(cells), "cells", len(names), "columns are in the heading", "was it printed by sacct -P?")
            raise ApetError(errors.WrongCellCount(source, span, *what))
        yield dict(zip(names, cells, strict=True))


def _lines(source: Source) -> Iterator[list[_TableCell]]:
    """The cells of each line: between bars, or where the rule below the heading has its columns."""
    first, *others = [*[line for line in source.text.splitlines() if line.strip()][:2], "", ""]
    rule = others[0] if "|" not in first and _RULE.fullmatch(others[0]) else None
    columns = [m.span() for m in re.finditer(r"-+", rule or "")]
    at = 0
    for line in source.text.splitlines(keepends=True):
        start, at, text = at, at + len(line), line.rstrip("\r\n")
        if not text.strip() or text == rule:
            continue
        bars = [-1, *(k for k, c in enumerate(text) if c == "|"), len(text)]
        words = [m.span() for m in re.finditer(r"\S+", text)] if columns else []
        ranges = columns or [(a + 1, b) for a, b in pairwise(bars)]
        if len(words) == len(columns) > 0:  # wider ones move those behind them
            ranges = words
        yield [_TableCell(text[a:b].strip(), Span(start + a, start + max(min(b, len(text)), a + 1))) for a, b in ranges]


def _text(row: Row, name: str) -> str:
    return row[name].text if name in row else ""


def _jobs(rows: Sequence[Row]) -> list[Row]:
    """The jobs, each with the tasks of its largest step; the users' steps where there are no jobs."""
    jobs = [row for row in rows if "." not in _text(row, JOB)]
    steps = [row for row in rows if "." in _text(row, JOB) and _text(row, JOB).rpartition(".")[2] not in OWN_STEPS]
    if not jobs:
        return steps
    tasks = dict[str, _TableCell]()
    for step in steps:
        job, cell = _text(step, JOB).partition(".")[0], step.get(TASKS)
        if cell is not None and cell.text.isdecimal():
            tasks[job] = max(tasks.get(job, cell), cell, key=lambda c: int(c.text))
    return [{**job, TASKS: tasks[_text(job, JOB)]} if _text(job, JOB) in tasks else job for job in jobs]


def _state(row: Row) -> str:
    return _text(row, STATE) or COMPLETED


def _times(source: Source, rows: Sequence[Row]) -> list[float]:
    """Elapsed seconds; `ApetError` with every one that is none."""
    wrong, times = list[Diagnostic](), list[float]()
    for row in rows:
        name = ELAPSED_RAW if ELAPSED_RAW in row else ELAPSED
        cell = row[name]
        seconds = _seconds(cell.text)
        if seconds is None:
            wrong.append(errors.NotATime(source, cell.span, name, f"'{cell.text}'"))
        elif seconds == 0:
            wrong.append(errors.NotPositive(source, cell.span, name, cell.text))
        times.append(seconds or 1.0)

    if wrong:
        raise ApetError(wrong[:MOST_SHOWN])
    return times


def _seconds(text: str) -> float | None:
    """`1-02:03:04`, `02:03:04` or whole seconds; None for anything else."""
    return float(text) if text.isdecimal() and len(text) < 16 else units.of_parts(text)


def _named(rows: Sequence[Row], pattern: str) -> list[dict[str, Value]]:
    """Parameters in the names of jobs; the names themselves where they differ in other ways."""
    names = [_text(row, NAME) for row in rows]
    if pattern:
        return [dict(by_pattern(pattern, name)) for name in names]
    if len(set(names)) < 2:
        return [{} for _ in names]
    numbered = labelled(names)
    return [{NAME: name} for name in names] if numbered is None else [dict(point) for point in numbered]


def _counts(rows: Sequence[Row], parameters: Sequence[str]) -> list[dict[str, Value]]:
    """Processors, from columns that have a number for every job."""
    columns = [c for c in PROCESSORS if all(_text(row, c).isdecimal() and int(_text(row, c)) > 0 for row in rows)]
    wanted = [c for c in columns if c in parameters] or columns
    return [{c: float(_text(row, c)) for c in wanted} for row in rows]


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
