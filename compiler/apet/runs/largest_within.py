"""How far a time reaches: the largest input, or the fewest processors, that meet a deadline."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apet.runs.measurements import Curve, Extrapolated

FARTHEST = 64
"""Times the largest run: as far as a deadline is looked for."""
POINTS, ROUNDS = 96, 30
"""Of the grid, and of the bisection: both together give nine digits."""

Predict = Callable[[Sequence[float]], Sequence[Extrapolated]]


@dataclass(frozen=True, slots=True)
class Reach:
    """The n up to (sizes) or from (processors) which a deadline is met: for sure, likely, and just possibly.

    "For sure" is by the upper end of the interval, "likely" by the prediction, "possibly" by the lower end. None where
    no n between the smallest run and 64 times the largest does; `beyond` names those met even at the farthest n.
    """

    seconds: float
    surely: float | None
    likely: float | None
    possibly: float | None
    beyond: tuple[str, ...] = ()


def reach(curve: Curve, predict: Predict, deadline: float) -> Reach:
    """The first change between met and not met over a grid, then by bisection; of whole n, the whole n that meets."""
    low, high = curve.runs[0].n, FARTHEST * curve.runs[-1].n
    whole = curve.has_whole_n
    grid = [low * (high / low) ** (k / (POINTS - 1)) for k in range(POINTS)]
    predictions = list(predict(grid))

    ends = dict[str, float | None]()
    beyond = list[str]()
    for name, time in TIMES.items():
        met = [time(p) <= deadline for p in predictions]
        ends[name] = _edge(met, grid, curve.kind, lambda n, time=time: time(predict([n])[0]) <= deadline, whole)  # type: ignore[misc]
        if curve.kind == "size" and all(met):
            beyond.append(name)
    return Reach(deadline, ends["surely"], ends["likely"], ends["possibly"], tuple(beyond))


def _edge(
    met: Sequence[bool], grid: Sequence[float], kind: str, meets: Callable[[float], bool], whole: bool
) -> float | None:
    """Of sizes the last n before the first miss; of processors the first n that meets."""
    if kind == "size":
        miss = next((k for k, m in enumerate(met) if not m), None)
        if miss == 0:
            return None
        if miss is None:
            return grid[-1]
        inside, outside = grid[miss - 1], grid[miss]
    else:
        hit = next((k for k, m in enumerate(met) if m), None)
        if hit is None or hit == 0:
            return None if hit is None else grid[0]
        inside, outside = grid[hit], grid[hit - 1]

    for _ in range(ROUNDS):
        middle = math.sqrt(inside * outside)
        inside, outside = (middle, outside) if meets(middle) else (inside, middle)
    if not whole:
        return inside
    return float(math.floor(inside + 1e-6) if kind == "size" else math.ceil(inside - 1e-6))


TIMES: dict[str, Callable[[Extrapolated], float]] = {
    "surely": lambda p: float(p.interval.hi),
    "likely": lambda p: p.t,
    "possibly": lambda p: float(p.interval.lo),
}
"""Which time of a prediction has to meet the deadline."""
