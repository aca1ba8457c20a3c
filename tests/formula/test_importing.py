"""Laws of bringing a formula of one graph into another."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from tests.formula.expressions import Case, Environment, cases

import apet
from apet.formula import Formula, Graph
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.importing import imported

PAR = "param P; param n = 5; L = par (p = 1, P) { send[0, p](8); seq (i = 1, n) seq (j = 1, i) work[p]; };"


@settings(max_examples=150)
@given(cases())
def test_an_imported_formula_has_the_same_value(case: Case) -> None:
    target = Graph()
    node = imported(target, case.graph, case.node)
    assert Plan(target, [node]).run(Environment(case.values)) == [case.evaluated()]


@settings(max_examples=100)
@given(cases())
def test_importing_twice_gives_the_same_node(case: Case) -> None:
    target = Graph()
    assert imported(target, case.graph, case.node) == imported(target, case.graph, case.node)


def test_a_formula_of_the_same_graph_stays_as_it_is() -> None:
    graph = Graph()
    node = graph.plus(graph.symbol("x"), graph.one)
    assert imported(graph, graph, node) == node


def test_the_same_model_compiled_twice_differs_by_nothing() -> None:
    for network in ("none", "bus", "switch"):
        one, two = (apet.compile_text(PAR, network=network) for _ in range(2))
        for mine, theirs in ((one.T0, two.T0), (one.T_total, two.T_total), (one.lower, two.lower)):
            assert imported(one.graph, two.graph, theirs.node) == mine.node


def test_nested_variables_of_one_name_and_range_stay_apart() -> None:
    source, target = Graph(), Graph()
    ends = source.one, source.symbol("n")
    one, two = source.index("i", *ends), source.index("i", *ends)
    target.index("i", target.one, target.symbol("n"))
    inner = source.item("t", [one, two])
    both = [imported(target, source, n) for n in (one, two)]
    assert both[0] != both[1]
    assert target.nodes[imported(target, source, inner)] == target.nodes[target.item("t", both)]


def test_what_is_assumed_of_a_new_symbol_is_taken_over() -> None:
    source, target = Graph(), Graph()
    source.assume("x", Fraction(-1), 1)
    source.integers.add("x")
    node = imported(target, source, source.symbol("x"))
    assert target.assumed["x"] == (-1, 1)
    assert "x" in target.integers
    assert Formula(target, node).parameters == ("x",)
