from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.formula.expressions import new_graph

from apet.formula.graph.nodes import Add, Const
from apet.formula.graph.sums import content, merged, scaled

NUMBERS = st.integers(-4, 4) | st.fractions(-3, 3, max_denominator=6).filter(lambda f: f.denominator > 1)
SUMS = st.dictionaries(st.integers(0, 60), NUMBERS.filter(bool), max_size=40)


def normal(sums: Mapping[int, int | Fraction]) -> tuple[tuple[int, int | Fraction], ...]:
    return tuple(sorted((n, c if Fraction(c).denominator > 1 else int(c)) for n, c in sums.items() if c))


@given(SUMS, st.dictionaries(st.integers(0, 60), NUMBERS, max_size=5))
def test_merging_is_adding_term_by_term(long: dict[int, int | Fraction], few: dict[int, int | Fraction]) -> None:
    total = {n: long.get(n, 0) + few.get(n, 0) for n in long.keys() | few.keys()}
    found = merged(normal(long), few)
    assert found == normal(total)
    assert [type(c) for _, c in found] == [type(c) for _, c in normal(total)]


@given(SUMS, NUMBERS.filter(bool))
def test_a_scaled_sum_has_that_content(sums: dict[int, int | Fraction], factor: int | Fraction) -> None:
    whole = {n: Fraction(c).numerator for n, c in sums.items()} | {99: 1, 98: -1}
    found = scaled(Add(0, normal(whole)), factor)
    assert found == normal({n: c * factor for n, c in whole.items()})
    assert content(Add(0, found)) == abs(factor)


@given(st.lists(st.tuples(st.integers(0, 39), NUMBERS), max_size=9), st.integers(17, 40), NUMBERS)
def test_a_long_sum_and_a_few_terms_are_the_sum_of_all(
    few: list[tuple[int, int | Fraction]], length: int, constant: int | Fraction
) -> None:
    graph = new_graph()
    atoms = [graph.symbol(f"x{k}") for k in range(40)]
    long = graph.add([(atoms[k], k + 1) for k in range(length)], constant)
    terms = [(atoms[k], c) for k, c in few]
    all_of_it = [(atoms[k], k + 1) for k in range(length)] + terms
    found = graph.add([*terms, (long, 1)], 2)
    totals = dict.fromkeys(atoms, Fraction(0))
    for atom, coefficient in all_of_it:
        totals[atom] += coefficient
    assert graph.terms(found) == (constant + 2, normal(totals))
    assert type(graph.nodes[found]) in (Add, Const)
