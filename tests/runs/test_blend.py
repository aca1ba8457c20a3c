"""The blend of shapes: check values, and laws that a prediction from runs must obey."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.runs.fit import held_back
from apet.runs.fit.blend import Constants, fit
from apet.runs.fit.blended import extrapolate
from apet.runs.fit.normal_form import averaged
from apet.runs.fit.shapes import ProcsPrior, SizePrior, shapes
from apet.runs.measurements import Curve, Run

SIZES = Curve("s", "size", tuple(map(Run, (100, 200, 400, 800, 1600), (1, 2.1, 4.2, 8.8, 18))))
PROCESSORS = Curve("p", "procs", tuple(map(Run, (1, 2, 4, 8), (100, 52, 28, 16))))


FIRST = {
    "size": Constants(SizePrior(1.5, 1.2, 0.75, 1.2, 1.7, 2.2, 0.8), 0.10, 0.9, 0.015, 2.0),
    "procs": Constants(ProcsPrior(1.2, 3.4, 4.3, 0.0, 0.8), 0.10, 1.6, 0.004, 2.0),
}
"""The constants that the blend was first published with, and its values with them."""


@pytest.mark.parametrize(
    ("curve", "targets", "times"),
    [(SIZES, [3200.0, 6400.0], (35.4261, 70.0196)), (PROCESSORS, [16.0, 32.0], (9.81370, 6.72810))],
)
def test_the_blend_gives_its_check_values(curve: Curve, targets: list[float], times: tuple[float, float]) -> None:
    n, t = np.array([r.n for r in curve.runs], float), np.array([r.t for r in curve.runs], float)
    found = fit(curve.kind, n, t, np.array(targets), FIRST[curve.kind])
    assert tuple(np.exp(found.mean)) == pytest.approx(times, rel=1e-5)


def test_the_grids_have_their_sizes() -> None:
    assert (len(shapes("size").parameters), len(shapes("procs").parameters)) == (448, 123)


@given(st.floats(1e-3, 1e3))
def test_what_does_not_grow_is_predicted_not_to_grow(level: float) -> None:
    curve = Curve("s", "size", tuple(Run(n, level) for n in (100, 200, 400, 800, 1600)))
    assert extrapolate(curve, [6400]).predictions[0].t == pytest.approx(level, rel=0.05)


@given(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.1, 10), st.floats(0.1, 10))
def test_the_normal_form_finds_its_own_terms(weighting: float, constant: float, slope: float) -> None:
    n = np.array([100.0, 200, 400, 800, 1600])
    times = constant + slope * (n / 1600) ** 1.5
    (found,) = averaged(n, times, np.array([6400.0]), weighting, 40.0)
    assert found == pytest.approx(constant + slope * 8, rel=0.02)


def test_the_normal_form_of_sizes_below_one_has_no_logarithms() -> None:
    n = np.array([0.1, 0.2, 0.4, 0.8])
    assert averaged(n, n**2, np.array([1.6]), 0.5, 40.0)[0] == pytest.approx(2.56, rel=0.02)


def test_errors_on_own_runs_move_the_ends_of_intervals() -> None:
    n = [float(2**k) for k in range(11)]
    smooth = Curve("s", "size", tuple(Run(x, 3e-4 * x**2) for x in n))
    known = held_back.factors(smooth._replace(runs=smooth.runs[:5]), "size")
    bent = smooth._replace(runs=tuple(Run(x, 3e-4 * x ** (2 if x < 32 else 2.6)) for x in n))
    assert held_back.factors(bent, "size")[1] > known[1]
    assert held_back.own_scores("size", "size", tuple((r.n, r.t, ()) for r in smooth.runs[:5])) == ()
    low, high = held_back.factors(smooth, "size")
    assert low < 0 < high <= known[1]


def test_phases_that_count_time_twice_are_left_alone() -> None:
    runs = tuple(Run(n, n**2, (), {"main": n**2, "solve": 0.9 * n**2}) for n in (10.0, 20.0, 40.0, 80.0, 160.0))
    found = extrapolate(Curve("s", "size", runs), [320])
    assert any(str(f).startswith("phases: they add up") for f in found.flags)
    assert found.predictions[0].t == pytest.approx(320**2, rel=0.05)


@given(st.integers(-6, 6).map(lambda k: 10.0**k), st.sampled_from([SIZES, PROCESSORS]))
def test_the_unit_of_time_does_not_matter(unit: float, curve: Curve) -> None:
    """As long as the digits are the same."""
    scaled = curve._replace(runs=tuple(r._replace(t=r.t * unit) for r in curve.runs))
    for a, b in zip(
        extrapolate(curve, [20, 3000]).predictions, extrapolate(scaled, [20, 3000]).predictions, strict=True
    ):
        assert b.t == pytest.approx(a.t * unit, rel=1e-9)
        assert b.interval.hi == pytest.approx(a.interval.hi * unit, rel=1e-9)


@given(st.sampled_from([1.0, 1.5, 2.0, 3.0]), st.floats(1e-9, 1e3))
def test_a_power_law_is_found_within_its_interval(exponent: float, factor: float) -> None:
    curve = Curve("s", "size", tuple(Run(n, factor * n**exponent) for n in (100, 200, 400, 800, 1600)))
    (found,) = extrapolate(curve, [6400]).predictions
    true = factor * 6400**exponent
    assert found.interval.lo <= true <= found.interval.hi
    assert found.t == pytest.approx(true, rel=0.05)


@given(st.floats(0.0, 0.5))
def test_amdahls_law_is_found_within_its_interval(serial: float) -> None:
    curve = Curve("p", "procs", tuple(Run(p, serial + (1 - serial) / p) for p in (1, 2, 4, 8)))
    (found,) = extrapolate(curve, [32]).predictions
    assert found.interval.lo <= serial + (1 - serial) / 32 <= found.interval.hi


def test_farther_is_less_certain() -> None:
    found = extrapolate(SIZES, [2000, 4000, 8000, 16000]).predictions
    assert all(a.spread < b.spread for a, b in pairwise(found))


def test_intervals_hold_their_prediction() -> None:
    for curve, targets in ((SIZES, [150, 300, 5000]), (PROCESSORS, [3, 6, 64])):
        for one in extrapolate(curve, targets).predictions:
            assert one.interval.lo < one.t < one.interval.hi


def test_phases_that_scale_differently_are_told_apart() -> None:
    n = np.array([100, 200, 400, 800, 1600])
    slow, fast = 1e-3 * n, 1e-8 * n**3
    runs = tuple(
        Run(float(x), float(a + b), (), {"a": float(a), "b": float(b)}) for x, a, b in zip(n, slow, fast, strict=True)
    )
    (with_phases,) = extrapolate(Curve("s", "size", runs), [6400]).predictions
    (without,) = extrapolate(Curve("s", "size", tuple(r._replace(phases={}) for r in runs)), [6400]).predictions
    true = 1e-3 * 6400 + 1e-8 * 6400**3
    assert abs(np.log(with_phases.t / true)) < abs(np.log(without.t / true))


def test_rough_curves_are_not_trusted() -> None:
    rough = Curve("s", "size", tuple(map(Run, (100, 200, 400, 800, 1600), (1, 4, 3, 20, 11))))
    found = extrapolate(rough, [3200])
    assert found.trust == "low"
    assert any(str(f).startswith("rough") for f in found.flags)
