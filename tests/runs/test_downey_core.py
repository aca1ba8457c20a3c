"""The compiled search of Downey's model finds what arrays find."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from apet import compiled
from apet.runs.fit import downey, native
from apet.runs.fit.downey import Downey, Range

Array = NDArray[np.float64]


@settings(max_examples=40)
@given(st.lists(st.floats(0.1, 10), min_size=2, max_size=12), st.booleans())
def test_the_core_finds_what_arrays_find(t: list[float], limited: bool) -> None:
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    n, times = np.array([2.0**k for k in range(len(t))]), np.array(t)
    weights = 1.0 / np.arange(1.0, len(t) + 1)
    one = Range(0.5, 20.0) if limited else None
    within = Range(1.0, 64 * float(n[-1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "LOOKED_FOR", 0)
        patch.setattr(native, "WORTH_BUILDING", 0)
        patch.setenv("APET_NATIVE", "1")
        by_core = _found(n, times, weights, within, one)
        assert compiled.loaded
        patch.setenv("APET_NATIVE", "0")
        by_arrays = _found(n, times, weights, within, one)
    assert by_core[0].error == pytest.approx(by_arrays[0].error, rel=1e-5, abs=1e-9)
    assert by_core[1].error <= by_core[0].error * downey.SLACK[0] + downey.SLACK[1] + 1e-9


def _found(n: Array, t: Array, weights: Array, within: Range, one: Range | None) -> tuple[Downey, Downey]:
    best = downey.fit(n, t, weights, within, one)
    return best, downey.most_parallel(n, t, weights, within, one)
