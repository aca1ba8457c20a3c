"""FRACTAL, ADEPT, Amdahl and the universal scalability law: what they must find, and what they must say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.runs.answer import answer
from apet.runs.fit import anomalies, downey
from apet.runs.fit.fractal import main_phases, power_law, stable_from
from apet.runs.fit.methods import METHODS, extrapolate, names
from apet.runs.measurements import Curve, Run
from apet.runs.scaling_laws import formula, seconds
from apet.runs.useful_sizes import useful_sizes

EIGHT = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)


def over(kind: str, n: tuple[float, ...], t: list[float]) -> Curve:
    """A curve of one run at each n."""
    return Curve("c", kind, tuple(Run(a, b) for a, b in zip(n, t, strict=True)))


def model(a: float, s: float, n: tuple[float, ...]) -> list[float]:
    """Downey's times for T(1) = 100."""
    return [float(x) for x in 100 * downey.slowness(np.float64(a), np.float64(s), np.array(n))]


@given(st.floats(0.1, 4), st.floats(1e-9, 1e3))
def test_a_power_law_is_found_with_its_dimension(c: float, a: float) -> None:
    n = np.array([100.0, 200, 400, 800])
    found = power_law(n, a * n**c)
    assert found.a == pytest.approx(a, rel=1e-6)
    assert found.c == pytest.approx(c, rel=1e-9)
    assert found.determination == pytest.approx(1)


def test_the_phases_are_the_fewest_functions_above_seventy_per_cent() -> None:
    runs = [Run(n, 10 * n, (), {"a": 5 * n, "b": 2.5 * n, "c": 1.5 * n, "d": n}) for n in (1.0, 2.0, 3.0)]
    assert main_phases(runs) == ("a", "b")


def test_small_runs_with_other_shares_are_left_out() -> None:
    shares = (0.4, 0.6, 0.79, 0.8, 0.8, 0.8)
    runs = [Run(n, n, (), {"a": s * n}) for n, s in zip((1.0, 2.0, 4.0, 8.0, 16.0, 32.0), shares, strict=True)]
    assert stable_from(runs, ("a",)) == 2
    found = extrapolate(Curve("c", "size", tuple(runs)), [64], "fractal")
    assert any("stable from n = 4" in f.text for f in found.flags)
    assert found.predictions[0].t == pytest.approx(64, rel=0.03)


def test_the_whole_is_the_sum_of_phases_over_their_share() -> None:
    runs = [Run(n, 1e-3 * n + n**2, (), {"a": 0.6 * n**2, "b": 0.3 * n**2}) for n in (10.0, 20.0, 40.0, 80.0)]
    found = extrapolate(Curve("c", "size", tuple(runs)), [160], "fractal")
    assert found.predictions[0].t == pytest.approx(160**2, rel=0.01)
    assert found.fit["a"]["c"] == pytest.approx(2)


@given(st.floats(0.0, 1.0), st.floats(0.01, 10.0))
def test_amdahls_law_is_found(serial: float, parallel: float) -> None:
    found = extrapolate(over("procs", EIGHT[:4], [serial + parallel / p for p in EIGHT[:4]]), [64], "amdahl")
    assert found.predictions[0].t == pytest.approx(serial + parallel / 64, rel=1e-6)


@given(st.floats(0.0, 0.3), st.floats(0.0, 0.01))
def test_the_universal_law_is_found(sigma: float, kappa: float) -> None:
    def t(p: float) -> float:
        return 5 * (1 + sigma * (p - 1) + kappa * p * (p - 1)) / p

    found = extrapolate(over("procs", EIGHT[:5], [t(p) for p in EIGHT[:5]]), [64], "usl")
    assert found.predictions[0].t == pytest.approx(t(64), rel=1e-4)


@given(st.floats(3.0, 12.0), st.floats(0.1, 6.0))
def test_adept_finds_what_the_model_does_next(a: float, s: float) -> None:
    found = extrapolate(over("procs", EIGHT[:6], model(a, s, EIGHT[:6])), [64], "adept")
    assert found.predictions[0].t == pytest.approx(model(a, s, (64.0,))[0], rel=0.2)


def test_one_processor_need_not_be_among_the_runs() -> None:
    n = EIGHT[2:]
    found = extrapolate(over("procs", n, model(20, 0.5, n)), [256], "adept")
    assert found.predictions[0].t == pytest.approx(5, rel=0.05)
    assert found.fit["whole"]["A"] == pytest.approx(20, rel=0.1)


def test_an_anomaly_is_named_and_counts_less() -> None:
    t = model(60, 0.5, EIGHT[:6])
    slow = [x * (1.6 if k == 3 else 1) for k, x in enumerate(t)]
    assert anomalies.anomalies(np.array(EIGHT[:6]), np.array(slow)) == [3]
    assert anomalies.anomalies(np.array(EIGHT[:6]), np.array(t)) == []
    found = extrapolate(over("procs", EIGHT[:6], slow), [64], "adept")
    assert found.unusual == (8.0,)
    assert found.predictions[0].t == pytest.approx(model(60, 0.5, (64.0,))[0], rel=0.1)


