"""Predicted beside measured: one point for each program and size, and how well all of them were predicted."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.program.measure.samples import quantile


class Point(NamedTuple):
    """A program at a size: the median of what was measured in each JVM, and the predicted interval, in seconds."""

    name: str
    n: int
    measured_s: float
    forks_s: tuple[float, ...]
    tmin: float
    tmax: float

    @property
    def inside(self) -> bool:
        """Whether the measured time lies in the interval."""
        return self.tmin <= self.measured_s <= self.tmax

    @property
    def error(self) -> float:
        """The factor between measured and the geometric middle of the interval, at least 1; infinite without one."""
        middle = math.sqrt(self.tmin * self.tmax)
        if middle <= 0 or self.measured_s <= 0:
            return math.inf
        return max(middle / self.measured_s, self.measured_s / middle)


class Summary(NamedTuple):
    """Number of points, share inside, geometric mean of tmax/tmin, median and 90th percentile of the error's factor."""

    points: int
    coverage: float
    width: float
    error: float
    error_p90: float


def summary(points: Sequence[Point]) -> Summary:
    """How well the points were predicted; at least one is needed."""
    errors = [p.error for p in points]
    logs = [math.log(p.tmax / p.tmin) for p in points if p.tmin > 0]
    width = math.exp(sum(logs) / len(logs)) if logs else math.inf
    inside = sum(p.inside for p in points) / len(points)
    return Summary(len(points), inside, width, quantile(errors, 0.5), quantile(errors, 0.9))


def summary_lines(s: Summary, what: str) -> list[str]:
    """Coverage, width and error in words; `what` are the points."""
    return [
        "",
        f"  {round(s.coverage * s.points)} of {s.points} {what}inside ({s.coverage:.0%}); intervals {s.width:.2f} wide "
        "(tmax / tmin, geometric mean)",
        f"  middle of the interval wrong by a factor of {s.error:.2f} (median), {s.error_p90:.2f} (90th percentile)",
    ]


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
