"""Functions and comparisons of intervals: each encloses all values over its operands."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction

from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.rounding import (
    EVERYTHING,
    INFINITY,
    absolute,
    add,
    common,
    infinite,
    negate,
    point,
    power,
    product_of,
    sum_of,
    to_float,
)
from apet.ground.exact import HALF, OUTSIDE, is_normal, rational_power, reduced
from apet.ground.interval import Interval, Number

STEPS_OF_FUNCTIONS = 2
"""How many units in the last place the mathematics library may be wrong, rounded up generously."""


LARGEST = sys.float_info.max
MOST_SHIFTED = 4_000
"""Powers of two above this are larger than all floats, and below minus this smaller, whatever factor they have."""


def apply(function: str, *operands: Interval, whole: bool = False, lenient: bool = False) -> Interval:
    """All values of a function; `whole` promises whole operands of `mod`.

    `EvaluationError` where an operand may lie outside the domain; if lenient, such operands are left out of account.
    """
    if function == "mod":
        return modulus(operands[0], operands[1], whole, lenient)
    if function == "pow":
        return general_power(operands[0], operands[1], lenient)
    (x,) = operands
    if function in ("log", "log2", "sqrt"):
        return _on_domain(function, x, lenient)
    return SIMPLE[function](x)


def _widened(value: float, up: bool) -> float:
    for _ in range(STEPS_OF_FUNCTIONS):
        value = math.nextafter(value, INFINITY if up else -INFINITY)
    return value


def _rounded(function: Callable[[Number], int]) -> Callable[[Interval], Interval]:
    def ends(x: Interval) -> Interval:
        return Interval(*(e if infinite(e) else function(e) for e in x))

    return ends


SIMPLE: dict[str, Callable[[Interval], Interval]] = {
    "floor": _rounded(math.floor),
    "ceil": _rounded(math.ceil),
    "abs": absolute,
}


def _on_domain(function: str, x: Interval, lenient: bool) -> Interval:
    below = x.lo < 0 or (x.lo == 0 and function != "sqrt")
    if below and not lenient:
        raise EvaluationError(OUTSIDE[function])
    if x.hi < 0 or (x.hi == 0 and function != "sqrt"):
        return EVERYTHING
    one = _root if function == "sqrt" else _logarithm(math.log if function == "log" else math.log2)
    low = max(x.lo, 0)
    return Interval(one(low, False), one(x.hi, True))


def _split(x: Number) -> tuple[Fraction, int]:
    """A number above 0 as m * 2^k, exactly, with m from 1/2 to 2 and an even k: also where x is no float."""
    exact = Fraction(x)
    k = (exact.numerator.bit_length() - exact.denominator.bit_length()) // 2 * 2
    return exact / Fraction(2) ** k, k


def _root(x: Number, up: bool) -> Number:
    if infinite(x) or not x:
        return x
    if isinstance(x, float):
        return max(_widened(math.sqrt(x), up), 0.0)
    root = rational_power(x, HALF)
    if root is not None:
        return reduced(root)

    if is_normal(x):
        return max(_widened(math.sqrt(to_float(x, up)), up), 0.0)
    m, k = _split(x)
    near = _widened(math.sqrt(to_float(m, up)), up)
    return to_float(Fraction(near) * Fraction(2) ** (k // 2), up)


LOG_2 = Interval(math.nextafter(math.log(2), 0), math.nextafter(math.log(2), 1))
"""Around the natural logarithm of 2."""


def _logarithm(function: Callable[[float], float]) -> Callable[[Number, bool], Number]:
    def one(x: Number, up: bool) -> Number:
        if x == 1:
            return 0
        if x == 0:
            return -INFINITY
        if infinite(x):
            return x
        if type(x) is int and function is math.log2 and x & (x - 1) == 0:
            return x.bit_length() - 1
        if isinstance(x, float) or is_normal(x):
            return _widened(function(to_float(x, up)), up)

        m, k = _split(x)  # log x = log m + k log 2
        rest = _widened(function(to_float(m, up)), up)
        shift = k if function is math.log2 else product_of(k, LOG_2.hi if up == (k > 0) else LOG_2.lo, up)
        return sum_of(rest, shift, up)

    return one


def general_power(x: Interval, exponent: Interval, lenient: bool = False) -> Interval:
    """All x ** exponent; for an exponent that is no whole number, x must not be negative."""
    if exponent.is_point and not infinite(exponent.lo) and exponent.lo % 1 == 0:
        times = int(exponent.lo)
        return power(x, times, lenient) if times else point(1)
    if x.lo < 0:
        if not lenient:
            raise EvaluationError("a fractional power of a negative number")
        if not (exponent.is_point and x.hi >= 0):
            return EVERYTHING  # whole exponents are among them, or nothing is
        x = Interval(0, x.hi)
    if exponent.lo < 0 and x.lo == 0:
        if not lenient:
            raise EvaluationError("division by zero")
        return Interval(0, INFINITY)

    # monotone in the base for a fixed exponent and in the exponent for a fixed base: the extremes are at corners
    corners = [(a, b) for a in x for b in exponent]
    return Interval(min(_corner(a, b, False) for a, b in corners), max(_corner(a, b, True) for a, b in corners))


def _corner(base: Number, exponent: Number, up: bool) -> Number:
    if type(exponent) is int and exponent and not infinite(base):
        powers = power(point(base), exponent)
        return powers.hi if up else powers.lo
    if exponent == 0 or base == 1:
        return 1
    if infinite(base) or infinite(exponent):
        return INFINITY if up else 0
    if base == 0:
        return 0
    if not isinstance(base, float) and not is_normal(base):
        return _large_power(base, exponent, up)
    near = to_float(base, up == (exponent >= 0))
    try:
        value = near ** to_float(exponent, up == (base >= 1))
    except (OverflowError, ZeroDivisionError):
        value = INFINITY

    return max(_widened(value, up), 0.0)


def _large_power(base: Number, exponent: Number, up: bool) -> Number:
    """The power of what is no float: base = m 2^k, so it is m^exponent times 2 to the whole and the rest of
    k * exponent."""
    m, k = _split(base)
    shift = k * Fraction(exponent)
    whole = math.floor(shift)
    if abs(whole) > MOST_SHIFTED:
        return (INFINITY if whole > 0 else math.ulp(0.0)) if up else (LARGEST if whole > 0 else 0.0)
    low, high = _corner(m, exponent, False), _corner(m, exponent, True)
    rest = _widened(2.0 ** to_float(shift - whole, up), up)
    return to_float(Fraction(product_of(high if up else low, rest, up)) * Fraction(2) ** whole, up)


def modulus(x: Interval, m: Interval, whole: bool = False, lenient: bool = False) -> Interval:
    """All floored remainders: exact where x stays within one period of one modulus, else all that may remain."""
    if m.lo <= 0 <= m.hi:
        if not lenient:
            raise EvaluationError("modulus 0")
        return m
    if m.hi < 0:
        return negate(modulus(negate(x), negate(m), whole))
    if x.lo >= 0 and x.hi < m.lo:
        return x
    beyond = m.hi - 1 if whole and not infinite(m.hi) else m.hi
    every = Interval(0, min(beyond, x.hi) if x.lo >= 0 else beyond)
    if not m.is_point or any(map(infinite, (*x, *m))):
        return every
    period = Fraction(m.lo)
    first, last = Fraction(x.lo) // period, Fraction(x.hi) // period
    if first != last:
        return every

    whole_periods = -first * m.lo if type(m.lo) is not float else -first * period
    return common(add(x, point(whole_periods)), Interval(0, m.hi))


def compare(operator: str, left: Interval, right: Interval) -> Interval:
    """1 where `left operator right` holds for all values, 0 where for none, else [0, 1]."""
    if operator == "<=":
        always, never = left.hi <= right.lo, left.lo > right.hi
    elif operator == "<":
        always, never = left.hi < right.lo, left.lo >= right.hi
    else:
        always = left.is_point and right.is_point and left.lo == right.lo
        never = left.hi < right.lo or right.hi < left.lo
        if operator == "!=":
            always, never = never, always
    return Interval(int(always), int(not never))
