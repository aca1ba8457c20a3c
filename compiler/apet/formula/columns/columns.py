"""Varied numbers as columns of floats, cut into chunks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.formula.columns.bands import UNIT, Band
from apet.formula.columns.decisions import Exact
from apet.ground.interval import Number
from apet.ground.records import NamedTuple

LEAST, MOST = 2.0**-400, 2.0**400
"""Sizes of numbers that arrays are trusted with."""
LEAST_BITS, MOST_BITS = np.array([LEAST, MOST]).view(np.int64).tolist()
NO_ERRORS: NDArray[np.float64] = np.zeros(1 << 14)
LEAST_PARTS = 4
"""Chunks that are worth a second thread."""
Values = Sequence[Number] | NDArray[Any]


class FloatColumn(NamedTuple):
    """Values of one parameter as floats, the errors of these, and a bound of the relative ones for any batch.

    `positive` says that all entries are known to be above 0 and exact, so that nobody need look again.
    """

    value: NDArray[np.float64]
    """Shape (configurations,), in the unit of the parameter."""
    error: NDArray[np.float64]
    """What rounding each value to a float has cost: shape (configurations,), 0 or more, in the same unit."""
    relative: float
    """At least error / |value| for every entry."""
    positive: bool = False

    def some(self, rows: Any) -> FloatColumn:
        """Only some entries."""
        return FloatColumn(self.value[rows], self.error[rows], self.relative)


class Slice:
    """Entries of one parameter as a column of the batch."""

    __slots__ = ("_source", "nonnegative")

    def __init__(self, source: FloatColumn | NDArray[Any], nonnegative: bool) -> None:
        """An array is read when that is needed."""
        self._source = source
        self.nonnegative = nonnegative

    @property
    def floats(self) -> FloatColumn:
        """The entries as floats and their errors."""
        if not isinstance(self._source, FloatColumn):
            self._source = read(self._source)
        return self._source

    @property
    def plain(self) -> NDArray[np.float64] | None:
        """Floats side by side that stand for themselves, not yet looked at; None where there are none."""
        source = self._source.value if isinstance(self._source, FloatColumn) and self._source.positive else self._source
        if isinstance(source, np.ndarray) and source.dtype == np.float64 and source.flags.c_contiguous:
            return source
        return None

    @property
    def band(self) -> Band:
        """The values; NaN for those that are negative and must not be."""
        value = self.floats.value[None]
        if not self.nonnegative:
            return Band(value, 0.0, self.floats.error[None])
        if self.floats.positive or np.minimum.reduce(self.floats.value) >= 0:
            return Band(value, self.floats.relative)
        return Band(np.where(value >= 0, value, np.nan), self.floats.relative)

    @property
    def exact(self) -> Exact:
        """Values and errors."""
        return Exact(self.floats.value[None], self.floats.error[None])


def gathered(values: Values) -> FloatColumn | NDArray[Any]:
    """Numbers as an array to read parts of, or already read: an array of floats or whole numbers is not copied."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiu" and values.dtype.itemsize <= 8:
        return values
    array = _array(values)
    column = read(array) if array.dtype.kind != "O" else _read_each(values)
    return column._replace(relative=UNIT)  # whatever the other entries are


def read(array: NDArray[Any]) -> FloatColumn:
    """An array of numbers as floats and their errors; NaN for what is so large or small that digits might be lost."""
    # Whole numbers up to 2^53 are floats; a greater one that is not comes back as another number and becomes NaN.
    value = array if array.dtype == np.float64 else array.astype(float)
    none = NO_ERRORS[: len(value)] if len(value) <= len(NO_ERRORS) else np.zeros(len(value))
    if array.dtype.kind == "f":
        if len(value) and _between(value):
            return FloatColumn(value, none, 0.0, True)
        return FloatColumn(within(value), none, 0.0)
    exact = np.abs(value) < 2.0**62
    exact &= np.where(exact, value, 0.0).astype(array.dtype) == array
    return FloatColumn(np.where(exact, value, np.nan), none, 0.0)


def _between(value: NDArray[np.float64]) -> bool:
    """Whether all floats lie from `LEAST` to `MOST`: the bits of positive floats are in their order, those of negative
    ones are below and of NaN above."""
    if not value.flags.c_contiguous:
        return bool(np.minimum.reduce(value) >= LEAST and np.maximum.reduce(value) <= MOST)
    bits = value.view(np.int64)
    return bool(np.minimum.reduce(bits) >= LEAST_BITS and np.maximum.reduce(bits) <= MOST_BITS)


def _read_each(values: Values) -> FloatColumn:
    pairs = np.array([split(v) for v in values], dtype=float).reshape(len(values), 2)
    return FloatColumn(within(pairs[:, 0]), pairs[:, 1], UNIT)


def _array(values: Values) -> NDArray[Any]:
    """An array where that keeps every number."""
    kinds = set(map(type, values))
    if kinds == {float}:
        return np.array(values, dtype=float)
    if kinds == {int} and all(-(2**62) < v < 2**62 for v in values):
        return np.array(values, dtype=np.int64)
    return np.empty(len(values), dtype=object)


def split(value: Any) -> tuple[float, float]:
    """A number as a float and the error of that; NaN where there is none."""
    try:
        near = float(value)
        return near, float(abs(Fraction(value) - Fraction(near)))
    except (ArithmeticError, ValueError, TypeError):
        return math.nan, 0.0


def within(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """NaN for what is so large or small that digits might be lost."""
    if not value.size:
        return value
    size = np.abs(value)
    good = (size == 0) | ((size >= LEAST) & (size <= MOST))
    return value if good.all() else np.where(good, value, np.nan)


def chunks(count: int, size: int) -> Iterator[tuple[int, int]]:
    """Neighbouring parts of at most a size."""
    for start in range(0, count, size):
        yield start, min(start + size, count)


def in_chunks(act: Callable[[int, int], None], count: int, size: int, threads: int) -> None:
    """Call an act on all chunks, the first before the others, which may come at the same time."""
    parts = list(chunks(count, size))

    def quietly(part: tuple[int, int]) -> None:
        with np.errstate(all="ignore"):
            act(*part)

    for part in parts[: len(parts) if threads == 1 or len(parts) < LEAST_PARTS else 1]:
        quietly(part)
    if threads > 1 and len(parts) >= LEAST_PARTS:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(quietly, parts[1:]))
