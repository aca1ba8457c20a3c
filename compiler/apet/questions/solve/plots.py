"""The picture of a deadline: both guaranteed ends against what is sought, and where the deadline is met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.ground.interval import Number
from apet.prediction.prediction import Prediction
from apet.questions.solve.solution import Solution
from apet.show.plots import bands, frame, sheet, time_scale, value_scale
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREEN, RED = "#009E73", "#D55E00"
Curve = Sequence[tuple[Number, Prediction]]


def solution_figure(solution: Solution, curve: Curve, title: str) -> Figure:
    """The guaranteed band and the estimate over the range, the deadline, and where it is met or missed."""
    with sheet(7.2, 4.6) as figure:
        axes = figure.add_subplot()
        unit = unit_for([*(float(p.guaranteed.hi) for _, p in curve), float(solution.deadline)])
        x, predictions = zip(*curve, strict=True)
        bands(axes, [float(v) for v in x], predictions, unit.seconds, solution.space.whole and len(curve) <= 32)
        axes.axhline(float(solution.deadline) / unit.seconds, color="#222222", linewidth=1.4, label="deadline")
        time_scale(axes, [float(e) / unit.seconds for p in predictions for e in p.guaranteed])
        value_scale(axes, [float(v) for v in x], processors=solution.name == "P", whole=solution.space.whole)
        _ranges(axes, solution)
        axes.set_xlabel(f"{solution.name} [{solution.unit}]" if solution.unit else _named(solution.name))
        axes.set_ylabel(f"run time [{unit.name}]")
        axes.set_title(title, fontsize=11)
        frame(axes)
        axes.legend(frameon=False, fontsize=8.5)
    return figure


def _named(name: str) -> str:
    return "processors P" if name == "P" else name


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
