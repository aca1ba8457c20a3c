"""Text in columns."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.interval import Interval
from apet.show.times import Unit, column, unit_for

GAP = "    "


def table(header: Sequence[str], rows: Sequence[Sequence[str]], align: str, indent: str = "  ") -> list[str]:
    """Lines of a table; `align` has one of `<` and `>` per column, headings follow their column."""
    widths = [max(len(row[k]) for row in (header, *rows)) for k in range(len(header))]
    return [_line(row, widths, align, indent) for row in (header, *rows)]


def _line(row: Sequence[str], widths: Sequence[int], align: str, indent: str) -> str:
    cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, align, widths, strict=True)]
    return (indent + GAP.join(cells)).rstrip()


def time_cells(values: Sequence[float], of: str = "s") -> list[str]:
    """The cells of a column of times: one unit for all of them."""
    unit = unit_for(values, of)
    return [f"{number} {unit.name}".rstrip() for number in column(values, unit)]


def interval_cells(values: Sequence[Interval], unit: Unit, outward: int = 0) -> list[str]:
    """The cells of a column of intervals of times; `outward` 1 rounds the ends away from each other."""
    low, high = [float(i.lo) for i in values], [float(i.hi) for i in values]
    return intervals(column(low, unit, -outward, high), column(high, unit, outward, low), unit.name)


def intervals(low: Sequence[str], high: Sequence[str], unit: str) -> list[str]:
    """`612 … 790 s` for each pair, numbers aligned; one number where both are the same in every row."""
    if list(low) == list(high):
        return [f"{number} {unit}" for number in low]
    left, right = max(map(len, low)), max(map(len, high))
    return [f"{a:>{left}} … {b:>{right}} {unit}" for a, b in zip(low, high, strict=True)]
