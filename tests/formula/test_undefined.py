"""What has no value behaves as an unknown: it cancels against itself, and 0 times it is 0."""

from __future__ import annotations

import pytest

from apet.formula.evaluate.undefined import Undefined


def test_what_cancels_leaves_the_rest() -> None:
    x, y = Undefined(ZeroDivisionError()), Undefined(ValueError())
    assert x - x == 0
    assert (3 * x + 2) - x * 3 == 2
    assert 5 - x + x == 5
    assert -(x - 7) + x == 7
    assert x + y - x - y == 0


def test_what_does_not_cancel_has_no_value() -> None:
    x, y = Undefined(ZeroDivisionError()), Undefined(ValueError())
    for value in (x - y, x - 2 * x, -x, 2 - x, x * y, x / 2, 1 / x, x**2, x - x * x, abs(x) - x):
        assert isinstance(value, Undefined)


@pytest.mark.parametrize("number", [0, 0.0])
def test_nothing_of_it_is_nothing(number: float) -> None:
    x = Undefined(ZeroDivisionError())
    assert x * number == number * x == number / x == 0


def test_it_wins_maxima_and_loses_minima() -> None:
    x = Undefined(ZeroDivisionError())
    assert max(3, x) is max(x, 3) is x
    assert min(3, x) == min(x, 3) == 3
