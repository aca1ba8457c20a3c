"""Pictures of regions: T along one parameter with the term that decides, or a map over two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.ground.interval import Number
from apet.questions.regions.regions import Line, Plane, RegionAxis, logarithmic
from apet.show.plots import sheet
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette without black, and its colours again with hatching where terms are more
COLOURS = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#0072B2", "#D55E00")
HATCHES = ("", "//", "..", "xx")
UNRESOLVED = "#999999"
POWERS = 1e6


def regions_figure(answer: Line | Plane, title: str) -> Figure:
    """The picture of a map over one or two parameters; logarithmic axes where a range spans more than two decades."""
    with sheet(7.2, 4.6) as figure:
        axes = figure.add_subplot()
        if isinstance(answer, Line):
            _draw_line(axes, answer)
        else:
            _draw_plane(axes, answer)
        axes.set_title(f"{title}, at {answer.end}", fontsize=11)
    return figure


def _colour(place: int) -> tuple[str, str]:
    return COLOURS[place % len(COLOURS)], HATCHES[place // len(COLOURS) % len(HATCHES)]


def _label(axis: RegionAxis) -> str:
    return f"{axis.name} [{axis.unit}]" if axis.unit else "processors P" if axis.name == "P" else axis.name


def _around(axis: RegionAxis, low: Number, high: Number) -> tuple[float, float]:
    """The strip of a part: whole numbers are as wide as 1."""
    half = 0.5 if axis.whole else 0.0
    return float(low) - half, float(high) + half


def _scale(axes: Axes, axis: RegionAxis, which: str) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    along = axes.xaxis if which == "x" else axes.yaxis
    low, high = _around(axis, axis.low, axis.high)
    if logarithmic(axis):
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
        along.set_major_locator(LogLocator(numticks=8))
        along.set_minor_formatter(NullFormatter())
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    if not (logarithmic(axis) and high >= POWERS):  # Matplotlib's powers of ten
        along.set_major_formatter(FuncFormatter(_number))
    (axes.set_xlabel if which == "x" else axes.set_ylabel)(_label(axis))


def _number(value: float, _: object) -> str:
    from math import floor, log10

    if value > 0 and (value >= POWERS or value < 1e-4):
        exponent = floor(log10(value) + 1e-9)
        factor = value / 10.0**exponent
        power = f"10$^{{{exponent}}}$"
        return power if abs(factor - 1) < 1e-6 else f"{factor:.3g}·{power}"
    return f"{value:,.6g}"


def _legend(axes: Axes, terms: list[str], unresolved: bool) -> None:
    from matplotlib.patches import Patch

    marks = []
    for place, term in enumerate(terms):
        colour, hatch = _colour(place)
        marks.append(Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=f"{term} limits"))
    if unresolved:
        marks.append(Patch(facecolor=UNRESOLVED, label="not resolved"))
    axes.legend(handles=marks, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False, fontsize=9)


def _draw_line(axes: Axes, line: Line) -> None:
    unit = unit_for(s for r in line.regions for s in r.seconds)
    terms = list(dict.fromkeys(r.term for r in line.regions))
    times = []
    for r in line.regions:
        colour, hatch = _colour(terms.index(r.term))
        low, high = _around(line.axis, r.low, r.high)
        axes.axvspan(low, high, facecolor=colour if r.certain else UNRESOLVED, hatch=hatch, alpha=0.45, linewidth=0)
        times += [(float(r.low), r.seconds[0]), (float(r.high), r.seconds[1])]
    times = sorted({*times, *line.curve})
    axes.plot([x for x, _ in times], [t / unit.seconds for _, t in times], color="black", linewidth=1.4, zorder=3)
    for crossing in line.crossings:
        axes.axvline((float(crossing.below) + float(crossing.above)) / 2, color="#444444", linewidth=0.8, linestyle=":")

    _scale(axes, line.axis, "x")
    positive = [t for _, t in times if t > 0]
    if positive and max(positive) > 20 * min(positive):
        from matplotlib.ticker import FuncFormatter, NullFormatter

        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(_number))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)

    what = "estimated run time" if line.of == "estimate" else f"{line.of} bound of the run time"
    axes.set_ylabel(f"{what} [{unit.name}]")
    axes.spines[["top", "right"]].set_visible(False)
    _legend(axes, terms, not line.certain)


def _draw_plane(axes: Axes, plane: Plane) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    terms = list(dict.fromkeys(c.term for c in plane.cells if c.certain))
    for place, term in enumerate((*terms, None)):
        boxes = [c for c in plane.cells if (c.term == term if c.certain else term is None)]
        patches = []
        for c in boxes:
            left, right = _around(plane.x, *c.x)
            low, high = _around(plane.y, *c.y)
            patches.append(Rectangle((left, low), right - left, high - low))
        colour, hatch = (UNRESOLVED, "") if term is None else _colour(place)
        # a thin edge of the same colour closes the hairlines between neighbours
        collection = PatchCollection(patches, facecolor=colour, edgecolor="white" if hatch else colour, linewidth=0.3)
        collection.set_hatch(hatch)
        axes.add_collection(collection)
    _scale(axes, plane.x, "x")
    _scale(axes, plane.y, "y")
    _legend(axes, terms, plane.undecided > 0)
