"""The picture of a comparison: the times of both sides against P, or against what varies, and who is faster where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.ground.interval import Number
from apet.questions.compare.comparison import EQUAL, FIRST, SECOND, Comparison, PredictionPair, Stretch
from apet.show.plots import BLUE, LIGHT_BLUE, LIGHT_ORANGE, ORANGE, frame, sheet, time_scale, value_scale
from apet.show.times import Unit, unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PROCESSORS = "processors P"
MARKED = 40
COLORS = {FIRST: (LIGHT_BLUE, BLUE, "A"), SECOND: (LIGHT_ORANGE, ORANGE, "B")}
GRAY = "#BBBBBB"
Curve = Sequence[tuple[Number, PredictionPair]]


def comparison_figure(comparison: Comparison) -> Figure:
    """One picture against P where several were predicted, and one against what varies."""
    panels: list[tuple[str, Curve, Sequence[Stretch]]] = []
    if comparison.varied is None or len(comparison.pairs) > 1:
        panels.append((PROCESSORS, [(p.P, p) for p in comparison.scanned], comparison.stretches))
    if comparison.varied is not None:
        name = f"{comparison.varied.name}, on {comparison.varied.P} processors"
        panels.append((name, comparison.varied.curve, comparison.varied.stretches))
    with sheet(7.2 * len(panels), 4.6) as figure:
        figure.suptitle(f"A: {comparison.first.title}\nB: {comparison.second.title}", fontsize=10)
        places = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (label, curve, stretches) in zip(places, panels, strict=True):
            _panel(axes, label, curve, stretches)
    return figure


def _panel(axes: Axes, label: str, curve: Curve, stretches: Sequence[Stretch]) -> None:
    sides = [p for _, pair in curve for p in (pair.first, pair.second)]
    unit = unit_for(float(p.guaranteed.hi) for p in sides)
    for side in (FIRST, SECOND):
        _band(axes, curve, side, unit)
    time_scale(axes, [float(e) / unit.seconds for p in sides for e in p.guaranteed])
    x = [v for v, _ in curve]
    value_scale(axes, [float(v) for v in x], processors=label == PROCESSORS, whole=all(isinstance(v, int) for v in x))
    _strip(axes, stretches)

    axes.set_xlabel(label)
    axes.set_ylabel(f"guaranteed run time [{unit.name}]")
    frame(axes)
    axes.legend(frameon=False, fontsize=8.5)


def _band(axes: Axes, curve: Curve, side: str, unit: Unit) -> None:
    fill, line, label = COLORS[side]
    x = [float(v) for v, _ in curve]
    brackets = [(pair.first if side == FIRST else pair.second).guaranteed for _, pair in curve]
    low, high = zip(*([float(end) / unit.seconds for end in interval] for interval in brackets), strict=True)
    axes.fill_between(x, low, high, color=fill, linewidth=0, alpha=0.75, label=label)
    for ends in (low, high):
        axes.plot(x, ends, color=line, linewidth=1.2, marker="o" if len(x) <= MARKED else "", markersize=2.5)
    if len(x) == 1:
        axes.vlines(x, low, high, color=line, linewidth=6, alpha=0.6)


def _strip(axes: Axes, stretches: Sequence[Stretch]) -> None:
    """Along the bottom: full colour where the bounds make a side the faster one, light where the estimate does, else
    gray."""
    before = stretches[0].low
    labels = set[str]()
    for s in stretches:
        winner = s.verdict.winner
        light, full, name = COLORS.get(winner or "", (GRAY, GRAY, ""))
        certainty = "" if s.verdict.sure else " by the estimate"
        label = f"{name} is faster{certainty}" if name else "equal" if winner == EQUAL else "undecided"
        color = full if s.verdict.sure else light
        axes.axvspan(
            float(before), float(s.high), ymin=0, ymax=0.025, color=color, linewidth=0,
            label="" if label in labels else label,
        )  # fmt: skip
        labels.add(label)
        before = s.high
