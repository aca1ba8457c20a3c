"""Best, worst and Pareto front, kept for a chunk and merged: as much memory as the front is long.

A point beats another if it takes no more time and costs no more, and less of one of them; of equal points the first
stays. The front of a union is the front of the union of the fronts, so that chunks may come in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from apet.questions.sweep.evaluator import SweepRows


class FrontPoints(NamedTuple):
    """A point by its row number, with what is kept of it: cost, the objective's time, all times, what limits it."""

    row: int
    cost: float
    time: float
    times: tuple[float, ...]
    dominant: str


class Digest(NamedTuple):
    """What is kept of some rows: how many, how many without a prediction, the extreme ones and the front."""

    rows: int
    undefined: int
    best: FrontPoints | None
    worst: FrontPoints | None
    front: tuple[FrontPoints, ...]

    def plain(self) -> list[Any]:
        """As JSON holds it, without loss."""
        return [self.rows, self.undefined, self.best, self.worst, list(self.front)]

    @classmethod
    def of_plain(cls, plain: Sequence[Any]) -> Digest:
        """The digest that `plain` wrote."""
        best, worst = (None if f is None else _front_points(f) for f in plain[2:4])
        return cls(plain[0], plain[1], best, worst, tuple(map(_front_points, plain[4])))


NOTHING = Digest(0, 0, None, None, ())


def digest(rows: SweepRows, objective: str) -> Digest:
    """The digest of one chunk."""
    time = rows.times[objective]
    defined = np.flatnonzero(~rows.undefined)
    if not len(defined):
        return Digest(len(time), len(time), None, None, ())

    order = defined[np.lexsort((defined, time[defined], rows.cost[defined]))]
    least = np.minimum.accumulate(time[order])
    undominated_rows = order[np.concatenate(([True], time[order][1:] < least[:-1]))]
    best = defined[np.argmin(time[defined])]
    worst = defined[np.argmax(time[defined])]
    front = tuple(_at(rows, int(k), objective) for k in undominated_rows)
    least_found, greatest = (_at(rows, int(k), objective) for k in (best, worst))
    return Digest(len(time), len(time) - len(defined), least_found, greatest, front)


def merged(one: Digest, other: Digest) -> Digest:
    """The digest of both sets of rows."""
    best = min((f for f in (one.best, other.best) if f is not None), key=lambda f: (f.time, f.row), default=None)
    worst = min((f for f in (one.worst, other.worst) if f is not None), key=lambda f: (-f.time, f.row), default=None)
    front = tuple(undominated((*one.front, *other.front)))
    return Digest(one.rows + other.rows, one.undefined + other.undefined, best, worst, front)


def undominated(points: Iterable[FrontPoints]) -> Iterable[FrontPoints]:
    """The points that no other beats, the cheapest first."""
    least = float("inf")
    for f in sorted(points, key=lambda f: (f.cost, f.time, f.row)):
        if f.time < least:
            least = f.time
            yield f


def _at(rows: SweepRows, place: int, objective: str) -> FrontPoints:
    times = tuple(float(column[place]) for column in rows.times.values())
    name = rows.dominants[rows.dominant[place]]
    return FrontPoints(rows.first + place, float(rows.cost[place]), float(rows.times[objective][place]), times, name)


def _front_points(plain: Sequence[Any]) -> FrontPoints:
    row, cost, time, times, dominant = plain
    return FrontPoints(row, cost, time, tuple(times), dominant)
