"""Numbers that cannot be written as fractions, between two ends of as many digits as are needed.

All operations round outward, so that the number surely lies between the ends. What depends on a comparison is decided
where the ends tell, or a proof (`closed_forms`); else `Undecided` is raised, and the plan runs again with more digits.
The one file that knows mpmath.
"""

from __future__ import annotations

from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from typing import Any

from mpmath.libmp import (
    from_float,
    from_int,
    from_rational,
    mpf_abs,
    mpf_add,
    mpf_cmp,
    mpf_exp,
    mpf_gt,
    mpf_le,
    mpf_log,
    mpf_lt,
    mpf_nthroot,
    mpf_shift,
    mpf_sign,
    mpf_sqrt,
    mpf_sub,
    round_ceiling,
    round_floor,
    to_float,
    to_int,
)
from mpmath.libmp.libmpi import mpi_abs, mpi_add, mpi_div, mpi_mul, mpi_neg, mpi_pow_int

from apet.formula.evaluate import closed_forms
from apet.formula.evaluate.closed_forms import Algebraic, Form, Logarithm
from apet.formula.graph.nodes import Rational
from apet.ground.exact import MOST_BITS, rational_power
from apet.ground.interval import Interval
from apet.ground.records import NamedTuple

LENGTH = 4
"""A fraction may have so many times the bits of the ends."""
GUARD = 16
"""Bits by which functions are computed more precisely than they are widened."""
TINY = 2_000
"""Powers of two below minus this are nothing beside the least float."""


class Precision(NamedTuple):
    """Bits of the ends of numbers; `settles`: what is undecided then counts as equal."""

    bits: int
    settles: bool = False


LEVELS = (Precision(128), Precision(1024), Precision(16_384))
"""The precisions at which a plan runs until all is decided."""
PRECISION = ContextVar("PRECISION", default=LEVELS[0])

Ends = tuple[Any, Any]
"""Two floating-point numbers of mpmath, the lower first."""


class Undecided(Exception):
    """The ends of a number are too far apart to tell what depends on it."""


