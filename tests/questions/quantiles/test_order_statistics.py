"""Expected maxima against their closed forms, and quantiles' confidence intervals against the binomial distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.questions.quantiles.expected_extremes import (
    expected_greatest,
    expected_greatest_exponential,
    expected_greatest_normal,
    expected_greatest_of_samples,
    expected_greatest_uniform,
    greatest_of_two,
)

from apet.machine.spread import Piece, mean, of_quantiles, of_samples
from apet.questions.quantiles.order_statistics import order_interval

SAMPLES = st.lists(st.floats(0, 100), min_size=1, max_size=20)


@given(st.integers(1, 10**6))
def test_the_greatest_of_n_uniform_times_is_n_over_n_plus_1_of_the_way(n: int) -> None:
    assert expected_greatest([Piece(1.0, 2.0, 5.0)], n) == pytest.approx(expected_greatest_uniform(2.0, 5.0, n))


@given(SAMPLES, st.integers(1, 10**6))
def test_the_greatest_of_n_samples_is_the_weighed_sum_of_the_ordered_ones(samples: list[float], n: int) -> None:
    expected = expected_greatest_of_samples(samples, n)
    assert expected_greatest(of_samples(samples).pieces, n) == pytest.approx(expected, abs=1e-6, rel=1e-6)


@given(SAMPLES)
def test_the_greatest_of_one_is_the_mean_and_that_of_many_the_greatest(samples: list[float]) -> None:
    pieces = of_samples(samples).pieces
    assert expected_greatest(pieces, 1) == pytest.approx(mean(pieces), abs=1e-9)
    assert expected_greatest(pieces, 10**9) == pytest.approx(max(samples), abs=1e-6)


def test_two_stretches_are_integrated_each() -> None:
    pieces = of_quantiles([(0.0, 0.0), (0.5, 1.0), (1.0, 5.0)]).pieces
    levels = (np.arange(200_000) + 0.5) / 200_000
    values = np.interp(levels, [0.0, 0.5, 1.0], [0.0, 1.0, 5.0])
    assert expected_greatest(pieces, 3) == pytest.approx(float(np.mean(values * 3 * levels**2)), rel=1e-6)


@pytest.mark.parametrize("n", [1, 2, 7, 49, 50, 51, 10_000, 10**6])
def test_the_greatest_of_exponential_times_is_a_harmonic_number(n: int) -> None:
    assert expected_greatest_exponential(2.0, n) == pytest.approx(2 * math.fsum(1 / k for k in range(1, n + 1)))


@pytest.mark.parametrize(
    ("n", "known"),
    [(1, 0.0), (2, 1 / math.sqrt(math.pi)), (3, 1.5 / math.sqrt(math.pi)), (5, 1.16296447364), (100, 2.50759363645)],
)
def test_the_greatest_of_normal_times_is_as_tabled(n: int, known: float) -> None:
    assert expected_greatest_normal(10.0, 2.0, n) == pytest.approx(10 + 2 * known, abs=1e-7)


def test_many_normal_times_reach_their_extreme_value_limit() -> None:
    # Fisher & Tippett 1928: b + gamma / b with b the level that one in n exceeds; its error falls as 1 / log n.
    from scipy.special import ndtri

    for n in (10**4, 10**6, 10**9):
        b = -float(ndtri(1 / n))
        assert expected_greatest_normal(0.0, 1.0, n) == pytest.approx(b + 0.5772156649 / b, rel=0.02)


@given(st.floats(-3, 3), st.floats(0.1, 3), st.floats(0.1, 3), st.floats(-0.9, 0.9))
def test_clarks_formulas_are_the_integrals_over_two_normal_times(d: float, s: float, t: float, rho: float) -> None:
    found = greatest_of_two((d, 0.0), (s * s, t * t), rho)
    z = np.linspace(-8, 8, 401)
    weight = np.exp(-z * z / 2)
    weight /= weight.sum()
    x = d + s * z[:, None] + 0 * z[None, :]
    y = t * (rho * z[:, None] + math.sqrt(1 - rho * rho) * z[None, :])
    greater, both = np.maximum(x, y), weight[:, None] * weight[None, :]
    first = float((greater * both).sum())
    assert found[0] == pytest.approx(first, abs=2e-3)
    assert found[1] == pytest.approx(float((greater**2 * both).sum()) - first**2, abs=5e-3)


def test_equal_times_without_spread_are_their_own_maximum() -> None:
    assert greatest_of_two((3.0, 2.0), (0.0, 0.0)) == (3.0, 0.0)
    assert greatest_of_two((1.0, 1.0), (4.0, 4.0), 1.0) == (1.0, 4.0)


@pytest.mark.parametrize("draws", [100, 1000, 10_000])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95])
def test_the_ranks_around_a_quantile_hold_it_as_often_as_promised(draws: int, level: float) -> None:
    from scipy.stats import binom

    low, high = order_interval(draws, level, 0.95)
    if high < draws - 1:
        assert 0.95 <= binom.cdf(high, draws, level) - binom.cdf(low, draws, level) <= 0.99
