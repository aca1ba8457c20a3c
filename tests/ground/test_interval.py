"""Laws of `Interval`: a type of its own, never empty, without arithmetic."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from apet.ground.interval import Interval


def test_an_interval_unpacks_into_its_ends() -> None:
    low, high = Interval(1, Fraction(7, 2))
    assert (low, high) == (1, Fraction(7, 2))


@pytest.mark.parametrize("ends", [(2, 1), (0.5, Fraction(1, 3)), (float("nan"), 1), (1, float("nan"))])
def test_an_interval_is_never_empty(ends: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="no interval"):
        Interval(*ends)


def test_intervals_have_no_arithmetic_and_no_order() -> None:
    one, other = Interval(1, 2), Interval(3, 4)
    for operation in ("__add__", "__mul__", "__len__", "__getitem__"):
        assert not hasattr(one, operation)
    with pytest.raises(TypeError):
        one < other  # type: ignore[operator]  # noqa: B015
    assert one != (1, 2)


def test_intervals_are_values() -> None:
    one = Interval(1, 2.5)
    assert pickle.loads(pickle.dumps(one)) == one
    assert {one: "same"}[Interval(1, 2.5)] == "same"
    assert repr(one) == "Interval(lo=1, hi=2.5)"
    with pytest.raises(AttributeError):
        one.lo = 0
