"""The normal form of formulas."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formula.expressions import Case, cases, new_graph

from apet.formula import Formula, Graph
from apet.formula.graph.nodes import Add, Const, Extreme, Mul, NodeId, operands


def _atoms(graph: Graph) -> list[NodeId]:
    """Sums, products, symbols, maxima, quantities and constants."""
    n, m, p = (graph.symbol(name) for name in ("n", "m", "P"))
    t = graph.item("t_x", [p])
    some = [n, m, t, graph.times(n, m), graph.add([(n, 2), (t, Fraction(1, 2))], 3), graph.maximum([n, t])]
    return [*some, graph.const(0), graph.const(-2), graph.const(Fraction(1, 3)), graph.power(p, -1)]


@pytest.fixture
def deep() -> Iterator[None]:
    """Room for the recursion of the printer, as the driver makes it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


PICKS = st.lists(st.integers(0, 9), min_size=2, max_size=5)


@given(PICKS, st.randoms())
def test_sums_products_and_maxima_do_not_depend_on_the_order(picks: list[int], random: object) -> None:
    graph = new_graph()
    found = [_atoms(graph)[k] for k in picks]
    other = found[:]
    random.shuffle(other)  # type: ignore[attr-defined]
    assert graph.plus(*found) == graph.plus(*other)
    assert graph.times(*found) == graph.times(*other)


@given(PICKS, PICKS)
def test_sums_and_products_do_not_depend_on_the_grouping(left: list[int], right: list[int]) -> None:
    graph = new_graph()
    atoms = _atoms(graph)
    a, b = [atoms[k] for k in left], [atoms[k] for k in right]
    assert graph.plus(graph.plus(*a), graph.plus(*b)) == graph.plus(*a, *b)
    assert graph.times(graph.times(*a), graph.times(*b)) == graph.times(*a, *b)


@given(PICKS, PICKS)
def test_maxima_have_the_same_operands_however_grouped(left: list[int], right: list[int]) -> None:
    graph = new_graph()
    atoms = _atoms(graph)
    a, b = [atoms[k] for k in left], [atoms[k] for k in right]
    grouped = graph.maximum([graph.maximum(a), graph.maximum(b)])
    flat = graph.maximum([*a, *b])
    assert _operands(graph, grouped) == _operands(graph, flat)
    assert _operands(graph, graph.maximum([*b, *a])) == _operands(graph, flat)


def _operands(graph: Graph, node: NodeId) -> set[NodeId]:
    found = graph.nodes[node]
    return set(found.operands) if isinstance(found, Extreme) else {node}


@given(PICKS, st.fractions(-5, 5))
def test_constants_are_distributed_over_sums(picks: list[int], factor: Fraction) -> None:
    graph = new_graph()
    found = [_atoms(graph)[k] for k in picks]
    assert graph.scale(graph.plus(*found), factor) == graph.plus(*(graph.scale(n, factor) for n in found))


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_the_common_factor_of_a_sum_is_drawn_out_of_a_product(a: int, b: int, factor: int) -> None:
    graph = new_graph()
    n, m = graph.symbol("n"), graph.symbol("m")
    total = graph.add([(n, a), (m, b)])
    product = graph.times(m, graph.scale(total, factor))
    assert product == graph.scale(graph.times(m, total), factor)


@given(cases())
def test_nodes_are_in_normal_form(case: Case) -> None:
    graph = case.graph
    for number, node in enumerate(graph.nodes):
        assert all(n < number for n in operands(node))
        match node:
            case Add(constant, terms):
                assert terms
                assert all(c and not isinstance(graph.nodes[n], Add | Const) for n, c in terms)
                assert list(terms) == sorted(terms)
                numbers = [constant, *(c for _, c in terms)]
                assert not any(isinstance(c, Fraction) and c.denominator == 1 for c in numbers)
            case Mul(factors):
                assert factors
                assert all(e and not isinstance(graph.nodes[n], Mul | Const) for n, e in factors)
            case _:
                pass


@given(cases())
def test_equal_nodes_have_equal_numbers(case: Case) -> None:
    nodes = case.graph.nodes
    assert len({(type(n), n) for n in nodes}) == len(nodes)


def test_what_is_subtracted_from_itself_is_nothing() -> None:
    graph = new_graph()
    for node in _atoms(graph):
        assert graph.minus(node, node) == graph.zero


def test_a_quotient_by_itself_is_one() -> None:
    graph = new_graph()
    p = graph.symbol("P")
    assert graph.over(graph.times(p, graph.symbol("n")), p) == graph.symbol("n")


def test_dividing_by_zero_is_an_error() -> None:
    graph = Graph()
    with pytest.raises(ZeroDivisionError):
        graph.over(graph.symbol("n"), graph.zero)


def test_a_dominated_branch_is_left_out() -> None:
    graph = new_graph()
    n, t = graph.symbol("n"), graph.item("t_x", [])
    small, large = graph.plus(n, t), graph.add([(n, 2), (t, 1)], 1)
    assert graph.maximum([small, large]) == large
    assert graph.minimum([small, large]) == small
    assert graph.maximum([graph.zero, t]) == t


def test_ten_thousand_branches_of_twenty_terms_are_ten_thousand_nodes() -> None:
    graph = Graph()
    symbols = [graph.symbol(f"x{k}") for k in range(200)]
    before = len(graph)
    terms = [[(symbols[(k * 7 + j * 11) % 200], 1 + (k + j) % 50) for j in range(20)] for k in range(10_000)]
    branches = [graph.add(branch) for branch in terms]
    node = graph.maximum(branches)
    found = graph.nodes[node]
    assert isinstance(found, Extreme)
    assert len(found.operands) == len(set(branches))
    assert len(graph) == before + len(set(branches)) + 1
    assert Formula(graph, node).size == 1 + len(set(branches)) + 200


def test_a_thousand_levels_are_built_evaluated_and_printed(deep: None) -> None:
    graph = Graph()
    node = graph.symbol("x")
    for k in range(1_000):
        node = graph.maximum([graph.plus(node, graph.symbol(f"a{k}")), graph.symbol(f"b{k}")])
    formula = Formula(graph, node)
    values = dict.fromkeys(formula.parameters, 1)
    assert formula.evaluate(values) == 1_001
    assert str(formula).count("max(") == 1_000


@pytest.mark.parametrize("function", ["sqrt", "log2"])
def test_what_is_not_rational_is_rounded_exactly(function: str) -> None:
    graph = Graph()
    for whole in (2, 3, 7, 50):
        power = whole**2 if function == "sqrt" else 2**whole
        for beside, floor, ceil in ((-1, whole - 1, whole), (0, whole, whole), (1, whole, whole + 1)):
            root = graph.call(function, [graph.const(power + beside)])
            assert graph.value(graph.call("floor", [root])) == floor
            assert graph.value(graph.call("ceil", [root])) == ceil
            capped = graph.minimum([root, graph.call(function, [graph.const(power + 5)])])
            assert graph.value(graph.call("floor", [capped])) == floor
