"""Formulas as plain text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formula.expressions import new_graph

from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import max_over, sum_over
from apet.formula.graph.nodes import NodeId
from apet.formula.show.bound_names import bound_names
from apet.formula.show.text import number, text


def _maximum(g: Graph) -> NodeId:
    p = g.index("p", g.one, g.symbol("P"))
    return max_over(g, p, g.one, g.symbol("P"), g.plus(g.item("t_x", [p]), g.item("t_y", [p])))


PAIRS: list[tuple[Callable[[Graph], NodeId], str]] = [
    (lambda g: g.add([(g.symbol("n"), 2), (g.symbol("m"), -1)], -3), "2 n - m - 3"),
    (lambda g: g.scale(g.symbol("n"), Fraction(1, 3)), "(1/3) n"),
    (lambda g: g.times(g.symbol("n"), g.shift(g.symbol("m"), 1)), "n (m + 1)"),
    (lambda g: g.over(g.symbol("n"), g.times(g.symbol("m"), g.symbol("P"))), "n/(m P)"),
    (lambda g: g.power(g.shift(g.symbol("n"), 1), 2), "(n + 1)^2"),
    (lambda g: g.item("t_send", [g.zero, g.symbol("p")], [g.const(8)]), "t_send[0, p](8)"),
    (lambda g: g.compare("<=", g.symbol("n"), g.symbol("m")), "[n <= m]"),
    (lambda g: g.call("mod", [g.shift(g.symbol("n"), 1), g.symbol("P")]), "(n + 1) % P"),
    (_maximum, "max_{1<=p<=P} (t_x[p] + t_y[p])"),
]


@pytest.mark.parametrize(("build", "expected"), PAIRS, ids=[expected for _, expected in PAIRS])
def test_formulas_read_as_people_write_them(build: Callable[[Graph], NodeId], expected: str) -> None:
    graph = new_graph()
    assert text(graph, build(graph)) == expected


@given(st.fractions())
def test_numbers_are_written_exactly(value: Fraction) -> None:
    assert Fraction(number(value)) == value


@given(st.integers(), st.integers(0, 17), st.integers(0, 17))
def test_decimals_that_end_are_written_as_such(top: int, twos: int, fives: int) -> None:
    value = Fraction(top, 2**twos * 5**fives)
    if value.denominator < 10**18:
        assert "/" not in number(value)
    assert Fraction(number(value)) == value


def test_long_sums_and_maxima_are_folded() -> None:
    graph = Graph()
    symbols = [graph.symbol(f"x{k}") for k in range(30)]
    assert text(graph, graph.plus(*symbols), 2) == "x0 + x1 + (… 28 more terms)"
    assert text(graph, graph.maximum(symbols), 2) == "max(x0, x1, … 28 more)"


def test_tiny_numbers_are_written_with_a_power_of_ten() -> None:
    assert [number(Fraction(n, 10**9)) for n in (2, -2, 10**5, 99_900)] == ["2e-9", "-2e-9", "0.0001", "9.99e-5"]
    assert number(Fraction(1, 128 * 10**9)) == "7.8125e-12"
    assert number(Fraction(1, 3 * 10**9)) == "1/3000000000"
    graph = Graph()
    assert text(graph, graph.shift(graph.scale(graph.symbol("n"), Fraction(-2, 10**9)), 1)) == "-2e-9 n + 1"


def test_what_is_no_longer_than_the_note_on_it_is_not_folded() -> None:
    graph = Graph()
    short, long = [graph.symbol(f"x{k}") for k in range(4)], graph.symbol("a_name_of_thirty_characters_and")
    assert text(graph, graph.plus(*short), 1) == "x0 + x1 + x2 + x3"
    assert text(graph, graph.plus(*short, long), 4) == "x0 + x1 + x2 + x3 + (… 1 more term)"
    assert text(graph, graph.maximum(short), 3) == "max(x0, x1, x2, x3)"
    assert text(graph, graph.times(graph.plus(*short, long), graph.symbol("n")), 4).endswith("+ (… 1 more term))")


def test_bound_variables_that_meet_get_names_of_their_own() -> None:
    graph = new_graph()
    last = graph.symbol("P")
    i = graph.index("i", graph.one, last)
    j = graph.index("i", graph.one, i)
    k = graph.index("i", graph.one, last)
    inner = max_over(graph, j, graph.one, i, graph.item("t_x", [i, j]))
    apart = sum_over(graph, k, graph.one, last, graph.item("t_y", [k]))
    node = graph.plus(sum_over(graph, i, graph.one, last, inner), apart)
    nodes = Formula(graph, node).nodes()
    assert [bound_names(graph, nodes)[n] for n in (i, j, k)] == ["i", "i′", "i"]
    assert [bound_names(graph, nodes, {"i"})[n] for n in (i, j, k)] == ["i′", "i′′", "i′"]
