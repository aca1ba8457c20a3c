"""Design spaces as users write them: `n=1e6,1e7`, `P=1:64`, `P,n=4:1e6,8:2e6`, and tables of points."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn

import numpy as np

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.notation import Steps, steps
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.ground.tables import TableRow, table_rows
from apet.ground.values import number
from apet.questions.sweep.errors import BadPoints, BadVariation
from apet.questions.sweep.ranges import REAL_LIMIT, WHOLE_LIMIT, Listed, Stepped, joined, multiplied
from apet.questions.sweep.space import Axis

NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
MOST_MULTIPLIED = 100_000


def parse_variation(text: str) -> Axis:
    """The axis that a `--vary` text describes; `ApetError` saying what is wrong with it."""
    left, equals, right = text.partition("=")
    names = tuple(part.strip() for part in left.split(","))
    if not equals or not right.strip():
        _refuse(text, "a name, an equals sign and values are needed")

    for name in names:
        if not NAME.fullmatch(name):
            _refuse(text, f"'{name}' is no name")

    if len(set(names)) < len(names):
        _refuse(text, "a name stands twice before the equals sign")
    if len(names) > 1:
        return _zipped(text, names, [part.strip() for part in right.split(",")])
    parts = steps("--vary", right, BadVariation.hint, names[0])
    for part in parts:
        _checked(names[0], part.low)
        _checked(names[0], part.high)
    return Axis(names, (joined([_cells(text, part) for part in parts]),))


def axis_of(name: str | tuple[str, ...], values: object) -> Axis:
    """The axis for values from Python: a text as in `parse_variation`, a range, or a sequence (of tuples for names)."""
    names = (name,) if isinstance(name, str) else tuple(name)
    title = ",".join(names)
    if isinstance(values, str):
        return parse_variation(f"{title}={values}")
    if isinstance(values, range) and len(names) == 1:
        if not len(values):
            _refuse(title, "there are no values")
        return Axis(names, (Stepped(values.start, values.step, len(values)),))

    if not isinstance(values, Sequence) or not len(values):
        _refuse(title, "there are no values")
    rows = [value if len(names) > 1 else (value,) for value in values]
    if any(len(row) != len(names) for row in rows):
        _refuse(title, f"each point needs {len(names)} values")
    columns = [[_python_number(title, names[k], row[k]) for row in rows] for k in range(len(names))]
    return Axis(names, tuple(Listed(column) for column in columns))


def read_points(path: str) -> Axis:
    """The axis of a table of points; `ApetError` naming the line that is wrong. Eight bytes are kept of each cell."""
    source = read_source(path)
    rows = table_rows(source)
    heading = next(rows, TableRow(1, []))
    names = tuple(heading.cells)
    wrong = next((n for n in names if not NAME.fullmatch(n)), None if names else "")
    if wrong is not None or len(set(names)) < len(names):
        reason = f"'{wrong}' is no name" if wrong is not None else "a name stands twice"
        raise _bad(source, heading.line, reason if names else "the file is empty")
    columns = [_NameValues() for _ in names]

    for row in rows:
        if len(row.cells) != len(names):
            raise _bad(source, row.line, f"{len(row.cells)} values for {len(names)} names")
        for name, column, cell in zip(names, columns, row.cells, strict=True):
            try:
                column.append(_checked(name, number(name, cell)))
            except ApetError as error:
                raise _bad(source, row.line, error.diagnostics[0].text) from None

    if not len(columns[0].real):
        raise _bad(source, heading.line, "there is no point below the names")
    return Axis(names, tuple(column.values() for column in columns))


def _bad(source: Source, line: int, reason: str) -> ApetError:
    return ApetError(BadPoints(source, line_span(source, line), reason))


class _NameValues:
    """The values of one name while they are read: whole as long as all are."""

    def __init__(self) -> None:
        self.real = array("d")
        self.int: array[int] | None = array("q")

    def append(self, value: Number) -> None:
        self.real.append(float(value))
        if self.int is not None:
            if isinstance(value, int) and abs(value) < WHOLE_LIMIT:
                self.int.append(value)
            else:
                self.int = None

    def values(self) -> Listed:
        if self.int is not None:
            return Listed(np.frombuffer(self.int, dtype=np.int64).copy())
        return Listed(np.frombuffer(self.real, dtype=np.float64).copy())


def _zipped(text: str, names: tuple[str, ...], parts: Sequence[str]) -> Axis:
    columns: list[list[Number]] = [[] for _ in names]
    for part in parts:
        members = part.split(":")
        if len(members) != len(names):
            _refuse(text, f"'{part}' has {len(members)} values for {len(names)} names (separated by ':')")
        for name, column, member in zip(names, columns, members, strict=True):
            column.append(_number(text, name, member))
    return Axis(names, tuple(Listed(column) for column in columns))


def _cells(text: str, part: Steps) -> Stepped | Listed:
    """The values of a range, numbered but not written out where they go by a step."""
    if not part.step:
        return Listed([part.low])
    if not part.by_factor:
        return Stepped(part.low, part.step, part.size)
    values = multiplied(part.low, part.high, part.step, MOST_MULTIPLIED)
    if values is None:
        _refuse(text, f"a range by a factor has more than {MOST_MULTIPLIED:,} values")
    return values


def _number(text: str, name: str, member: str) -> Number:
    if not member.strip():
        _refuse(text, "a value is missing")
    return _checked(name, number(name, member))


def _python_number(title: str, name: str, value: object) -> Number:
    if isinstance(value, str):
        return _number(title, name, value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        _refuse(title, f"{value!r} is no number")
    return _checked(name, value)


def _checked(name: str, value: Number) -> Number:
    if not -REAL_LIMIT <= value <= REAL_LIMIT:
        _refuse(name, "a value is too large: give numbers below 1e300")
    return value


def _refuse(text: str, reason: str) -> NoReturn:
    raise ApetError(BadVariation(None, None, text, reason))
