"""The picture of a comparison: the times of both sides against P, or against what varies, and who is faster where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.ground.interval import Number
from apet.questions.compare.comparison import FIRST, SECOND, Comparison, PredictionPair, Stretch
from apet.show.plots import BLUE, LIGHT_BLUE, LIGHT_ORANGE, ORANGE, STYLE, frame
from apet.show.times import Unit, unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 20.0
MARKED = 40
COLORS = {FIRST: (LIGHT_BLUE, BLUE, "A"), SECOND: (LIGHT_ORANGE, ORANGE, "B")}
GRAY = "#BBBBBB"
Curve = Sequence[tuple[Number, PredictionPair]]


def comparison_figure(comparison: Comparison) -> Figure:
    """One picture against P where several were predicted, and one against what varies."""
    import matplotlib
    from matplotlib.figure import Figure

    panels: list[tuple[str, Curve, Sequence[Stretch]]] = []
    if comparison.varied is None or len(comparison.pairs) > 1:
        panels.append(("processors P", [(p.P, p) for p in comparison.scanned], comparison.stretches))
    if comparison.varied is not None:
        name = f"{comparison.varied.name}, on {comparison.varied.P} processors"
        panels.append((name, comparison.varied.curve, comparison.varied.stretches))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2 * len(panels), 4.6), layout="constrained")
        figure.suptitle(f"A: {comparison.first.title}\nB: {comparison.second.title}", fontsize=10)
        places = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (label, curve, stretches) in zip(places, panels, strict=True):
            _panel(axes, label, curve, stretches)
    return figure


def _panel(axes: Axes, label: str, curve: Curve, stretches: Sequence[Stretch]) -> None:
    unit = unit_for(float(p.guaranteed.hi) for _, pair in curve for p in (pair.first, pair.second))
    for side in (FIRST, SECOND):
        _band(axes, curve, side, unit)
    _scales(axes, curve, unit)
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


def _scales(axes: Axes, curve: Curve, unit: Unit) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

    times = [float(e) / unit.seconds for _, pair in curve for p in (pair.first, pair.second) for e in p.guaranteed]
    x = [v for v, _ in curve]
    if min(times) > 0 and max(times) / min(times) >= WIDE:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    if min(x) > 0 and max(x) / min(x) >= WIDE:
        whole = all(isinstance(v, int) for v in x)
        axes.set_xscale("log", base=2 if whole and max(x) < 2**14 else 10)
        if whole and max(x) < 2**14:
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
            axes.xaxis.set_minor_locator(NullLocator())
    elif all(isinstance(v, int) for v in x):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _strip(axes: Axes, stretches: Sequence[Stretch]) -> None:
    """Along the bottom: full colour where a side is faster for sure, light by estimate, gray where it is open."""
    before = stretches[0].low
    for s in stretches:
        winner = s.verdict.winner
        color = GRAY if winner not in COLORS else COLORS[winner][1 if s.verdict.sure else 0]
        axes.axvspan(float(before), float(s.high), ymin=0, ymax=0.025, color=color, linewidth=0)
        before = s.high
