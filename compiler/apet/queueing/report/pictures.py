"""Pictures of queues: against the number of jobs with its asymptotes, and against any number that is varied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.queueing.data.problems import PopulationCurve
from apet.queueing.questions.targets import LoadPoint
from apet.show.plots import BLUE, ORANGE, frame, sheet, time_scale, value_scale
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKED = 40
STYLES = {50: ":", 90: "-.", 95: "--", 99: "-"}
CLASS_STYLES = {95: "--"}
"""Of several classes, whose curves would hide each other."""
UNITS = {"arrival_rate": " [jobs/s]", "think": " [s]"}
MARKS = ("o", "s", "^", "v", "D", "P", "X", "*")


def population_figure(name: str, curve: PopulationCurve) -> Figure:
    """Response time above, throughput below, each with its asymptotes; N* is marked in both."""
    with sheet(7.2, 6.4) as figure:
        above, below = figure.subplots(2, 1, sharex=True)
        unit = unit_for(curve.response_time)
        _curve(above, curve, [r / unit.seconds for r in curve.response_time], "response time")
        least = [r / unit.seconds for r in curve.response_least]
        above.plot(*_bent(curve, least, min(least)), "--", color=ORANGE, label="asymptotic bound: not below")
        above.set_ylabel(f"response time R [{unit.name}]")
        above.set_title(name, fontsize=11)
        _curve(below, curve, list(curve.throughput), "throughput")
        most = list(curve.throughput_most)
        below.plot(*_bent(curve, most, max(most)), "--", color=ORANGE, label="asymptotic bound: not above")
        below.set_ylabel("throughput X [jobs/s]")
        below.set_xlabel("jobs N")
        below.xaxis.get_major_locator().set_params(integer=True)
        for axes in (above, below):
            _finished(axes, curve)
        figure.align_ylabels()
    return figure


def _curve(axes: Axes, curve: PopulationCurve, values: list[float], label: str) -> None:
    mark = "o" if len(curve.jobs) <= MARKED else ""
    axes.plot(curve.jobs, values, "-", marker=mark, markersize=3.5, color=BLUE, label=label)


def _bent(curve: PopulationCurve, values: list[float], corner: float) -> tuple[list[float], list[float]]:
    """A bound with its corner at N*, which need not be a whole number of jobs."""
    jobs = [float(n) for n in curve.jobs]
    if not jobs[0] < curve.saturation < jobs[-1]:
        return jobs, values
    at = sum(n < curve.saturation for n in jobs)
    return [*jobs[:at], curve.saturation, *jobs[at:]], [*values[:at], corner, *values[at:]]


def _finished(axes: Axes, curve: PopulationCurve) -> None:
    if curve.jobs[0] <= curve.saturation <= curve.jobs[-1]:
        label = f"N* = {curve.saturation:.3g} ({curve.busiest})"
        axes.axvline(curve.saturation, color="#555555", linestyle=":", label=label)
    axes.set_ylim(bottom=0)
    frame(axes)
    axes.legend(frameon=False, fontsize=8.5)


def load_figure(name: str, parameter: str, classes: Sequence[str], points: Sequence[LoadPoint]) -> Figure:
    """Response times of all classes above, utilizations of all stations below, where there is a steady state."""
    steady = [p for p in points if p.stable]
    with sheet(7.2, 6.4) as figure:
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
