"""Rows of comma-separated values, with the place of a row that cannot be told apart into cells."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span


class EndlessCell(Diagnostic):
    """A cell without an end in sight."""

    message = "a cell here has more than {most:,} characters"
    hint = "is a quotation mark missing?"


def csv_rows(
    source: Source, lines: Sequence[str] | None = None, first: int = 1, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """Each row's number of a line (its last one) and its cells.

    `lines` are some lines of the text, all of them if not given, of which the first has the number `first`.
    `ApetError` where a cell has no end in sight.
    """
    # A line end within a cell keeps the line's number right; one that csv does not know would stop it.
    rest = source.text.splitlines() if lines is None else lines
    reader = csv.reader(rest, delimiter=delimiter)
    try:
        for cells in reader:
            yield first + reader.line_num - 1, cells
    except csv.Error:
        place = line_span(source, first + reader.line_num - 1)
        raise ApetError(EndlessCell(source, place, csv.field_size_limit())) from None


def line_span(source: Source, line: int) -> Span:
    """The place of a line, by its number from 1; of the last one where there are not so many."""
    number = min(line, source.text.count("\n") + 1)
    start = source.offset(number)
    return Span(start, start + max(len(source.line(number)), 1))
