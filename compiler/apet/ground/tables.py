"""Plain tables, as people and tools write them: a heading, then a row a line.

Cells are divided by tabs, semicolons, commas or blanks, whichever the first line has, in this order. Empty lines and
lines that begin with `#` are remarks. Where commas do not divide cells, `1,5` is a number with a decimal comma. JSON
records, `[{"n": 1, "t": 2}, …]` or one on each line, are rows too, and their keys the heading.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NoReturn

from apet.ground.csv_cells import EndlessCell, line_span
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.records import NamedTuple
from apet.ground.source import Source, Span

DELIMITERS = "\t;,"
COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?(?:\s*[a-zA-Zµμ%]*)", re.ASCII)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}(?!\d)", re.ASCII)
"""What `1,234` may be as well: more than a thousand."""
BEGINNING = 65_536
"""Characters in which the first line of a table is looked for."""
SCALARS = (str, int, float, type(None))


class UnclearComma(Diagnostic):
    """A number whose comma may mark thousands or decimals."""

    message = "{cell} may be {decimal} or {thousands}"
    hint = "write a point before decimals, and nothing between thousands"


class NoRecords(Diagnostic):
    """JSON that is no table."""

    message = "this is no table of records: {reason}"
    hint = 'records are objects of numbers and texts: [{{"n": 1000, "t": 2.5}}, ...], or one on each line'


class TableRow(NamedTuple):
    """The cells of a row, without the blanks around them, and the number of its (last) line, from 1."""

    line: int
    cells: list[str]


def first_line(text: str) -> str:
    """The first line of a text that is neither empty nor a remark."""
    lines = text[:BEGINNING].splitlines()
    return next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")


def delimiter_of(line: str) -> str:
    """What divides the cells of a line: one of `DELIMITERS`, else blanks."""
    return next((mark for mark in DELIMITERS if mark in line), " ")


def heading_of(text: str) -> list[str]:
    """The cells of the first line of a table."""
    line = first_line(text)
    return next(_divided([line], delimiter_of(line)), TableRow(1, [])).cells


def table_rows(source: Source) -> Iterator[TableRow]:
    """The heading and the rows of a table, but not those without any text; `ApetError` with the place of what is wrong.

    A row may have fewer or more cells than the heading: only the reader of a table knows which it needs.
    """
    if source.text.lstrip()[:1] in ("[", "{"):
        return _records(source)
    delimiter = delimiter_of(first_line(source.text))
    rows = _without_empty(source, delimiter)
    if delimiter == "," or "," not in source.text:
        return rows
    return _with_points(source, list(rows))


def place(source: Source, row: TableRow, column: int) -> Span:
    """Where a cell stands; its line where it is not found there."""
    whole = line_span(source, row.line)
    text = row.cells[column] if column < len(row.cells) else ""
    line = source.text[whole.start : whole.end]
    at = 0
    for cell in row.cells[:column]:
        found = line.find(cell, at)
        if found < 0:
            return whole
        at = found + len(cell)
    at = line.find(text, at) if text else -1
    return whole if at < 0 else Span(whole.start + at, whole.start + at + len(text))


def _without_empty(source: Source, delimiter: str) -> Iterator[TableRow]:
    line = 0
    try:
        for row in _divided(_without_remarks(source.text), delimiter):
            line = row.line
            if any(row.cells):
                yield row
    except csv.Error:
        raise ApetError(EndlessCell(source, line_span(source, line + 1), csv.field_size_limit())) from None


def _without_remarks(text: str) -> Iterator[str]:
    """The lines of a text, remarks as empty ones; within quotation marks there are none."""
    within = False
    for line in io.StringIO(text, newline=""):
        yield "\n" if not within and line.lstrip().startswith("#") else line
        within ^= line.count('"') % 2 == 1


def _divided(lines: Sequence[str] | Iterator[str], delimiter: str) -> Iterator[TableRow]:
    if delimiter == " ":
        for number, line in enumerate(lines, start=1):
            yield TableRow(number, line.split())
        return
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    for cells in reader:
        yield TableRow(reader.line_num, [cell.strip() for cell in cells])


def _with_points(source: Source, rows: list[TableRow]) -> Iterator[TableRow]:
    """Decimal commas as points, where one cell at least shows that they are none of thousands."""
    marked = [(row, k) for row in rows for k, cell in enumerate(row.cells) if COMMA.fullmatch(cell)]
    if marked and all(THOUSANDS.match(row.cells[k]) for row, k in marked):
        row, k = marked[0]
        text = row.cells[k]
        readings = text.replace(",", "."), text.replace(",", "")
        raise ApetError(UnclearComma(source, place(source, row, k), text, *readings))
    for row, k in marked:
        row.cells[k] = row.cells[k].replace(",", ".", 1)
    return iter(rows)


def _records(source: Source) -> Iterator[TableRow]:
    """The keys of all records, then their values."""
    names = dict[str, None]()
    rows = list[tuple[int, dict[str, object]]]()
    for line, record in _objects(source):
        nested = next((k for k, value in record.items() if not isinstance(value, SCALARS)), None)
        if nested is not None:
            _refuse(source, line, f"{nested[:40]} has parts of its own")
        rows.append((line, record))
        names |= dict.fromkeys(record)
    if not rows:
        _refuse(source, 1, "there is no record")
    return chain([TableRow(rows[0][0], [*names])], (TableRow(n, [_text(r.get(k)) for k in names]) for n, r in rows))


def _objects(source: Source) -> Iterator[tuple[int, dict[str, object]]]:
    """Records with the numbers of the lines that they begin in: members of one list, or texts one behind the other."""
    decoder, text = json.JSONDecoder(), source.text
    blank = re.compile(r"[\s,]*")
    listed = text.lstrip()[:1] == "["
    at = blank.match(text, text.index("[") + 1 if listed else 0).end()  # type: ignore[union-attr]
    while at < len(text) and not (listed and text[at] == "]"):
        line = source.position(at)[0]
        try:
            record, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            _refuse(source, line, "this is no JSON")
        if not isinstance(record, dict):
            _refuse(source, line, "this is no object")
        yield line, record
        at = blank.match(text, end).end()  # type: ignore[union-attr]
    if listed and text[at:].strip() != "]":
        _refuse(source, source.position(min(at, len(text)))[0], "this is no JSON")


def _text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value).strip()


def _refuse(source: Source, line: int, reason: str) -> NoReturn:
    raise ApetError(NoRecords(source, line_span(source, line), reason))
