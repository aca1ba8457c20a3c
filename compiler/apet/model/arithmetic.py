"""Arithmetic on the numbers of a model: exact for integers and fractions, floating where it must be.

Every function raises ZeroDivisionError, ValueError or OverflowError outside its domain, and nothing else.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from apet.ground.interval import Number

LARGEST_POWER_BITS = 100_000
"""An exact power longer than this many bits is computed in floating point, where it overflows."""


def reduced(value: Number) -> Number:
    """The same number, an int where a fraction is whole."""
    # A test of the class, not isinstance: numbers are abstract classes' instances, and that test is slow.
    if value.__class__ is Fraction and value.denominator == 1:
        return value.numerator
    return value


def divide(a: Number, b: Number) -> Number:
    """a / b, exact unless one of the two is floating."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    if isinstance(a, float) or isinstance(b, float):
        return float(a) / float(b)
    return reduced(Fraction(a) / b)


def modulus(a: Number, b: Number) -> Number:
    """a - b floor(a / b): the sign of a positive b is never left."""
    if b == 0:
        raise ZeroDivisionError("the remainder of a division by zero")
    return a % b


def power(a: Number, b: Number) -> Number:
    """a to the b, exact for a whole b of reasonable size."""
    if a == 0 and b < 0:
        raise ZeroDivisionError("a negative power of zero")
    exponent = reduced(b)
    if isinstance(exponent, int) and not isinstance(a, float) and _bits(a) * abs(exponent) <= LARGEST_POWER_BITS:
        return reduced(Fraction(a) ** exponent)
    if a < 0 and not (isinstance(exponent, int) or float(exponent).is_integer()):
        raise ValueError("a broken power of a negative number")
    return math.pow(a, b)


def _bits(value: int | Fraction) -> int:
    return 0 if value in (-1, 0, 1) else max(value.numerator.bit_length(), value.denominator.bit_length())


def logarithm(x: Number) -> Number:
    """The natural logarithm; exact at 1."""
    _require_positive(x, "the logarithm")
    return 0 if x == 1 else _log(math.log, x)


def binary_logarithm(x: Number) -> Number:
    """The logarithm to base 2; exact for whole powers of two."""
    _require_positive(x, "the logarithm")
    if isinstance(x, int) and x & (x - 1) == 0:
        return x.bit_length() - 1
    return _log(math.log2, x)


def _log(log: Callable[[int | float], float], x: Number) -> float:
    """The logarithm of a fraction whose parts may exceed a float."""
    return log(x.numerator) - log(x.denominator) if isinstance(x, Fraction) else log(x)


def _require_positive(x: Number, what: str) -> None:
    if not x > 0:
        raise ValueError(f"{what} of {float(x):g}, which is not positive")


def square_root(x: Number) -> Number:
    """The square root; exact for squares of whole numbers and fractions."""
    if x < 0:
        raise ValueError(f"the square root of {float(x):g}, which is negative")
    if not isinstance(x, float):
        top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
        if top * top == x.numerator and bottom * bottom == x.denominator:
            return reduced(Fraction(top, bottom))
    return math.sqrt(x)


def whole_range(low: Number, high: Number) -> range:
    """The integers i with low <= i <= high; none if high < low."""
    return range(math.ceil(low), math.floor(high) + 1)


BINARY: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
    "%": modulus,
    "^": power,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
"""Operators of two operands; a comparison is 1 if true, else 0."""

CALLS: dict[str, Callable[..., Number]] = {
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "ceil": math.ceil,
    "floor": math.floor,
    "abs": abs,
    "log": logarithm,
    "log2": binary_logarithm,
    "sqrt": square_root,
}
"""Functions by name; the numbers of their arguments are in `terms.FUNCTIONS`."""
