"""A closed interval of real numbers: what a benchmark says a time lies in, or a user says a parameter lies in."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

Number = int | float | Fraction


class Interval(NamedTuple):
    """The numbers from `lo` to `hi`, both included; `lo <= hi` is the maker's duty."""

    lo: Number
    hi: Number

    @property
    def middle(self) -> Number:
        """The arithmetic middle."""
        return (self.lo + self.hi) / 2

    @property
    def is_point(self) -> bool:
        """Whether both ends are the same number."""
        return self.lo == self.hi

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float | Fraction) and self.lo <= value <= self.hi
