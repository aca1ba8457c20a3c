"""Times of an operation that were fitted to measured runs: its arguments decide how long it takes."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from apet.ground.interval import Number
from apet.ground.records import NamedTuple, Record
from apet.machine.network import End


class FitReference(Record):
    """What a machine file says of a fit: the file of runs, relative to its own place, and how to fit.

    `parameters` are the arguments in order, where there are several; `where` fixes others, as text.
    """

    path: str
    method: str
    curve: str | None
    metric: str | None
    parameters: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()


class FittedPieces(NamedTuple):
    """Seconds over a quantity n > 0: straight lines in both logarithms between knots, and beyond the last two.

    `knots` ascend, `seconds` are above 0; at least two of both.
    """

    knots: tuple[float, ...]
    seconds: tuple[float, ...]

    @property
    def exponents(self) -> tuple[float, ...]:
        """The slope between each knot and the next: d ln t / d ln n."""
        pairs = range(len(self.knots) - 1)
        return tuple(
            math.log(self.seconds[k + 1] / self.seconds[k]) / math.log(self.knots[k + 1] / self.knots[k]) for k in pairs
        )

    def at(self, n: Number) -> float:
        """Seconds at one n."""
        k = min(max(bisect_right(self.knots, n) - 1, 0), len(self.knots) - 2)
        exponent = math.log(self.seconds[k + 1] / self.seconds[k]) / math.log(self.knots[k + 1] / self.knots[k])
        return float(self.seconds[k] * math.pow(float(n) / self.knots[k], exponent))

    def rising(self, upward: bool) -> FittedPieces:
        """The least curve that never falls and is nowhere below this one (`upward`), or the greatest nowhere above."""
        values = list(self.seconds)
        if upward:
            values = list(accumulate(values, max))
        else:
            values = list(accumulate(reversed(values), min))[::-1]
        return FittedPieces(self.knots, tuple(values))


class FittedGrid(NamedTuple):
    """Seconds over several quantities above 0, between the points of a grid: linear in all logarithms, cell by cell.

    `axes` ascend, two knots or more each; `seconds` are above 0, at all points, those of the last axis side by side.
    """

    axes: tuple[tuple[float, ...], ...]
    seconds: tuple[float, ...]

    @property
    def strides(self) -> tuple[int, ...]:
        """How far apart neighbours along each axis are in `seconds`."""
        return tuple(math.prod(len(axis) for axis in self.axes[k + 1 :]) for k in range(len(self.axes)))

    def at(self, *arguments: Number) -> float:
        """Seconds at one point."""
        corners = [(0, 1.0)]
        for axis, stride, argument in zip(self.axes, self.strides, arguments, strict=True):
            k = min(max(bisect_right(axis, argument) - 1, 0), len(axis) - 2)
            part = math.log(float(argument) / axis[k]) / math.log(axis[k + 1] / axis[k])
            corners = [
                (at + (k + step) * stride, weight * (part if step else 1 - part))
                for at, weight in corners
                for step in (0, 1)
            ]
        return math.exp(math.fsum(weight * math.log(self.seconds[at]) for at, weight in corners))

    def rising(self, upward: bool) -> FittedGrid:
        """The least table that falls along no axis and is nowhere below this one (`upward`), or the greatest nowhere
        above."""
        values, better = list(self.seconds), max if upward else min
        for axis, stride in zip(self.axes, self.strides, strict=True):
            last = len(axis) - 1
            for at in range(len(values)) if upward else range(len(values) - 1, -1, -1):
                place = at // stride % len(axis)
                if place != (0 if upward else last):
                    values[at] = better(values[at], values[at - stride if upward else at + stride])
        return FittedGrid(self.axes, tuple(values))


class OutsideFit(LookupError):
    """The time of a fitted operation at an argument outside its runs."""


class FittedTime(NamedTuple):
    """The time of an operation by its arguments: `low` and `high` are the ends of the interval of the prediction.

    Both rise with every argument: they are drawn apart where the prediction falls. `file` is where the runs stand;
    `first` and `last` are the least and greatest values of each argument that there is a time for.
    """

    file: str
    low: FittedPieces | FittedGrid
    high: FittedPieces | FittedGrid
    first: tuple[float, ...]
    last: tuple[float, ...]

    def seconds(self, operation: str, arguments: Sequence[Number], end: End) -> float:
        """The time at one end; `OutsideFit` where there is none."""
        if len(arguments) != len(self.first):
            wanted, count = _counted(len(self.first), "one"), _counted(len(arguments), "no")
            raise OutsideFit(f"'{operation}' is fitted to {self.file}: it takes {wanted}, and is called with {count}")

        for argument, least, most in zip(arguments, self.first, self.last, strict=True):
            if not least <= argument <= most:
                of, ends = f"'{operation}' is fitted to {self.file}", f"from {least:.6g} to {most:.6g}"
                raise OutsideFit(f"{of}, {ends}: {float(argument):.6g} is outside")
        return (self.low if end == "tmin" else self.high).at(*arguments)


def _counted(count: int, few: str) -> str:
    """`one argument`, `no argument`, `2 arguments`."""
    return f"{few} argument" if count == (1 if few == "one" else 0) else f"{count} argument{'s' * (count > 1)}"


Fit = Callable[[FitReference], FittedTime]
"""Reads and fits runs; `ApetError` with what is wrong with them."""
