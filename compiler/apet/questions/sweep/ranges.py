"""The values that one name of a design space goes through: how many they are, and each from its number.

A value is what its cell in the output says: a whole number in full, any other number as the shortest decimal that
names its double. So a row can be repeated with `apet predict --set` and the text of its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.ground.interval import Number

WHOLE_LIMIT = 2**62
"""Whole values below it are kept as such; others become doubles."""
REAL_LIMIT = 10**300
PRECISE = Context(prec=60)

Cells = NDArray[Any]


class Stepped:
    """start, start + step, … : `size` numbers. `ends` are the least and the greatest, of other ranges as well."""

    def __init__(self, start: Number, step: Number, size: int) -> None:
        self.start, self.step, self.size = Fraction(start), Fraction(step), size
        last = self.start + self.step * (size - 1)
        self.whole = self.start.denominator == self.step.denominator == 1 and _fits(self.start) and _fits(last)
        self.ends: tuple[Number, Number] = (min(self.start, last), max(self.start, last))

    def cells(self, places: Cells) -> Cells:
        """The values at these places, 0 to size - 1: int64 where all are whole, else float64."""
        if self.whole:
            return int(self.start) + int(self.step) * places
        unique, back = np.unique(places, return_inverse=True)
        return np.array([float(self.start + self.step * int(k)) for k in unique], dtype=np.float64)[back]

    def __repr__(self) -> str:
        return f"{self.start}:{self.start + self.step * (self.size - 1)}:{self.step}"


class Listed:
    """Values in a table, eight bytes each."""

    def __init__(self, values: Sequence[Number] | Cells) -> None:
        if isinstance(values, np.ndarray):
            self.table: Cells = values
        elif all(isinstance(v, int) and _fits(v) for v in values):
            self.table = np.array(values, dtype=np.int64)
        else:
            self.table = np.array([float(v) for v in values], dtype=np.float64)
        self.size = len(self.table)
        self.whole = self.table.dtype == np.int64
        self.ends: tuple[Number, Number] = (self.table.min().item(), self.table.max().item())

    def cells(self, places: Cells) -> Cells:
        """As for `Stepped`."""
        return self.table[places]

    def __repr__(self) -> str:
        if self.size <= 1000:
            return ",".join(map(repr, self.table.tolist()))
        from hashlib import sha256

        return f"{self.size} values with SHA-256 {sha256(self.table.tobytes()).hexdigest()}"


class Joined:
    """The values of several ranges one after the other."""

    def __init__(self, parts: Sequence[Stepped | Listed]) -> None:
        self.parts = tuple(parts)
        self.size = sum(part.size for part in parts)
        self.whole = all(part.whole for part in parts)
        self.ends = (min(part.ends[0] for part in parts), max(part.ends[1] for part in parts))

    @cached_property
    def _starts(self) -> Cells:
        return np.cumsum([0, *(part.size for part in self.parts[:-1])])

    def cells(self, places: Cells) -> Cells:
        """As for `Stepped`."""
        which = np.searchsorted(self._starts, places, side="right") - 1
        cells = np.empty(len(places), dtype=np.int64 if self.whole else np.float64)
        for k in np.unique(which).tolist():
            chosen = which == k
            cells[chosen] = self.parts[k].cells(places[chosen] - self._starts[k])
        return cells

    def __repr__(self) -> str:
        return ",".join(map(repr, self.parts))


Values = Stepped | Listed | Joined


def joined(parts: Sequence[Stepped | Listed]) -> Values:
    """One range for several; single values become one table."""
    if len(parts) == 1:
        return parts[0]

    merged: list[Stepped | Listed] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, Listed) and isinstance(last, Listed) and part.whole == last.whole:
            merged[-1] = Listed(np.concatenate((last.table, part.table)))
        else:
            merged.append(part)
    return merged[0] if len(merged) == 1 else Joined(merged)


def multiplied(low: Number, high: Number, factor: Number, most: int) -> Listed | None:
    """low, low · factor, … up to high; None where they are more than `most`. Factors above 1, low above 0.

    Whole numbers are exact, others are rounded once from 60 digits.
    """
    exact = isinstance(low, int) and isinstance(factor, int)
    values: list[Number] = [low]
    value: Any = low if exact else _decimal(low)
    step: Any = factor if exact else _decimal(factor)
    limit: Any = high if exact else _decimal(high)

    while True:
        value = value * step if exact else PRECISE.multiply(value, step)
        if value > limit:
            return Listed(values)
        if len(values) >= most:
            return None
        values.append(value if exact else float(value))


def _decimal(value: Number) -> Decimal:
    fraction = Fraction(value)
    return PRECISE.divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


def exact(cells: Cells) -> Sequence[Number] | Cells:
    """What cells stand for, as predictors take it: whole numbers as they are, others as fractions of their decimals."""
    if cells.dtype == np.int64:
        return cells
    unique, back = np.unique(cells, return_inverse=True)
    values = [exact_value(v) for v in unique.tolist()]
    return [values[k] for k in back.tolist()]


def exact_value(cell: float) -> Number:
    """The number that the shortest decimal of a double writes."""
    if isinstance(cell, int):
        return cell
    fraction = Fraction(repr(cell))
    return fraction.numerator if fraction.denominator == 1 else fraction


def _fits(value: Number) -> bool:
    return -WHOLE_LIMIT < value < WHOLE_LIMIT
