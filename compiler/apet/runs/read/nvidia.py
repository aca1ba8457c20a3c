"""NVIDIA's summaries: `nvprof --csv` and `nsys stats --format csv`.

nvprof has a second heading line with the unit of each column; nsys says it in the heading, `Total Time (ns)`. nsys
prints several tables one after the other: kernels and copies count, each with its number of instances; calls of the
host, which wait for them, only where there is nothing else.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.runs.read.errors import BrokenProfile
from apet.runs.read.profile import Profile
from apet.runs.read.units import SECONDS

_UNIT = re.compile(r"\((ns|us|ms|s)\)")
_NAMES = ("Name", "Operation")
_HOST_CALLS = "Num Calls"
_SEARCHED = 400
"""Lines that may stand before the first table: what was profiled, and what the tools say about themselves."""


class _Table(NamedTuple):
    """A heading, and the number of its line, from 0."""

    heading: list[str]
    line: int

    @property
    def name(self) -> int:
        return next(k for k, cell in enumerate(self.heading) if cell in _NAMES)

    @property
    def time(self) -> int:
        return next(k for k, cell in enumerate(self.heading) if cell.startswith("Total Time") or cell == "Time")


def is_nvidia(text: str) -> bool:
    """Whether a text is a summary of nvprof or nsys."""
    return next(_tables(text.splitlines()[:_SEARCHED]), None) is not None


def read_nvidia(source: Source) -> Profile:
    """Seconds by kernel and copy; calls of the host only where there are no others."""
    lines = source.text.splitlines()
    tables = list(_tables(lines))
    if not tables:
        raise ApetError(BrokenProfile(source, Span(0, 1), "nvprof or nsys", "there is no heading with Name and Time"))
    device, host = dict[str, float](), dict[str, float]()
    for table, end in zip(tables, [*(t.line for t in tables[1:]), len(lines)], strict=True):
        _read(source, lines, table, end, device, host)
    functions = device or host
    if not functions:
        raise ApetError(BrokenProfile(source, None, "nvprof or nsys", "it lists no kernel"))
    return Profile(sum(functions.values()), functions)


def _tables(lines: Sequence[str]) -> Iterator[_Table]:
    for number, line in enumerate(lines):
        if "Time" in line and "," in line and any(name in line for name in _NAMES):
            cells = [c.strip() for c in next(csv.reader([line]))]
            timed = any(c == "Time" or c.startswith("Total Time") for c in cells)
            if timed and any(name in cells for name in _NAMES):
                yield _Table(cells, number)


def _read(
    source: Source, lines: Sequence[str], table: _Table, end: int, device: dict[str, float], host: dict[str, float]
) -> None:
    body, unit = table.line + 1, _UNIT.search(table.heading[table.time])
    word = unit[1] if unit else ""
    if not unit:
        units = next(csv.reader([lines[body]])) if body < end else []
        word, body = units[table.time].strip() if table.time < len(units) else "", body + 1
    if word not in SECONDS:
        raise ApetError(BrokenProfile(source, _place(source, body), "nvprof", "below the heading no units are given"))
    kind = table.heading.index("Type") if "Type" in table.heading else None
    begun = False
    for number, cells in enumerate(csv.reader(lines[body:end]), start=body + 1):
        if len(cells) != len(table.heading):
            if begun:
                break
            continue
        begun = True
        seconds = _seconds(source, cells[table.time], number) * SECONDS[word]
        calls = _HOST_CALLS in table.heading or (kind is not None and cells[kind].strip().lower().startswith("api"))
        where = host if calls else device
        where[cells[table.name]] = where.get(cells[table.name], 0.0) + seconds


def _seconds(source: Source, cell: str, line: int) -> float:
    try:
        found = float(cell.replace(",", ""))
    except ValueError:
        found = -1.0
    if not 0 <= found < float("inf"):
        raise ApetError(BrokenProfile(source, _place(source, line), "nvprof or nsys", f"'{cell}' is no time"))
    return found


def _place(source: Source, line: int) -> Span:
    count = source.text.count("\n") + 1
    start = source.offset(min(line, count))
    return Span(start, start + max(len(source.line(min(line, count))), 1))
