"""What each rule of the core level is worth: switched off in turn, on kernels that were not used to find it.

    python -m tests.benchmarks.java_rules measure NAME        time this machine and the kernels, fifteen minutes
    python -m tests.benchmarks.java_rules [--half open|held]  the table: with and without each rule, some minutes

The kernels are in tests/data/java-rules (forty small ones: arrays, loops, branches, objects, collections, texts,
recursion), with the halves that they were put in at random: rules were chosen on `open`, and `held` was put away.
What they took is in `measured`, a file for each machine, beside the plain figures of that machine in that hour. A rule
is switched off in the translation only; a kernel whose model stays the same has nothing to do with it. Each row is over
the points that the rule applies to: without a run, with a simulated predictor (`profiled`), and at the larger size
after one timed run at the smaller one.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.benchmarks.java_kernels import ROOT, Kernels, KernelSet, measured_here

RULES_DATA = KernelSet(ROOT / "tests/data/java-rules")
WAYS = ("static", "profiled", "one run")
Off = Mapping[str, Any]
"""What stands for the functions of a rule while it is switched off, by module and name below `apet.program.levels`."""


def _rules() -> dict[str, Off]:
    from fractions import Fraction

    from apet.program.algebra import ZERO, as_value
    from apet.program.levels.reuse import Reuse

    nowhere = tuple((level, ZERO) for level in ("L2", "L3", "memory"))
    return {
        "vectors": {"writer.vector_element": lambda *_: None},
        "rounds before and after vectors": {"writer.CoreWriter.one_by_one": lambda *_: []},
        "conditional moves": {"events.selects": lambda *_: False},
        "branches on data": {"events.branches_on_data": lambda *_: frozenset()},
        "reassociated sums": {"writer.reassociated": lambda _: {}, "paths.reassociated": lambda _: {}},
        "merged conversions": {"paths._merged": lambda *_: {}},
        "forwarded elements": {"paths._distance": lambda *_: None},
        "recurrences": {"writer.recurrences": lambda *_: {}},
        "overlapping short loops": {"writer.CoreWriter.exposed": lambda *_: as_value(1)},
        "scalar objects": {"writer.without_scalars": lambda items: items},
        "inlining": {"inlining.Inliner.vanishes": lambda *_: False},
        "invariants": {"writer.hoisted": lambda loop: ((), loop)},
        "addresses": {"writer.addresses": lambda _: frozenset()},
        "jumps of branches": {"counts._Counter.jump": lambda *_: None},
        "unrolled loops": {"writer.is_short": lambda _: False},
        "layer conditions": {"writer.reuses": lambda *_: [Reuse(Fraction(1), None)]},
        "lines": {"writer.CoreWriter.lines": lambda *_: []},
        "elements from anywhere": {"memory._Subscripts.is_new": lambda *_: False},
        "waits for memory": {"paths._waited": lambda path, *_: path},
        "objects": {"writer.visits": lambda *_: {}},
        "memory": {
            "writer.CoreWriter.lines": lambda *_: [],
            "events.levels": lambda *_, **__: nowhere,
            "paths.levels": lambda *_, **__: nowhere,
            "objects.levels": lambda *_, **__: nowhere,
        },
        "mispredictions": {
            "events.mispredictions": lambda *_: ZERO,
            "writer.mispredictions": lambda *_: ZERO,
        },
    }


class Row(NamedTuple):
    """A prediction beside what was measured, in seconds."""

    kernel: str
    seconds: float
    low: float
    high: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, or print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.java_rules", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("measure", "table"), default="table")
    parser.add_argument("machine", nargs="?", default="", help="the file that `measure` writes, or the only one used")
    parser.add_argument("--half", choices=("open", "held"), default=None, help="only these kernels")
    parser.add_argument("--only", default="", help="only these rules, between commas")
    parser.add_argument("--kernels", type=Path, default=RULES_DATA.folder, help="another folder of measured kernels")
    parser.add_argument("--counts", type=Path, default=None, help="where counts of runs are kept for the next time")
    options = parser.parse_args(arguments)
    kernels = KernelSet(options.kernels)
    if options.what == "measure":
        measured_here(kernels, options.machine or "this", ("C2",))
        return 0
    only = [name for name in options.only.split(",") if name]
    for file in sorted((kernels.folder / "measured").glob(f"{options.machine or '*'}.json")):
        print(f"{file.stem}\n")
        print(table(kernels, json.loads(file.read_text(encoding="utf-8"))["C2"], options.half, only, options.counts))
    return 0


def table(
    kernels: KernelSet, measured: Mapping[str, Any], half: str | None, only: Sequence[str], kept: Path | None
) -> str:
    """Coverage, width and median error with and without each rule, in three ways of predicting."""
    names = [name for name in kernels.half(half) if name in measured["seconds"]]
    lines = ["| rule | way | points | inside, with | without | width, with | without | error, with | without |"]
    lines += ["|---|---|---|---|---|---|---|---|---|"]
    counted = pickle.loads(kept.read_bytes()) if kept is not None and kept.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        whole, texts = _predicted(kernels, measured, names, folder, counted, {}, {})
        if kept is not None:
            kept.write_bytes(pickle.dumps(counted))
        lines += [_line("(all rules)", way, rows, rows) for way, rows in whole.items() if rows]
        for rule, off in _rules().items():
            if only and rule not in only:
                continue
            without, _ = _predicted(kernels, measured, names, folder, counted, off, texts)
            for way, rows in without.items():
                kept_rows = [r for r in whole[way] if r.kernel in {w.kernel for w in rows}]
                lines += [_line(rule, way, kept_rows, rows)] if rows else []
            print(*lines[-3:], sep="\n", file=sys.stderr, flush=True)
    return "\n".join(lines)


def _predicted(
    kernels: KernelSet,
    measured: Mapping[str, Any],
    names: Sequence[str],
    folder: str,
    counted: dict[tuple[str, int], Any],
    off: Off,
    before: Mapping[tuple[str, str], str],
) -> tuple[dict[str, list[Row]], dict[tuple[str, str], str]]:
    """Rows by way of predicting, of kernels whose model is another one than `before`; the texts by level and kernel."""
    from apet.ground.diagnostics import ApetError

    rows: dict[str, list[Row]] = {way: [] for way in WAYS}
    texts: dict[tuple[str, str], str] = {}
    with ExitStack() as stack:
        for name, instead in off.items():
            stack.enter_context(patch(f"apet.program.levels.{name}", instead))
        for level in ("core", "counted"):
            predicting = Kernels(kernels, measured, "C2", folder, counted, level)
            for kernel in names:
                try:
                    text = texts[level, kernel] = predicting.text(kernel)
                    if text == before.get((level, kernel)):
                        continue
                    for way, row in _rows(predicting, measured["seconds"][kernel], kernel):
                        rows[way].append(row)
                except ApetError as error:
                    print(f"{kernel}: {error}", file=sys.stderr)
    return rows, texts


def _rows(predicting: Kernels, seconds: Mapping[str, float], kernel: str) -> Iterator[tuple[str, Row]]:
    """The predictions of a kernel at both of its sizes, with their bands."""
    from apet.program.measure.bands import read

    (small, first), *others = sorted((int(n), s) for n, s in seconds.items())
    for large, last in others if predicting.level == "counted" else ():
        low, high = predicting.calibrated(kernel, small, first, large)
        band = read("calibrated")
        yield "one run", Row(kernel, last, low / band.low, high * band.high)
    for n, measured_s in ((small, first), *others) if predicting.level == "core" else ():
        for way in ("static", "profiled"):
            low, high = predicting.interval(kernel, n, way == "profiled")
            band = read("compiled")
            yield way, Row(kernel, measured_s, low / band.low, high * band.high)


def _line(rule: str, way: str, kept: Sequence[Row], without: Sequence[Row]) -> str:
    from apet.java.validate.points import Point, summary

    sides = [
        summary([Point(r.kernel, 0, r.seconds, (r.seconds,), r.low, r.high) for r in rows]) for rows in (kept, without)
    ]
    figures = [f"{getattr(s, of):.{2}f}" for of in ("coverage", "width", "error") for s in sides]
    return f"| {rule} | {way} | {len(without)} | {' | '.join(figures)} |"


if __name__ == "__main__":
    sys.exit(main())
