from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula import trees
from tests.formula.random_formulas import Maker

from apet.formula.evaluate.environment import EvaluationError, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.tape import ALONE, Tape
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Symbol, operands

seeds = st.integers(0, 2**32)


@settings(max_examples=100)
@given(seeds)
def test_operands_stand_before_their_users_and_every_node_once(seed: int) -> None:
    maker = Maker(Random(seed))
    roots = [maker.formula(3), maker.formula(2)]
    tape = Tape(maker.graph, roots)
    assert all(o < n for n, node in enumerate(tape.nodes) for o in operands(node))
    assert sorted(tape.origin) == maker.graph.below(*roots)
    assert [tape.origin[r] for r in tape.roots] == roots


@settings(max_examples=100)
@given(seeds)
def test_neighbours_are_of_one_kind_and_do_not_use_each_other(seed: int) -> None:
    maker = Maker(Random(seed))
    tape = Tape(maker.graph, [maker.formula(3)])
    parts = tape.neighbours(range(len(tape.nodes)))
    assert [n for _, part in parts for n in part] == list(range(len(tape.nodes)))
    for kind, part in parts:
        assert kind != ALONE or len(part) == 1
        assert len({type(tape.nodes[n]) for n in part}) == 1
        assert not {o for n in part for o in operands(tape.nodes[n])} & set(part)


@settings(max_examples=300)
@given(seeds)
def test_plans_agree_with_a_walk_over_the_tree(seed: int) -> None:
    r = Random(seed)
    tree = trees.tree(r, 4, inexact=False)
    graph = Graph()
    at = {n: Fraction(r.randint(0, 40), r.choice((1, 1, 3, 8))) for n in trees.SYMBOLS}
    plan = Plan(graph, [trees.node(graph, tree)])
    exact = trees.exact_value(tree, at)
    value = plan.run(MappingEnvironment(at))[0]
    assert value == (pytest.approx(float(exact), rel=1e-12) if isinstance(value, float) else exact)  # beyond 10^100
    found = plan.run(MappingEnvironment({n: float(v) for n, v in at.items()}))[0]
    if trees.is_plain(tree):
        assert found == pytest.approx(float(exact), rel=1e-9)


def products(graph: Graph, count: int) -> Plan:
    x, y = ([graph.symbol(f"{s}{k}") for k in range(count)] for s in "xy")
    return Plan(graph, [graph.add([(graph.times(a, b), k + 1) for k, (a, b) in enumerate(zip(x, y, strict=True))])])


@pytest.mark.parametrize("value", [10**400, Fraction(10**400, 7)])
def test_large_exact_numbers_stay_exact(value: int | Fraction) -> None:
    plan = products(Graph(), 12)
    values = {n.name: value for n in plan.nodes if isinstance(n, Symbol)}
    assert plan.run(MappingEnvironment(values)) == [78 * value * value]


def test_a_large_whole_number_times_a_float_is_too_large() -> None:
    plan = products(Graph(), 12)
    values = {n.name: 10**400 if n.name[0] == "x" else 0.5 for n in plan.nodes if isinstance(n, Symbol)}
    with pytest.raises(EvaluationError, match="too large"):
        plan.run(MappingEnvironment(values))


def test_a_missing_parameter_is_named() -> None:
    with pytest.raises(KeyError, match="x0"):
        products(Graph(), 1).run(MappingEnvironment({"y0": 1}))


def test_symbols_used_once_are_a_slice_of_the_tape() -> None:
    plan = products(Graph(), 50)
    names = [n.name for n in plan.nodes if isinstance(n, Symbol)]
    assert names == [f"x{k}" for k in range(50)] + [f"y{k}" for k in range(50)]
