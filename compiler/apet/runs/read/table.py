"""Runs as a table: columns n and t, repetitions as further rows or columns, phases as further columns."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apet.ground.csv_cells import csv_rows
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.runs import errors
from apet.runs.measurements import Run
from apet.runs.read import units
from apet.runs.read.checking import Checker
from apet.runs.read.merging import FileRuns
from apet.runs.read.one_parameter import misread, telling_text
from apet.runs.read.parameter_names import IGNORED, PROCESSORS, SIZES, TIMES, is_parameter
from apet.runs.read.samples import several

_REPEATED = re.compile(r"(?:t|time|rep|run|trial)[ _]?\d+", re.IGNORECASE)


class TableCell(NamedTuple):
    """The text of a cell and its place."""

    text: str
    span: Span


class Columns(NamedTuple):
    """Which columns hold what, with the seconds in the unit of each (None where cells may have their own)."""

    size: int
    times: list[int]
    phases: dict[int, str]
    factors: list[float | None]
    width: int
    kind: str


def read_table(source: Source) -> FileRuns:
    """The curve of a table; commas, semicolons, tabs or blanks between cells, `#` before remarks."""
    lines = list(_lines(source))
    if not lines:
        raise ApetError(errors.NoRuns(source, None, "this file", "a table begins with: n,t"))

    notes = Checker(source)
    headed = any(units.number_and_unit(c.text) is None for c in lines[0][:2])
    columns = _columns(notes, lines[0]) if headed else _unnamed(len(lines[0]))
    rows = lines[1:] if headed else lines
    readings = list(_readings(notes, rows, columns))
    notes.finish()
    _check_parameters(source, lines[0] if headed else None, columns, rows)
    if not readings:
        raise ApetError(errors.NoRuns(source, None, "this file", "below the heading, one line for each run"))
    return FileRuns("", columns.kind, readings)


def _check_parameters(
    source: Source, heading: Sequence[TableCell] | None, columns: Columns, rows: Sequence[Sequence[TableCell]]
) -> None:
    """`ApetError` where more than the size varies."""
    if heading is None:
        names = {k: f"column {k + 1}" for k in range(columns.width if columns.width > 2 else 0)}
    else:
        names = {k: units.split_heading(cell.text)[0] for k, cell in enumerate(heading)}
        other = {k: name for k, name in names.items() if k not in columns.times}
        other.pop(columns.size, None)
        texts = [[cell.text for cell in row] for row in rows if len(row) > columns.size]
        if (telling := telling_text(other, [row[columns.size] for row in texts], texts)) is not None:
            first = next(row[telling] for row in texts if telling < len(row) and row[telling])
            name = heading[telling].text
            raise ApetError(several(source, (names[columns.size], name)).replace(condition=f"{name}={first}"))
    used = {k for k in names if k in columns.phases or is_parameter(names[k]) or heading is None} - {columns.size}
    marked = {k for k in used if heading is not None and heading[k].text.lower().startswith("phase:")}
    candidates = {k: name for k, name in names.items() if k in used - marked and name.lower() not in IGNORED}
    same_unit = heading is None or len({columns.factors[k] for k in (*candidates, *columns.times)}) == 1
    time = columns.times[0] if columns.times and same_unit else -1

    if columns.size in names:
        candidates = {columns.size: names[columns.size], **candidates}
    error = misread(source, candidates, columns.size, time, rows)
    if error is not None:
        raise ApetError(error)


def _lines(source: Source) -> Iterator[list[TableCell]]:
    at, delimiter = 0, ""
    has_commas = units.has_decimal_commas(source.text)
    for number, line in enumerate(source.text.splitlines(keepends=True), start=1):
        text = line.rstrip("\r\n")
        if text.strip() and not text.lstrip().startswith("#"):
            delimiter = delimiter or next((d for d in ",;\t" if d in text), " ")
            cells = _cells(source, number, text, at, delimiter)
            yield [cell._replace(text=units.with_point(cell.text)) for cell in cells] if has_commas else cells
        at += len(line)


def _cells(source: Source, number: int, text: str, start: int, delimiter: str) -> list[TableCell]:
    if delimiter == " ":
        return [TableCell(m[0], Span(start + m.start(), start + m.end())) for m in re.finditer(r"\S+", text)]
    cells, at = list[TableCell](), 0
    for cell in next(csv_rows(source, [text], number, delimiter))[1]:
        at = max(text.find(cell, at), 0) if cell else at
        stripped = cell.strip()
        first = start + at + (len(cell) - len(cell.lstrip()))
        cells.append(TableCell(stripped, Span(first, first + max(len(stripped), 1))))
        at += len(cell) + (text[at + len(cell) : at + len(cell) + 1] in ('"', delimiter))
    return cells


def _unnamed(width: int) -> Columns:
    phases = {k: f"phase {k - 1}" for k in range(2, width)}
    return Columns(0, [1] if width > 1 else [], phases, [None] * width, width, "")


def _columns(notes: Checker, heading: Sequence[TableCell]) -> Columns:
    split = [units.split_heading(c.text) for c in heading]
    names = [name.lower() for name, _ in split]
    size = next((k for word in (*SIZES, *PROCESSORS) for k, name in enumerate(names) if name == word), None)
    times = [k for k, name in enumerate(names) if _REPEATED.fullmatch(name)]
    whole = next((k for word in TIMES for k, name in enumerate(names) if name == word), None)
    times = times or ([] if whole is None else [whole])

    listed = ", ".join(c.text for c in heading)
    span = heading[0].span.to(heading[-1].span)
    if size is None and not times:
        problem = "neither JSON, nor a table with columns n and t"
        raise ApetError(errors.UnknownFormat(notes.source, span, problem))
    for missing, what in ((size is None, "n"), (not times, "the time t")):
        if missing:
            notes.errors.append(errors.MissingColumn(notes.source, span, what, listed))
    notes.finish()
    assert size is not None

    own = [units.SECONDS.get(unit) for _, unit in split]
    factors = [own[times[0]] if f is None else f for f in own]
    own_columns = {size, *times, *(k for k, name in enumerate(names) if is_parameter(name))}
    other = {k: split[k][0] for k in range(len(heading)) if k not in own_columns and names[k] not in IGNORED}
    phases = {k: name.removeprefix("phase:").strip() for k, name in other.items() if names[k] not in TIMES}
    kind = "procs" if names[size] in PROCESSORS else ""
    return Columns(size, times, phases, factors, len(heading), kind)


def _readings(notes: Checker, lines: Sequence[Sequence[TableCell]], columns: Columns) -> Iterator[Run]:
    seen = list[tuple[str, Span]]()
    for cells in lines:
        if len(cells) != columns.width:
            advised = "quote cells that contain a separator"
            span = cells[0].span.to(cells[-1].span)
            notes.errors.append(
                errors.WrongCellCount(
                    notes.source, span, len(cells), "cells", columns.width, "columns are in the heading", advised
                )
            )
            continue
        if not columns.times:
            notes.errors.append(errors.MissingColumn(notes.source, cells[0].span, "the time t", "only one column"))
            return

        n = notes.positive(_plain(cells[columns.size].text), "n", lambda c=cells[columns.size]: c.span)  # type: ignore[misc]
        times = [_time(notes, cells[k], columns.factors[k], "t", seen, True) for k in columns.times if cells[k].text]
        if not times:
            notes.positive(None, "t", lambda c=cells[columns.times[0]]: c.span)  # type: ignore[misc]
            continue
        phases = {
            name: _time(notes, cells[k], columns.factors[k], name, seen, False)
            for k, name in columns.phases.items()
            if units.number_and_unit(cells[k].text) is not None
        }
        yield Run(n, statistics.median(times), tuple(times) if len(times) > 1 else (), phases)


def _plain(text: str) -> object:
    """A number, with thousands marked by blanks or underscores; else the text."""
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return text


def _time(
    notes: Checker, cell: TableCell, factor: float | None, what: str, seen: list[tuple[str, Span]], above: bool
) -> float:
    parsed = units.number_and_unit(cell.text)
    unit = parsed[1] if parsed else ""
    if unit and unit not in units.SECONDS:
        notes.errors.append(errors.UnknownTimeUnit(notes.source, cell.span, unit))
    if parsed and factor is None:
        _compare(notes, unit, cell.span, seen)
    elif parsed and unit and units.SECONDS.get(unit) != factor:
        notes.errors.append(errors.MixedTimeUnits(notes.source, cell.span, unit, "another in the heading", 1))

    scale = units.SECONDS.get(unit, 1.0) if factor is None else factor
    value: object = parsed[0] * scale if parsed else cell.text or None
    check = notes.positive if above else notes.not_negative
    return check(value, what, lambda: cell.span)


def _compare(notes: Checker, unit: str, span: Span, seen: list[tuple[str, Span]]) -> None:
    """Every cell its unit, or none any."""
    if not seen:
        seen.append((unit, span))
    first, place = seen[0]
    if bool(unit) != bool(first):
        line = notes.source.position(place.start)[0]
        notes.errors.append(errors.MixedTimeUnits(notes.source, span, unit or "no unit", first or "no unit", line))
