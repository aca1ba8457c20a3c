"""Numbers from formulas."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from tests.formula.expressions import Case, Environment, cases, new_graph

from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import substitute, sum_over
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.graph.nodes import Binder, Interference, Load, NodeId, Peak


@settings(max_examples=150)
@given(cases())
def test_exact_values_give_exact_results(case: Case) -> None:
    assert isinstance(case.evaluated(), int | Fraction)


@settings(max_examples=150)
@given(cases())
def test_a_plan_gives_the_same_values_every_time(case: Case) -> None:
    plan = Plan(case.graph, [case.node])
    other = {name: value + 1 for name, value in case.values.items()}
    first = plan.run(Environment(case.values))
    plan.run(Environment(other))
    assert plan.run(Environment(case.values)) == first


@settings(max_examples=150)
@given(cases())
def test_putting_numbers_in_for_symbols_keeps_the_value(case: Case) -> None:
    graph = case.graph
    numbers = {graph.symbol(name): graph.const(Fraction(value)) for name, value in case.values.items()}
    node = substitute(graph, case.node, numbers)
    assert Plan(graph, [node]).run(Environment({}))[0] == case.evaluated()


@settings(max_examples=100)
@given(cases(families=False))
def test_floats_give_nearly_the_exact_value(case: Case) -> None:
    # whole numbers are exact as floats, so only quotients are rounded
    formula = Formula(case.graph, case.node)
    values = {name: float(value) for name, value in case.values.items()}
    if "floor" in str(formula) or "ceil" in str(formula) or "%" in str(formula) or "[" in str(formula):
        return
    found = Plan(case.graph, [case.node]).run(Environment(values))[0]
    assert float(found) == pytest.approx(float(case.evaluated()), rel=1e-9, abs=1e-9)


def test_whole_numbers_stay_whole_beyond_floats() -> None:
    graph = new_graph()
    n = graph.symbol("n")
    node = graph.add([(graph.power(n, 2), Fraction(1, 2)), (n, Fraction(1, 2))])
    result = Formula(graph, node).evaluate({"n": 10**30 + 1})
    assert type(result) is int
    assert result == (10**30 + 1) * (10**30 + 2) // 2


def test_quantities_are_looked_up_by_function_or_printed_form() -> None:
    graph = Graph()
    formula = Formula(graph, graph.item("t_send", [graph.zero, graph.symbol("p")], [graph.const(8)]))
    assert formula.evaluate({"p": 3, "t_send[0, 3](8)": 5}) == 5
    assert formula.evaluate({"p": 3}, lambda name, subscripts, arguments: 7) == 7


def test_a_missing_value_is_named() -> None:
    graph = Graph()
    with pytest.raises(KeyError, match="n"):
        Formula(graph, graph.symbol("n")).evaluate({})


def _bad(graph: Graph, kind: str) -> NodeId:
    x = graph.symbol("x")
    if kind == "quotient":
        return graph.over(graph.one, x)
    if kind == "mod":
        return graph.call("mod", [graph.one, x])
    return graph.call(kind, [graph.shift(x, 0 if kind.startswith("log") else -1)])


@pytest.mark.parametrize("kind", ["quotient", "mod", "log", "log2", "sqrt"])
def test_where_there_is_no_value_an_error_says_so(kind: str) -> None:
    graph = Graph()
    with pytest.raises(EvaluationError):
        Formula(graph, _bad(graph, kind)).evaluate({"x": 0})


def test_a_loop_too_long_to_run_is_an_error() -> None:
    graph = new_graph()
    n = graph.symbol("n")
    i = graph.index("i", graph.one, n)
    node = sum_over(graph, i, graph.one, n, graph.item("t_x", [i]))
    with pytest.raises(EvaluationError, match="too long to run over"):
        Formula(graph, node).evaluate({"n": 10**9}, lambda *_: 1)


def _family(graph: Graph, certain: bool = True) -> tuple[tuple[Load, ...], tuple[NodeId, ...], NodeId]:
    """Members 0..2 by `i % 3` for i = 1..n, each for i; members have 2 servers."""
    n = graph.symbol("n")
    i = graph.index("i", graph.one, n)
    q = graph.index("q", graph.zero, graph.const(2))
    where = graph.call("mod", [i, graph.const(3)])
    load = Load((Binder(i, graph.one, n),), (where,), i, graph.symbol("h"), i, certain)
    return (load,), (q,), graph.const(2)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
def test_a_peak_is_the_greatest_head_load_and_tail_of_a_member(n: int) -> None:
    graph = new_graph()
    node = graph.intern(Peak(*_family(graph)))
    members: dict[int, list[int]] = {}
    for i in range(1, n + 1):
        members.setdefault(i % 3, []).append(i)
    expected = max((4 + Fraction(sum(found), 2) + min(found) for found in members.values()), default=0)
    assert Formula(graph, node).evaluate({"n": n, "h": 4}) == expected


def test_a_load_of_nothing_counts_only_where_it_is_certain() -> None:
    graph = Graph()
    for certain in (True, False):
        load = Load((), (), graph.symbol("w"), graph.const(3), graph.zero, certain)
        node = graph.intern(Peak((load,), (), graph.one))
        assert Formula(graph, node).evaluate({"w": 0}) == (3 if certain else 0)
        assert Formula(graph, node).evaluate({"w": 2}) == 5


def test_interference_is_what_others_load_on_the_members_in_use() -> None:
    graph = new_graph()
    loads, members, servers = _family(graph)
    mine = Load((), (graph.one,), graph.const(1), graph.zero, graph.zero, True)
    node = graph.intern(Interference((mine,), (*loads, mine), members, servers))
    assert Formula(graph, node).evaluate({"n": 5, "h": 0}) == Fraction(1 + 4, 2)


def test_a_plan_forgets_the_loads_of_another_run() -> None:
    graph = Graph()
    one, two = (Load((), (), graph.symbol(n), graph.zero, graph.zero, True) for n in "ab")
    plan = Plan(graph, [graph.intern(Interference((one,), (one, two), (), graph.one))])
    for b in range(50):
        assert plan.run(Environment({"a": 1, "b": b})) == [b]
