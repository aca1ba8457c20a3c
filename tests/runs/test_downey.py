"""Downey's model: the published branches, and a fit that no exhaustive search beats by more than one per cent."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.runs.fit import downey, pairs
from apet.runs.scaling_laws import Speedup, formula, seconds

CURVES = Path(__file__).resolve().parents[1] / "data" / "scaling" / "curves.json"
parallelism = st.floats(1.0, 500.0)
variances = st.floats(0.0, 16.0)


def published(a: float, s: float, n: float) -> float:
    """S(n) as in the publication, branch by branch."""
    if s <= 1:
        if n <= a:
            return a * n / (a + s / 2 * (n - 1))
        if n <= 2 * a - 1:
            return a * n / (s * (a - 0.5) + n * (1 - s / 2))
        return a
    return n * a * (s + 1) / (s * (n + a - 1) + a) if n <= a + a * s - s else a


@given(parallelism, variances, st.floats(1.0, 2000.0))
def test_the_branches_are_the_published_ones(a: float, s: float, n: float) -> None:
    over = float(downey.slowness(np.float64(a), np.float64(s), np.array([n]))[0])
    assert 1 / over == pytest.approx(published(a, s, n), rel=1e-9)


@given(parallelism, variances, st.floats(1.0, 2000.0), st.floats(1e-3, 1e6))
def test_the_formula_is_the_model(a: float, s: float, n: float, one: float) -> None:
    law = Speedup(one, a, s)
    assert seconds(law, n) == pytest.approx(one / published(a, s, n), rel=1e-9)
    assert float(formula(law).evaluate({"n": n})) == pytest.approx(seconds(law, n), rel=1e-8)


@settings(max_examples=60)
@given(st.floats(1.0, 100.0), st.floats(0.0, 12.0), st.floats(0.1, 1e5))
def test_times_of_the_model_are_fitted_exactly(a: float, s: float, one: float) -> None:
    n = np.array([1.0, 2, 4, 8, 16, 32, 64])
    t = one * downey.slowness(np.float64(a), np.float64(s), n)
    found = downey.fit(n, t)
    assert found.error < 2e-6
    assert found.seconds(n) == pytest.approx(t, rel=0.01)


def exhaustive(n: np.ndarray, t: np.ndarray) -> float:
    """The least error over a fine grid of A and sigma, each with its best T(1)."""
    a = np.concatenate([np.exp(np.linspace(0, np.log(64 * n[-1]), 900)), n, (n + 1) / 2])
    best = 1.0
    for s in np.concatenate([np.linspace(0, 1, 121), np.expm1(np.linspace(np.log(2), np.log(17), 120))]):
        u = downey.slowness(a[:, None], np.float64(s), n) / t
        best = min(best, float(np.maximum(1 - u.mean(axis=1) ** 2 / (u * u).mean(axis=1), 0).min()))
    return best


def test_no_exhaustive_search_beats_the_fit_by_one_per_cent() -> None:
    curves = [c["points"] for c in json.loads(CURVES.read_text()) if c["kind"] == "procs"]
    ratios = []
    for points in curves[::2]:
        kept = points[:: max(1, len(points) // 6)]
        n, t = np.array([p["n"] for p in kept], float), np.array([p["t"] for p in kept])
        ratios.append((downey.fit(n, t).error + 1e-9) / (exhaustive(n, t) + 1e-9))
    assert np.mean(np.array(ratios) <= 1.01) >= 0.95


@given(st.floats(2.0, 100.0), st.floats(0.0, 12.0))
def test_the_envelope_holds_the_true_parallelism(a: float, s: float) -> None:
    n = np.array([1.0, 2, 4, 8, 16])
    found = pairs.envelope(n, downey.slowness(np.float64(a), np.float64(s), n))
    assert found.low <= a * (1 + 1e-6)
    assert found.high >= min(a, 1000)
