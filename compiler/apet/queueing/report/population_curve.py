"""Throughput and response time against the population: a table and a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from apet.queueing.problems import PopulationCurve
from apet.show.plots import BLUE, ORANGE, STYLE, frame
from apet.show.tables import table
from apet.show.times import column, unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKED = 40


def population_text(name: str, curve: PopulationCurve) -> str:
    """A row per number of jobs."""
    unit = unit_for(curve.response_time)
    times = column(curve.response_time, unit, among=curve.response_least)
    least = column(curve.response_least, unit, among=curve.response_time)
    rows = [
        [str(n), f"{x:.5g} /s", f"{most:.5g} /s", f"{r} {unit.name}", f"{low} {unit.name}"]
        for n, x, most, r, low in zip(curve.jobs, curve.throughput, curve.throughput_most, times, least, strict=True)
    ]
    lines = table(["jobs", "throughput", "at most", "response time", "at least"], rows, ">>>>>")
    return "\n".join([f"{name} · against the number of jobs", "", *lines, "", f"  {_saturation(curve)}"]) + "\n"


def _saturation(curve: PopulationCurve) -> str:
    if math.isinf(curve.saturation):
        return "Nothing saturates: jobs never wait."
    return f"Saturation: {curve.busiest} limits from N* = {curve.saturation:.4g} jobs on."


def population_figure(name: str, curve: PopulationCurve) -> Figure:
    """Response time above, throughput below, each with its asymptotes; N* is marked in both."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 6.4), layout="constrained")
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
