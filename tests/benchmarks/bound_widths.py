"""How narrow bounds of traces are, and whether they hold: `python -m tests.benchmarks.bound_widths [FOLDER]`.

The folder has traces (`*.txt`, `*.txt.gz`, here or under `traces`) and platforms (`*.xml`, each beside a `.hostfile`,
here or under `platforms`); without one, those that the tests use. Printed are medians by platform; exit status 1 if a
replay lies outside.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from apet import api
from apet.ground.diagnostics import ApetError

SHIPPED = Path(__file__).parents[1] / "data" / "titrace"
DIGITS = 1e-9


def widths(trace: Path, platform: Path) -> tuple[float, float, bool]:
    """Upper over lower bound, of numbers and of formulas; and whether the replay lies within both."""
    where, hosts = api.read_platform(platform, platform.with_suffix(".hostfile"))
    true = api.replay(trace, where, hosts).makespan_s
    flat = api.flat_trace(trace)
    found = api.trace_bounds(flat, where, hosts), api.compile_trace(flat, where, hosts).at({})
    holds = all(b.lower_s <= true * (1 + DIGITS) and true <= b.upper_s * (1 + DIGITS) for b in found)
    return found[0].upper_s / found[0].lower_s, found[1].upper_s / found[1].lower_s, holds


def main(folder: Path) -> int:
    """Print a row for each platform."""
    traces = sorted({*folder.glob("*.txt*"), *folder.glob("traces/*.txt*")})
    platforms = [p for p in sorted({*folder.glob("*.xml"), *folder.glob("platforms/*.xml")})
                 if p.with_suffix(".hostfile").exists()]  # fmt: skip
    outside = 0
    print("| platform | traces | predict | formulas | outside |\n|---|---|---|---|---|")
    for platform in platforms:
        rows = []
        for trace in traces:
            try:
                rows.append(widths(trace, platform))
            except ApetError as mistake:  # a trace of more ranks than the platform connects, or that deadlocks
                print(f"{trace.name} on {platform.name}: {mistake}", file=sys.stderr)
        wrong = sum(not holds for _, _, holds in rows)
        medians = [statistics.median(column) for column in list(zip(*rows, strict=True))[:2]] if rows else [0.0, 0.0]
        print(f"| {platform.stem} | {len(rows)} | {medians[0]:.3f} | {medians[1]:.3f} | {wrong} |", flush=True)
        outside += wrong
    return int(outside > 0)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED))
