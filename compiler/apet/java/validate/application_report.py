"""How applications that were run are shown: a table with a summary, JSON, a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.validate.application_runs import Trial, trial_summary
from apet.java.validate.points import summary_lines
from apet.java.validate.report import intervals_figure
from apet.show.tables import table
from apet.show.times import single

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADER = ("application", "P", "schedule", "measured", "of runs", "CPU", "predicted", "inside")


def trial_rows(trials: Sequence[Trial]) -> list[list[str]]:
    """A row for each trial: medians, the range of the runs, the interval, how many runs lie in it."""
    return [
        [
            t.name,
            str(t.workers),
            t.schedule,
            single(t.measured_s),
            f"{single(min(t.wall_s))} … {single(max(t.wall_s))}",
            single(sorted(t.cpu_s)[len(t.cpu_s) // 2]),
            f"{single(t.tmin)} … {single(t.tmax)}",
            f"{t.inside_runs} of {len(t.wall_s)}",
        ]
        for t in trials
    ]


def trials_text(trials: Sequence[Trial], title: str) -> str:
    """A table, then coverage, width and error over all runs."""
    lines = [title, "", *table(list(HEADER), trial_rows(trials), "<><>>>>>")]
    return "\n".join([*lines, *summary_lines(trial_summary(trials), "runs ")])


def trials_json(trials: Sequence[Trial]) -> str:
    """A list of objects; times in seconds, `measured_s` the median wall time, `results` sums by batch."""
    renamed = {"workers": "P", "wall_s": "runs_s"}
    rows = []
    for t in trials:
        fields = {renamed.get(name, name): value for name, value in t._asdict().items()}
        rows.append({**fields, "measured_s": t.measured_s, "inside": t.inside, "runs_inside": t.inside_runs})
    return json.dumps(rows, indent=1)


def trials_figure(trials: Sequence[Trial], title: str) -> Figure:
    """Every run over its predicted interval; time on a logarithmic axis."""
    bars = [(f"{t.name}, P = {t.workers}, {t.schedule}", t.tmin, t.tmax, t.wall_s, t.inside) for t in trials]
    return intervals_figure(bars, title, "wall time in s: measured (dots), predicted (bars)")
