"""Formulas as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from tests.formula.expressions import Case, Environment, cases

from apet.formula import Formula, Graph
from apet.formula.evaluate.evaluation import Plan
from apet.formula.show.exchange import to_json


@settings(max_examples=150)
@given(cases(inexact=True))
def test_a_formula_read_back_has_the_same_nodes_and_the_same_value(case: Case) -> None:
    data = to_json(case.graph, case.node)
    again = Formula.from_json(json.loads(json.dumps(data)))
    assert to_json(again.graph, again.node) == data
    assert Plan(again.graph, [again.node]).run(Environment(case.values)) == [case.evaluated()]


def test_assumptions_travel_with_the_symbols() -> None:
    graph = Graph()
    graph.assume("x", Fraction(-1, 2), 10**20)
    graph.integers.add("x")
    graph.distinct.add("x")
    again = Formula.from_json(Formula(graph, graph.symbol("x")).json())
    assert again.graph.assumed == {"x": (Fraction(-1, 2), 10**20)}
    assert again.graph.integers == {"x"}
    assert again.graph.distinct == {"x"}


def test_numbers_stay_exact_beyond_what_json_numbers_hold() -> None:
    graph = Graph()
    node = graph.add([(graph.symbol("x"), Fraction(1, 3))], 2**53 + 1)
    shown = json.loads(json.dumps(to_json(graph, node)))
    assert shown["nodes"][-1]["constant"] == str(2**53 + 1)
    assert shown["nodes"][-1]["terms"][0][1] == "1/3"
    assert Formula.from_json(shown).evaluate({"x": 3}) == 2**53 + 2


def test_a_thousand_levels_are_written_and_read() -> None:
    graph = Graph()
    node = graph.symbol("x")
    for k in range(1000):
        node = graph.maximum([graph.plus(node, graph.symbol(f"a{k}")), graph.symbol(f"b{k}")])
    again = Formula.from_json(to_json(graph, node))
    values = dict.fromkeys(again.parameters, 1)
    assert again.evaluate(values) == 1001


def _with(**changes: Any) -> dict[str, Any]:
    nodes = [{"kind": "symbol", "name": "x"}, {"kind": "symbol", "name": "y"}]
    return {"format": 1, "nodes": nodes, "root": 0} | changes


def _node(**node: Any) -> dict[str, Any]:
    return _with(nodes=[*_with()["nodes"], node])


BAD: list[tuple[Any, str]] = [
    ([], "a formula must be an object, not list"),
    (_with(format=2), "format: 2 is not 1, the only format that can be read"),
    (_with(format=True), "format: True is not 1"),
    (_with(nodes=[]), "nodes: a list of at least one node is needed"),
    (_with(nodes=["x"]), "nodes[0]: a node must be an object, not str"),
    (_with(root=2), "root: 2 is not the position of an earlier node"),
    (_with(root=True), "root: True is not the position of an earlier node"),
    (_with(parameters=["z"]), "parameters: the nodes hold ['x'], not ['z']"),
    (_node(kind="lambda"), "nodes[2]: kind: 'lambda' is none of const, symbol"),
    (_node(kind="const", value=0.5), "nodes[2]: 0.5 is no exact number"),
    (_node(kind="const", value="1/0"), "nodes[2]: '1/0' has the denominator 0"),
    (_node(kind="const", value="__import__('os')"), "is no exact number"),
    (_node(kind="symbol", name=""), "nodes[2]: name: '' is no name"),
    (_node(kind="symbol", name="x"), "nodes[2]: the symbol 'x' comes twice"),
    (_node(kind="add", constant=0, terms=[[0, 1]]), "nodes[2]: a sum of a single operand is that operand"),
    (_node(kind="add", constant=0, terms=[[0, 1], [0, 2]]), "nodes[2]: terms: a node comes twice"),
    (_node(kind="add", constant=0, terms=[[0, 1], [2, 2]]), "nodes[2]: terms: 2 is not the position of an earlier"),
    (_node(kind="add", constant=0, terms=[[0, 0], [1, 2]]), "nodes[2]: terms must not be sums or constants"),
    (_node(kind="mul", factors=[[0, 0], [1, 1]]), "nodes[2]: exponents must be whole numbers other than 0"),
    (_node(kind="extreme", choose="mean", operands=[0, 1]), "nodes[2]: choose: 'mean' is none of max, min"),
    (_node(kind="extreme", choose="max", operands=[0]), "nodes[2]: operands: at least two are needed"),
    (_node(kind="call", function="exec", operands=[0]), "nodes[2]: function: 'exec' is none of floor"),
    (_node(kind="call", function="mod", operands=[0]), "nodes[2]: operands: mod takes 2, not 1"),
    (_node(kind="compare", operator=">", left=0, right=1), "nodes[2]: operator: '>' is none of <=, <, ==, !="),
    (
        _node(kind="reduce", choose="sum", index=0, low=0, high=1, body=0),
        "nodes[2]: index: node 0 is no index",
    ),
    (_node(kind="peak", loads={}, members=[], servers=0), "nodes[2]: loads must be a list of loads"),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_data_is_refused_with_its_place(data: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared below
        Formula.from_json(data)
    assert message in str(caught.value)
