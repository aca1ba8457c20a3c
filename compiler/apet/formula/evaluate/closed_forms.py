"""What is known of an irrational number besides its digits: enough to tell whether it is 0.

No number of digits tells sqrt(8) - 2 sqrt(2) from 0. Numbers made of roots are 0 or not smaller than a bound; a sum of
logarithms of rational numbers is 0 if a product of powers is 1.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from apet.formula.graph.nodes import Rational
from apet.ground.exact import short_power
from apet.ground.records import NamedTuple

MOST_BITS = 4_000
"""Of a bound below which a number made of roots is 0, and of a product of arguments of logarithms: what has more is not
followed."""
GREATEST_DENOMINATOR = 64
"""Of the quotient of two logarithms that is looked for."""


class Algebraic(NamedTuple):
    """A number made of rational ones by + - * / and roots.

    It is the quotient of two algebraic integers of a common degree; `above` and `below` bound the logarithms (to base
    2) of all their conjugates (C. Burnikel and others, A strong and easily computable separation bound for arithmetic
    expressions involving radicals, Algorithmica 27, 2000; with division, ESA 2001).
    """

    degree: int
    above: int
    below: int

    @property
    def bits(self) -> int:
        """The number is 0 if it is smaller than 2 to minus this."""
        return self.below + (self.degree - 1) * self.above

    def plus(self, other: Algebraic) -> Algebraic | None:
        """Of a sum or difference."""
        above = max(self.above + other.below, self.below + other.above) + 1
        return _followed(self.degree * other.degree, above, self.below + other.below)

    def times(self, other: Algebraic) -> Algebraic | None:
        """Of a product."""
        return _followed(self.degree * other.degree, self.above + other.above, self.below + other.below)

    def inverse(self) -> Algebraic:
        """Of 1 / x."""
        return Algebraic(self.degree, self.below, self.above)

    def root(self, degree: int) -> Algebraic | None:
        """Of the root of that degree."""
        above, below = self.above, self.below
        if above >= below:
            above = -(-(above + (degree - 1) * below) // degree)
        else:
            below = -(-((degree - 1) * above + below) // degree)
        return _followed(self.degree * degree, above, below)


def _followed(degree: int, above: int, below: int) -> Algebraic | None:
    form = Algebraic(degree, above, below)
    return form if form.bits <= MOST_BITS else None


def algebraic(value: Rational) -> Algebraic:
    """A rational number as a number made of roots."""
    return Algebraic(1, value.numerator.bit_length(), value.denominator.bit_length())


class Logarithm(NamedTuple):
    """offset + factor * ln(argument) / ln(base), all of them rational; without a base not divided."""

    offset: Rational
    factor: Rational
    argument: Rational
    base: Rational | None

    @property
    def is_zero(self) -> bool:
        """Whether it is proved to be 0; logarithms of rational numbers other than 1 are transcendental (Lindemann)."""
        if self.base is None or not self.offset or self.argument == 1:
            return not self.offset and (self.argument == 1 or not self.factor)
        left, right = Fraction(self.factor), Fraction(-self.offset)
        return _same_powers(
            self.argument, left.numerator * right.denominator, self.base, right.numerator * left.denominator
        )

    def plus(self, other: Logarithm) -> Logarithm | None:
        """The sum of two of one base."""
        if self.base != other.base:
            return None
        common = math.lcm(self.factor.denominator, other.factor.denominator)
        product: Rational = 1
        for part in (self, other):
            exponent = int(part.factor * common)
            size = part.argument.numerator.bit_length() + part.argument.denominator.bit_length()
            if size * abs(exponent) > MOST_BITS:
                return None
            product *= Fraction(part.argument) ** exponent
        return Logarithm(self.offset + other.offset, Fraction(1, common), product, self.base)

    def scaled(self, by: Rational) -> Logarithm:
        """A multiple."""
        return Logarithm(self.offset * by, self.factor * by, self.argument, self.base)

    def over(self, other: Logarithm) -> Logarithm | None:
        """The quotient of two of one base, without offsets."""
        if self.base != other.base or self.offset or other.offset or not other.factor:
            return None
        return Logarithm(0, Fraction(self.factor) / other.factor, self.argument, other.argument)

    @property
    def rational(self) -> Rational | None:
        """The value where it is proved to be rational: ln(1000) / ln(10) is 3."""
        if self.base is None:
            return None
        quotient = _log(self.argument) / _log(self.base)
        near = Fraction(quotient).limit_denominator(GREATEST_DENOMINATOR)
        if not _same_powers(self.argument, near.denominator, self.base, near.numerator):
            return None
        value = self.offset + self.factor * near
        return value.numerator if value.denominator == 1 else value


Form = Algebraic | Logarithm


def sum_of_forms(form: Form, other: Form | Rational | None) -> Form | None:
    """Of a sum with another number, of which a form is known or all."""
    if isinstance(form, Algebraic):
        second = algebraic(other) if isinstance(other, int | Fraction) else other
        return form.plus(second) if isinstance(second, Algebraic) else None
    if isinstance(other, int | Fraction):
        return form._replace(offset=form.offset + other)
    return form.plus(other) if isinstance(other, Logarithm) else None


def product_of_forms(form: Form, other: Form | Rational | None) -> Form | None:
    """Of a product with another number, of which a form is known or all."""
    if isinstance(form, Algebraic):
        second = algebraic(other) if isinstance(other, int | Fraction) else other
        return form.times(second) if isinstance(second, Algebraic) else None
    return form.scaled(other) if isinstance(other, int | Fraction) else None


def _log(value: Rational) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


def _same_powers(x: Rational, times: int, y: Rational, others: int) -> bool:
    """Whether x ^ times = y ^ others, of positive numbers; False where writing them out would take too long."""
    if not (short_power(x, times) and short_power(y, others)):
        return False
    return Fraction(x) ** times == Fraction(y) ** others


def vanishes(form: Form, low: Any, high: Any) -> bool:
    """Whether a number of this form is 0 that has 0 between its two ends, numbers of mpmath."""
    if isinstance(form, Logarithm):
        return form.is_zero
    # a number of absolute value 2^exponent + … has no more than that many bits before its point
    return all(not end[1] or end[2] + end[3] <= -form.bits for end in (low, high))
