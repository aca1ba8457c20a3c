"""Tables of figures as Markdown and as data."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Row, Spread, Table

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LONGEST = 30
"""How many rows of a table a page shows; of longer ones it shows the notes."""


def markdown(tables: Sequence[Table], host: Mapping[str, str], command: str) -> str:
    """All tables under one line that says where, when and how they were measured."""
    return "\n".join((heading(host, command), *map(section, tables))).rstrip() + "\n"


def heading(host: Mapping[str, str], command: str) -> str:
    """What holds for all tables."""
    place = f"Measured by `{command}` with " + ", ".join(f"{k} {v}" for k, v in host.items()) + "."
    ranges = "The table with all figures has the least and the greatest of the runs."
    return f"{place}\n\nMedians; ratios of wall times. {ranges}\n"


def section(table: Table) -> str:
    """A table with its title and notes."""
    rows = (
        _rows(table.rows)
        if len(table.rows) <= LONGEST
        else [f"All {len(table.rows)} rows are in the table of all figures."]
    )
    lines = [f"### {table.title}", "", *rows, ""]
    lines += [f"- {note}" for note in table.notes]
    lines += [""] if table.notes else []
    return "\n".join(lines)


def _rows(rows: Sequence[Row]) -> Iterator[str]:
    """Medians; where all ratios are to one row, its name is in the heading."""
    peers = {r.against for r in rows if r.ratio is not None}
    same = len(peers) == 1
    columns = {
        "wall": [middle(r.wall, duration) for r in rows],
        "peak memory": [middle(r.memory, size) for r in rows],
        "rate": [f"{quantity(r.rate[0])} {r.rate[1]}/s" if r.rate else "" for r in rows],
        f"times {min(peers)}" if same else "ratio": [_ratio(r, same) for r in rows],
        "value": [r.value for r in rows],
    }
    kept = {name: cells for name, cells in columns.items() if any(cells)}
    yield "| what | " + " | ".join(map(_cell, kept)) + " |"
    yield "|---|" + "---|" * len(kept)
    for row, cells in zip(rows, zip(*kept.values(), strict=True), strict=True):
        yield f"| {_cell(row.name)} | " + " | ".join(map(_cell, cells)) + " |"


def _ratio(row: Row, same: bool) -> str:
    if row.ratio is None:
        return ""
    return factor(row.ratio) if same else f"{factor(row.ratio)} × {row.against}"


def write_figures(path: Path, tables: Sequence[Table]) -> None:
    """All medians with the least and the greatest of the runs, as a table for programs: seconds and bytes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("benchmark", "what", "quantity", "median", "least", "greatest", "runs"))
        for table in tables:
            for row in table.rows:
                figures = {"wall": row.wall, "processor": row.cpu, "peak memory": row.memory}
                for name, found in figures.items():
                    if found is not None:
                        writer.writerow((table.title, row.name, name, found.middle, found.low, found.high, found.runs))


def _cell(text: str) -> str:
    """A bar would end the cell."""
    return text.replace("|", "\\|")


def middle(found: Spread | None, shown: Any) -> str:
    """A median, or nothing."""
    if found is None:
        return ""
    return f"{shown(found.middle)} (1 run)" if found.runs == 1 else str(shown(found.middle))


def duration(seconds: float) -> str:
    """Three digits with a fitting unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{digits(seconds / scale)} {unit}"
    return f"{digits(seconds / 1e-9)} ns"


def size(number: float) -> str:
    """Bytes in MiB."""
    return f"{digits(number / 2**20)} MiB"


def quantity(number: float) -> str:
    """A count, in thousands or millions where it is large."""
    for unit, scale in (("M", 1e6), ("k", 1e3)):
        if number >= scale:
            return f"{digits(number / scale)} {unit}"
    return digits(number)


def factor(number: float) -> str:
    """A ratio: two digits below 10, whole above."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def digits(number: float) -> str:
    """Three significant digits, never in powers of ten."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def data(tables: Sequence[Table], host: Mapping[str, str]) -> dict[str, Any]:
    """Everything measured, for programs: seconds and bytes."""
    return {"machine": dict(host), "benchmarks": [asdict(t) for t in tables]}


def insert(page: Path, text: str, name: str = "measured") -> None:
    """Put the text between the page's markers of that name; a page without them, or none, becomes the text alone."""
    before = page.read_text(encoding="utf-8") if page.is_file() else ""
    begin, end = BEGIN.replace("measured", name), END.replace("measured", name)
    if begin in before and end in before:
        head, rest = before.split(begin, 1)
        text = f"{head}{begin}\n\n{text}\n{end}{rest.split(end, 1)[1]}"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
