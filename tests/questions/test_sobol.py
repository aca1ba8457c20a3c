"""Laws of Sobol' indices: those known in closed form are found, and what cannot be drawn is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apet
from apet.ground.source import Source
from apet.machine import parse_machines
from apet.questions.explain.explain import Explainer
from apet.questions.explain.explanation import SobolIndices
from apet.questions.explain.sobol import estimated

LAB = """
schema = 1
[[machine]]
name = "one"
count = 2
op_s.w = [1.0, 3.0]
op_s.v = [1.0, 2.0]
op_s.u = [5.0, 5.0]
"""


def explained(text: str, lab: str = LAB, samples: int = 1024, **given: Any) -> SobolIndices:
    from apet.api.arguments import parsed_values

    explainer = Explainer(apet.compile_text(text), parse_machines(Source("lab.toml", lab)))
    return explainer.indices(None, parsed_values(given), samples, 1)


def test_indices_of_a_sum_are_the_shares_of_variance() -> None:
    weights = np.array([4.0, 2.0, 1.0])
    found = estimated(lambda x: x @ weights + 7, 3, 2048, 0)
    expected = weights**2 / (weights**2).sum()
    assert found[0] == pytest.approx(expected, abs=0.01)
    assert found[2] == pytest.approx(expected, abs=0.01)
    assert found[4] == pytest.approx(7 + weights.sum() / 2, rel=0.01)
    assert found[5] == pytest.approx(np.sqrt((weights**2).sum() / 12), rel=0.02)


def test_indices_of_a_product_have_interactions() -> None:
    """prod (1 + c_i (x_i - 1/2)) has variance prod (1 + c_i^2 / 12) - 1 (Saltelli et al. 2008)."""
    c = np.array([2.0, 1.0])
    found = estimated(lambda x: np.prod(1 + c * (x - 0.5), axis=1), 2, 4096, 0)
    parts = c**2 / 12
    variance = np.prod(1 + parts) - 1
    assert found[0] == pytest.approx(parts / variance, abs=0.02)
    assert found[2] == pytest.approx(parts * (1 + parts[::-1]) / variance, abs=0.02)


def test_indices_of_a_prediction_are_those_of_its_formula() -> None:
    found = explained("L = { w[1]; v[1]; v[1]; u[1]; };")
    shares = {"t_w": 0.5, "t_v": 0.5}
    assert {i.name: i.total for i in found.inputs} == pytest.approx(shares, abs=0.03)
    for i in found.inputs:
        assert i.first_within.lo <= shares[i.name] <= i.first_within.hi
        assert i.total_within.lo <= shares[i.name] <= i.total_within.hi
    assert found.mean == pytest.approx(10, rel=0.01)


def test_a_parameter_with_a_range_is_an_input() -> None:
    """T = w q with w in [1, 3] and q in [0, 1], by hand."""
    found = explained("param q in [0, 1]; L = if (q) w[1];", q=(0, 1))
    # E[w^2] E[q^2] - (E w E q)^2 = (13/3)(1/3) - 1
    variance = 13 / 9 - 1
    first = {"t_w": (1 / 3) * 0.25 / variance, "q": 4 / 12 / variance}
    assert {i.name: i.first for i in found.inputs} == pytest.approx(first, abs=0.04)


def test_the_same_seed_gives_the_same_numbers_and_another_does_not() -> None:
    def of(x: Any) -> Any:
        return x[:, 0] * x[:, 1]

    one, two, three = (estimated(of, 2, 64, seed) for seed in (5, 5, 6))
    assert (one[0] == two[0]).all()
    assert (one[1] == two[1]).all()
    assert not (one[0] == three[0]).all()


def test_what_does_not_vary_has_indices_of_0() -> None:
    found = estimated(lambda x: np.full(len(x), 3.0), 2, 16, 0)
    assert not found[0].any()
    assert not found[2].any()
    assert found[5] == 0


@pytest.mark.parametrize(
    ("samples", "message"), [(3, "a power of 2"), (0, "a power of 2"), (1, "a power of 2"), (2**20, "evaluations")]
)
def test_a_sample_size_is_refused_that_cannot_be_drawn(samples: int, message: str) -> None:
    with pytest.raises(apet.ApetError, match=message):
        explained("L = w[1];", samples=samples)


def test_without_intervals_there_are_no_indices() -> None:
    with pytest.raises(apet.ApetError, match="nothing varies"):
        explained("L = u[1];")
