"""Distributions of sums, maxima and mixtures: exact cumulants, and shapes as simulated."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.questions.quantiles.expected_extremes import expected_greatest_exponential, expected_greatest_normal

from apet.machine.spread import Piece, of_quantiles, of_samples
from apet.questions.quantiles.distributions import Law, Laws

UNIT = (Piece(1.0, 0.0, 1.0),)
SKEWED = of_samples([1.0] * 17 + [1.5, 4.0, 9.0]).pieces


@pytest.fixture
def laws() -> Laws:
    return Laws()


def irwin_hall(x: float, n: int) -> float:
    """P(sum of n uniform times <= x): O. Irwin and P. Hall, Biometrika 19, 1927."""
    terms = ((-1) ** k * math.comb(n, k) * (x - k) ** n for k in range(math.floor(x) + 1))
    return math.fsum(terms) / math.factorial(n)


def test_cumulants_of_a_sum_add(laws: Laws) -> None:
    a, b = laws.leaf(UNIT), laws.leaf(SKEWED)
    total = laws.total({a: 3, b: 2, laws.constant(7.0): 1})
    for k in range(4):
        assert total.cumulants[k] == pytest.approx(3 * a.cumulants[k] + 2 * b.cumulants[k] + (7 if k == 0 else 0))


@pytest.mark.parametrize("n", [2, 3, 6, 12])
def test_a_sum_of_uniform_times_has_the_distribution_of_irwin_and_hall(laws: Laws, n: int) -> None:
    total = laws.total({laws.leaf(UNIT): n})
    for level in (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99):
        assert irwin_hall(total.quantile(level), n) == pytest.approx(level, abs=2e-3)


def test_a_sum_of_very_many_is_normal_and_costs_no_more(laws: Laws) -> None:
    n = 10**15
    total = laws.total({laws.leaf(SKEWED): n})
    assert total.deviation == pytest.approx(math.sqrt(n) * laws.leaf(SKEWED).deviation)
    assert total.quantile(0.975) == pytest.approx(total.mean + 1.959964 * total.deviation, abs=0.01 * total.deviation)


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 10**6])
def test_the_greatest_of_uniform_times_is_n_over_n_plus_1(laws: Laws, n: int) -> None:
    found = laws.greatest({laws.leaf(UNIT): n})
    assert found.mean == pytest.approx(n / (n + 1), abs=2e-4)
    assert found.deviation == pytest.approx(math.sqrt(n / (n + 2)) / (n + 1), abs=5e-4)


@pytest.mark.parametrize("n", [2, 10, 100, 1000])
def test_the_greatest_of_nearly_exponential_times_is_a_harmonic_number(laws: Laws, n: int) -> None:
    levels = [*(k / 500 for k in range(500)), *(1 - 2.0**-k / 500 for k in range(1, 20))]
    exponential = of_quantiles([(u, -math.log1p(-u)) for u in levels])
    found = laws.greatest({laws.leaf(exponential.pieces): n})
    assert found.mean == pytest.approx(expected_greatest_exponential(1.0, n), rel=0.01)


@pytest.mark.parametrize("n", [10, 1000, 10**6])
def test_the_greatest_of_sums_of_many_is_that_of_normal_times(laws: Laws, n: int) -> None:
    total = laws.total({laws.leaf(UNIT): 10_000})
    found = laws.greatest({total: n})
    assert found.mean == pytest.approx(expected_greatest_normal(total.mean, total.deviation, n), rel=1e-3)


@pytest.mark.parametrize("pieces", [UNIT, SKEWED], ids=["uniform", "skewed"])
@pytest.mark.parametrize("many", [1, 3, 40])
@pytest.mark.parametrize("n", [10, 100, 10_000])
def test_a_parallel_loop_of_up_to_10000_tasks_is_within_one_per_cent(
    laws: Laws, pieces: tuple[Piece, ...], many: int, n: int
) -> None:
    """Gautama & van Gemund report 4 %. The yardstick is the mean of the greatest among blocks of simulated tasks."""
    rng = np.random.default_rng([many, n])
    weights = [p.weight for p in pieces]
    tasks = np.zeros(200_000)
    for _ in range(many):
        chosen = rng.choice(len(pieces), len(tasks), p=weights) if len(pieces) > 1 else np.zeros(len(tasks), int)
        low, high = np.array([p.lo for p in pieces])[chosen], np.array([p.hi for p in pieces])[chosen]
        tasks += low + (high - low) * rng.random(len(tasks))
    greatest = tasks.reshape(-1, n).max(axis=1)
    error = float(greatest.std()) / math.sqrt(len(greatest)) if len(greatest) > 1 else 0.0
    found = laws.greatest({laws.total({laws.leaf(pieces): many}): n}).mean
    assert found == pytest.approx(float(greatest.mean()), abs=4 * error + 0.01 * float(greatest.mean()))


@pytest.mark.parametrize("many", [1, 3, 33, 500, 40_000])
@pytest.mark.parametrize("n", [10, 100, 10_000, 10**6])
def test_the_greatest_of_sums_is_within_a_hundredth_of_a_per_cent_of_the_exact_mean(
    laws: Laws, many: int, n: int
) -> None:
    """Sums of 1, 1.5, 4 and 9 lie on halves, where their distribution is exact."""
    one = np.zeros(19)
    one[[2, 3, 8, 18]] = 17 / 20, 1 / 20, 1 / 20, 1 / 20
    length = 18 * many + 1
    masses = np.fft.irfft(np.fft.rfft(one, 1 << length.bit_length()) ** many, 1 << length.bit_length())[:length]
    above = np.append(np.cumsum(np.maximum(masses, 0)[:0:-1])[::-1], 0.0)
    exact = float(np.diff((1 - np.minimum(above, 1)) ** n, prepend=0.0) @ np.arange(length)) / 2
    assert laws.greatest({laws.total({laws.leaf(SKEWED): many}): n}).mean == pytest.approx(exact, rel=1e-4)


def test_the_greatest_of_different_times_has_the_product_of_their_distribution_functions(laws: Laws) -> None:
    # max of U(0,1) and U(0,2): density 2x/2 up to 1, then 1/2; mean 1/3 + 3/4.
    found = laws.greatest({laws.leaf(UNIT): 1, laws.leaf(UNIT, 2.0): 1})
    assert found.mean == pytest.approx(1 / 3 + 3 / 4, abs=1e-3)
    assert found.quantile(0.25) == pytest.approx(math.sqrt(0.5), abs=2e-3)
    assert found.quantile(0.75) == pytest.approx(1.5, abs=2e-3)


def test_a_maximum_lies_above_what_never_reaches_it(laws: Laws) -> None:
    assert laws.greatest({laws.leaf(UNIT): 5, laws.constant(3.0): 1}).mean == pytest.approx(3.0)
    found = laws.greatest({laws.leaf(UNIT): 1, laws.constant(0.5): 1})
    assert found.mean == pytest.approx(0.5 + 0.125, abs=1e-3)


@given(st.floats(0, 1), st.integers(1, 1000))
@settings(max_examples=30)
def test_branches_add_q_1_minus_q_times_the_squared_difference(q: float, n: int) -> None:
    laws = Laws()
    a, b = laws.constant(5.0), laws.constant(2.0)
    total = laws.total({laws.either(q, a, b): n})
    assert total.mean == pytest.approx(n * (2 + 3 * q))
    assert total.cumulants.variance == pytest.approx(n * q * (1 - q) * 9, abs=1e-9)


def test_a_mixture_has_the_moments_of_its_sides(laws: Laws) -> None:
    found = laws.either(0.3, laws.leaf(UNIT), laws.leaf(UNIT, 4.0))
    rng = np.random.default_rng(5)
    values = rng.random(400_000) * np.where(rng.random(400_000) < 0.3, 1.0, 4.0)
    assert found.mean == pytest.approx(0.3 * 0.5 + 0.7 * 2)
    assert found.cumulants.variance == pytest.approx(float(values.var()), rel=0.01)
    assert found.cumulants.third == pytest.approx(float(((values - values.mean()) ** 3).mean()), rel=0.05, abs=0.01)
    assert found.quantile(0.5) == pytest.approx(float(np.quantile(values, 0.5)), abs=0.02)


def test_equal_laws_are_one_object(laws: Laws) -> None:
    unit = laws.leaf(UNIT)
    assert laws.leaf(UNIT) is unit
    assert laws.total({laws.total({unit: 2}): 3}) is laws.total({unit: 6})
    assert laws.greatest({unit: 4}) is laws.greatest({unit: 4})
    assert laws.total({unit: 1}) is unit
    assert laws.either(0.0, unit, laws.nothing) is laws.nothing
    assert laws.greatest({}) is laws.nothing


def test_a_multiple_has_a_multiple_of_everything(laws: Laws) -> None:
    twice = laws.scaled(laws.leaf(SKEWED), 2.0)
    assert twice.cumulants[:3] == pytest.approx([c * 2**k for k, c in enumerate(laws.leaf(SKEWED).cumulants[:3], 1)])
    assert twice.quantile(0.99) == pytest.approx(18.0, abs=0.1)


@given(st.lists(st.lists(st.floats(0.1, 10), min_size=2, max_size=6), min_size=2, max_size=4))
@settings(max_examples=40)
def test_the_greatest_is_no_less_than_any_and_the_sum_no_less_than_the_greatest(samples: list[list[float]]) -> None:
    laws = Laws()
    parts: list[Law] = [laws.leaf(of_samples(s).pieces) for s in samples]
    together: dict[Law, float] = {}
    for part in parts:
        together[part] = together.get(part, 0.0) + 1
    greatest, total = laws.greatest(together), laws.total(together)
    assert greatest.mean <= total.mean * (1 + 1e-9)
    for part in parts:
        assert greatest.mean >= part.mean - 1e-3 * (1 + part.mean)
    for a, b in combinations((0.05, 0.25, 0.5, 0.75, 0.95), 2):
        assert greatest.quantile(a) <= greatest.quantile(b)
