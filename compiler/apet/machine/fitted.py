"""Times of an operation that were fitted to measured runs: its argument decides how long it takes."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from apet.ground.interval import Number
from apet.machine.network import End


@dataclass(frozen=True)
class FitReference:
    """What a machine file says of a fit: the file of runs, relative to its own place, and how to fit."""

    path: str
    method: str
    curve: str | None
    metric: str | None


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


class OutsideFit(LookupError):
    """The time of a fitted operation at an argument outside its runs."""


class FittedTime(NamedTuple):
    """The time of an operation by its argument: `low` and `high` are the ends of the interval of the prediction.

    Both rise with the argument: they are drawn apart where the prediction falls. `file` is where the runs stand;
    `first` and `last` are the least and greatest argument that there is a time for.
    """

    file: str
    low: FittedPieces
    high: FittedPieces
    first: float
    last: float

    def seconds(self, operation: str, arguments: Sequence[Number], end: End) -> float:
        """The time at one end; `OutsideFit` where there is none."""
        if len(arguments) != 1:
            count = "no argument" if not arguments else f"{len(arguments)} arguments"
            raise OutsideFit(
                f"'{operation}' is fitted to {self.file}: it takes one argument, and is called with {count}"
            )

        if not self.covers(arguments[0]):
            least, most, argument = (f"{float(v):.6g}" for v in (self.first, self.last, arguments[0]))
            raise OutsideFit(f"'{operation}' is fitted to {self.file}, from {least} to {most}: {argument} is outside")
        return (self.low if end == "tmin" else self.high).at(arguments[0])

    def covers(self, argument: Number) -> bool:
        """Whether there is a time for this argument."""
        return self.first <= argument <= self.last


Fit = Callable[[FitReference], FittedTime]
"""Reads and fits runs; `ApetError` with what is wrong with them."""
