"""Measuring: interleaved repetitions, medians with their ranges, whole processes with time and peak memory."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = Path(__file__).with_name("launcher.py")
PYTHON = (sys.executable,)


@dataclass(frozen=True)
class Spread:
    """The median, least and greatest of some measurements of one thing."""

    middle: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, found: Sequence[float]) -> Spread:
        """The spread of at least one measurement."""
        return cls(median(found), min(found), max(found), len(found))


@dataclass(frozen=True)
class Row:
    """One measured thing. Times in seconds, memory in bytes; `ratio` is its time over that of the row `against`.

    `rate` is (things per second, what they are).
    """

    name: str
    wall: Spread
    cpu: Spread | None = None
    memory: Spread | None = None
    rate: tuple[float, str] | None = None
    against: str = ""
    ratio: float | None = None
    value: str = ""


@dataclass
class Table:
    """What a benchmark found: rows, and facts that belong below them (what was checked, fitted exponents)."""

    name: str
    title: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    curves: dict[str, list[tuple[float, float]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """One process: wall and processor seconds, peak resident bytes, and what it printed."""

    wall: float
    cpu: float
    memory: int
    printed: str


def process(command: Sequence[str]) -> Run:
    """Run a command from the project's root; RuntimeError if it fails.

    The launcher between keeps the peak memory of this process out of the figure: Linux hands it on to children.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "compiler"), str(ROOT)))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled modules are kept, as for users
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(LAUNCHER), *command],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    wall, cpu, memory = done.stderr.splitlines()[-1].split()
    return Run(float(wall), float(cpu), int(memory), done.stdout)


def processes(commands: Mapping[str, Sequence[str]], repeats: int) -> dict[str, list[Run]]:
    """All commands once to warm the file caches, then in turn, as often as asked."""
    for command in commands.values():
        process(command)
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(repeats):
        for name, command in commands.items():
            found[name].append(process(command))
    return found


def process_row(name: str, runs: Sequence[Run], base: Sequence[Run] = (), against: str = "", value: str = "") -> Row:
    """The row of a repeated process; the ratio is that of wall times."""
    wall, cpu, memory = (Spread.of([getattr(r, k) for r in runs]) for k in ("wall", "cpu", "memory"))
    ratio = wall.middle / Spread.of([r.wall for r in base]).middle if base else None
    return Row(name, wall, cpu, memory, None, against, ratio, value)


def child(function: str, argument: object) -> tuple[Run, Any]:
    """Call `function` of `tests.benchmarks.children` in a process of its own; what it returned."""
    run = process([*PYTHON, "-m", "tests.benchmarks.children", function, json.dumps(argument)])
    return run, json.loads(run.printed)


def seconds(act: Callable[[], object]) -> float:
    """Wall seconds of one call."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def alternate(acts: Mapping[str, Callable[[], object]], repeats: int, least: float = 0.02) -> dict[str, Spread]:
    """Wall seconds per call of each, in turn; what is shorter than `least` is called often enough to fill it."""
    counts = {name: max(1, min(10_000, math.ceil(least / max(seconds(act), 1e-9)))) for name, act in acts.items()}
    found: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(repeats):
        for name, act in acts.items():
            number = counts[name]
            found[name].append(seconds(lambda act=act, number=number: [act() for _ in range(number)]) / number)  # type: ignore[misc]
    return {name: Spread.of(values) for name, values in found.items()}


def rows_against(first: str, spreads: Mapping[str, Spread], values: Mapping[str, str] | None = None) -> list[Row]:
    """A row for each, with its ratio to the one named first."""
    base, values = spreads[first].middle, values or {}
    rows = []
    for name, spread in spreads.items():
        ratio = None if name == first else spread.middle / base
        rows.append(Row(name, spread, against="" if name == first else first, ratio=ratio, value=values.get(name, "")))
    return rows


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the least-squares line through the logarithms: 1 for linear growth."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def agree(one: float, other: float, within: float = 1e-9) -> float:
    """The relative difference of two values; ValueError where it is above `within`."""
    difference = abs(one - other) / max(abs(one), abs(other), 1e-300)
    if not difference <= within:
        raise ValueError(f"the peers disagree: {one!r} and {other!r}")
    return difference
