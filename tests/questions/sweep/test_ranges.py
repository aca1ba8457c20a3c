"""Laws of ranges: any value from its number, equal to what the cell says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apet.questions.sweep.ranges import Joined, Listed, Stepped, Values, exact, exact_value, joined, multiplied

WHOLE = st.integers(-(10**6), 10**6)
REAL = st.fractions(-1000, 1000, max_denominator=1000)


def _all(values: Values) -> list[object]:
    return list(values.cells(np.arange(values.size)).tolist())


@given(WHOLE, st.integers(1, 1000), st.integers(1, 50))
def test_whole_steps_are_a_range(start: int, step: int, size: int) -> None:
    found = Stepped(start, step, size)
    assert found.whole
    assert _all(found) == list(range(start, start + step * size, step))
    assert found.ends == (start, start + step * (size - 1))


@given(REAL, st.fractions(Fraction(1, 1000), 10, max_denominator=1000), st.integers(1, 20))
def test_a_step_does_not_add_up_rounding_errors(start: Fraction, step: Fraction, size: int) -> None:
    assert [float(v) for v in _all(Stepped(start, step, size))] == [float(start + k * step) for k in range(size)]  # type: ignore[arg-type]


@given(st.lists(st.lists(WHOLE | REAL, min_size=1, max_size=5), min_size=1, max_size=5))
def test_joined_ranges_follow_each_other(parts: list[list[int | Fraction]]) -> None:
    ranges = [Listed(part) for part in parts]
    found = joined(ranges)
    assert _all(found) == [v for part in parts for v in part] or not found.whole
    assert [float(v) for v in _all(found)] == [float(v) for part in parts for v in part]  # type: ignore[arg-type]
    assert found.size == sum(map(len, parts))


def test_a_range_between_values_stays_a_range() -> None:
    found = joined([Listed([1]), Listed([2]), Stepped(4, 2, 10**12), Listed([7])])
    assert isinstance(found, Joined)
    assert found.size == 10**12 + 3
    assert found.cells(np.array([0, 1, 2, 10**12 + 1, 10**12 + 2])).tolist() == [1, 2, 4, 2 * 10**12 + 2, 7]


def test_a_factor_of_whole_numbers_is_exact() -> None:
    found = multiplied(3, 10**15, 10, 100)
    assert found is not None
    assert _all(found) == [3 * 10**k for k in range(15)]


@given(st.integers(2, 300))
def test_a_factor_is_rounded_once(count: int) -> None:
    factor = Fraction(21, 20)
    found = multiplied(Fraction(1, 10), Fraction(1, 10) * factor ** (count - 1) * Fraction(101, 100), factor, 1000)
    assert found is not None
    assert _all(found) == [float(Fraction(1, 10) * factor**k) for k in range(count)]


def test_a_factor_gives_up_where_values_are_too_many() -> None:
    assert multiplied(1, 10**9, Fraction(1001, 1000), 1000) is None


@given(st.floats(-1e300, 1e300, allow_nan=False))
def test_a_value_is_what_its_cell_says(cell: float) -> None:
    assert float(exact_value(cell)) == cell
    assert exact_value(cell) == Fraction(repr(cell))


def test_a_tenth_is_a_tenth() -> None:
    assert list(exact(np.array([0.1, 2.0, 0.1]))) == [Fraction(1, 10), 2, Fraction(1, 10)]


def test_ranges_of_different_values_have_different_texts() -> None:
    found = [Stepped(1, 1, 5), Stepped(1, 2, 5), Stepped(2, 1, 5), Stepped(1, 1, 6), Listed([1, 2]), Listed([0.5])]
    found += [Listed(range(2000)), Listed([*range(1999), 7])]
    texts = [*map(repr, found), repr(joined([Listed([1]), Stepped(2, 3, 9)]))]
    assert len(set(texts)) == len(texts)
