"""Pictures of a log: stages over time as lanes, and time against cores with its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.joblogs.answer import CorePrediction, JobLogAnswer
from apet.joblogs.job_log import US
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.what_if import on_cores
from apet.show.plots import BLUE, LIGHT_BLUE, LIGHT_ORANGE, ORANGE, frame, processor_scale, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LANES = 60
"""Stages with a lane of their own: the longest ones."""


def joblog_figure(answer: JobLogAnswer, work: WorkGraph) -> Figure:
    """Lanes of stages on the log's own cores above, time against cores below."""
    with sheet(8.0, 7.0) as figure:
        lanes, curve = figure.subplots(2, 1, height_ratios=(3, 2))
        _lanes(lanes, work)
        _curve(curve, answer.predictions)
        lanes.set_title(f"{answer.log.name} on {answer.cores} cores", fontsize=11, parse_math=False, loc="left")
    return figure


def _lanes(axes: Axes, work: WorkGraph) -> None:
    """Of each stage the time from ready to its end; darker while its tasks begin."""
    track, units = on_cores(work, work.cores), work.units_on(work.cores)
    stages = [k for k, unit in enumerate(units) if unit.holds]
    longest = sorted(stages, key=lambda k: track.ready[k] - track.ended[k])[:MOST_LANES]

    for row, k in enumerate(sorted(longest, key=lambda k: (track.ready[k], k))):
        begin, first, last, end = (times[k] / US for times in (track.ready, track.first, track.last, track.ended))
        for left, right, colour, phase in (
            (begin, first, LIGHT_ORANGE, "waits for cores"),
            (first, last, BLUE, "tasks begin"),
            (last, end, LIGHT_BLUE, "last tasks run"),
        ):
            axes.barh(row, right - left, left=left, color=colour, height=0.8, label="" if row else phase)

    axes.invert_yaxis()
    axes.set_yticks([])
    axes.set_ylabel(f"{len(longest)} of {len(stages)} stages")
    axes.set_xlabel("time [s]")
    frame(axes, "x")
    axes.legend(frameon=False, fontsize=8.5, loc="lower right", bbox_to_anchor=(1, 1), ncols=3)  # beside the title


def _curve(axes: Axes, predictions: Sequence[CorePrediction]) -> None:
    ordered = sorted(predictions, key=lambda p: p.cores)
    cores = [p.cores for p in ordered]
    low = [p.estimate if p.lower is None else p.lower for p in ordered]
    high = [p.estimate if p.upper is None else p.upper for p in ordered]

    axes.fill_between(cores, low, high, color=LIGHT_BLUE, label="bounds")
    axes.plot(cores, [p.estimate for p in ordered], color=ORANGE, marker="o", markersize=3, label="replay")
    processor_scale(axes, cores)
    axes.set_xlabel("cores")
    axes.set_ylabel("run time [s]")
    frame(axes)
    axes.legend(frameon=False)
