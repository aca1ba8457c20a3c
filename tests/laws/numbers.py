"""Exact numbers of programs: an `int` or a `Fraction`, and what has no value.

Roots and logarithms that are irrational have 300 digits; what is nearer than 1e-230 to a simple fraction is that
fraction, so that `log(27) / log(3)` is 3. Numbers too great or too small for that are `BeyondError`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from math import ceil, floor, isqrt

Exact = int | Fraction

DIGITS = Context(prec=300)
NEAR = Fraction(1, 10**230)
SIMPLE = 10**9
MOST = 10**110


class FaultError(Exception):
    """What a program may not do: its arguments say of which kinds it is."""


class BeyondError(Exception):
    """A number too great, or too near 0, to be judged."""


def tidy(value: Exact | bool) -> Exact:
    """An `int` where the value is whole, or as good as."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            value = value.numerator
        elif value.denominator > SIMPLE:
            simple = value.limit_denominator(SIMPLE)
            value = tidy(simple) if abs(simple - value) < NEAR else value
    size, parts = abs(value.numerator), value.denominator
    if size >= MOST * parts or 0 < size * MOST <= parts:
        raise BeyondError
    return value if isinstance(value, Fraction) else int(value)


def _decimal(value: Exact) -> Decimal:
    return DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))


def _defined(condition: bool, kind: str) -> None:
    if not condition:
        raise FaultError(kind)


def quotient(x: Exact, y: Exact) -> Exact:
    _defined(y != 0, "division")
    return Fraction(x) / y


def remainder(x: Exact, y: Exact) -> Exact:
    return x - y * floor(quotient(x, y))


def power(x: Exact, y: Exact) -> Exact:
    """x^y; of a negative number only whole powers."""
    if y.denominator != 1:
        _defined(x >= 0, "domain")
        _defined(x != 0 or y > 0, "division")
        exact = _exact_root(x, y.denominator)
        return power(exact, y.numerator) if exact is not None else Fraction(DIGITS.power(_decimal(x), _decimal(y)))

    _defined(x != 0 or y >= 0, "division")
    if abs(Fraction(y)) > 400:
        if x not in (-1, 0, 1):
            raise BeyondError
        return x ** (y.numerator % 2 or 2)
    return Fraction(x) ** y.numerator


def _exact_root(x: Exact, k: int) -> Exact | None:
    """The k-th root of x where it is a fraction."""
    above, below = _whole_root(x.numerator, k), _whole_root(x.denominator, k)
    return None if above is None or below is None else Fraction(above, below)


def _whole_root(x: int, k: int) -> int | None:
    if k == 2:
        root = isqrt(x)
    else:
        root = int(DIGITS.power(Decimal(x), DIGITS.divide(Decimal(1), Decimal(k))).to_integral_value()) if x else 0
    return root if root**k == x else None


def root(x: Exact) -> Exact:
    _defined(x >= 0, "domain")
    return power(x, Fraction(1, 2))


@cache
def logarithm(x: Exact) -> Exact:
    _defined(x > 0, "domain")
    return Fraction(DIGITS.subtract(*(DIGITS.ln(Decimal(part)) for part in (x.numerator, x.denominator))))


def binary_logarithm(x: Exact) -> Exact:
    return quotient(logarithm(x), logarithm(2))


OPERATORS: dict[str, Callable[[Exact, Exact], Exact | bool]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": quotient,
    "%": remainder,
    "^": power,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
FUNCTIONS: dict[str, Callable[..., Exact]] = {
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "ceil": ceil,
    "floor": floor,
    "abs": abs,
    "sqrt": root,
    "log": logarithm,
    "log2": binary_logarithm,
}
