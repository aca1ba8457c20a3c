"""A box of parameter values as an enclosure needs it: intervals, and their ends as floats."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from fractions import Fraction
from sys import intern

from apet.formula.evaluate.rounding import down, up
from apet.ground.interval import Interval, Number

Given = Number | Interval | tuple[Number, Number]


class Box:
    """Intervals by name, where machine quantities have their printed form (`t_send[0, 1](8)`) as name.

    `lows` and `highs` are the ends rounded outward, `least` is below none of them, `finite` says that all are finite,
    `exact` that none is a float.
    What is `whole` takes whole values only. `ValueError` names what has no value in its interval.
    """

    def __init__(self, given: Mapping[str, Given], whole: Collection[str] = ()) -> None:
        self.intervals = {intern(name): interval(name, value, name in whole) for name, value in given.items()}
        self.lows = {name: down(x.lo) for name, x in self.intervals.items()}
        self.highs = {name: up(x.hi) for name, x in self.intervals.items()}
        self.exact = not any(isinstance(end, float) for x in self.intervals.values() for end in x)
        self.least = min(self.lows.values(), default=0.0)
        self.finite = self.least > -math.inf and max(self.highs.values(), default=0.0) < math.inf

    def symbol(self, name: str) -> Interval:
        """The interval of a parameter; `KeyError` names a missing one."""
        return self.intervals[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """The interval of a machine quantity at known arguments; `KeyError` names a missing one."""
        return self.intervals[shown(name, subscripts, arguments)]

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """`KeyError`: a quantity whose subscripts are not known is not in the box."""
        raise KeyError(f"{name} with subscripts that vary over the box")


def shown(name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> str:
    """The printed form of a quantity; arguments that are not known are printed as ranges, which no box has."""
    inside = [str(a.lo) if a.is_point else f"{a.lo}..{a.hi}" for a in arguments]
    below = f"[{', '.join(map(str, subscripts))}]" if subscripts else ""
    return name + below + (f"({', '.join(inside)})" if inside else "")


def interval(name: str, given: Given, whole: bool = False) -> Interval:
    """What is given as an interval; `ValueError` if it is empty, no number, or holds no whole one where it must."""
    ends = tuple(given) if isinstance(given, tuple | Interval) else (given, given)
    if len(ends) != 2 or not all(isinstance(end, int | float | Fraction) for end in ends):
        raise ValueError(f"{name} is neither a number nor a pair of numbers")
    low, high = (float(end) if isinstance(end, float) else end for end in ends)
    if not low <= high:
        raise ValueError(f"the interval of {name} is empty: from {low} to {high}")
    if whole and math.isfinite(low) and math.isfinite(high):
        low, high = math.ceil(low), math.floor(high)
        if low > high:
            raise ValueError(f"{name} is whole, but there is no whole number in its interval")
    return Interval(low, high)
