"""The longest path through units whose weights are lines in x = 1 / cores, as the maximum of a few lines.

The length of a longest path is convex and piecewise linear in x. Its pieces are found from the outside: the longest
paths at two ends cross somewhere between; either the longest path there is no longer than both, or it is one more
piece.
Everything is in whole numbers or fractions, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.formula.graph.nodes import Rational

MOST_LINES = 64


class PathLine(NamedTuple):
    """The length of a path: delays + tasks + slope x, in microseconds; and what is added to it per unit of more data:
    to delays, to tasks (of those that split only down to less data), and to the slope."""

    delays: Rational
    tasks: Rational
    slope: Rational
    delay_growth: Rational = 0
    task_growth: Rational = 0
    split_growth: Rational = 0
    slope_growth: Rational = 0

    def at(self, cores: int, share: int = 1) -> Rational:
        """The length at x = share / cores, times cores: a whole number where its parts are."""
        return (self.delays + self.tasks) * cores + self.slope * share

    def plus(self, other: PathLine) -> PathLine:
        """Both paths one after the other."""
        return PathLine._make(a + b for a, b in zip(self, other, strict=True))


NOTHING = PathLine(0, 0, 0)
Weights = Sequence[Sequence[PathLine]]
"""Of each unit, the lines whose greatest is its weight."""


def longest(before: Sequence[Sequence[int]], units: Weights, x: Fraction | int) -> PathLine:
    """The longest path at x; no unit comes before those in its `before`."""
    lengths, previous, weights = list[Rational](), list[int](), list[PathLine]()
    share, cores = x.numerator, x.denominator
    for needed, lines in zip(before, units, strict=True):
        last = needed[0] if len(needed) == 1 else max(needed, key=lengths.__getitem__, default=-1)
        line, length = lines[0], lines[0].at(cores, share)
        for other in lines[1:]:
            if (at := other.at(cores, share)) > length:
                line, length = other, at
        weights.append(line)
        previous.append(last)
        lengths.append(length + (lengths[last] if last >= 0 else 0))

    path, k = NOTHING, max(range(len(lengths)), key=lengths.__getitem__, default=-1)
    while k >= 0:
        path, k = path.plus(weights[k]), previous[k]
    return path


def envelope(before: Sequence[Sequence[int]], units: Weights) -> list[PathLine]:
    """Lines whose maximum is the longest path for all x from 0 to 1, if there are at most `MOST_LINES`.

    Of more, the maximum is not above the longest path: lines are left out.
    """
    left, right = (longest(before, units, x) for x in (0, 1))
    lines = [left] if left == right else [left, right]
    waiting = [(left, right)] if left != right else []
    while waiting and len(lines) < MOST_LINES:
        low, high = waiting.pop(0)
        rise = high.slope - low.slope
        if rise <= 0:
            continue
        x = Fraction(low.delays + low.tasks - high.delays - high.tasks, rise)
        if not 0 < x < 1:
            continue
        between = longest(before, units, x)
        if between.at(x.denominator, x.numerator) > low.at(x.denominator, x.numerator):
            lines.append(between)
            waiting += [(low, between), (between, high)]
    return lines
