"""Functions of exact numbers: exact for integers and fractions, floating where they must be.

Every function raises ZeroDivisionError, ValueError or OverflowError outside its domain, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from apet.ground.interval import Number

MOST_BITS = 65_536
"""Of an exact power; far more than a float or a literal has."""
BITS_OF_A_FLOAT = 1_000
"""Exact numbers of no more bits before or behind the point are floats with all their digits."""
HALF = Fraction(1, 2)
OUTSIDE = {
    "sqrt": "the square root of a negative number",
    "log": "the logarithm of a number that is not positive",
    "log2": "the logarithm of a number that is not positive",
}
"""Why a function has no value."""


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
    if isinstance(exponent, int) and not isinstance(a, float) and short_power(a, exponent):
        return reduced(Fraction(a) ** exponent)
    if a < 0 and not (isinstance(exponent, int) or float(exponent).is_integer()):
        raise ValueError("a fractional power of a negative number")
    if isinstance(a, float) or not a or is_normal(a):
        return math.pow(a, b)
    scale = a.numerator.bit_length() - a.denominator.bit_length()  # a = m 2^scale is no float
    moved = scale * Fraction(b)
    whole = math.floor(moved)
    return math.ldexp(math.pow(a / Fraction(2) ** scale, b) * 2.0 ** float(moved - whole), whole)


def short_power(base: int | Fraction, exponent: int) -> bool:
    """Whether a power has few enough digits to be written out."""
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    return bits * abs(exponent) <= MOST_BITS or base in (-1, 0, 1)


def rational_power(base: int | Fraction, exponent: int | Fraction) -> int | Fraction | None:
    """base ^ exponent of a base that is not negative, where it is rational and can be written out; else None."""
    degree = exponent.denominator
    top, bottom = _whole_root(base.numerator, degree), _whole_root(base.denominator, degree)
    if top is None or bottom is None or (not top and exponent <= 0):
        return None
    root = Fraction(top, bottom)
    return root**exponent.numerator if short_power(root, exponent.numerator) else None


def _whole_root(x: int, degree: int) -> int | None:
    """The number whose power of that degree is x, by Newton's method from above; None if there is none."""
    if x < 2 or degree == 1:
        return x
    if degree == 2:
        root = math.isqrt(x)
        return root if root * root == x else None
    if degree >= x.bit_length():
        return None  # it lies between 1 and 2
    root = 1 << -(-x.bit_length() // degree)
    while (lower := ((degree - 1) * root + x // root ** (degree - 1)) // degree) < root:
        root = lower
    return root if root**degree == x else None


def rational_value(function: str, x: int | Fraction) -> int | Fraction | None:
    """`sqrt`, `log` or `log2` of a number where that is rational, else None; `ValueError` outside their domain."""
    if x < 0 or (x == 0 and function != "sqrt"):
        raise ValueError(OUTSIDE[function])
    if function == "sqrt":
        return rational_power(x, HALF)
    if x == 1:
        return 0
    return x.bit_length() - 1 if function == "log2" and type(x) is int and x & (x - 1) == 0 else None


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
    """The logarithm of a fraction that may be no float."""
    if not isinstance(x, Fraction):
        return log(x)
    return log(float(x)) if is_normal(x) else log(x.numerator) - log(x.denominator)


def is_normal(x: int | Fraction) -> bool:
    """Whether an exact number is as near to a float as its digits allow, neither too large nor too small."""
    return abs(x.numerator.bit_length() - x.denominator.bit_length()) < BITS_OF_A_FLOAT


def _require_positive(x: Number, what: str) -> None:
    if not x > 0:
        raise ValueError(f"{what} of {float(x):g}, which is not positive")


def square_root(x: Number) -> Number:
    """The square root; exact for squares of whole numbers and fractions."""
    if x < 0:
        raise ValueError(f"the square root of {float(x):g}, which is negative")
    if not isinstance(x, float):
        root = rational_power(x, HALF)
        if root is not None:
            return reduced(root)
        if not is_normal(x):
            half = (x.numerator.bit_length() - x.denominator.bit_length()) // 2
            return math.ldexp(math.sqrt(x / Fraction(4) ** half), half)
    return math.sqrt(x)
