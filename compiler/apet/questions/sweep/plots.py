"""The Pareto front of a sweep as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.questions.sweep.summary import OBJECTIVES, PROCESSORS, SweepSummary
from apet.show.plots import BLUE, WIDE_PROCESSORS, WIDE_TIMES, frame, processor_scale, sheet
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def front_figure(sweep: SweepSummary, title: str) -> Figure:
    """Time against cost of the points that no other beats, as steps: what a budget buys."""
    with sheet(7.2, 4.4) as figure:
        axes = figure.add_subplot()
        times = [point.times[OBJECTIVES[sweep.objective]] for point in sweep.front]
        costs = [point.cost for point in sweep.front]
        unit = unit_for(times)
        heights = [time / unit.seconds for time in times]
        axes.step(costs, heights, where="post", color=BLUE, linewidth=1.3, marker="o", markersize=3.5)
        if times and min(times) > 0 and max(times) / min(times) >= WIDE_TIMES:
            axes.set_yscale("log")
        if costs and sweep.against == PROCESSORS:
            processor_scale(axes, sorted(set(costs)))
        elif costs and min(costs) > 0 and max(costs) / min(costs) >= WIDE_PROCESSORS:
            axes.set_xscale("log")
        axes.set_xlabel("processors P" if sweep.against == PROCESSORS else "cost per hour")
        axes.set_ylabel(f"run time, upper end of the {_kind(sweep)} [{unit.name}]")
        axes.set_title(title, fontsize=11)
        frame(axes)
    return figure


def _kind(sweep: SweepSummary) -> str:
    return "guaranteed interval" if sweep.objective == "guaranteed" else "estimate"
