"""Laws of exact products and sums: the same fractions in lowest terms as Python's own, whatever the denominators."""

from __future__ import annotations

from fractions import Fraction
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.number_arithmetic import exact_product
from apet.formula.graph.graph import Graph

WHOLE = st.integers(-100, 100)
BINARY = st.builds(Fraction, st.floats(-1e6, 1e6, allow_nan=False))
NUMBERS = st.one_of(WHOLE, BINARY, st.fractions(-100, 100, max_denominator=60), WHOLE.map(Fraction))


@given(NUMBERS, NUMBERS)
def test_products_are_in_lowest_terms(x: Fraction | int, y: Fraction | int) -> None:
    product = exact_product(x, y)
    assert type(product) is type(x * y)
    assert (product.numerator, product.denominator) == ((x * y).numerator, (x * y).denominator)
    assert hash(product) == hash(x * y)


@given(st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(1, 9)), min_size=6, max_size=12), st.integers(0, 5))
def test_a_sum_of_products_is_the_exact_one(terms: list[tuple[Fraction, Fraction, int]], constant: int) -> None:
    graph = Graph()
    names = [(graph.symbol(f"x{k}"), graph.symbol(f"y{k}")) for k in range(len(terms))]
    root = graph.add([(graph.times(*pair), c) for pair, (_, _, c) in zip(names, terms, strict=True)], constant)
    values = {f"{name}{k}": term[i] for k, term in enumerate(terms) for i, name in enumerate("xy")}
    [found] = Plan(graph, [root], exact=True).run(MappingEnvironment(values))
    assert found == constant + sum(c * mul(x, y) for x, y, c in terms)


@pytest.mark.parametrize("odd", [0.5, float("inf")])
def test_floats_stay_floats(odd: float) -> None:
    assert exact_product(odd, Fraction(1, 2)) == odd / 2
