"""Tables of runs over several parameters.

The long form has one value a line: parameters first, then any of `phase`, `metric`, `unit`, `kind`, `rep`, and
`value`. The wide form has a column for each parameter, one for the time, and one for each phase.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.source import Source
from apet.ground.tables import TableRow, heading_of, table_rows
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import MOST_SHOWN
from apet.runs.read.parameter_names import IGNORED, TIMES, is_parameter
from apet.runs.read.samples import SampleSet
from apet.runs.read.table_forms import VALUE, LongForm, TableForm, WideForm

NO_PARAMETER = frozenset((*IGNORED, *TIMES))


def is_long(text: str) -> bool:
    """Whether the heading of a table is that of the long form."""
    names = {c.strip().lower() for c in heading_of(text)}
    return VALUE in names and not names & set(TIMES)


def has_known_names(text: str) -> bool:
    """Whether a heading names a parameter and the time."""
    names = {units.split_heading(cell)[0].lower() for cell in heading_of(text)}
    return any(map(is_parameter, names)) and bool(names & set(TIMES))


def read_samples(
    source: Source, parameters: Sequence[str] = (), metric: str | None = None, also: Sequence[str] = ()
) -> SampleSet:
    """The samples of a table; `parameters` names columns where their names do not say it, `also` further ones that
    conditions are about. `ApetError`."""
    rows = table_rows(source)
    heading = next(rows, None)
    if heading is None:
        raise ApetError(errors.NoRuns(source, None, "this file", "a table begins with: n,P,t"))
    is_headed = any(units.number_and_unit(c) is None for c in heading.cells[:2])
    names = [c.strip() for c in heading.cells] if is_headed else _unnamed(len(heading.cells))
    rows = rows if is_headed else chain([heading], rows)
    named = TableRow(heading.line, names)
    twice = next((n for k, n in enumerate(names) if n and n in names[:k]), None)
    if twice is not None:
        raise ApetError(errors.RepeatedColumn(source, line_span(source, heading.line), twice))
    for name in (*parameters, *also):
        if name not in names:
            raise ApetError(
                errors.UnknownRunName(source, None, "parameter", name, nearest(name, names), ", ".join(names))
            )

    first = next(rows, None)
    body = rows if first is None else chain([first], rows)
    if is_long(source.text):
        form: TableForm = LongForm(source, named, metric)
    else:
        form = WideForm(source, named, parameters, (*also, *_texts(names, first)), metric)
    for row in body:
        if len(row.cells) != len(names):
            advised = "quote cells that contain a separator"
            what = (len(row.cells), "cells", len(names), "columns are in the heading", advised)
            form.refuse(errors.WrongCellCount(source, line_span(source, row.line), *what))
        else:
            form.take(row)
        if len(form.wrong) >= MOST_SHOWN:
            break
    return form.finished()


def _unnamed(width: int) -> list[str]:
    """Columns without a heading: n, the time, and phases."""
    return ["n", "t", *(f"phase {k}" for k in range(1, width - 1))][:width]


def _texts(names: Sequence[str], first: TableRow | None) -> list[str]:
    """Columns that hold text in the first row: if they vary, they are parameters."""
    cells = [] if first is None or len(first.cells) != len(names) else first.cells
    return [
        n for n, c in zip(names, cells, strict=False) if c.strip() and _is_text(c) and n.lower() not in NO_PARAMETER
    ]


def _is_text(cell: str) -> bool:
    return units.number_and_unit(cell) is None and re.match(r"\s*[A-Za-z]", cell) is not None and cell.strip() != "nan"
