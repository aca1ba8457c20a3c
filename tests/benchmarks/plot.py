"""The growth of time and memory with the size of the model, on logarithmic scales."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Table, exponent

Point = tuple[float, float]
COLORS = ("#1f5fa8", "#c4541a")
MARKS = ("o", "s")


def write_growth(table: Table, path: Path) -> None:
    """Time on the left, memory on the right, with the powers of n that fit best; gray: growth as n and as n log n."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": table.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(9.5, 4.4), layout="constrained")
        for axes, unit, what in zip(
            figure.subplots(1, 2), ("s", "MiB"), ("time in s", "memory in MiB, beyond that of one line"), strict=True
        ):
            draw(axes, curves(table, unit))
            axes.set_xlabel("lines of the model, n")
            axes.set_ylabel(what)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})


def curves(table: Table, unit: str) -> dict[str, list[Point]]:
    """The curves of a table in one unit, by what they show."""
    ending = f", {unit}"
    return {name.removesuffix(ending): points for name, points in table.curves.items() if name.endswith(ending)}


def draw(axes: Any, found: dict[str, list[Point]]) -> None:
    """All curves with the exponents of their power laws, and the reference lines of the highest."""
    for (name, points), color, mark in zip(found.items(), COLORS, MARKS, strict=False):
        label = f"{name}: n^{exponent(points):.2f}"
        axes.loglog(*zip(*points, strict=True), marker=mark, color=color, label=label)
    highest = max(found.values(), key=lambda points: points[-1][1])
    for name, style, points in references(highest):
        axes.loglog(*zip(*points, strict=True), style, color="gray", linewidth=1, label=name)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=8, loc="upper left")
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.25)  # room for the legend


def references(points: Sequence[Point]) -> list[tuple[str, str, list[Point]]]:
    """Growth as n and as n log n over the range of a curve, both through its first point."""
    first, last = points[0], points[-1]
    xs = [first[0] * (last[0] / first[0]) ** (k / 20) for k in range(21)]
    linear = [(x, first[1] * x / first[0]) for x in xs]
    with_log = [(x, y * math.log(x) / math.log(first[0])) for x, y in linear]
    return [("proportional to n", ":", linear), ("proportional to n log n", "--", with_log)]
