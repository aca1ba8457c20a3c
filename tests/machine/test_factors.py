"""Laws of the relative performance factor."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.interval import Interval
from apet.machine import MachineGroup
from apet.machine.factors import relative_factors

TIME = st.floats(min_value=1e-9, max_value=1.0)
OPERATIONS = ("sum", "mpy", "div")
TIMES = st.lists(st.tuples(TIME, TIME, TIME), min_size=1, max_size=5)


def _group(name: str, times: dict[str, float], factor: float | None = None) -> MachineGroup:
    return MachineGroup(name, {op: Interval(t, t) for op, t in times.items()}, factor=factor)


def _groups(times: list[tuple[float, float, float]]) -> list[MachineGroup]:
    return [_group(f"m{i}", dict(zip(OPERATIONS, t, strict=True))) for i, t in enumerate(times)]


@given(TIMES)
def test_a_factor_is_the_geometric_mean_of_the_fastest_times_over_ones_own(
    times: list[tuple[float, float, float]],
) -> None:
    best = [min(column) for column in zip(*times, strict=True)]
    for factor, own in zip(relative_factors(_groups(times)), times, strict=True):
        product = math.prod(b / t for b, t in zip(best, own, strict=True))
        assert factor == pytest.approx(product ** (1 / 3), rel=1e-9)
        assert 0 < factor <= 1


@given(TIMES, st.sampled_from([0.5, 0.25, 0.2, 0.1]))
def test_a_machine_slower_in_everything_has_exactly_that_ratio(
    times: list[tuple[float, float, float]], ratio: float
) -> None:
    quick = times[0]
    slow = (quick[0] / ratio, quick[1] / ratio, quick[2] / ratio)
    assert relative_factors(_groups([quick, slow])) == (1.0, ratio)


def test_middles_of_intervals_are_compared() -> None:
    wide = MachineGroup("wide", {"sum": Interval(1.0, 3.0)})
    point = MachineGroup("point", {"sum": Interval(4.0, 4.0)})
    assert relative_factors([wide, point]) == (1.0, 0.5)


def test_only_operations_that_all_machines_have_count() -> None:
    groups = [_group("a", {"sum": 1.0, "mpy": 9.0}), _group("b", {"sum": 2.0, "div": 1e-9})]
    assert relative_factors(groups) == (1.0, 0.5)


def test_external_load_does_not_count() -> None:
    loaded = MachineGroup("b", {"sum": Interval(1.0, 1.0)}, load=Interval(0.5, 0.5))
    assert relative_factors([_group("a", {"sum": 1.0}), loaded]) == (1.0, 1.0)


def test_a_given_factor_is_used_as_it_is() -> None:
    groups = [_group("a", {"sum": 1.0}), _group("b", {"sum": 2.0}, factor=0.123456789012345)]
    assert relative_factors(groups) == (1.0, 0.123456789012345)


def test_with_nothing_to_compare_all_machines_are_alike() -> None:
    assert relative_factors([_group("a", {"sum": 1.0}), _group("b", {"mpy": 2.0})]) == (1.0, 1.0)
    assert relative_factors([_group("a", {"sum": 0.0}), _group("b", {"sum": 2.0})]) == (1.0, 1.0)
