"""What is proved of roots and logarithms: that they are rational, or 0."""

from __future__ import annotations

from fractions import Fraction

import pytest

from apet.formula.evaluate.closed_forms import Logarithm
from apet.ground.interval import Number


@pytest.mark.parametrize(
    ("argument", "base", "expected"),
    [
        (1000, 10, 3),
        (8, 4, Fraction(3, 2)),
        (Fraction(1, 27), 9, Fraction(-3, 2)),
        (1, 7, 0),
        (1000, 11, None),
        (1001, 10, None),
        (10**30 + 1, 10, None),
        (6, 36, Fraction(1, 2)),
    ],
)
def test_a_quotient_of_logarithms_is_rational_where_powers_are_equal(
    argument: Fraction, base: int, expected: Number | None
) -> None:
    number = Logarithm(0, 1, argument, base)
    assert number.rational == expected
    assert number.is_zero == (expected == 0)
    if expected is not None:
        assert number._replace(offset=-Fraction(expected)).is_zero
        assert number._replace(offset=2, factor=Fraction(1, 2)).rational == 2 + Fraction(expected) / 2
    assert not number._replace(offset=Fraction(1, 7)).is_zero


def test_logarithms_add_and_divide_in_one_base() -> None:
    two, eight = Logarithm(0, 1, 2, 10), Logarithm(0, 1, 8, 10)
    total = two.scaled(-3).plus(eight)
    assert total is not None
    assert total.is_zero
    quotient = eight.over(two)
    assert quotient is not None
    assert quotient.rational == 3
    assert two.plus(Logarithm(0, 1, 2, 7)) is None
    assert two.over(Logarithm(0, 1, 2, 7)) is None
    assert two.over(two._replace(offset=1)) is None
    assert not Logarithm(0, 1, 2, None).is_zero
    assert Logarithm(0, 0, 2, None).is_zero
