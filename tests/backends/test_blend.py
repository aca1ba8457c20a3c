"""The blend of shapes: check values, and laws that a prediction from runs must obey."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.analysis.runs import Curve, Run
from apet.backends.scaling.blended import extrapolate
from apet.backends.scaling.shapes import shapes

SIZES = Curve("s", "size", tuple(map(Run, (100, 200, 400, 800, 1600), (1, 2.1, 4.2, 8.8, 18))))
PROCESSORS = Curve("p", "procs", tuple(map(Run, (1, 2, 4, 8), (100, 52, 28, 16))))


def test_sizes_give_the_check_values() -> None:
    near, far = extrapolate(SIZES, [3200, 6400]).predictions
    assert (near.t, far.t) == pytest.approx((35.4261, 70.0196), rel=1e-5)
    assert near.interval == pytest.approx((33.8162, 42.6697), rel=1e-5)
    assert far.interval == pytest.approx((64.4531, 97.5269), rel=1e-5)
    assert (near.spread, far.spread) == pytest.approx((0.042282, 0.075307), rel=1e-4)


def test_processors_give_the_check_values() -> None:
    near, far = extrapolate(PROCESSORS, [16, 32]).predictions
    assert (near.t, far.t) == pytest.approx((9.81370, 6.72810), rel=1e-5)
    assert near.interval == pytest.approx((8.64210, 13.8680), rel=1e-5)
    assert far.interval == pytest.approx((4.25422, 23.4082), rel=1e-5)


def test_the_grids_have_their_sizes() -> None:
    assert (len(shapes("size").prior), len(shapes("procs").prior)) == (416, 123)


@given(st.floats(1e-6, 1e6), st.sampled_from([SIZES, PROCESSORS]))
def test_the_unit_of_time_does_not_matter(unit: float, curve: Curve) -> None:
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
    assert any(f.startswith("rough") for f in found.flags)
