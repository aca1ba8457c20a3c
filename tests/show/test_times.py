"""Laws of times as text: three digits at least, one unit, and enclosures that stay enclosures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.show.times import Unit, column, ends, percent, single, unit_for

SECONDS = Unit("s", 1.0)
TIMES = st.floats(1e-12, 1e9)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(612.3, "612 s"), (0.0123, "12.3 ms"), (3.14159e-6, "3.14 µs"), (2e-9, "2.00 ns"), (1.5e-11, "0.0150 ns")],
)
def test_a_single_time_has_three_digits_and_a_fitting_unit(seconds: float, shown: str) -> None:
    assert single(seconds) == shown


def test_times_longer_than_a_day_are_in_hours() -> None:
    assert unit_for([1e6]).name == "h"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(1.02, ("1.02", "1.02")), (1.0625, ("1.0625", "1.0625")), (1.0000005, ("1.00000", "1.00001"))],
)
def test_one_number_has_as_many_digits_as_tell_it_up_to_six(seconds: float, shown: tuple[str, str]) -> None:
    assert ends([seconds], [seconds], SECONDS, outward=1) == ([shown[0]], [shown[1]])
    assert ends([seconds], [seconds * 1.01], SECONDS, outward=1)[0] == column([seconds], SECONDS, -1)


def test_nothing_takes_zero_seconds() -> None:
    assert (unit_for([0.0]).name, column([0.0], SECONDS)) == ("s", ["0"])


def test_a_column_has_one_number_of_decimals_where_values_are_near() -> None:
    assert column([790.1, 41.23], SECONDS) == ["790.1", "41.2"]


def test_values_far_apart_have_their_own_decimals() -> None:
    assert column([8123.4567, 0.0123456], SECONDS) == ["8,123", "0.0123"]


def test_infinity_is_shown_as_such() -> None:
    assert column([math.inf], SECONDS) == ["∞"]


@given(st.lists(TIMES, min_size=1, max_size=6))
def test_ends_of_an_enclosure_are_rounded_outward(values: list[float]) -> None:
    unit = unit_for(values)
    for value, low, high in zip(values, column(values, unit, -1), column(values, unit, 1), strict=True):
        scaled = value / unit.seconds
        below, above = (float(text.replace(",", "")) for text in (low, high))
        if "e" not in low:
            assert below <= scaled * (1 + 2e-12)
            assert above >= scaled * (1 - 2e-12)


@given(TIMES)
def test_a_time_is_shown_within_half_a_per_cent(value: float) -> None:
    unit = unit_for([value])
    assert float(column([value], unit)[0].replace(",", "")) == pytest.approx(value / unit.seconds, rel=6e-3)


@pytest.mark.parametrize(
    ("share", "shown"), [(0.0, "0 %"), (1e-9, "< 1 %"), (0.5, "50 %"), (0.9999, "> 99 %"), (1.0, "100 %")]
)
def test_a_share_never_rounds_to_nothing_or_all(share: float, shown: str) -> None:
    assert percent(share) == shown
