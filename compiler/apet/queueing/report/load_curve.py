"""Response times with their percentiles, and utilizations, against a number that is varied: a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.queueing.targets import LoadPoint
from apet.show.plots import BLUE, ORANGE, STYLE, frame, time_scale, value_scale
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = {50: ":", 90: "-.", 95: "--", 99: "-"}
CLASS_STYLES = {95: "--"}
"""Of several classes, whose curves would hide each other."""
UNITS = {"arrival_rate": " [jobs/s]", "think": " [s]"}
MARKS = ("o", "s", "^", "v", "D", "P", "X", "*")


def load_figure(name: str, parameter: str, classes: Sequence[str], points: Sequence[LoadPoint]) -> Figure:
    """Response times of all classes above, utilizations of all stations below, where there is a steady state."""
    import matplotlib
    from matplotlib.figure import Figure

    steady = [p for p in points if p.stable]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 6.4), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        unit = unit_for(max(p.response_time) for p in steady)
        for c, label in enumerate(classes):
            _class(above, c, label if len(classes) > 1 else "", steady, unit.seconds)
        if len(classes) == 1 and steady:
            _asymptote(above, parameter, steady, unit.seconds)
        above.set_ylabel(f"response time [{unit.name}]")
        above.set_title(name, fontsize=11)

        for k, station in enumerate(steady[0].used if steady else {}):
            values = [p.used[station] for p in steady]
            below.plot(
                [p.value for p in steady], values, "-", marker=MARKS[k % len(MARKS)], markersize=4, label=station
            )
        below.set_ylabel("busy share of servers")
        below.set_xlabel(parameter + UNITS.get(parameter.partition("[")[0], ""))
        below.set_ylim(0, 1.02)
        for axes in (above, below):
            frame(axes)
            # Beside the curves: with percentiles of several classes there is no free corner.
            axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        time_scale(above, [t / unit.seconds for p in steady for t in p.response_time] or [0.0])
        varied = [p.value for p in steady] or [0]
        value_scale(below, varied, processors=False, whole=all(v == int(v) for v in varied))
        figure.align_ylabels()
    return figure


def _asymptote(axes: Axes, parameter: str, points: Sequence[LoadPoint], seconds: float) -> None:
    """What the busiest station does to the one class: R >= N D / m - Z of jobs that circulate, and no steady state from
    the arrival rate m / D on. D / m = U / X and Z = N / X - R at every point (P. J. Denning, J. P. Buzen, 1978)."""
    last, kind = points[-1], parameter.partition("[")[0]
    station, share = last.busiest
    if kind == "arrival_rate" and share:
        axes.axvline(last.value / share, color="#555555", linestyle=":", label=f"saturation ({station})")
    elif kind == "population" and share:
        demand, think = share / last.throughput[0], last.value / last.throughput[0] - last.response_time[0]
        least = [max(0.0, p.value * demand - think) / seconds for p in points]
        axes.plot([p.value for p in points], least, "--", color="#555555", label=f"asymptote ({station})")


def _class(axes: Axes, c: int, label: str, points: Sequence[LoadPoint], seconds: float) -> None:
    values, color = [p.value for p in points], (BLUE, ORANGE, "#009E73", "#CC79A7")[c % 4]
    means = [p.response_time[c] / seconds for p in points]
    axes.plot(
        values, means, "-", color=color, marker=MARKS[c % len(MARKS)], markersize=4, label=f"{label} mean".strip()
    )

    shares = [p.percentiles[c] if p.percentiles else None for p in points]
    if any(s is None for s in shares):
        return
    for level, style in (CLASS_STYLES if label else STYLES).items():
        times = [s.by_level()[level] / seconds for s in shares if s is not None]
        line = f"{label} p{level}".strip()
        axes.plot(values, times, style, color=color, linewidth=1, label=line)
