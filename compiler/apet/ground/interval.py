"""A closed interval of real numbers: what a benchmark says a time lies in, or a user says a parameter lies in."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Number = int | float | Fraction

GREATEST = 10**300
"""Of a value that anybody may give: results are floats in the end."""
GREATEST_IN_FULL = 10**15


class Interval:
    """The real numbers from `lo` to `hi`, both included; never empty: `lo <= hi`. An end may be infinite.

    It has no arithmetic: where sums and products enclose, and how they are rounded, is said in `formula.evaluate`.
    """

    __slots__ = ("hi", "lo")

    lo: Number
    hi: Number

    def __init__(self, lo: Number, hi: Number) -> None:
        """`ValueError` if `lo` is above `hi`, or one of them is not-a-number."""
        if not lo <= hi:
            raise ValueError(f"no interval: the lower end {lo} is above the upper end {hi}")
        _set_lo(self, lo)
        _set_hi(self, hi)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an interval is frozen")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.lo == other.lo and self.hi == other.hi

    def __hash__(self) -> int:
        return hash((self.lo, self.hi))

    def __repr__(self) -> str:
        return f"Interval(lo={self.lo!r}, hi={self.hi!r})"

    def __reduce__(self) -> tuple[type[Interval], tuple[Any, ...]]:
        return Interval, (self.lo, self.hi)

    @property
    def middle(self) -> Number:
        """The arithmetic middle."""
        return (self.lo + self.hi) / 2

    @property
    def is_point(self) -> bool:
        """Whether both ends are the same number."""
        return self.lo == self.hi

    def __iter__(self) -> Iterator[Number]:
        """The two ends, so that `low, high = interval` reads well."""
        return iter((self.lo, self.hi))

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float | Fraction) and self.lo <= value <= self.hi


# Enclosures make millions of intervals: a slot's own setter takes half as long as `object.__setattr__`.
_set_lo = Interval.__dict__["lo"].__set__
_set_hi = Interval.__dict__["hi"].__set__

AskedRange = Interval | tuple[Number, Number]
"""Two ends as a caller asks for them; of a tuple, nobody has checked yet that they are in order."""


def in_short(value: Number) -> str:
    """A value for a message: whole numbers in full up to 15 digits, all others with six."""
    if isinstance(value, int) and -GREATEST_IN_FULL <= value <= GREATEST_IN_FULL:
        return str(value)
    return f"{float(value):g}" if -GREATEST <= value <= GREATEST else "more than 1e300"
