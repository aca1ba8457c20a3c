"""Pictures of predictions. Matplotlib without pyplot: nothing is global, and the same input gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from apet.prediction.prediction import Prediction

# Okabe and Ito's palette, which people who do not tell red from green can tell apart.
BLUE, ORANGE = "#0072B2", "#E69F00"
LIGHT_BLUE, LIGHT_ORANGE = "#BBD9EA", "#FBE6BD"
WIDE_TIMES, WIDE_PROCESSORS, FEW_DECADES, MOST_TICKS = 20.0, 8.0, 1e4, 12
STYLE: Any = {"svg.hashsalt": "apet", "font.family": "DejaVu Sans", "svg.fonttype": "path", "path.simplify": False}


@contextmanager
def sheet(width: float, height: float) -> Iterator[Figure]:
    """An empty figure of so many inches, drawn in the style of all pictures."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        yield Figure(figsize=(width, height), layout="constrained")


def interval_figure(predictions: Sequence[Prediction], title: str) -> Figure:
    """Estimate and guaranteed interval against the number of processors; logarithmic axes where the range is wide."""
    with sheet(7.2, 4.4) as figure:
        axes = figure.add_subplot()
        ordered = sorted(predictions, key=_processors)
        unit = unit_for(float(end) for p in ordered for end in (*p.estimate, *p.guaranteed))
        counts = [_processors(p) for p in ordered]
        bands(axes, counts, ordered, unit.seconds)
        time_scale(axes, [float(e) / unit.seconds for p in ordered for e in (*p.estimate, *p.guaranteed)])
        processor_scale(axes, counts)
        axes.set_xlabel("processors P")
        axes.set_ylabel(f"run time [{unit.name}]")
        axes.set_title(title, fontsize=11)
        frame(axes)
        axes.legend(frameon=False)
    return figure


def frame(axes: Axes, grid: Literal["both", "x", "y"] = "both") -> None:
    """Axes without a box around them, on a grid behind everything."""
    axes.grid(True, axis=grid, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def svg_text(figure: Figure, name: str) -> str:
    """A figure as an `<svg>` element. With a name it is for within a page: its identifiers are apart from those of
    other figures, and its texts are in the page's own fonts; without, it stands alone on white."""
    from io import StringIO

    import matplotlib

    held = StringIO()
    style: Any = {"svg.fonttype": "none", "svg.hashsalt": name} if name else STYLE
    with matplotlib.rc_context(style):
        look: dict[str, Any] = {} if name else {"facecolor": "white"}
        figure.savefig(held, format="svg", metadata={"Date": None, "Creator": None}, **look)
    text = held.getvalue()
    if not name:
        return text
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # Matplotlib calls groups figure_1, axes_1, … in every figure, and `svg.id` names no more than the root element;
    # of two figures on one page these would be the same.
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)


def save(figure: Figure, path: str) -> None:
    """Write a figure in the format that the path's ending names (svg, png, pdf), without date or program version."""
    import matplotlib

    kind = path.rpartition(".")[2].lower()
    nothing: dict[str, dict[str, None]] = {
        "svg": {"Date": None, "Creator": None},
        "png": {"Software": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    with matplotlib.rc_context(STYLE):
        figure.savefig(path, format=kind, dpi=150, metadata=nothing.get(kind, {}))


def _processors(p: Prediction) -> int:
    count = p.parameters["P"]
    assert isinstance(count, int)
    return count


def bands(
    axes: Axes, x: Sequence[float], predictions: Sequence[Prediction], seconds: float, marked: bool = True
) -> None:
    """Estimate and bounds over x, in units of so many seconds.

    The estimate's band covers that of the bounds, whose ends stay on top of both; markers show a band without width.
    """
    for kind, fill, line, label in (
        ("guaranteed", LIGHT_ORANGE, ORANGE, "bounds: any schedule, any branch"),
        ("estimate", LIGHT_BLUE, BLUE, "estimate, from tmin to tmax"),
    ):
        intervals = [getattr(p, kind) for p in predictions]
        low = [float(i.lo) / seconds for i in intervals]
        high = [float(i.hi) / seconds for i in intervals]

        sure = kind == "guaranteed"
        axes.fill_between(x, low, high, color=fill, linewidth=0, label=label, zorder=1.1 if sure else 1.2)
        for ends in (low, high):
            style, mark, order = ("--", "", 3) if sure else ("-", "o" if marked else "", 2)
            axes.plot(x, ends, color=line, linewidth=1.3, linestyle=style, marker=mark, markersize=3.5, zorder=order)
        if len(x) == 1:
            axes.vlines(x, low, high, color=line, linewidth=10 if sure else 5, alpha=0.6)


def processor_scale(axes: Axes, counts: Sequence[float]) -> None:
    """The axis of growing numbers of processors: a tick for each of a few, else whole numbers or powers of two."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

    wide = counts[-1] / counts[0] >= WIDE_PROCESSORS
    if wide:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_minor_locator(NullLocator())
    if len(counts) <= MOST_TICKS:
        axes.xaxis.set_major_locator(FixedLocator(counts))
    else:
        axes.xaxis.set_major_locator(LogLocator(base=2) if wide else MaxNLocator(integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def value_scale(axes: Axes, values: Sequence[float], *, processors: bool, whole: bool) -> None:
    """The axis of what varies, growing: numbers of processors, else logarithmic where they are far apart."""
    from matplotlib.ticker import MaxNLocator

    if processors:
        processor_scale(axes, values)
    elif values[0] > 0 and values[-1] / values[0] >= WIDE_TIMES:
        axes.set_xscale("log")
    elif whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def time_scale(axes: Axes, times: Sequence[float]) -> None:
    """The axis of times: from 0, or logarithmic where they are far apart, with plain numbers over a few decades."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    if not 0 < min(times) <= max(times) / WIDE_TIMES:
        axes.set_ylim(bottom=0)
        return

    axes.set_yscale("log")
    if max(times) < min(FEW_DECADES, FEW_DECADES * min(times)):
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
