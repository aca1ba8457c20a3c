"""Laws of searches along one quantity: the nearest change is found, and none is missed where that is proved."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.formula.extremes.curvature import Shape
from apet.ground.interval import Interval, Number
from apet.questions.crossings import TermsAlong, between, first_different, first_of_all, nearest_change, probes

Pieces = list[tuple[float, float]]
SLOPES = st.floats(0, 10)
BASES = st.floats(0, 100)
CONVEX = st.lists(st.tuples(BASES, SLOPES), min_size=1, max_size=4)


def value(pieces: Pieces, x: float) -> float:
    """A maximum of rising lines."""
    return max(a + b * x for a, b in pieces)


def line(terms: Sequence[Pieces], whole: bool = False) -> TermsAlong:
    def at(x: Number) -> list[float]:
        return [value(pieces, float(x)) for pieces in terms]

    shapes = [Shape.AFFINE if len(pieces) == 1 else Shape.CONVEX for pieces in terms]
    return TermsAlong(at, [1] * len(terms), shapes, whole, Interval(1e-6, 1e6))


@given(st.lists(CONVEX, min_size=2, max_size=4), st.sampled_from([1e6, 1e-6]))
def test_between_the_present_value_and_a_proved_change_nothing_is_greater(terms: list[Pieces], far: float) -> None:
    found, proved = nearest_change(line(terms), 1.0, far)
    start = [value(pieces, 1.0) for pieces in terms]
    present = max(range(len(terms)), key=lambda k: (start[k], k > 0, -k))
    end = far if found is None else float(found.after)
    if proved:
        for part in range(101):
            x = math.exp(math.log(end) * part / 100)
            values = [value(pieces, x) for pieces in terms]
            assert max(values) <= values[present] * (1 + 1e-9)
    if found is not None:
        values = [value(pieces, float(found.at)) for pieces in terms]
        assert max(range(len(terms)), key=lambda k: values[k]) == found.winner or values[found.winner] == max(values)
        assert values[found.winner] > values[present]


@given(st.floats(0.1, 50), st.floats(0.01, 10))
def test_two_lines_cross_where_they_cross(base: float, slope: float) -> None:
    terms: list[Pieces] = [[(base + slope, 0.0)], [(0.0, slope)]]
    found, proved = nearest_change(line(terms), 1.0, 1e6)
    assert proved
    assert found is not None
    assert float(found.at) == pytest.approx((base + slope) / slope, rel=1e-8)


def test_a_term_that_limits_only_in_between_is_found_by_proof() -> None:
    """A bump between 100 and 101 that no doubling meets."""
    shapes = [Shape.AFFINE, Shape.NOTHING]

    def at(x: Number) -> list[float]:
        return [1.0, 2.0 if 100 < x < 101 else 0.0]

    found, proved = nearest_change(TermsAlong(at, [0, None], shapes, False, Interval(1, 1000)), 1.0, 1000.0)
    assert not proved
    assert found is None


@given(st.integers(1, 60), st.integers(1, 60))
def test_every_whole_number_on_the_way_is_tried(now: int, border: int) -> None:
    if border == now:
        return
    up = border > now

    def at(x: Number) -> list[float]:
        return [1.0, 2.0 if (x >= border if up else x <= border) else 0.0]

    found = first_of_all(TermsAlong(at, [None] * 2, [Shape.NOTHING] * 2, True, Interval(0, 100)), now, 100 if up else 0)
    assert found is not None
    assert (found.at, found.after, found.winner) == (border, border - 1 if up else border + 1, 1)


@given(st.floats(1.001, 1e5))
def test_a_monotone_value_changes_where_its_border_is(border: float) -> None:
    found, proved = first_different(lambda x: max(float(x), border), 1.0, 1e6, False, True)
    assert proved
    assert found is not None
    assert float(found) == pytest.approx(border, rel=1e-8)


def test_a_value_that_stays_is_proved_to_where_it_is_monotone() -> None:
    assert first_different(lambda x: 5.0, 1.0, 1e6, False, True) == (None, True)
    assert first_different(lambda x: 5.0, 1.0, 1e6, False, False) == (None, False)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_whole_numbers_that_are_not_neighbours_have_one_between(a: int, b: int) -> None:
    found = between(a, b, True)
    assert (found is None) == (abs(a - b) <= 1)
    assert found is None or min(a, b) < found < max(a, b)


@given(st.integers(1, 10**6), st.integers(0, 10**9))
def test_probes_end_at_the_far_end_and_go_one_way(now: int, far: int) -> None:
    found = list(probes(now, far, True))
    assert found == sorted(found, reverse=far < now)
    assert not found or found[-1] == far


def test_where_there_is_no_value_nothing_is_said() -> None:
    def at(x: Number) -> list[float] | None:
        return None if x > 5 else [1.0, 0.0]

    line = TermsAlong(at, [None] * 2, [Shape.NOTHING] * 2, True, Interval(0, 100))
    assert nearest_change(line, 1, 100) == (None, False)
    assert nearest_change(line, 6, 100) == (None, False)
    assert first_of_all(line, 1, 100) is None
    assert first_different(lambda x: None, 1, 100, True, True) == (None, False)
