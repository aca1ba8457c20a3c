"""The picture of predictions from runs: what was measured, the fit, the interval, and what did not fit.

Both axes are logarithmic, so that a power law is a straight line; speed-up and efficiency are other views of the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from apet.runs.answer import RunsAnswer
from apet.runs.measurements import Curve, Extrapolated, Extrapolation
from apet.show.plots import BLUE, LIGHT_BLUE, ORANGE, frame, sheet
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 90
VERMILION = "#D55E00"
View = Callable[[float, float], float]


def places(answer: RunsAnswer) -> list[float]:
    """The n at which the line is drawn: even in logarithms, from the least to the greatest run or target."""
    all_n = [r.n for r in answer.curve.runs] + [p.n for p in answer.extrapolation.predictions]
    low, high = min(all_n), max(all_n)
    return [low * (high / low) ** (k / (POINTS - 1)) for k in range(POINTS)]


def extrapolation_figure(answer: RunsAnswer, band: Extrapolation, view: str = "time") -> Figure:
    """Runs, fit and interval; `band` holds predictions at `places`, `view` is "time", "speedup" or "efficiency"."""
    curve, result = answer.curve, answer.extrapolation
    with sheet(7.2, 4.8) as figure:
        axes = figure.add_subplot()
        unit = unit_for([r.t for r in curve.runs] + [p.t for p in result.predictions], curve.unit)
        to_view = _view(curve, view, unit.seconds)
        _band(axes, band.predictions, to_view)
        _targets(axes, result.predictions, to_view)
        _runs(axes, curve, result.unusual, to_view)
        _scales(axes, curve, view, unit.name)
        axes.set_title(f"{curve.name}: trust {result.trust}", fontsize=11)
        axes.legend(frameon=False, fontsize=8.5)
    return figure


def _view(curve: Curve, view: str, seconds: float) -> View:
    first = curve.runs[0]
    if view == "speedup":
        return lambda n, t: first.t / t
    if view == "efficiency":
        return lambda n, t: first.t * first.n / (t * n)
    return lambda n, t: t / seconds


def _band(axes: Axes, points: Sequence[Extrapolated], to_view: View) -> None:
    n = [p.n for p in points]
    low = [to_view(p.n, float(p.interval.lo)) for p in points]
    high = [to_view(p.n, float(p.interval.hi)) for p in points]
    axes.fill_between(n, low, high, color=LIGHT_BLUE, linewidth=0, label="90 % of such runs", zorder=1)
    axes.plot(n, [to_view(p.n, p.t) for p in points], color=BLUE, linewidth=1.4, label="fit", zorder=3)


def _targets(axes: Axes, points: Sequence[Extrapolated], to_view: View) -> None:
    x, y = [p.n for p in points], [to_view(p.n, p.t) for p in points]
    axes.plot(x, y, "D", color=BLUE, markersize=5, label="predicted", zorder=4)


def _runs(axes: Axes, curve: Curve, unusual: Sequence[float], to_view: View) -> None:
    usual = [r for r in curve.runs if r.n not in unusual]
    odd = [r for r in curve.runs if r.n in unusual]
    repeated = [(r.n, to_view(r.n, t)) for r in curve.runs for t in r.repetitions]
    if repeated:
        axes.plot(*zip(*repeated, strict=True), ".", color="#888888", markersize=3, label="repetitions", zorder=4.5)

    axes.plot(
        [r.n for r in usual], [to_view(r.n, r.t) for r in usual], "o", color="#222222", markersize=5, label="measured",
        zorder=5,
    )  # fmt: skip
    if odd:
        axes.plot(
            [r.n for r in odd], [to_view(r.n, r.t) for r in odd], "o", color=VERMILION, markersize=7, fillstyle="none",
            label="does not fit", zorder=5,
        )  # fmt: skip


def _scales(axes: Axes, curve: Curve, view: str, unit: str) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    plain = FuncFormatter(lambda value, _: f"{value:,.10g}")
    axes.set_xscale("log", base=2 if curve.kind == "procs" else 10)
    if curve.kind == "procs":
        axes.xaxis.set_major_formatter(plain)
        axes.xaxis.set_minor_locator(NullLocator())
    if view == "efficiency":
        axes.set_ylim(bottom=0)
        axes.axhline(1.0, color=ORANGE, linewidth=0.8, linestyle="--")
    else:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        if low > 1e-4 and high < 1e5 and math.log10(high / low) < 3:
            axes.yaxis.set_major_formatter(plain)
            axes.yaxis.set_minor_formatter(plain if high / low < 10 else FuncFormatter(lambda value, _: ""))
    labels = {
        "time": f"run time [{unit}]" if curve.unit == "s" else f"value [{unit or 1}]",
        "speedup": f"speed-up over P = {curve.runs[0].n:g}",
        "efficiency": "efficiency",
    }
    axes.set_ylabel(labels[view])
    axes.set_xlabel("processors P" if curve.kind == "procs" else "n")
    frame(axes)
