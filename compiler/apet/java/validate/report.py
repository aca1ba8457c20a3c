"""How validation is shown: a table with a summary, JSON, a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.validate.points import Point, Trial, summary, summary_lines, trial_summary
from apet.show.tables import table
from apet.show.times import single

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def validation_text(points: Sequence[Point], title: str) -> str:
    """A row for each point, then coverage, width and error over all of them."""
    rows = [
        [p.name, f"{p.n:,}", single(p.measured_s), f"{single(p.tmin)} … {single(p.tmax)}", "yes" if p.inside else "NO"]
        for p in points
    ]
    lines = [title, "", *table(["program", "n", "measured", "predicted", "inside"], rows, "<>>><")]
    return "\n".join([*lines, *summary_lines(summary(points), "")])


def validation_json(points: Sequence[Point]) -> str:
    """A list of objects with name, n, measured_s, forks_s, tmin, tmax (seconds) and inside."""
    rows = [{**p._asdict(), "inside": p.inside} for p in points]
    return json.dumps(rows, indent=1)


def validation_figure(points: Sequence[Point], title: str) -> Figure:
    """Measured times over predicted intervals, each divided by the middle of its interval; logarithmic."""
    bars = []
    for p in points:
        middle = (p.tmin * p.tmax) ** 0.5
        bars.append((f"{p.name}, n = {p.n:,}", p.tmin / middle, p.tmax / middle, [p.measured_s / middle], p.inside))
    return intervals_figure(bars, title, "measured time / middle of the predicted interval")


def intervals_figure(bars: Sequence[tuple[str, float, float, Sequence[float], bool]], title: str, axis: str) -> Figure:
    """Bars of label, low and high end, with what was measured as dots, red where a bar misses; the first on top."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 1.6 + 0.25 * len(bars)), layout="constrained")
    axes = figure.subplots()
    for row, (_, low, high, measured, inside) in enumerate(reversed(bars)):
        axes.plot([low, high], [row, row], color="0.75", linewidth=6, solid_capstyle="butt")
        axes.plot(measured, [row] * len(measured), "o", color="tab:blue" if inside else "tab:red", markersize=4)

    axes.set_yticks(range(len(bars)), [label for label, *_ in reversed(bars)], fontsize=8)
    axes.set_xscale("log")
    axes.set_xlabel(axis)
    axes.set_title(title)
    return figure


HEADER = ("application", "P", "schedule", "measured", "of runs", "CPU", "predicted", "inside")


def trial_rows(trials: Sequence[Trial]) -> list[list[str]]:
    """A row for each trial: medians, the range of the runs, the interval, how many runs lie in it."""
    return [
        [
            t.name,
            str(t.workers),
            t.schedule,
            single(t.measured_s),
            f"{single(min(t.wall_s))} … {single(max(t.wall_s))}",
            single(sorted(t.cpu_s)[len(t.cpu_s) // 2]),
            f"{single(t.tmin)} … {single(t.tmax)}",
            f"{t.inside_runs} of {len(t.wall_s)}",
        ]
        for t in trials
    ]


def trials_text(trials: Sequence[Trial], title: str) -> str:
    """A table, then coverage, width and error over all runs."""
    lines = [title, "", *table(list(HEADER), trial_rows(trials), "<><>>>>>")]
    return "\n".join([*lines, *summary_lines(trial_summary(trials), "runs ")])


def trials_json(trials: Sequence[Trial]) -> str:
    """A list of objects; times in seconds, `measured_s` the median wall time, `results` sums by batch."""
    renamed = {"workers": "P", "wall_s": "runs_s"}
    rows = []
    for t in trials:
        fields = {renamed.get(name, name): value for name, value in t._asdict().items()}
        rows.append({**fields, "measured_s": t.measured_s, "inside": t.inside, "runs_inside": t.inside_runs})
    return json.dumps(rows, indent=1)


def trials_figure(trials: Sequence[Trial], title: str) -> Figure:
    """Every run over its predicted interval; time on a logarithmic axis."""
    bars = [(f"{t.name}, P = {t.workers}, {t.schedule}", t.tmin, t.tmax, t.wall_s, t.inside) for t in trials]
    return intervals_figure(bars, title, "wall time in s: measured (dots), predicted (bars)")
