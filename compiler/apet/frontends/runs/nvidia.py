"""NVIDIA's summaries: `nvprof --csv` and `nsys stats --format csv`.

nvprof has a second heading line with the unit of each column; nsys says it in the heading, `Total Time (ns)`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from apet.diagnostics import ApetError
from apet.frontends.runs.mistakes import BrokenProfile
from apet.frontends.runs.profile import Profile
from apet.frontends.runs.units import SECONDS
from apet.source import Source, Span

_UNIT = re.compile(r"\((ns|us|ms|s)\)")


def is_nvidia(text: str) -> bool:
    """Whether a text is a summary of nvprof or nsys."""
    head = text[:20_000]
    return _heading(head.splitlines()) is not None


def read_nvidia(source: Source) -> Profile:
    """Seconds by kernel and copy; API calls of the host, which wait for them, are left out where there are others."""
    lines = source.text.splitlines()
    start = _heading(lines)
    if start is None:
        raise ApetError(BrokenProfile(source, Span(0, 1), "nvprof or nsys", "there is no heading with Name and Time"))
    heading = [c.strip() for c in next(csv.reader([lines[start]]))]
    column, unit = _time_column(heading)
    name, kind = heading.index("Name"), heading.index("Type") if "Type" in heading else None
    body = start + 1
    if not unit:
        units = next(csv.reader([lines[body]])) if body < len(lines) else []
        unit, body = units[column].strip() if column < len(units) else "", body + 1
    if unit not in SECONDS:
        raise ApetError(BrokenProfile(source, _place(source, body), "nvprof", "below the heading no units are given"))
    device, host = dict[str, float](), dict[str, float]()
    for number, cells in enumerate(csv.reader(lines[body:]), start=body + 1):
        if len(cells) != len(heading):
            if device or host:
                break
            continue
        seconds = _seconds(source, cells[column], number) * SECONDS[unit]
        where = host if kind is not None and cells[kind].strip().lower().startswith("api") else device
        where[cells[name]] = where.get(cells[name], 0.0) + seconds
    functions = device or host
    if not functions:
        raise ApetError(BrokenProfile(source, None, "nvprof or nsys", "it lists no kernel"))
    return Profile(sum(functions.values()), functions)


def _heading(lines: Sequence[str]) -> int | None:
    for number, line in enumerate(lines[:60]):
        if "Name" in line and "Time" in line and "," in line:
            cells = [c.strip() for c in next(csv.reader([line]))]
            if "Name" in cells and any(c in ("Time", "Total Time") or c.startswith("Total Time") for c in cells):
                return number
    return None


def _time_column(heading: Sequence[str]) -> tuple[int, str]:
    for k, cell in enumerate(heading):
        if cell.startswith("Total Time") or cell == "Time":
            unit = _UNIT.search(cell)
            return k, unit[1] if unit else ""
    raise ValueError("the heading was checked before")


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
