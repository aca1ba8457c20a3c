"""The picture of an explanation: what each interval does to T (a tornado), and what T is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.questions.explain.explanation import ExplainedEnd, Explanation, Swing
from apet.show.plots import BLUE, LIGHT_BLUE, LIGHT_ORANGE, ORANGE, frame, sheet
from apet.show.times import percent, single, unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS = 10
LEAST = 0.001
ROW_INCHES = 0.34


def explanation_figure(explanation: Explanation, title: str) -> Figure:
    """Bars of T from its least to its greatest value per interval, widest on top; below them terms and operations."""
    swings = [
        s for s in explanation.swings[:MOST_ROWS] if s.swing > LEAST * explanation.swings[0].swing
    ] or explanation.swings[:1]
    terms = [(t.name, t.share) for t in explanation.tmax.terms[:MOST_ROWS]]
    parts = _parts(explanation.tmax)
    heights = [max(2, len(swings)) + 1.6, max(2, len(terms), len(parts)) + 1.6]
    with sheet(8.4, 0.8 + ROW_INCHES * sum(heights)) as figure:
        grid = figure.add_gridspec(2, 2, height_ratios=heights)
        figure.suptitle(title, fontsize=11)
        _tornado(figure.add_subplot(grid[0, :]), swings)
        _shares(figure.add_subplot(grid[1, 0]), terms, len(parts), "terms at tmax, share of T", BLUE)
        caption = f"what {explanation.tmax.dominant} is made of"
        _shares(figure.add_subplot(grid[1, 1]), parts, len(terms), caption, ORANGE)
    return figure


def _parts(side: ExplainedEnd) -> list[tuple[str, float]]:
    """The operations by their share of T, the greatest first; the rest together, and fixed durations."""
    ordered = sorted(side.contributions.items(), key=lambda p: -p[1])
    greatest = [p for p in ordered[: MOST_ROWS - 2] if p[1] >= LEAST]
    rest = sum(share for _, share in ordered) - sum(share for _, share in greatest)
    fixed = 1 - sum(side.contributions.values())
    more = {"other operations": rest, "fixed durations": fixed}
    return [*greatest, *((name, share) for name, share in more.items() if share > LEAST)]


def _tornado(axes: Axes, swings: Sequence[Swing]) -> None:
    axes.set_title("T as one input varies over its interval, all others at their middle", fontsize=9.5)
    if not swings:
        axes.text(0.5, 0.5, "every operation and parameter has one value", ha="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    unit = unit_for([swings[0].base])
    rows = range(len(swings))
    base = swings[0].base / unit.seconds

    for side, color, edge in (("low", LIGHT_BLUE, BLUE), ("high", LIGHT_ORANGE, ORANGE)):
        ends = [getattr(s, side) / unit.seconds - base for s in swings]
        axes.barh(rows, ends, left=base, color=color, edgecolor=edge, height=0.66, linewidth=0.9)

    axes.axvline(base, color="#444444", linewidth=1)
    for row, swing in zip(rows, swings, strict=True):
        text = f" ± {single(swing.swing / 2)}" if _even(swing) else f" {single(swing.low)} … {single(swing.high)}"
        place = (swing.high / unit.seconds, row)
        axes.annotate(text, place, va="center", fontsize=8, xytext=(2, 0), textcoords="offset points")

    axes.set_yticks(rows, [s.name for s in swings], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel(f"run time T [{unit.name}]", fontsize=9)
    axes.margins(x=0.16)
    frame(axes, "x")


def _even(swing: Swing) -> bool:
    return abs(swing.high + swing.low - 2 * swing.base) < 0.01 * swing.swing


def _shares(axes: Axes, parts: Sequence[tuple[str, float]], least: int, title: str, color: str) -> None:
    """Bars of shares; room for `least` rows at least, so that both pictures have bars of one width."""
    rows = range(len(parts))
    axes.barh(rows, [share for _, share in parts], color=color, height=0.62)
    for row, (_, share) in zip(rows, parts, strict=True):
        axes.annotate(" " + percent(share), (share, row), va="center", fontsize=8)

    axes.set_yticks(rows, [name for name, _ in parts], fontsize=8.5)
    axes.set_ylim(max(len(parts), least, 2) - 0.4, -0.6)
    axes.set_xlim(0, 1.22)
    axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"], fontsize=8)
    axes.set_title(title, fontsize=9.5)
    frame(axes, "x")
