"""Laws of the allocation of tasks: both schedules against their definitions, done task by task."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import calls

from apet.machine.allocation import Equals, join_shares, static_shares

FACTORS = st.one_of(
    st.sampled_from([1.0, 0.5, 0.25, 0.75, 0.1, 1 / 3, 0.8333333333, 1e-9]),
    st.floats(min_value=1e-3, max_value=1.0),
)
GROUPS = st.lists(st.builds(Equals, st.integers(1, 6), FACTORS), min_size=1, max_size=5)
TASKS = st.integers(0, 120)


def _one_by_one(groups: list[Equals]) -> list[Fraction]:
    return [Fraction(group.factor) for group in groups for _ in range(group.number)]


def _static(factors: list[Fraction], tasks: int) -> list[int]:
    quotas = [tasks * factor / sum(factors) for factor in factors]
    shares = [int(quota) for quota in quotas]
    order = sorted(range(len(quotas)), key=lambda p: (-(quotas[p] - shares[p]), p))
    for p in order[: tasks - sum(shares)]:
        shares[p] += 1
    return shares


def _join(factors: list[Fraction], tasks: int) -> list[int]:
    shares = _static(factors, tasks // 2)
    free = [(share / factor, p) for p, (share, factor) in enumerate(zip(shares, factors, strict=True))]
    heapq.heapify(free)
    for _ in range(tasks - tasks // 2):
        at, p = heapq.heappop(free)
        shares[p] += 1
        heapq.heappush(free, (at + 1 / factors[p], p))
    return shares


@given(GROUPS, TASKS)
def test_static_shares_are_floors_and_one_more_for_the_largest_remainders(groups: list[Equals], tasks: int) -> None:
    assert list(static_shares(groups, tasks)) == _static(_one_by_one(groups), tasks)


@given(GROUPS, TASKS)
def test_join_shares_are_those_of_dealing_task_by_task(groups: list[Equals], tasks: int) -> None:
    assert list(join_shares(groups, tasks)) == _join(_one_by_one(groups), tasks)


@given(GROUPS, st.integers(0, 10**18))
def test_shares_sum_to_the_number_of_tasks(groups: list[Equals], tasks: int) -> None:
    assert sum(static_shares(groups, tasks)) == tasks
    assert sum(join_shares(groups, tasks)) == tasks


@given(GROUPS, st.integers(0, 10**18))
def test_a_static_share_is_less_than_one_task_from_the_exact_proportion(groups: list[Equals], tasks: int) -> None:
    factors = _one_by_one(groups)
    for share, factor in zip(static_shares(groups, tasks), factors, strict=True):
        assert abs(share - tasks * factor / sum(factors)) < 1


@given(GROUPS, st.integers(10**12, 10**15))
def test_no_processor_of_join_could_have_begun_the_last_task_of_another_earlier(
    groups: list[Equals], tasks: int
) -> None:
    """The last task of any processor begins no later than the next one of any other would."""
    factors, shares = _one_by_one(groups), join_shares(groups, tasks)
    begins = [(share - 1) / factor for share, factor in zip(shares, factors, strict=True) if share]
    free = [share / factor for share, factor in zip(shares, factors, strict=True)]
    assert max(begins) <= min(free)


def test_equal_machines_tie_to_the_smaller_number() -> None:
    assert static_shares([Equals(3, 0.1), Equals(2, 0.1)], 7) == (2, 2, 1, 1, 1)
    assert join_shares([Equals(3, 0.1), Equals(2, 0.1)], 7) == (2, 2, 1, 1, 1)


@pytest.mark.parametrize("deal", [static_shares, join_shares])
def test_tasks_are_dealt_to_groups_of_machines_and_not_one_by_one(
    deal: Callable[[Sequence[Equals], int], tuple[int, ...]],
) -> None:
    groups = [Equals(50_000, 1.0), Equals(30_000, 0.123), Equals(20_000, 0.7)]
    shares = deal(groups, 10**15 + 1)
    assert sum(shares) == 10**15 + 1
    assert len(shares) == 100_000
    assert calls(lambda: deal(groups, 10**15 + 1)) < 1000