def test_steps_are_told_from_one_model() -> None:
    n = (1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0)
    t = [100 / p if p <= 8 else 100 * 2.5 / p for p in n]
    found = extrapolate(over("procs", n, t), [32], "adept")
    assert any(str(f).startswith("stepwise: from n = 12") for f in found.flags)
    assert found.predictions[0].t == pytest.approx(250 / 32, rel=0.05)


def test_favoured_counts_are_named() -> None:
    n = tuple(float(p) for p in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32))
    t = [x * (1 if math.log2(p) % 1 == 0 else 1.4) for p, x in zip(n, model(100, 0.5, n), strict=True)]
    found = extrapolate(over("procs", n, t), [64], "adept")
    assert any("powers of two" in f.text for f in found.flags)
    assert found.predictions[0].t == pytest.approx(model(100, 0.5, (64.0,))[0], rel=0.1)


def test_runs_in_the_linear_part_ask_for_larger_ones() -> None:
    found = extrapolate(over("procs", EIGHT[:4], [100 / p for p in EIGHT[:4]]), [16], "adept")
    assert found.trust == "low"
    assert any(str(f).startswith("linear") for f in found.flags)
    assert "n = 32" in found.advice[0]


@pytest.mark.parametrize(("kind", "method"), [(k, m) for k in ("size", "procs") for m in names(k)])
def test_a_target_far_outside_is_said_to_be_so(kind: str, method: str) -> None:
    found = extrapolate(over(kind, EIGHT[1:6], [3 + 90 / p for p in EIGHT[1:6]]), [1, 3200], method)
    assert any(str(f).startswith("far: 100 times") for f in found.flags)
    assert any(str(f).startswith("below") for f in found.flags)
    assert found.trust == "low"


@pytest.mark.parametrize("kind", ["size", "procs"])
def test_every_method_refuses_fewer_runs_than_it_needs(kind: str) -> None:
    for name in names(kind):
        least = METHODS[name].runs
        n = EIGHT[:least]
        assert extrapolate(over(kind, n, [10 / p for p in n]), [300], name).predictions
        with pytest.raises(ApetError, match=f"needs runs at {least} different n"):
            extrapolate(over(kind, n[:-1], [10 / p for p in n[:-1]]), [300], name)


@given(
    st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=8),
    st.floats(0.5, 1000),
    st.sampled_from([(k, m) for k in ("size", "procs") for m in names(k)]),
)
def test_predictions_are_finite_and_inside_their_intervals(
    t: list[float], target: float, which: tuple[str, str]
) -> None:
    kind, method = which
    try:
        found = extrapolate(over(kind, EIGHT[: len(t)], t), [target], method)
    except ApetError:
        return
    (p,) = found.predictions
    assert 0 <= p.interval.lo <= p.t <= p.interval.hi < math.inf


@pytest.mark.parametrize(("kind", "method"), [(k, m) for k in ("size", "procs") for m in names(k)])
def test_the_formula_has_the_values_of_the_law(kind: str, method: str) -> None:
    runs = tuple(Run(n, n**1.5 + 2, (), {"a": n**1.5, "b": 2.0}) for n in (10.0, 20.0, 40.0, 80.0, 160.0))
    falling = tuple(Run(n, 3 + 90 / n) for n in EIGHT[:5])
    law = extrapolate(Curve("c", kind, runs if kind == "size" else falling), [300], method).law
    assert law is not None
    for n in (1.0, 16.0, 300.0):
        assert float(formula(law).evaluate({"n": n})) == pytest.approx(seconds(law, n), rel=1e-6)


def test_the_last_useful_processor_is_found() -> None:
    def t(p: float) -> float:
        return 10 / p + 0.1 * p

    curve = over("procs", EIGHT[:4], [t(p) for p in EIGHT[:4]])
    found = useful_sizes(curve, lambda n: [t(p) for p in n], (0.5,))
    assert found.limit is not None
    assert 8 <= found.limit <= 10
    largest = found.efficient[0][1]
    assert largest is not None
    assert t(1) / (t(largest) * largest) >= 0.5 > t(1) / (t(largest + 1) * (largest + 1))


def test_a_time_reaches_as_far_as_the_predictions_say() -> None:
    curve = over("size", (100.0, 200.0, 400.0, 800.0, 1600.0), [1e-4 * n**2 for n in (100, 200, 400, 800, 1600)])
    reach = answer(curve, [], deadline=1000.0).reach
    assert reach is not None
    assert reach.surely is not None
    assert reach.likely is not None
    assert reach.possibly is not None
    assert reach.surely <= reach.likely <= reach.possibly
    (at,) = extrapolate(curve, [reach.likely]).predictions
    (after,) = extrapolate(curve, [reach.likely + 1]).predictions
    assert at.t <= 1000 < after.t
