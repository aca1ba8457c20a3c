"""What ranks did when, as a picture: one row per rank, computing and waiting by colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.show.plots import BLUE, LIGHT_ORANGE, STYLE
from apet.show.times import unit_for
from apet.traces.trace import Replayed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 1200
"""Into so many columns time is cut; each takes the colour of what fills most of it."""
MOST_LABELS = 32


def gantt_figure(replayed: Replayed) -> Figure:
    """One row per rank; white where a rank has ended."""
    import matplotlib
    import numpy
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    number = len(replayed.ranks)
    computing, waiting = numpy.zeros((2, number, COLUMNS))
    step = replayed.makespan_s / COLUMNS or 1.0
    for segment in replayed.segments:
        row = (computing if segment.computes else waiting)[segment.rank]
        _fill(row, segment.begin_s / step, segment.end_s / step)
    kinds = numpy.where(computing >= waiting, 1, 2)
    kinds[computing + waiting < 0.5] = 0
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.0, 1.6 + min(12.0, 0.25 * number)), layout="constrained")
        axes = figure.add_subplot()
        unit = unit_for([replayed.makespan_s])
        extent = (0.0, max(replayed.makespan_s, 1e-12) / unit.seconds, number - 0.5, -0.5)
        colours = ListedColormap(["white", BLUE, LIGHT_ORANGE])
        axes.imshow(kinds, aspect="auto", interpolation="nearest", cmap=colours, vmin=0, vmax=2, extent=extent)
        every = -(-number // MOST_LABELS)
        axes.set_yticks(range(0, number, every))
        axes.set_ylabel("rank")
        axes.set_xlabel(f"time [{unit.name}]")
        axes.set_title(f"{replayed.trace} on {replayed.platform}", fontsize=11)
        axes.spines[["top", "right"]].set_visible(False)
        named = [Patch(color=BLUE, label="computes"), Patch(color=LIGHT_ORANGE, label="waits")]
        figure.legend(handles=named, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _fill(row: object, begin: float, end: float) -> None:
    """Add a stretch of time, in columns, to a row of shares of columns."""
    import numpy

    assert isinstance(row, numpy.ndarray)
    first, last = int(begin), min(int(end), COLUMNS - 1)
    if first >= last:
        row[min(first, COLUMNS - 1)] += end - begin
        return
    row[first] += first + 1 - begin
    row[first + 1 : last] += 1
    row[last] += end - last
