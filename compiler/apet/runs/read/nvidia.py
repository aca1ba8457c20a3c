"""NVIDIA's summaries: `nvprof --csv` and `nsys stats --format csv`.

nvprof has a second heading line with the unit of each column; nsys says it in the heading, `Total Time (ns)`. nsys
prints several tables one after the other: kernels and copies count, each with its number of instances; calls of the
host, which wait for them, only where there is nothing else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apet.ground.csv_cells import csv_rows, line_span
from apet.ground.source import Source
from apet.runs.read.profile import ProfiledRun, broken
from apet.runs.read.units import SECONDS

_UNIT = re.compile(r"\((ns|us|ms|s)\)")
_NAMES = ("Name", "Operation")
_HOST_CALLS = "Num Calls"
EITHER = "nvprof or nsys"
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


def recognises(text: str) -> bool:
    """Whether a text is a summary of nvprof or nsys."""
    return next(_tables(Source("", text), text.splitlines()[:_SEARCHED]), None) is not None


def read(source: Source) -> ProfiledRun:
    """Seconds by kernel and copy; calls of the host only where there are no others."""
    lines = source.text.splitlines()
    tables = list(_tables(source, lines))
    if not tables:
        raise broken(source, EITHER, "there is no heading with Name and Time")
    device, host = defaultdict[str, float](float), defaultdict[str, float](float)

    for table, end in zip(tables, [*(t.line for t in tables[1:]), len(lines)], strict=True):
        _add(source, lines, table, end, device, host)
    functions = device or host
    if not functions:
        raise broken(source, EITHER, "it lists no kernel", None)
    return ProfiledRun(sum(functions.values()), functions)


def _tables(source: Source, lines: Sequence[str]) -> Iterator[_Table]:
    for number, line in enumerate(lines):
        if "Time" in line and "," in line and any(name in line for name in _NAMES):
            cells = [c.strip() for c in next(csv_rows(source, [line], number + 1))[1]]
            timed = any(c == "Time" or c.startswith("Total Time") for c in cells)
            if timed and any(name in cells for name in _NAMES):
                yield _Table(cells, number)


def _add(
    source: Source, lines: Sequence[str], table: _Table, end: int, device: dict[str, float], host: dict[str, float]
) -> None:
    """Add up the seconds of a table that ends before a line."""
    body, unit = table.line + 1, _UNIT.search(table.heading[table.time])
    word = unit[1] if unit else ""
    if not unit:
        units = next(csv_rows(source, [lines[body]], body + 1))[1] if body < end else []
        word, body = units[table.time].strip() if table.time < len(units) else "", body + 1
    if word not in SECONDS:
        raise broken(source, "nvprof", "below the heading no units are given", line_span(source, body))

    kind = table.heading.index("Type") if "Type" in table.heading else None
    begun = False  # what stands between heading and table has other numbers of cells
    for number, cells in csv_rows(source, lines[body:end], body + 1):
        if len(cells) != len(table.heading):
            if begun:
                break
            continue
        begun = True
        seconds = _seconds(source, cells[table.time], number) * SECONDS[word]
        calls = _HOST_CALLS in table.heading or (kind is not None and cells[kind].strip().lower().startswith("api"))
        (host if calls else device)[cells[table.name]] += seconds


def _seconds(source: Source, cell: str, line: int) -> float:
    try:
        seconds = float(cell.replace(",", ""))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise broken(source, EITHER, f"'{cell}' is no time", line_span(source, line))
    return seconds
