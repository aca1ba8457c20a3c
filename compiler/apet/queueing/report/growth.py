"""Throughput and response time against the number of jobs: a table, JSON, a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from apet.queueing.problems import Growth
from apet.show.plain import dumps
from apet.show.plots import BLUE, ORANGE, STYLE
from apet.show.tables import table
from apet.show.times import column, unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKED = 40


def growth_json(name: str, found: Growth, version: str) -> str:
    """One object with a list per quantity; `saturation` is null where no station is busy."""
    body = found._asdict()
    if math.isinf(found.saturation):
        body["saturation"] = None
    finite = [None if math.isinf(x) else x for x in found.throughput_most]
    return dumps({"apet": version, "name": name, "unit": "s", **body, "throughput_most": finite})


def growth_text(name: str, found: Growth) -> str:
    """A row per number of jobs."""
    unit = unit_for(found.response_time)
    times = column(found.response_time, unit, among=found.response_least)
    least = column(found.response_least, unit, among=found.response_time)
    rows = [
        [str(n), f"{x:.5g} /s", f"{most:.5g} /s", f"{r} {unit.name}", f"{low} {unit.name}"]
        for n, x, most, r, low in zip(found.jobs, found.throughput, found.throughput_most, times, least, strict=True)
    ]
    lines = table(["jobs", "throughput", "at most", "response time", "at least"], rows, ">>>>>")
    return "\n".join([f"{name} · against the number of jobs", "", *lines, "", f"  {_said(found)}"]) + "\n"


def _said(found: Growth) -> str:
    if math.isinf(found.saturation):
        return "Nothing saturates: jobs never wait."
    return f"Saturation: {found.busiest} limits from N* = {found.saturation:.4g} jobs on."


def growth_figure(name: str, found: Growth) -> Figure:
    """Response time above, throughput below, each with its asymptotes; N* is marked in both."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 6.4), layout="constrained")
        above, below = figure.subplots(2, 1, sharex=True)
        unit = unit_for(found.response_time)
        _curve(above, found, [r / unit.seconds for r in found.response_time], "response time")
        least = [r / unit.seconds for r in found.response_least]
        above.plot(*_bent(found, least, min(least)), "--", color=ORANGE, label="asymptotic bound: not below")
        above.set_ylabel(f"response time R [{unit.name}]")
        above.set_title(name, fontsize=11)
        _curve(below, found, list(found.throughput), "throughput")
        most = list(found.throughput_most)
        below.plot(*_bent(found, most, max(most)), "--", color=ORANGE, label="asymptotic bound: not above")
        below.set_ylabel("throughput X [jobs/s]")
        below.set_xlabel("jobs N")
        below.xaxis.get_major_locator().set_params(integer=True)
        for axes in (above, below):
            _finished(axes, found)
    return figure


def _curve(axes: Axes, found: Growth, values: list[float], label: str) -> None:
    mark = "o" if len(found.jobs) <= MARKED else ""
    axes.plot(found.jobs, values, "-", marker=mark, markersize=3.5, color=BLUE, label=label)


def _bent(found: Growth, values: list[float], corner: float) -> tuple[list[float], list[float]]:
    """A bound with its corner at N*, which need not be a whole number of jobs."""
    jobs = [float(n) for n in found.jobs]
    if not jobs[0] < found.saturation < jobs[-1]:
        return jobs, values
    at = sum(n < found.saturation for n in jobs)
    return [*jobs[:at], found.saturation, *jobs[at:]], [*values[:at], corner, *values[at:]]


def _finished(axes: Axes, found: Growth) -> None:
    if found.jobs[0] <= found.saturation <= found.jobs[-1]:
        label = f"N* = {found.saturation:.3g} ({found.busiest})"
        axes.axvline(found.saturation, color="#555555", linestyle=":", label=label)
    axes.set_ylim(bottom=0)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8.5)
