"""Columns of floats, each with a bound of its distance from the exact value.

A number that is not certain (a decision too close to call, a division by zero, an underflow) is NaN, which wins every
sum, product and maximum: whoever reads a result evaluates that configuration exactly instead. Bounds are a-priori
relative ones where nothing is negative (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 3.1),
else running absolute ones (section 3.3). Second-order terms are covered by `SLACK`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from apet.ground.interval import Number
from apet.ground.records import NamedTuple

UNIT = 2.0**-53
"""The relative error of rounding to a float."""
LARGEST_EXACT = 2**53
SLACK = 1 + 2.0**-20
"""Above every product of (1 + error) left out of a first-order bound; bounds are far below 2^-20."""
TINY = 2.0**-400
"""Smaller products are NaN: further ones might lose digits."""
SMALL_FACTOR = 2.0**-60
"""Products with smaller constants are looked after as other products are."""
LEAST_ERROR = 2.0**-1000
"""More than a function of the C library loses where its value is next to 0."""


class Band(NamedTuple):
    """Values of a node, in the unit of the node (seconds for times, bytes for sizes).

    The exact value differs by at most `relative` times itself and is not negative, or, where `error` is not None, by at
    most `error`. The value 2.0 with `relative` 2^-53 stands for a number from 2 - 2^-52 to 2 + 2^-52.
    """

    value: Any
    """A float, or float64 of shape (lanes, configurations), in which either may be 1; NaN where it is not certain."""
    relative: float = 0.0
    """The relative error of every entry, without unit; not used where there is an `error`."""
    error: Any = None
    """None, or the absolute error in the unit of the value: a float or an array that broadcasts against it."""

    @property
    def distance(self) -> Any:
        """The greatest distance of the exact value."""
        if self.error is not None:
            return self.error
        return np.abs(self.value) * (self.relative * SLACK) if self.relative else 0.0


def of_number(value: Number) -> Band:
    """The band of one exact number, or of a float taken as exact."""
    if type(value) is int and 0 <= value <= LARGEST_EXACT:
        return Band(float(value))
    try:
        near = float(value)
    except OverflowError:
        near = math.nan
    if not math.isfinite(near):
        return Band(math.nan)
    off = abs(float(Fraction(value) - Fraction(near)))
    if value >= 0 and (off == 0 or near > TINY):
        return Band(near, UNIT if off else 0.0)

    return Band(near, 0.0, off * SLACK)


def total(constant: Number, terms: Sequence[tuple[Band, Number]]) -> Band:
    """`constant + sum of coefficient * value`, added in the order given."""
    plain = constant >= 0 and all(b.error is None and c > 0 for b, c in terms)
    parts, roundings = [], []
    start = of_number(constant)
    for band, coefficient in terms:
        factor = of_number(coefficient)
        if coefficient == 1:
            parts.append(band.value)
        elif abs(factor.value) < SMALL_FACTOR:
            parts.append(_guarded(band.value * factor.value, band.value, factor.value))
        else:
            parts.append(band.value * factor.value)
        exact_product = abs(math.frexp(factor.value)[0]) == 0.5  # a power of two
        roundings.append((0 if exact_product else 1) + (0 if factor.distance == 0 else 1))
    value = parts[0]
    if plain:
        for part in parts[1:]:
            value = value + part
        if constant:
            value = value + start.value
        worst = max(b.relative + k * UNIT for (b, _), k in zip(terms, roundings, strict=True))
        return Band(value, (max(worst, start.relative) + len(parts) * UNIT) * SLACK)

    error = start.distance
    for (band, coefficient), part, k in zip(terms, parts, roundings, strict=True):
        error = error + abs(float(coefficient)) * band.distance
        if k:
            error = error + np.abs(part) * (k * UNIT)

    for part in parts[1:]:
        value = value + part
        error = error + np.abs(value) * UNIT
    if constant:
        value = value + start.value
        error = error + np.abs(value) * UNIT

    return Band(value, 0.0, error * SLACK)


def product(x: Band, y: Band) -> Band:
    """x * y; what is surely 0 times what is not certain is 0."""
    value = x.value * y.value
    least = np.min(value)
    if np.isnan(least):
        zero = (np.equal(x.value, 0) & np.equal(x.distance, 0)) | (np.equal(y.value, 0) & np.equal(y.distance, 0))
        x, y, value = _emptied(x, zero), _emptied(y, zero), np.where(zero, 0.0, value)
    if not least > TINY:
        value = _without_lost(value, x.value, y.value)
    if x.error is None and y.error is None:
        return Band(value, (x.relative + y.relative + UNIT) * SLACK)
    a, b = x.distance, y.distance
    return Band(value, 0.0, (np.abs(x.value) * b + np.abs(y.value) * a + a * b + np.abs(value) * UNIT) * SLACK)


def _emptied(band: Band, where: Any) -> Band:
    """The band with 0 in some places."""
    error = None if band.error is None else np.where(where, 0.0, band.error)
    return Band(np.where(where, 0.0, band.value), band.relative, error)


def power(x: Band, exponent: int) -> Band:
    """x to a positive whole power, by squaring: functions of numpy round differently on different processors."""
    result: Band | None = None
    while exponent:
        if exponent % 2:
            result = x if result is None else product(result, x)
        exponent //= 2
        x = product(x, x) if exponent else x
    assert result is not None
    return result


def quotient(x: Band, y: Band) -> Band:
    """x / y; NaN where y may be 0."""
    if y.error is None:
        below = np.where((y.value > 0) & (y.value < np.inf), y.value, np.nan)
        if x.error is None:
            value = _guarded(x.value / below, x.value, below)
            return Band(value, (x.relative + y.relative + UNIT) * SLACK)
    else:
        below = np.where(np.abs(y.value) > 2 * y.error, y.value, np.nan)
    value = _guarded(x.value / below, x.value, below)
    least = np.abs(below) - y.distance * SLACK
    error = (x.distance + np.abs(value) * y.distance) / least * SLACK + np.abs(value) * UNIT
    return Band(value, 0.0, error * SLACK)


def extreme(kind: str, bands: Sequence[Band]) -> Band:
    """The greatest or least; the error of an operand that surely loses does not count."""
    pick: Callable[..., Any] = np.maximum if kind == "max" else np.minimum
    value = bands[0].value
    for band in bands[1:]:
        value = pick(value, band.value)
    if all(b.error is None for b in bands):
        return Band(value, max(b.relative for b in bands))
    return Band(value, 0.0, _of_winners(sign_of(kind), [(b.value, b.distance) for b in bands], value))


def sign_of(kind: str) -> int:
    """1 for a maximum, -1 for a minimum."""
    return 1 if kind == "max" else -1


def _of_winners(sign: int, pairs: Sequence[tuple[Any, Any]], value: Any) -> Any:
    """The greatest error of those that may be the greatest (sign 1) or the least (sign -1)."""
    least = sign * pairs[0][0] - pairs[0][1]
    for v, e in pairs[1:]:
        least = np.maximum(least, sign * v - e)
    error = 0.0 * value
    for v, e in pairs:
        error = np.where(sign * v + e >= least, np.maximum(error, e), error)
    return error


def extreme_along(kind: str, band: Band, axis: int) -> Band:
    """The greatest or least along an axis."""
    reduce: Callable[..., Any] = np.maximum.reduce if kind == "max" else np.minimum.reduce
    value = reduce(band.value, axis=axis)
    if band.error is None:
        return Band(value, band.relative)
    sign = sign_of(kind)
    least = np.maximum.reduce(sign * band.value - band.error, axis=axis, keepdims=True)
    error = np.where(sign * band.value + band.error >= least, band.error, 0.0)
    return Band(value, 0.0, np.maximum.reduce(error, axis=axis))


def magnitude(x: Band) -> Band:
    """|x|."""
    return x if x.error is None else Band(np.abs(x.value), 0.0, x.error)


def root(x: Band) -> Band:
    """The square root, which IEEE 754 rounds correctly; NaN below 0."""
    value = np.sqrt(x.value)
    if x.error is None:
        return Band(value, (x.relative / 2 + UNIT) * SLACK)
    error = np.where(x.error == 0, 0.0, x.error / value) + value * UNIT
    return Band(np.where(x.value - x.error < 0, np.nan, value), 0.0, error * SLACK)


def logarithm(x: Band, base: Callable[[float], float]) -> Band:
    """A logarithm by the C library, which is what single predictions use; NaN where x may not be positive."""
    least = x.value - x.distance * SLACK
    value = _each(lambda a: base(a) if a > 0 else math.nan, x.value)
    error = x.distance / np.where(least > 0, least, np.nan) * 1.5 + np.abs(value) * (4 * UNIT)
    return Band(value, 0.0, error * SLACK)


def general_power(x: Band, y: Band) -> Band:
    """x ** y by the C library; NaN where x may not be positive."""
    value = _each(lambda a, b: a**b if a > 0 else math.nan, x.value, y.value)
    least = x.value - x.distance * SLACK
    safe = np.where(least > 0, least, np.nan)
    off = np.abs(y.value) * x.distance / safe + np.abs(np.log(safe)) * 2 * y.distance
    return Band(value, 0.0, np.abs(value) * (2 * off + 4 * UNIT) + 0.0 * value + LEAST_ERROR)


def _each(act: Callable[..., float], *arrays: Any) -> Any:
    """A function of floats on every entry; NaN where it has no value."""

    def safe(*values: float) -> float:
        try:
            return float(act(*values))
        except (ArithmeticError, ValueError):
            return math.nan

    shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
    flat = [np.broadcast_to(a, shape).ravel().tolist() for a in arrays]
    return np.array([safe(*row) for row in zip(*flat, strict=True)], dtype=float).reshape(shape)


def _guarded(value: Any, x: Any, y: Any) -> Any:
    """NaN where a product or quotient of x and y has become so small that it may have lost digits."""
    return value if np.min(value) > TINY else _without_lost(value, x, y)


def _without_lost(value: Any, x: Any, y: Any) -> Any:
    return np.where((np.abs(value) < TINY) & np.not_equal(x, 0) & np.not_equal(y, 0), np.nan, value)


class NoItems:
    """There are no machine quantities."""

    def item(self, name: str, subscripts: Sequence[Any], arguments: Sequence[Band]) -> Band:
        """NaN."""
        return Band(float("nan"))
