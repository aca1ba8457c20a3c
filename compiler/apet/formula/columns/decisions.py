"""Numbers that decisions hang on: loop ends, subscripts, roundings, comparisons.

A float and a bound of its error, which is the error itself where sums, products and quotients of floats have one that
is known (Knuth, TAOCP 2, 4.2.2; Dekker, Numer. Math. 18, 1971): whole numbers and fractions of whole numbers stay exact
up to 2^53, and n/k is known to be whole where it is. A decision that is not certain makes NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from apet.formula.columns.bands import LARGEST_EXACT, SLACK, Band
from apet.formula.columns.bands import extreme as of_bands
from apet.ground.interval import Number
from apet.ground.records import NamedTuple

SPLITTER = 2.0**27 + 1
SMALLEST = 2.0**-400
LARGEST = 2.0**400
"""Errors of products of floats between these are floats."""


class Exact(NamedTuple):
    """Numbers, and a bound of the error of each: 0 where it is exact."""

    value: Any
    """A float, or float64 of shape (lanes, configurations), in which either may be 1."""
    error: Any = 0.0
    """A float or an array that broadcasts against the value, in the unit of the value, 0 or more."""


def of_number(value: Number) -> Exact:
    """One exact number."""
    if type(value) is int and abs(value) <= LARGEST_EXACT:
        return Exact(float(value))
    try:
        near = float(value)
    except OverflowError:
        near = math.nan
    if not math.isfinite(near):
        return Exact(math.nan)
    return Exact(near, abs(float(Fraction(value) - Fraction(near))) * SLACK)


def of_band(band: Band) -> Exact:
    """A value that was computed with a bound."""
    return Exact(band.value, band.distance)


def plus(x: Exact, y: Exact) -> Exact:
    """x + y."""
    a, b = x.value, y.value
    s = a + b
    part = s - a
    off = np.abs((a - (s - part)) + (b - part))
    return Exact(s, (off + x.error + y.error) * SLACK)


def times(x: Exact, y: Exact) -> Exact:
    """x * y."""
    a, b = x.value, y.value
    p, off = _two_product(a, b)
    return Exact(p, (np.abs(off) + np.abs(a) * y.error + np.abs(b) * x.error + x.error * y.error) * SLACK)


def over(x: Exact, y: Exact) -> Exact:
    """x / y; NaN where y may be 0."""
    b = np.where(np.abs(y.value) > 2 * y.error, y.value, np.nan)
    q = x.value / b
    p, off = _two_product(q, b)
    rest = np.abs((x.value - p) - off)
    return Exact(q, (rest + x.error + np.abs(q) * y.error) / (np.abs(b) - y.error) * SLACK)


def _two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded product and its error; NaN where that might not be a float."""
    p = a * b
    a1, b1 = _upper_half(a), _upper_half(b)
    a2, b2 = a - a1, b - b1
    off = a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)
    size = np.abs(p)
    trusted = (p == 0) | ((size > SMALLEST) & (size < LARGEST))
    return np.where(trusted, p, np.nan), off


def _upper_half(a: Any) -> Any:
    c = SPLITTER * a
    return c - (c - a)


def power(x: Exact, exponent: int) -> Exact:
    """x to a positive whole power."""
    result: Exact | None = None
    while exponent:
        if exponent % 2:
            result = x if result is None else times(result, x)
        exponent //= 2
        x = times(x, x) if exponent else x
    assert result is not None
    return result


def total(constant: Number, terms: Sequence[tuple[Exact, Number]]) -> Exact:
    """`constant + sum of coefficient * value`, over a common denominator, so that thirds of threes are whole."""
    bottom = math.lcm(*(Fraction(c).denominator for c in (constant, *(c for _, c in terms))))
    result = of_number(constant * bottom)
    for x, c in terms:
        factor = c * bottom
        result = plus(result, x if factor == 1 else times(x, of_number(factor)))
    return result if bottom == 1 else over(result, of_number(bottom))


def extreme(kind: str, choices: Sequence[Exact]) -> Exact:
    """The greatest or least."""
    best = of_bands(kind, [Band(x.value, 0.0, x.error) for x in choices])
    return Exact(best.value, best.error)


def rounded(function: str, x: Exact) -> Exact:
    """`floor` or `ceil`."""
    if function == "ceil":
        below = rounded("floor", Exact(-x.value, x.error))
        return Exact(-below.value)
    f = np.floor(x.value)
    certain = np.equal(x.error, 0) | ((x.value - x.error > f) & (x.value + x.error < f + 1))
    return Exact(np.where(certain, f, np.nan))


def modulus(x: Exact, y: Exact) -> Exact:
    """The floored remainder x - y floor(x / y)."""
    times_in = rounded("floor", over(x, y))
    return plus(x, times(Exact(-times_in.value), y))


def compared(operator: str, x: Exact, y: Exact) -> Exact:
    """1 where the comparison holds, else 0."""
    d = plus(x, Exact(-y.value, y.error))
    certain = np.equal(d.error, 0) | (np.abs(d.value) > d.error)
    match operator:
        case "<=":
            holds = d.value <= 0
        case "<":
            holds = d.value < 0
        case "==":
            holds = d.value == 0
        case _:
            holds = d.value != 0

    return Exact(np.where(certain, holds, np.nan))


def whole_band(x: Exact, nonnegative: bool) -> Band:
    """Of a rounding or comparison, which is exact or NaN."""
    return Band(x.value, 0.0) if nonnegative else Band(x.value, 0.0, np.abs(x.value) * 0.0)
