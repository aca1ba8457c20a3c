from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula.random_formulas import SYMBOLS, WHOLE, BoxEnvironment, Maker, boxes, item_value, points

from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.extremes.extremes import Extremes, extremes
from apet.formula.extremes.monotone import Steepness, direction_of_symbol
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, NodeId, Reduce
from apet.ground.interval import Interval, Number

seeds = st.integers(0, 2**32)
WHOLE_NAMES = frozenset(WHOLE)
X = Interval(1, 2)


def found_over(
    graph: Graph, node: NodeId, box: Mapping[str, Interval], most: int = 4000, whole: frozenset[str] = WHOLE_NAMES
) -> Extremes:
    plan, enclosure = Plan(graph, [node]), Enclosure(graph, [node])

    def at(values: Mapping[str, Number]) -> Number:
        return plan.run(MappingEnvironment(values, item_value))[0]

    def over(part: Mapping[str, Interval]) -> Interval:
        return enclosure.run(BoxEnvironment(part))[0]

    return extremes(graph, node, box, whole, at, over, most_evaluations=most)


@settings(max_examples=150)
@given(seeds)
def test_a_proved_direction_is_never_contradicted(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node, box, name = maker.formula(3), boxes(random), random.choice(SYMBOLS)
    way = direction_of_symbol(maker.graph, node, name, box)
    if way is None:
        return
    plan = Plan(maker.graph, [node])
    ends = sorted({p[name] for p in points(random, box, 6)})
    for values in points(random, box, 4):
        costs = [plan.run(MappingEnvironment({**values, name: e}, item_value))[0] for e in ends]
        assert all((after - before) * way > 0 or after == before for before, after in pairwise(costs))
        assert way or len(set(costs)) == 1


@settings(max_examples=150)
@given(seeds)
def test_the_values_of_all_nodes_lie_in_what_one_pass_finds(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node, box = maker.formula(3), boxes(random)
    found = Steepness(maker.graph, node).values(box)[node]
    plan = Plan(maker.graph, [node])
    for values in points(random, box, 6):
        assert plan.run(MappingEnvironment(values, item_value))[0] in found


@settings(max_examples=60)
@given(seeds)
def test_the_extremes_hold_the_values_at_two_hundred_points(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node, box = maker.formula(3), boxes(random)
    found = found_over(maker.graph, node, box, most=60)
    plan = Plan(maker.graph, [node])
    for values in points(random, box, 200):
        cost = plan.run(MappingEnvironment(values, item_value))[0]
        slack = 1e-12 * max(1, abs(cost)) if isinstance(cost, float) else 0
        assert found.lo - slack <= cost <= found.hi + slack


@settings(max_examples=60)
@given(seeds)
def test_whole_boxes_have_exactly_the_extremes_of_all_their_points(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node, box = maker.formula(3), boxes(random)
    box = {name: x if name in WHOLE else Interval(x.lo, x.lo) for name, x in box.items()}
    found = found_over(maker.graph, node, box)
    plan = Plan(maker.graph, [node])
    costs = [
        plan.run(MappingEnvironment({**{s: x.lo for s, x in box.items()}, "n": n, "m": m}, item_value))[0]
        for n in range(int(box["n"].lo), int(box["n"].hi) + 1)
        for m in range(int(box["m"].lo), int(box["m"].hi) + 1)
    ]
    assert found[:2] == (min(costs), max(costs))
    assert found.tight


def smooth(graph: Graph, which: int) -> NodeId:
    g, x, y, q = graph, *map(graph.symbol, "xyq")
    p = g.minus(g.one, q)
    return [
        lambda: g.plus(x, g.over(g.one, x)),
        lambda: g.times(q, p),
        lambda: g.plus(g.times(q, q, x), g.times(p, p, y)),
        lambda: g.plus(g.over(y, x), x, g.times(q, p, x)),
        lambda: g.minus(g.times(x, x, x), g.scale(g.times(x, x), Fraction(7, 2))),
        lambda: g.maximum([g.times(q, x), g.times(p, y)]),
        lambda: g.minus(g.call("sqrt", [x]), g.over(x, g.const(3))),
        lambda: g.minus(g.times(x, y), g.plus(g.times(x, x), g.times(y, y, q))),
    ][which]()


@pytest.mark.parametrize("which", range(8))
def test_smooth_extremes_are_those_of_a_dense_grid(which: int) -> None:
    g = Graph()
    node = smooth(g, which)
    box = {"x": Interval(Fraction(1, 2), 3), "y": Interval(1, Fraction(5, 2)), "q": Interval(Fraction(1, 10), 1)}
    found = found_over(g, node, box)
    plan, parts = Plan(g, [node]), [k / 24 for k in range(25)]
    grid = [{"x": 0.5 + 2.5 * a, "y": 1 + 1.5 * b, "q": 0.1 + 0.9 * c} for a, b, c in product(parts, parts, parts)]
    costs = [float(plan.run(MappingEnvironment(values))[0]) for values in grid]
    least, most = min(costs), max(costs)
    assert found.tight, found
    assert least - 0.02 <= found.lo <= least + 1e-9
    assert most - 1e-9 <= found.hi <= most + 0.02


def test_the_extremes_of_a_weighted_mean_are_those_of_what_it_weighs() -> None:
    g = Graph()
    q, x, y = map(g.symbol, "qxy")
    node = g.plus(g.times(q, x), g.times(g.minus(g.one, q), y))
    box = {"q": Interval(Fraction(1, 5), Fraction(4, 5)), "x": X, "y": X}
    assert found_over(g, node, box)[:4] == (1, 2, "endpoints", True)
    floats = {"q": Interval(0.2, 0.8), "x": Interval(1.0, 2.0), "y": Interval(1.0, 2.0)}
    found = found_over(g, node, floats)
    assert found.lo <= 1 <= found.lo + 1e-9
    assert found.hi - 1e-9 <= 2 <= found.hi


def test_a_probability_that_weighs_unknown_costs_is_put_at_its_ends() -> None:
    g = Graph()
    q = g.symbol("q")
    one, other = g.item("t_op", [g.const(2)]), g.item("t_op", [g.const(3)])
    node = g.plus(g.times(q, one), g.times(g.minus(g.one, q), other))
    a, b = (Fraction(item_value("t_op", (k,), ())) for k in (2, 3))
    ends = [a * e + b * (1 - e) for e in (Fraction(1, 4), Fraction(3, 4))]
    found = found_over(g, node, {"q": Interval(Fraction(1, 4), Fraction(3, 4))})
    assert found[:4] == (min(ends), max(ends), "corners", True)


def test_a_valley_of_least_values_is_enclosed_though_not_to_tolerance() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    node = g.plus(g.over(y, x), g.over(x, y))
    found = found_over(g, node, {"x": Interval(Fraction(1, 2), 3), "y": Interval(1, Fraction(5, 2))})
    assert 1.99 <= found.lo <= 2
    assert found.hi == pytest.approx(5.2, rel=1e-6)


def test_a_bandwidth_gets_the_opposite_end() -> None:
    g = Graph()
    node = g.plus(g.symbol("latency"), g.over(g.symbol("size"), g.symbol("bandwidth")))
    box = {"latency": Interval(1, 3), "size": Interval(10, 20), "bandwidth": Interval(2, 5)}
    assert found_over(g, node, box)[:4] == (3, 13, "endpoints", True)
    assert direction_of_symbol(g, node, "bandwidth", box) == -1
    assert direction_of_symbol(g, node, "size", box) == 1
    assert direction_of_symbol(g, node, "P", box) == 0


def test_a_point_stays_a_point() -> None:
    g = Graph()
    node = g.call("mod", [g.symbol("n"), g.const(7)])
    assert found_over(g, node, {"n": Interval(10, 10)})[:4] == (3, 3, "endpoints", True)


def test_whole_parameters_take_whole_values_only() -> None:
    g = Graph()
    n = g.symbol("n")
    node = g.times(n, g.minus(n, g.const(3)))
    assert found_over(g, node, {"n": Interval(Fraction(1, 2), Fraction(7, 2))})[:4] == (-2, 0, "scan", True)
    assert found_over(g, node, {"n": Interval(1, 3)}, whole=frozenset()).lo == pytest.approx(-2.25)
    with pytest.raises(ValueError, match="no whole number"):
        found_over(g, node, {"n": Interval(Fraction(1, 3), Fraction(2, 3))})


def test_many_whole_values_are_searched_not_scanned() -> None:
    g = Graph()
    n = g.symbol("n")
    node = g.plus(g.over(g.const(10**12), n), n)
    found = found_over(g, node, {"n": Interval(1, 10**9)})
    assert found.lo == pytest.approx(2 * 10**6, rel=1e-6)
    assert found.hi == 10**12 + 1
    assert found.certificate.startswith("branch and bound")
    assert found.tight


def test_an_item_rises_with_its_arguments_and_is_unknown_in_its_subscripts() -> None:
    g = Graph()
    n = g.symbol("n")
    box = {"n": Interval(1, 5), "P": Interval(1, 5), "tasks": Interval(1, 9)}
    assert direction_of_symbol(g, g.item("t_send", [g.zero, g.one], [n]), "n", box) == 1
    assert direction_of_symbol(g, g.item("t_op", [n]), "n", box) is None
    assert direction_of_symbol(g, g.item("share", [g.one]), "P", box) is None
    assert direction_of_symbol(g, g.item("share", [g.one]), "tasks", box) is None
    assert direction_of_symbol(g, g.item("t_op", [g.one]), "n", box) == 0


def test_a_longer_loop_over_costs_costs_more() -> None:
    g = Graph()
    n = g.symbol("n")
    i = g.index("i", g.one, n)
    body = g.item("t_op", [i])
    box = {"n": Interval(1, 10**15)}
    for kind, way in (("sum", 1), ("max", 1), ("min", -1)):
        assert direction_of_symbol(g, g.intern(Reduce(kind, i, g.one, n, body)), "n", box) == way
    falling = g.intern(Reduce("sum", i, g.one, n, g.minus(g.const(3), g.intern(Call("floor", (g.over(i, n),))))))
    assert direction_of_symbol(g, falling, "n", box) is None


def test_a_triangle_of_unknown_costs_grows_with_its_side() -> None:
    g = Graph()
    n, t = g.symbol("n"), g.item("t_op", [g.one])
    node = g.minus(g.scale(g.times(n, n, t), Fraction(1, 2)), g.scale(g.times(n, t), Fraction(1, 2)))
    assert direction_of_symbol(g, node, "n", {"n": Interval(1, 10**9)}) == 1
    assert direction_of_symbol(g, node, "n", {"n": Interval(0, 10**9)}) is None


def test_too_small_a_budget_still_gives_outer_bounds() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    node = g.call("mod", [g.times(x, y, x), g.const(3)])
    found = found_over(g, node, {"x": Interval(0, 9), "y": Interval(0, 9)}, most=20)
    assert (found.lo, found.tight) == (0, False)
    assert found.hi >= 2.99


def test_a_pole_inside_the_box_gives_no_finite_bound() -> None:
    g = Graph()
    node = g.over(g.one, g.shift(g.symbol("x"), -1))
    found = found_over(g, node, {"x": Interval(0, Fraction(5, 2))}, most=40)
    assert found[:2] == (-math.inf, math.inf)
    assert not found.tight


def test_no_value_at_a_decisive_end_is_an_error() -> None:
    g = Graph()
    with pytest.raises(EvaluationError):
        found_over(g, g.power(g.symbol("x"), -1), {"x": Interval(0, 1)})
