"""Text in columns."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.interval import Interval
from apet.show.times import Unit, column, ends, unit_for

GAP, NARROW_GAP = 4, 2
terminal_width: int | None = None
"""Columns of the terminal that tables are printed on; None for files and pipes, where nothing limits their width."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]], align: str, indent: str = "  ") -> list[str]:
    """Lines of a table; `align` has one of `<` and `>` per column, headings follow their column.

    Where the terminal is too narrow, the gaps shrink, and then the table continues below with its first column.
    """
    widths = [max(len(row[k]) for row in (header, *rows)) for k in range(len(header))]
    room = None if terminal_width is None else terminal_width - len(indent)
    gap = GAP if room is None or _extent(widths, GAP) <= room else NARROW_GAP
    parts = [list(range(len(header)))]
    if room is not None and _extent(widths, gap) > room:
        parts = _parts(widths, room)

    lines: list[str] = []
    for part in parts:
        lines += [""] if lines else []
        lines += [_line(row, part, widths, align, indent, gap) for row in (header, *rows)]
    return lines


def _extent(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """Columns in groups that fit into so much room, each with the first column in front."""
    parts = [[0]]
    for k in range(1, len(widths)):
        if len(parts[-1]) > 1 and _extent([widths[j] for j in (*parts[-1], k)], NARROW_GAP) > room:
            parts.append([0])
        parts[-1].append(k)
    return parts


def _line(row: Sequence[str], part: Sequence[int], widths: Sequence[int], align: str, indent: str, gap: int) -> str:
    cells = [f"{row[k]:{align[k]}{widths[k]}}" for k in part]
    return (indent + (" " * gap).join(cells)).rstrip()


def time_cells(values: Sequence[float], of: str = "s") -> list[str]:
    """The cells of a column of times: one unit for all of them."""
    unit = unit_for(values, of)
    return [f"{number} {unit.name}".rstrip() for number in column(values, unit)]


def interval_cells(values: Sequence[Interval], unit: Unit, outward: int = 0) -> list[str]:
    """The cells of a column of intervals of times; `outward` 1 rounds the ends away from each other."""
    low, high = [float(i.lo) for i in values], [float(i.hi) for i in values]
    return intervals(*ends(low, high, unit, outward), unit.name)


def intervals(low: Sequence[str], high: Sequence[str], unit: str) -> list[str]:
    """`612 … 790 s` for each pair, numbers aligned; one number where both are the same in every row."""
    if list(low) == list(high):
        return [f"{number} {unit}" for number in low]
    left, right = max(map(len, low)), max(map(len, high))
    return [f"{a:>{left}} … {b:>{right}} {unit}" for a, b in zip(low, high, strict=True)]
