"""What a speed-up curve says about job sizes: how many processors are used well, and how many are of any use."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apet.runs.measurements import Curve

LEVELS = (0.8, 0.5)
"""Efficiencies that users ask for where they name none."""
FARTHEST = 4
"""Times the largest run: intervals are calibrated so far."""
MOST_POINTS = 160
NO_GAIN = 0.01
"""A gain below one per cent counts as none."""

Seconds = Callable[[Sequence[float]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class UsefulSizes:
    """By efficiency the largest n that still has it, and the n beyond which nothing is gained.

    Efficiency is relative to the smallest run. None: not even the smallest larger n has it. `limit` is None where the
    time still falls at the farthest n looked at.
    """

    efficient: tuple[tuple[float, float | None], ...]
    limit: float | None
    farthest: float


def useful_sizes(curve: Curve, seconds: Seconds, levels: Sequence[float] = LEVELS) -> UsefulSizes:
    """From the predicted times at n up to four times the largest run; whole n where the runs have whole n."""
    first, last = curve.runs[0], curve.runs[-1]
    points = _points(first.n, FARTHEST * last.n, curve.has_whole_n)
    times = list(seconds(points))
    times[0] = first.t

    efficiency = [first.t * first.n / (t * n) for t, n in zip(times, points, strict=True)]
    efficient = tuple(
        (level, max((n for n, e in zip(points, efficiency, strict=True) if e >= level), default=None))
        for level in levels
    )
    least = min(times)
    enough = next(n for n, t in zip(points, times, strict=True) if t <= least * (1 + NO_GAIN))
    return UsefulSizes(efficient, enough if enough < points[-1] else None, points[-1])


def _points(low: float, high: float, whole: bool) -> list[float]:
    if whole and high - low < MOST_POINTS:
        return [float(n) for n in range(round(low), round(high) + 1)]
    steps = [low * math.exp(math.log(high / low) * k / (MOST_POINTS - 1)) for k in range(MOST_POINTS)]
    return sorted({float(round(n)) if whole else n for n in steps})
