"""How parsing and compiling grow with the size of the model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks import inputs, rendering
from tests.benchmarks.measure import Row, Run, Spread, Table, child, exponent

LONG = 5.0
"""Seconds: a shape that takes longer is compiled once."""

ONE_LINE = "L = delay(1);\n"
PAGE = 4096
"""Bytes: memory is not counted finer."""

Found = dict[str, list[tuple[Run, Any]]]


def growth(quick: bool) -> Table:
    """Models of 100 to 100,000 statements: parse alone, and parse with formulas."""
    table = Table("compile", "Compiling generated models: equations, loops, uses, sends, branches")
    sizes = (100, 1000) if quick else (100, 1000, 10_000, 100_000)
    stages = {"parse": "parse", "compile": "parse and formulas"}
    least = {
        stage: median(r.memory for r, _ in runs) for stage, runs in in_children(ONE_LINE, tuple(stages), 3).items()
    }
    for size in sizes:
        text = inputs.mixed(size)
        lines = text.count("\n")
        for stage, runs in in_children(text, tuple(stages), 3).items():
            row = timed_row(f"{lines:,} lines: {stages[stage]}", runs, lines, "lines")
            table.rows.append(row)
            assert row.memory is not None
            grown = max(row.memory.middle - least[stage], PAGE)
            table.curves.setdefault(f"{stages[stage]}, s", []).append((lines, row.wall.middle))
            table.curves.setdefault(f"{stages[stage]}, MiB", []).append((lines, grown / 2**20))
    for name, points in table.curves.items():
        stage, _, unit = name.rpartition(", ")
        what = "time" if unit == "s" else "memory"
        table.notes.append(f"{stage}: {what} grows with the power {exponent(points):.2f} of the lines.")
    table.notes.append(
        "Time without start-up and imports; memory of the whole process. How memory grows is seen from what is beyond "
        f"that of a model of one line ({rendering.size(least['compile'])})."
    )
    return table


def shapes(quick: bool) -> Table:
    """Extreme shapes of models, each also at half its size to see how it grows."""
    table = Table("shapes", "Compiling models of extreme shape: parse and formulas")
    scale = 20 if quick else 1
    cases: Mapping[str, tuple[Callable[[int], str], int]] = {
        "one sequence of operations": (inputs.flat, 10_000),
        "small equations, each called once": (inputs.calls, 5_000),
        "branches of 20 operations on 32 processors": (lambda n: inputs.wide(n, 20, 32), 10_000),
        "branches of 20 operations, a processor each": (lambda n: inputs.wide(n, 20, n), 1_000),
        "nested seq loops": (inputs.nested_loops, 1_000),
        "nested || with operations before": (inputs.nested_branches, 1_000),
    }
    for name, (make, size) in cases.items():
        size //= scale
        points = []
        for number in (size // 2, size):
            runs = in_children(make(number), ("compile",), 3, LONG)["compile"]
            row = timed_row(f"{number:,} × {name}", runs, number, "")
            points.append((float(number), row.wall.middle))
        table.rows.append(row)
        table.notes.append(f"{name}: twice the size takes {points[1][1] / points[0][1]:.1f} times as long.")
    return table


def parsing(quick: bool) -> Table:
    """The front end against Lark's own parser, tree and visitor on the same grammar."""
    table = Table("parse", "Parsing against Lark's tree and a visitor, on the same grammar")
    lines = 1_000 if quick else 110_000
    found = in_children(inputs.statements(lines), ("parse", "lark_paused", "lark"), 2)
    names = [runs[0][1]["equations"] for runs in found.values()]
    if names[0] != names[1] or names[0] != names[2]:
        raise ValueError("the peers disagree on the names of the equations")
    ours = timed_row("apet", found["parse"], lines, "lines")
    table.rows.append(ours)
    for name, function in (("Lark, garbage collector paused", "lark_paused"), ("Lark", "lark")):
        table.rows.append(timed_row(name, found[function], lines, "lines", ours))
    table.notes.append(f"{lines:,} lines; all find the same {len(names[0]):,} equations. APET's model keeps all terms.")
    table.notes.append("APET pauses the garbage collector too.")
    return table


def in_children(text: str, functions: Sequence[str], repeats: int, longest: float = math.inf) -> Found:
    """What each function makes of a model text, in processes of their own, in turn; once if that takes too long."""
    found: Found = {name: [] for name in functions}
    with TemporaryDirectory() as folder:
        path = Path(folder, "generated.pam")
        path.write_text(text, encoding="utf-8")
        for _ in range(repeats):
            for name in functions:
                found[name].append(child(name, str(path)))
            if any(runs[0][0].wall > longest for runs in found.values()):
                break
    return found


def timed_row(name: str, runs: Sequence[tuple[Run, Any]], count: int, unit: str, base: Row | None = None) -> Row:
    """A row from the seconds that the children report and the memory that they took."""
    wall = Spread.of([report["seconds"] for _, report in runs])
    memory = Spread.of([float(run.memory) for run, _ in runs])
    rate = (count / wall.middle, unit) if unit else None
    if base is None:
        return Row(name, wall, None, memory, rate)
    return Row(name, wall, None, memory, rate, base.name, wall.middle / base.wall.middle)
