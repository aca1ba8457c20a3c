"""A closed interval of real numbers: what a benchmark says a time lies in, or a user says a parameter lies in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

Number = int | float | Fraction

GREATEST = 10**300
"""Of a value that anybody may give: results are floats in the end."""
GREATEST_IN_FULL = 10**15


@dataclass(frozen=True, slots=True, init=False)
class Interval:
    """The real numbers from `lo` to `hi`, both included; never empty: `lo <= hi`. An end may be infinite.

    It has no arithmetic: where sums and products enclose, and how they are rounded, is said in `formula.evaluate`.
    """

    lo: Number
    hi: Number

    def __init__(self, lo: Number, hi: Number) -> None:
        """`ValueError` if `lo` is above `hi`, or one of them is not-a-number."""
        if not lo <= hi:
            raise ValueError(f"no interval: the lower end {lo} is above the upper end {hi}")
        _set_lo(self, lo)
        _set_hi(self, hi)

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
