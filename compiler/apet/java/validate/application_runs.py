"""Applications that were run for real, beside what was predicted for them."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.java.validate.points import Point, Summary, summary


class Trial(NamedTuple):
    """An application on `workers` workers: seconds of each run (wall time, and CPU time of all tasks), the predicted
    interval of the wall time, and the sum of what the tasks of each batch returned."""

    name: str
    workers: int
    schedule: str
    settings: Mapping[str, float]
    wall_s: tuple[float, ...]
    cpu_s: tuple[float, ...]
    tmin: float
    tmax: float
    results: Mapping[str, float]

    @property
    def measured_s(self) -> float:
        """The median wall time."""
        return statistics.median(self.wall_s)

    @property
    def inside(self) -> bool:
        """Whether the median lies in the interval."""
        return self.tmin <= self.measured_s <= self.tmax

    @property
    def inside_runs(self) -> int:
        """How many runs lie in the interval."""
        return sum(self.tmin <= t <= self.tmax for t in self.wall_s)


def trial_summary(trials: Sequence[Trial]) -> Summary:
    """How well all runs of all trials were predicted; at least one is needed."""
    return summary([Point(t.name, t.workers, s, (s,), t.tmin, t.tmax) for t in trials for s in t.wall_s])
