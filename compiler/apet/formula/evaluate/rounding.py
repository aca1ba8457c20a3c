"""Arithmetic on closed intervals: exact on exact ends, rounded outward on floating-point ends.

A sum or product of floats is widened by at most one unit in the last place, a function value by two. Where
an exact number meets a float, the exact result is formed first, so nothing is lost in converting. The product of 0 and
an infinite end is 0: infinite ends stand for numbers without bound, not for the number infinity.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from apet.formula.evaluate.environment import EvaluationError
from apet.ground.interval import Interval, Number

INFINITY = math.inf
EVERYTHING = Interval(-INFINITY, INFINITY)
NONNEGATIVE = Interval(0, INFINITY)
ZERO = Interval(0, 0)
LARGEST_EXACT = 2**53
"""Every whole number up to this one is a float."""


def point(value: Number) -> Interval:
    """The interval of one number."""
    return Interval(value, value)


def infinite(value: Number) -> bool:
    """Whether an end stands for no bound."""
    return type(value) is float and math.isinf(value)


def _whole(value: Any) -> Number:
    if type(value) is Fraction and value.denominator == 1:
        return value.numerator
    return value  # type: ignore[no-any-return]


def _next(value: float, up: bool) -> float:
    return math.nextafter(value, INFINITY if up else -INFINITY)


def to_float(value: Number, up: bool) -> float:
    """The nearest float that is not below (up) or not above the number."""
    if type(value) is float:
        return value
    try:
        near = float(value)
    except OverflowError:
        near = INFINITY if value > 0 else -INFINITY
    wrong = near < value if up else near > value
    return _next(near, up) if wrong else near


def down(value: Number) -> float:
    """The greatest float that is at most the value."""
    return to_float(value, False)


def up(value: Number) -> float:
    """The least float that is at least the value."""
    return to_float(value, True)


def _floats(a: Number, b: Number) -> tuple[float, float] | None:
    """Both as floats, where that changes neither."""
    if type(a) is int and -LARGEST_EXACT <= a <= LARGEST_EXACT:
        a = float(a)
    if type(b) is int and -LARGEST_EXACT <= b <= LARGEST_EXACT:
        b = float(b)
    return (a, b) if type(a) is float and type(b) is float else None


def sum_of(a: Number, b: Number, up: bool) -> Number:
    """a + b, rounded up or down unless exact."""
    if type(a) is not float and type(b) is not float:
        return _whole(a + b)
    if infinite(a) or infinite(b):
        if infinite(a) and infinite(b) and a != b:
            return INFINITY if up else -INFINITY
        return a if infinite(a) else b
    both = _floats(a, b)
    if both is None:
        return to_float(Fraction(a) + Fraction(b), up)
    x, y = both
    total = x + y
    if math.isinf(total):
        return _next(total, up)

    # the rounding error of a sum is itself a float (Knuth, TAOCP 2, 4.2.2, theorem B)
    part = total - x
    error = (x - (total - part)) + (y - part)
    return total if error == 0 or (error < 0) == up else _next(total, up)


def product_of(a: Number, b: Number, up: bool) -> Number:
    """a * b, rounded up or down unless exact."""
    if type(a) is not float and type(b) is not float:
        return _whole(a * b)
    if a == 0 or b == 0:
        return 0
    same = (a > 0) == (b > 0)
    if infinite(a) or infinite(b):
        return INFINITY if same else -INFINITY
    if a == 1 or b == 1:
        return b if a == 1 else a
    both = _floats(a, b)
    if both is None:
        return to_float(Fraction(a) * Fraction(b), up)

    return _kept_sign(_next(both[0] * both[1], up), same)


def _kept_sign(value: float, positive: bool) -> float:
    return max(value, 0.0) if positive else min(value, 0.0)


def quotient_of(a: Number, b: Number, up: bool) -> Number:
    """a / b for b other than 0, rounded up or down unless exact."""
    if type(a) is not float and type(b) is not float:
        return _whole(Fraction(a) / b)
    if a == 0:
        return 0
    same = (a > 0) == (b > 0)
    if infinite(b):
        return (INFINITY if up == same else 0) * (1 if same else -1) if infinite(a) else 0
    if infinite(a):
        return INFINITY if same else -INFINITY
    both = _floats(a, b)
    if both is None:
        return to_float(Fraction(a) / Fraction(b), up)

    return _kept_sign(_next(both[0] / both[1], up), same)


def add(x: Interval, y: Interval) -> Interval:
    """All sums."""
    return Interval(sum_of(x.lo, y.lo, False), sum_of(x.hi, y.hi, True))


def negate(x: Interval) -> Interval:
    """All negatives."""
    return Interval(-x.hi, -x.lo)


def scale(x: Interval, by: Number) -> Interval:
    """All multiples by one number."""
    if by == 1:
        return x
    low, high = (x.lo, x.hi) if by >= 0 else (x.hi, x.lo)
    return Interval(product_of(low, by, False), product_of(high, by, True))


def multiply(x: Interval, y: Interval) -> Interval:
    """All products."""
    if x.lo >= 0 and y.lo >= 0:
        return Interval(product_of(x.lo, y.lo, False), product_of(x.hi, y.hi, True))
    pairs = [(a, b) for a in x for b in y]
    return Interval(min(product_of(a, b, False) for a, b in pairs), max(product_of(a, b, True) for a, b in pairs))


def divide(x: Interval, y: Interval, lenient: bool = False) -> Interval:
    """All quotients; `EvaluationError` if a divisor may be 0, unless lenient: then those that exist."""
    if y.lo <= 0 <= y.hi:
        return multiply(x, reciprocal(y, lenient))
    if y.hi < 0:
        x, y = negate(x), negate(y)
    low = quotient_of(x.lo, y.hi if x.lo >= 0 else y.lo, False)
    return Interval(low, quotient_of(x.hi, y.lo if x.hi >= 0 else y.hi, True))


def reciprocal(x: Interval, lenient: bool = False) -> Interval:
    """All 1 / x; errors as in `divide`."""
    if x.lo > 0 or x.hi < 0:
        return Interval(quotient_of(1, x.hi, False), quotient_of(1, x.lo, True))
    if not lenient:
        raise EvaluationError("division by zero" if x.is_point else "division by an interval that contains zero")
    if x.lo == 0 and x.hi > 0:
        return Interval(quotient_of(1, x.hi, False), INFINITY)
    if x.hi == 0 and x.lo < 0:
        return Interval(-INFINITY, quotient_of(1, x.lo, True))
    return EVERYTHING


def power(x: Interval, exponent: int, lenient: bool = False) -> Interval:
    """All x ** exponent for a whole exponent; errors as in `divide`."""
    if exponent < 0:
        return reciprocal(power(x, -exponent), lenient)
    if exponent == 1:
        return x
    if exponent % 2 == 0 and x.lo < 0:
        x = absolute(x)
    return Interval(_power_of(x.lo, exponent, False), _power_of(x.hi, exponent, True))


def _power_of(base: Number, exponent: int, up: bool) -> Number:
    if type(base) is not float:
        return _whole(base**exponent)
    if base < 0:
        return -_power_of(-base, exponent, not up) if exponent % 2 else _power_of(-base, exponent, up)
    result: Number = 1
    square: Number = base
    while exponent:
        if exponent % 2:
            result = product_of(result, square, up)
        exponent //= 2
        if exponent:
            square = product_of(square, square, up)

    return result


def absolute(x: Interval) -> Interval:
    """All absolute values."""
    if x.lo >= 0:
        return x
    return negate(x) if x.hi <= 0 else Interval(0, max(-x.lo, x.hi))


def hull(*parts: Interval) -> Interval:
    """The least interval that holds all parts."""
    return Interval(min(p.lo for p in parts), max(p.hi for p in parts))


def common(x: Interval, y: Interval) -> Interval:
    """What two enclosures of one quantity leave."""
    return Interval(max(x.lo, y.lo), min(x.hi, y.hi))
