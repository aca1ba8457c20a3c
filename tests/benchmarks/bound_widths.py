"""How narrow bounds of traces are, and whether they hold: `python -m tests.benchmarks.bound_widths [FOLDER]`.

The folder has traces (`*.txt`, `*.txt.gz`, here or under `traces`) and platforms (`*.xml`, each beside a `.hostfile`,
here or under `platforms`); without one, those that the tests use. Printed are, by platform, the median of the widths,
the greatest, and the greatest of traces of 16 ranks or more; then the median of the formulas, unless `--numbers` leaves
them out. Exit status 1 if a replay lies outside.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from apet import api
from apet.ground.diagnostics import ApetError

SHIPPED = Path(__file__).parents[1] / "data" / "titrace"
DIGITS = 1e-9
MANY = 16
"""Ranks from which traces count as large."""


class Widths(NamedTuple):
    """Upper over lower bound of a trace on a platform, of numbers and of formulas; whether the replay lies within."""

    ranks: int
    predicted: float
    formulas: float
    hold: bool


def widths(trace: Path, platform: Path, formulas: bool) -> Widths:
    """The widths of one trace; those of the formulas are 0 if they are left out."""
    where, hosts = api.read_platform(platform, platform.with_suffix(".hostfile"))
    true = api.replay(trace, where, hosts).makespan_s
    flat = api.flat_trace(trace)
    bounds = [api.trace_bounds(flat, where, hosts)]
    bounds += [api.compile_trace(flat, where, hosts).at({})] if formulas else []

    hold = all(b.lower_s <= true * (1 + DIGITS) and true <= b.upper_s * (1 + DIGITS) for b in bounds)
    ratios = [b.upper_s / b.lower_s for b in bounds]
    return Widths(flat.programs.ranks, ratios[0], ratios[1] if formulas else 0.0, hold)


def row(platform: Path, found: Sequence[Widths]) -> str:
    """The line of a platform."""
    predicted = [each.predicted for each in found] or [0.0]
    many = [each.predicted for each in found if each.ranks >= MANY] or [0.0]
    compiled = statistics.median(each.formulas for each in found) if found else 0.0
    figures = statistics.median(predicted), max(predicted), max(many), compiled
    outside = sum(not each.hold for each in found)
    return f"| {platform.stem} | {len(found)} | {' | '.join(f'{each:.3f}' for each in figures)} | {outside} |"


def main(folder: Path, formulas: bool) -> int:
    """Print a row for each platform."""
    traces = sorted({*folder.glob("*.txt*"), *folder.glob("traces/*.txt*")})
    platforms = [p for p in sorted({*folder.glob("*.xml"), *folder.glob("platforms/*.xml")})
                 if p.with_suffix(".hostfile").exists()]  # fmt: skip
    outside = False
    print(f"| platform | traces | predict: median | greatest | greatest of {MANY} ranks or more | formulas: median |"
          " outside |\n|---|---|---|---|---|---|---|")  # fmt: skip

    for platform in platforms:
        found = list[Widths]()
        for trace in traces:
            try:
                found.append(widths(trace, platform, formulas))
            except ApetError as error:  # a trace of more ranks than the platform connects, or that deadlocks
                print(f"{trace.name} on {platform.name}: {error}", file=sys.stderr)
        print(row(platform, found), flush=True)
        outside |= not all(each.hold for each in found)
    return int(outside)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--numbers"]
    raise SystemExit(main(Path(words[0]) if words else SHIPPED, "--numbers" not in sys.argv))
