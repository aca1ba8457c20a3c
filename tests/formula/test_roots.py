"""Laws of closed forms of borders, and of what they are made from."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from apet.formula.algebra.alternatives import alternatives
from apet.formula.algebra.representatives import Kinds, Representative, by_representatives
from apet.formula.algebra.roots import roots
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Load, NodeId, Peak, Rational, Reduce
from apet.ground.interval import Number

SMALL = st.fractions(-9, 9, max_denominator=6)


def value(graph: Graph, node: NodeId, values: dict[str, Number], exact: bool = True) -> Number:
    return Plan(graph, [node], exact=exact).run(MappingEnvironment(values))[0]


def polynomial(graph: Graph, coefficients: list[Rational], x: NodeId) -> NodeId:
    return graph.plus(*(graph.scale(graph.power(x, d), c) for d, c in enumerate(coefficients) if c))


@given(SMALL, SMALL, SMALL)
def test_a_polynomial_is_zero_at_one_of_its_roots(first: Fraction, second: Fraction, steep: Fraction) -> None:
    assume(steep != 0)
    graph = Graph()
    x = graph.symbol("x")
    node = polynomial(graph, [steep * first * second, -steep * (first + second), steep], x)
    found = [value(graph, n, {}) for n in roots(graph, node, x)]
    assert any(f == pytest.approx(float(first)) for f in found)
    assert any(f == pytest.approx(float(second)) for f in found)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_what_the_unknown_divides_is_multiplied_with_it(a: int, b: int, c: int) -> None:
    graph = Graph()
    x, a_, b_, c_ = (graph.symbol(n) for n in "xabc")
    node = graph.minus(graph.over(a_, x), graph.over(b_, graph.plus(x, c_)))  # a/x = b/(x + c)
    assume(a != b)
    (root,) = roots(graph, node, x)
    assert value(graph, root, {"a": a, "b": b, "c": c}) == Fraction(a * c, b - a)


@given(st.integers(1, 30), st.integers(1, 9))
def test_a_floor_is_solved_for_the_whole_number_where_it_is_reached(level: int, divisor: int) -> None:
    graph = Graph()
    x, y, d = (graph.symbol(n) for n in "xyd")
    node = graph.minus(graph.call("floor", [graph.over(x, d)]), y)
    found = [value(graph, n, {"y": level, "d": divisor}) for n in roots(graph, node, x)]
    assert level * divisor in found


@pytest.mark.parametrize("function", ["log", "sqrt"])
def test_where_there_is_no_closed_form_there_is_none(function: str) -> None:
    graph = Graph()
    x = graph.symbol("x")
    assert roots(graph, graph.minus(graph.call(function, [graph.shift(x, 1)]), x), x) == []


def test_other_parameters_stay_symbols() -> None:
    graph = Graph()
    x, a, b = (graph.symbol(n) for n in "xab")
    (root,) = roots(graph, graph.minus(graph.times(a, x), b), x)
    assert Formula(graph, root).text() == "b/a"


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_formula_is_the_greatest_of_its_alternatives(a: int, b: int, c: int, d: int) -> None:
    graph = Graph()
    a_, b_, c_, d_ = (graph.symbol(n) for n in "abcd")
    inner = graph.maximum([b_, graph.plus(c_, graph.maximum([d_, b_]))])
    node = graph.minus(graph.times(a_, inner), d_)
    values: dict[str, Number] = {"a": a, "b": b, "c": c, "d": d}
    parts = alternatives(graph, node)
    assert len(parts) > 1
    assert max(value(graph, n, values) for n in parts) == value(graph, node, values)


def test_a_maximum_under_a_factor_that_may_be_negative_stays() -> None:
    graph = Graph()
    graph.assume("a", -1, 1)
    node = graph.times(graph.symbol("a"), graph.maximum([graph.symbol("b"), graph.symbol("c")]))
    assert alternatives(graph, node) == (node,)


@pytest.mark.parametrize("kind", ["sum", "max", "min"])
@given(first=st.integers(1, 5), more=st.integers(0, 5), slow=st.integers(1, 9), fast=st.integers(1, 9))
def test_a_loop_over_machines_is_one_over_kinds(kind: str, first: int, more: int, slow: int, fast: int) -> None:
    graph = Graph()
    low, high = graph.one, graph.symbol("P")
    p = graph.index("p", low, high)
    body = graph.plus(graph.item("t_w", [p]), graph.symbol("c"))
    loop = graph.intern(Reduce(kind, p, low, high, body))
    equal = [
        Representative(graph.const(1), graph.const(first)),
        *([Representative(graph.const(first + 1), graph.shift(high, -first))] if more else []),
    ]
    written = by_representatives(graph, loop, "P", Kinds(equal, equal, graph.zero))

    def items(name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        return slow if subscripts[0] <= first else fast

    environment = MappingEnvironment({"P": first + more, "c": 2}, items)
    assert Plan(graph, [written]).run(environment) == Plan(graph, [loop]).run(environment)
    assert not graph.free[written]
    assert loop != written


def test_a_loop_whose_body_depends_on_the_number_itself_stays() -> None:
    graph = Graph()
    high = graph.symbol("P")
    p = graph.index("p", graph.one, high)
    kinds = [Representative(graph.one, high)]
    for body in (graph.times(p, graph.item("t_w", [p])), graph.item("t_send", [p, graph.const(3)], [graph.one])):
        loop = graph.intern(Reduce("max", p, graph.one, high, body))
        assert by_representatives(graph, loop, "P", Kinds(kinds, kinds, graph.zero)) == loop


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_all_shares_sum_to_the_tasks(shares: list[int]) -> None:
    graph = Graph()
    high = graph.symbol("P")
    p = graph.index("p", graph.one, high)
    share, c, w = graph.item("share", [p]), graph.symbol("c"), graph.item("t_w", [p])
    body = graph.plus(graph.times(share, graph.shift(c, 2)), graph.times(share, share), w, graph.one)
    loop = graph.intern(Reduce("sum", p, graph.one, high, body))
    each = [Representative(graph.const(k + 1), graph.one) for k in range(len(shares))]
    equal = [Representative(graph.one, high)]
    written = by_representatives(graph, loop, "P", Kinds(equal, each, graph.symbol("tasks")))

    def items(name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        return shares[int(subscripts[0]) - 1] if name == "share" else 7

    values: dict[str, Number] = {"P": len(shares), "c": 2, "tasks": sum(shares)}
    environment = MappingEnvironment(values, items)
    assert Plan(graph, [written]).run(environment) == Plan(graph, [loop]).run(environment)
    assert Plan(graph, [loop]).run(environment) == [4 * sum(shares) + sum(s * s for s in shares) + 8 * len(shares)]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 30), st.integers(1, 3))
def test_the_greatest_load_of_machines_met_once_is_a_loop_over_kinds(loads: list[int], zero: int, servers: int) -> None:
    graph = Graph()
    high, nothing = graph.symbol("P"), graph.zero
    p, member = graph.index("p", graph.one, high), graph.index("q", graph.zero, high)
    each = Load((Binder(p, graph.one, high),), (p,), graph.item("t_w", [p]), nothing, nothing, True)
    alone = Load((), (nothing,), graph.symbol("c"), nothing, nothing, True)
    peak = graph.intern(Peak((each, alone), (member,), graph.item("cores", [member])))
    kinds = [Representative(graph.const(k + 1), graph.one) for k in range(len(loads))]
    written = by_representatives(graph, peak, "P", Kinds(kinds, kinds, nothing))

    def items(name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        return loads[int(subscripts[0]) - 1] if name == "t_w" else servers + int(subscripts[0] == 0)

    environment = MappingEnvironment({"P": len(loads), "c": zero}, items)
    expected = max(*(Fraction(load, servers) for load in loads), Fraction(zero, servers + 1))
    assert written != peak
    assert Plan(graph, [written, peak], exact=True).run(environment) == [expected, expected]
