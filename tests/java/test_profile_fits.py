"""Counts over several sizes: polynomials are found exactly, anything else gets an honest power law."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.java.profile.fits import fitted

GRID = [(n, m) for n in (10, 20, 40, 80) for m in (3, 5, 9, 12)]


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (lambda n, m: n * m, "n m"),
        (lambda n, m: n * (n - 1) / 2 + 3 * m, "1/2 n^2 - 1/2 n + 3 m"),
        (lambda n, m: n * m * m - 7, "n m^2 - 7"),
        (lambda n, m: 4.5, "9/2"),
    ],
)
def test_a_polynomial_in_two_sizes_is_found_exactly(count: Callable[[int, int], float], text: str) -> None:
    assert fitted(GRID, [count(n, m) for n, m in GRID], "n", "m") == text


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))
def test_the_coefficients_of_any_bilinear_count_are_its_own(a: int, b: int, c: int) -> None:
    text = fitted(GRID, [a * n * m + b * n + c for n, m in GRID], "n", "m")
    value = eval_text(text, 7, 11)
    assert value == a * 77 + b * 7 + c


def eval_text(text: str, n: int, m: int) -> float:
    """The value of a polynomial as it is shown."""
    total = 0.0
    for sign, term in re.findall(r"(^-|^|[+-] )([^+-]+)", text):
        numbers = [float(w.partition("/")[0]) / float(w.partition("/")[2] or 1) for w in re.findall(r"[\d/]+", term)]
        product = math.prod(numbers[:1]) if term.strip()[0].isdigit() else 1.0
        for name, power in re.findall(r"([nm])(?:\^(\d+))?", term):
            product *= {"n": n, "m": m}[name] ** int(power or 1)
        total += -product if "-" in sign else product
    return total


def test_a_degree_that_no_further_size_confirms_is_not_called_exact() -> None:
    points = [(n, m) for n in (26, 52, 104) for m in (2, 3, 5)]
    assert "^2" not in fitted(points, [n * n for n, _ in points], "n", "m").split("(")[0].replace("n^2 ", "")


def test_a_power_law_of_two_sizes_says_how_far_new_points_may_be() -> None:
    values = [2.0 * n**1.5 * m**0.5 * (1.01 if (n + m) % 3 else 0.99) for n, m in GRID]
    found = re.fullmatch(r"(\S+) n\^(\S+) m\^(\S+) \(within (\S+)%; 95 % of new points within a factor (\S+)\)",
                         fitted(GRID, values, "n", "m"))  # fmt: skip
    assert found is not None
    assert float(found[2]) == pytest.approx(1.5, abs=0.02)
    assert float(found[3]) == pytest.approx(0.5, abs=0.03)
    assert 1.01 < float(found[5]) < 1.1


def test_without_a_point_to_spare_no_interval_is_given() -> None:
    assert "no point is left" in fitted([1, 4], [2.0, 4.1], "n")
