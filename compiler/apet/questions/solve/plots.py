"""The picture of a deadline: both guaranteed ends against what is sought, and where the deadline is met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.ground.interval import Number
from apet.prediction.prediction import Prediction
from apet.questions.solve.solution import Solution
from apet.show.plots import BLUE, LIGHT_BLUE, LIGHT_ORANGE, ORANGE, STYLE, frame
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREEN, RED = "#009E73", "#D55E00"
WIDE = 30.0
FEW_DECADES = 1e4
Curve = Sequence[tuple[Number, Prediction]]


def solution_figure(solution: Solution, curve: Curve, title: str) -> Figure:
    """The guaranteed band and the estimate over the range, the deadline, and where it is met or missed."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 4.6), layout="constrained")
        axes = figure.add_subplot()
        unit = unit_for([*(float(p.guaranteed.hi) for _, p in curve), float(solution.deadline)])
        _bands(axes, curve, unit.seconds, solution.space.whole and len(curve) <= 32)
        axes.axhline(float(solution.deadline) / unit.seconds, color="#222222", linewidth=1.4, label="deadline")
        _scales(axes, solution, curve, unit.seconds)
        _ranges(axes, solution)
        axes.set_xlabel(f"{solution.name} [{solution.unit}]" if solution.unit else _named(solution.name))
        axes.set_ylabel(f"run time [{unit.name}]")
        axes.set_title(title, fontsize=11)
        frame(axes)
        axes.legend(frameon=False, fontsize=8.5)
    return figure


def _named(name: str) -> str:
    return "processors P" if name == "P" else name


def _bands(axes: Axes, curve: Curve, seconds: float, marked: bool) -> None:
    x = [float(v) for v, _ in curve]
    for kind, fill, line, label, style, order in (
        ("guaranteed", LIGHT_ORANGE, ORANGE, "guaranteed: encloses every run", "--", 2.2),
        ("estimate", LIGHT_BLUE, BLUE, "estimate, from tmin to tmax", "-", 2.1),
    ):
        low, high = zip(*([float(end) / seconds for end in getattr(p, kind)] for _, p in curve), strict=True)
        axes.fill_between(x, low, high, color=fill, linewidth=0, label=label, zorder=order - 1)
        mark = "o" if marked and style == "-" else ""
        for ends in (low, high):
            axes.plot(x, ends, color=line, linewidth=1.3, linestyle=style, marker=mark, markersize=3, zorder=order)


def _scales(axes: Axes, solution: Solution, curve: Curve, seconds: float) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    plain = FuncFormatter(lambda value, _: f"{value:,.10g}")
    times = [float(e) / seconds for _, p in curve for e in p.guaranteed]
    if min(times) > 0 and max(times) / min(times) >= WIDE:
        axes.set_yscale("log")
        if max(times) / min(times) < FEW_DECADES and max(times) < FEW_DECADES:
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.yaxis.set_major_formatter(plain)
    else:
        axes.set_ylim(bottom=0)
    if solution.space.low > 0 and solution.space.high / solution.space.low >= WIDE:
        axes.set_xscale("log", base=2 if solution.name == "P" else 10)
        if solution.name == "P":
            axes.xaxis.set_major_formatter(plain)
            axes.xaxis.set_minor_locator(NullLocator())
    elif solution.space.whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _ranges(axes: Axes, solution: Solution) -> None:
    """A strip along the bottom: green where the deadline is met, red where it is missed."""
    width = 0.5 if solution.space.whole else 0.0
    for parts, color, label in (
        (solution.enough, GREEN, "met"),
        (solution.undecided, "#BBBBBB", "undecided"),
        (solution.not_enough, RED, "not met"),
    ):
        for k, part in enumerate(parts):
            first, last = part.lo == solution.space.low, part.hi == solution.space.high
            ends = (float(part.lo) - (0 if first else width), float(part.hi) + (0 if last else width))
            axes.axvspan(*ends, ymin=0, ymax=0.025, color=color, linewidth=0, label="" if k else label)
