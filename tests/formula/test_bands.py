"""Each operation on bands holds the results of all numbers that its operands stand for."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

import mpmath
import numpy as np
import pytest

from apet.formula.columns import bands, decisions
from apet.formula.columns.bands import Band

Exactly = Callable[..., Fraction]


def near(function: Callable[..., mpmath.mpf]) -> Exactly:
    """A function by mpmath, of numbers as fractions."""

    def exactly(*values: Fraction) -> Fraction:
        with mpmath.workdps(60):
            return Fraction(str(function(*(mpmath.mpf(v.numerator) / v.denominator for v in values))))

    return exactly


OPERATIONS: dict[str, tuple[int, Callable[..., Band], Exactly]] = {
    "3 + 2 x - y": (2, lambda x, y: bands.total(3, [(x, 2), (y, -1)]), lambda x, y: 3 + 2 * x - y),
    "x/3 + y": (2, lambda x, y: bands.total(0, [(x, Fraction(1, 3)), (y, 1)]), lambda x, y: x / 3 + y),
    "x y": (2, bands.product, lambda x, y: x * y),
    "x / y": (2, bands.quotient, lambda x, y: x / y),
    "x^5": (1, lambda x: bands.power(x, 5), lambda x: x**5),
    "max": (2, lambda x, y: bands.extreme("max", [x, y]), max),
    "min": (2, lambda x, y: bands.extreme("min", [x, y]), min),
    "abs": (1, bands.magnitude, abs),
    "sqrt": (1, bands.root, near(mpmath.sqrt)),
    "log": (1, lambda x: bands.logarithm(x, math.log), near(mpmath.log)),
    "log2": (1, lambda x: bands.logarithm(x, math.log2), near(lambda x: mpmath.log(x) / mpmath.log(2))),
    "x^(y/64)": (
        2,
        lambda x, y: bands.general_power(x, bands.total(0, [(y, Fraction(1, 64))])),
        near(lambda x, y: mpmath.power(x, y / 64)),
    ),
}


def band_around(random: Random, exact: Fraction) -> Band:
    """One that stands for an exact number: of a relative error, of an absolute one, or as near as a float."""
    near = float(exact)
    off = abs(Fraction(near) - exact)
    match random.randrange(3):
        case 0:
            return Band(np.array([[near]]), float(off / exact) * (1 + 2**-20))
        case 1:
            moved = near * (1 + random.choice([-1, 1]) * 2.0**-24)
            return Band(np.array([[moved]]), 2.0**-24 * (1 + 2**-18))
        case _:
            moved = near * (1 + random.choice([-1, 0, 1]) * 2.0**-24)
            return Band(np.array([[moved]]), 0.0, np.array([[float(abs(Fraction(moved) - exact)) * (1 + 2**-20)]]))


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_result_is_within_its_distance(name: str) -> None:
    random = Random(name)
    count, act, exactly = OPERATIONS[name]
    for _ in range(200):
        values = [Fraction(random.randint(1, 400), random.choice([1, 3, 7, 97])) for _ in range(count)]
        result = act(*(band_around(random, v) for v in values))
        value, distance = float(np.ravel(result.value)[0]), float(np.ravel(result.distance)[0])
        assert abs(Fraction(value) - exactly(*values)) <= Fraction(distance) * (1 + Fraction(1, 10**9))
        assert distance <= 2.0**-16 * (1 + float(max(values)) * abs(value))


def test_a_decision_is_taken_only_where_an_error_leaves_no_doubt() -> None:
    one = decisions.of_band(Band(np.array([[1.0, 1.0]]), 0.0, np.array([[0.0, 1e-9]])))
    compared = decisions.compared("<=", decisions.of_number(1), one)
    assert compared.value[0, 0] == 1
    assert np.isnan(compared.value[0, 1])
