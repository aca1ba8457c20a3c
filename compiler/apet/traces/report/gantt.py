"""What ranks did when, as a picture: one row per rank, computing and waiting by colour, and by call in the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.show.plots import BLUE, LIGHT_ORANGE, sheet
from apet.show.times import unit_for
from apet.traces.trace import Replayed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 1200
"""Into so many columns time is cut; each takes the colour of what fills most of it."""
MOST_LABELS = 32
SITES = ("#d62728", "#9467bd", "#2ca02c", "#8c564b")
"""The colours of the calls in which ranks wait longest."""


def gantt_figure(replayed: Replayed, sites: Sequence[str] = ()) -> Figure:
    """One row per rank; white where a rank has ended. Where each segment's call in the program is given, those in which
    ranks wait longest have a colour each."""
    import numpy
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    longest = _longest_waits(replayed, sites)
    names = ["computes", *(f"waits in {site}" for site in longest), "waits elsewhere" if longest else "waits"]
    kind_of = {site: k for k, site in enumerate(longest, start=1)}
    number, step = len(replayed.ranks), replayed.makespan_s / COLUMNS or 1.0
    shares = numpy.zeros((len(names), number, COLUMNS))
    for k, segment in enumerate(replayed.segments):
        kind = 0 if segment.computes else kind_of.get(sites[k] if sites else "", len(names) - 1)
        _fill(shares[kind, segment.rank], segment.begin_s / step, segment.end_s / step)
    kinds = 1 + shares.argmax(axis=0)
    kinds[shares.sum(axis=0) < 0.5] = 0

    with sheet(9.0, 1.6 + min(12.0, 0.25 * number) + 0.2 * len(longest)) as figure:
        axes = figure.add_subplot()
        unit = unit_for([replayed.makespan_s])
        extent = (0.0, max(replayed.makespan_s, 1e-12) / unit.seconds, number - 0.5, -0.5)
        colours = [BLUE, *SITES[: len(longest)], LIGHT_ORANGE]
        colour_map = ListedColormap(["white", *colours])
        axes.imshow(
            kinds, aspect="auto", interpolation="nearest", cmap=colour_map, vmin=0, vmax=len(colours), extent=extent
        )

        if number <= MOST_LABELS:  # a gap between ranks
            axes.hlines([k + 0.5 for k in range(number - 1)], *extent[:2], color="white", linewidth=2)

        every = -(-number // MOST_LABELS)
        axes.set_yticks(range(0, number, every))
        axes.set_ylabel("rank")
        axes.set_xlabel(f"time [{unit.name}]")
        axes.set_title(f"{replayed.trace} on {replayed.platform}", fontsize=11)
        axes.spines[["top", "right"]].set_visible(False)
        named = [Patch(color=colour, label=name) for colour, name in zip(colours, names, strict=True)]
        figure.legend(handles=named, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


def _longest_waits(replayed: Replayed, sites: Sequence[str]) -> list[str]:
    """The calls in which ranks wait longest, the longest first."""
    seconds: dict[str, float] = {}
    for segment, site in zip(replayed.segments, sites, strict=False):
        if site:
            seconds[site] = seconds.get(site, 0.0) + segment.end_s - segment.begin_s
    return sorted(seconds, key=lambda site: (-seconds[site], site))[: len(SITES)]


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