class Real:
    """A number between two ends; `form` is what else is known of it."""

    __slots__ = ("ends", "form")

    def __init__(self, ends: Ends, form: Form | None = None) -> None:
        self.ends = ends
        self.form = form

    @classmethod
    def of(cls, value: Rational) -> Real:
        """A fraction to the digits at hand, without its form."""
        return cls(_ends(value))

    @classmethod
    def around(cls, middle: float, distance: float) -> Real:
        """What is not farther than that from a float, where both may be wrong in their last bits."""
        value, off = from_float(middle), (distance + abs(middle) * 2.0**-52) * (1 + 2.0**-50)
        return cls(mpi_add((value, value), (from_float(-off), from_float(off)), PRECISION.get().bits))

    def __add__(self, other: Any) -> Any:
        if type(other) is float:
            return float(self) + other
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        return Real(
            mpi_add(self.ends, ends, PRECISION.get().bits),
            self.form and closed_forms.sum_of_forms(self.form, _known(other)),
        )

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Real:
        form = self.form.scaled(-1) if isinstance(self.form, Logarithm) else self.form
        return Real(mpi_neg(self.ends), form)

    def __mul__(self, other: Any) -> Any:
        if type(other) is float:
            return float(self) * other
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        if type(other) is not Real and not other:
            return 0
        return Real(
            mpi_mul(self.ends, ends, PRECISION.get().bits),
            self.form and closed_forms.product_of_forms(self.form, _known(other)),
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if type(other) is float:
            return float(self) / other
        if type(other) in (int, Fraction):
            return self * (1 / Fraction(other))
        return _quotient(self, other) if type(other) is Real else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        if type(other) is float:
            return other / float(self)
        return _quotient(other, self) if type(other) in (int, Fraction) else NotImplemented

    def __pow__(self, exponent: Any) -> Any:
        if type(exponent) is not int:
            return real("pow", self, exponent)
        if exponent < 0:
            return 1 / self**-exponent
        form: Form | None = self.form if exponent == 1 else None
        if isinstance(self.form, Algebraic) and exponent > 1:
            degree, above, below = self.form
            form = Algebraic(degree, above * exponent, below * exponent)
        return Real(_power(self.ends, exponent), form) if exponent else 1

    def __rpow__(self, base: Any) -> Any:
        return real("pow", base, self)

    # Decisions

    def sign(self) -> int:
        """-1, 0 or 1; `Undecided` where neither the ends nor the form tell."""
        low, high = self.ends
        below, above = mpf_sign(low), mpf_sign(high)
        if below > 0 or above < 0 or below == above:
            return int(below or above)
        if self.form is not None and closed_forms.vanishes(self.form, low, high):
            return 0
        if PRECISION.get().settles:
            return 0
        raise Undecided

    def _against(self, other: Any) -> int:
        """The sign of self - other."""
        if type(other) is float:
            other = Fraction(other)
        low, high = _ends(other)
        if mpf_gt(self.ends[0], high):
            return 1
        return -1 if mpf_lt(self.ends[1], low) else (self - other).sign()

    def __lt__(self, other: Any) -> bool:
        return self._against(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._against(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._against(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._against(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, int | Fraction | float | Real) and self._against(other) == 0)

    __hash__ = None  # type: ignore[assignment]  # equal numbers may have different ends

    def __floor__(self) -> int:
        low, high = (int(to_int(end, round_floor)) for end in self.ends)
        if low == high:
            return low
        if high - low > 1:
            raise Undecided
        return high if self >= high else low

    def __ceil__(self) -> int:
        return -(-self).__floor__()

    def __mod__(self, other: Any) -> Any:
        return self - other * (self / other).__floor__()

    def __rmod__(self, other: Any) -> Any:
        return other - self * (other / self).__floor__()

    def __abs__(self) -> Real:
        low, high = self.ends
        if mpf_sign(low) >= 0:
            return self
        return -self if mpf_sign(high) <= 0 else Real(mpi_abs(self.ends))

    # To other numbers

    def __float__(self) -> float:
        middle = mpf_shift(mpf_add(*self.ends), -1)
        value = float(to_float(middle, rnd="n"))
        if abs(value) == float("inf"):
            raise OverflowError
        return value

    def settled(self) -> Rational:
        """The whole number that it is proved to be, else what lies in the middle of the ends."""
        low, high = self.interval()
        middle = Fraction(low + high) / 2
        near = round(middle)
        try:
            return near if self == near else middle
        except Undecided:
            return middle

    def interval(self) -> Interval:
        """The ends as fractions."""
        low, high = self.ends
        return Interval(_fraction(low, False), _fraction(high, True))


def power(base: Rational, exponent: int) -> Any:
    """base ^ exponent: exact where that is short beside the digits at hand, `ZeroDivisionError` for 0 to a negative."""
    size = abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length())
    whole = exponent > 0 and base.denominator == 1
    if size <= (MOST_BITS if whole else LENGTH * PRECISION.get().bits) or base in (-1, 0, 1):
        return Fraction(base) ** exponent
    return Real.of(base) ** exponent


def larger(one: Any, other: Any) -> Any:
    """The greater of two numbers; what is known of it where it cannot be told which it is."""
    try:
        return other if other > one else one
    except Undecided:
        return Real(tuple(a if mpf_cmp(a, b) > 0 else b for a, b in zip(_ends(one), _ends(other), strict=True)))


def smaller(one: Any, other: Any) -> Any:
    """The lesser of two numbers, as in `larger`."""
    try:
        return other if other < one else one
    except Undecided:
        return -larger(-one, -other)


def real(function: str, x: Any, exponent: Any = None) -> Any:
    """`sqrt`, `log`, `log2` or `pow` of numbers in its domain: a fraction where it is proved to be one (27^(1/3))."""
    if function == "sqrt":
        return _root(x, 2)
    if function == "log":
        return _logarithm(x)
    if function == "log2":
        return _binary_logarithm(x)
    if type(exponent) is int:
        return Real.of(x) ** exponent
    if type(exponent) is Fraction and exponent.denominator < MOST_BITS:
        return _root(x, exponent.denominator) ** exponent.numerator
    if x == 0:
        return 0

    scaled = exponent * _logarithm(x)
    return Real(_monotone(mpf_exp, scaled.ends)) if type(scaled) is Real else 1


def _root(x: Any, degree: int) -> Any:
    if type(x) is not Real:
        rational = rational_power(x, Fraction(1, degree))
        if rational is not None:
            return rational

    form = closed_forms.algebraic(x) if type(x) is not Real else x.form
    ends = _ends(x)
    if mpf_sign(ends[0]) < 0:
        ends = (from_int(0), ends[1])

    if degree == 2:
        bits = PRECISION.get().bits
        root = mpf_sqrt(ends[0], bits, round_floor), mpf_sqrt(ends[1], bits, round_ceiling)
    else:
        root = _monotone(lambda end, bits: mpf_nthroot(end, degree, bits), ends)
    return Real(root, form.root(degree) if isinstance(form, Algebraic) else None)


def _logarithm(x: Any) -> Any:
    if type(x) is Real:
        if mpf_sign(x.ends[0]) <= 0:
            raise Undecided
        return Real(_monotone(mpf_log, x.ends))
    return Real(_monotone(mpf_log, _ends(x)), Logarithm(0, 1, x, None)) if x != 1 else 0


def _binary_logarithm(x: Any) -> Any:
    logarithm = _logarithm(x)
    if type(logarithm) is not Real or type(x) is Real:
        return logarithm / _logarithm_of_two(PRECISION.get().bits)
    places = x.numerator.bit_length() - x.denominator.bit_length()
    if x == Fraction(2) ** places:
        return places
    ends = mpi_div(logarithm.ends, _logarithm_of_two(PRECISION.get().bits).ends, PRECISION.get().bits)
    return Real(ends, Logarithm(0, 1, x, 2))


@cache
def _logarithm_of_two(bits: int) -> Real:
    return _logarithm(2)  # type: ignore[no-any-return]


def _monotone(function: Any, ends: Ends) -> Ends:
    """The ends of a rising function, whose values are taken to be wrong by less than their last bits."""
    bits = PRECISION.get().bits
    values = [function(end, bits + 2 * GUARD) for end in (ends if ends[0] != ends[1] else ends[:1])]
    low, high = values[0], values[-1]
    below, above = (mpf_shift(mpf_abs(v), -(bits + GUARD)) for v in (low, high))
    return mpf_sub(low, below, bits, round_floor), mpf_add(high, above, bits, round_ceiling)


def _power(ends: Ends, exponent: int) -> Ends:
    bits = PRECISION.get().bits
    low, high = mpi_pow_int(ends, exponent, bits + 2 * GUARD)
    below, above = (mpf_shift(mpf_abs(v), -(bits + GUARD)) for v in (low, high))
    return mpf_sub(low, below, bits, round_floor), mpf_add(high, above, bits, round_ceiling)


def _ends(value: Any) -> Any:
    """The ends of any exact number; None for what is none."""
    if type(value) is Real:
        return value.ends

    bits = PRECISION.get().bits
    if type(value) is int:
        if -(1 << 64) < value < 1 << 64:
            end = from_int(value)
            return end, end
        return from_int(value, bits, round_floor), from_int(value, bits, round_ceiling)
    if type(value) is Fraction:
        p, q = value.numerator, value.denominator
        return from_rational(p, q, bits, round_floor), from_rational(p, q, bits, round_ceiling)
    return None


def _fraction(end: Any, up: bool) -> Fraction:
    sign, mantissa, exponent, size = end
    if not mantissa:
        return Fraction(0)
    if exponent + size < -TINY:
        return Fraction(0) if up == bool(sign) else Fraction(-1 if sign else 1, 1 << TINY)
    if exponent > MOST_BITS:
        raise OverflowError
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def _known(value: Any) -> Form | Rational | None:
    """What is known of a number besides its digits: a form, or all of it."""
    return value.form if type(value) is Real else value


def _quotient(left: Any, right: Real) -> Any:
    if right.sign() == 0:
        raise ZeroDivisionError

    form: Form | None = None
    above = left.form if type(left) is Real else None
    if isinstance(right.form, Algebraic):
        inverse = right.form.inverse()
        form = closed_forms.product_of_forms(inverse, _known(left))
    elif isinstance(right.form, Logarithm) and isinstance(above, Logarithm):
        form = above.over(right.form)
        if form is not None and form.rational is not None:
            return form.rational

    if mpf_le(right.ends[0], from_int(0)) and mpf_sign(right.ends[1]) >= 0:
        raise Undecided
    return Real(mpi_div(_ends(left), right.ends, PRECISION.get().bits), form)
