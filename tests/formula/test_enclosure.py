from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula.random_formulas import BoxEnvironment, Maker, boxes, item_value, points

from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.evaluate.interval_functions import apply
from apet.formula.evaluate.rounding import add, divide, multiply, power
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Call, Interference, Load, NodeId, Peak, Reduce
from apet.ground.interval import Interval

seeds = st.integers(0, 2**32)
X = Interval(1, 2)


def enclosed(graph: Graph, node: NodeId, **box: Interval) -> Interval:
    return Enclosure(graph, [node]).run(BoxEnvironment(box))[0]


@settings(max_examples=400)
@given(seeds)
def test_the_value_at_every_point_of_a_box_lies_in_the_enclosure(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node = maker.formula(3)
    box = boxes(random)
    try:
        found = Enclosure(maker.graph, [node]).run(BoxEnvironment(box))[0]
    except EvaluationError:
        return
    plan = Plan(maker.graph, [node])
    for values in points(random, box, 12):
        assert plan.run(MappingEnvironment(values, item_value))[0] in found, values


@settings(max_examples=200)
@given(seeds)
def test_an_exact_point_box_is_enclosed_by_its_exact_value(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node = maker.formula(3)
    box = boxes(random, wide=False)
    values = {name: x.lo for name, x in box.items()}
    found = Enclosure(maker.graph, [node]).run(BoxEnvironment(box))[0]
    exact = Plan(maker.graph, [node]).run(MappingEnvironment(values, item_value))[0]
    assert found == Interval(exact, exact)


@settings(max_examples=200)
@given(seeds)
def test_float_boxes_hold_the_exact_value_of_their_points(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random)
    node = maker.formula(3)
    exact = {name: Fraction(random.uniform(0.1, 3)) for name in ("x", "y")} | {"q": Fraction(random.random())}
    whole = {"n": random.randint(0, 4), "m": random.randint(0, 4)}
    box = {name: Interval(float(v), float(v)) for name, v in exact.items()}
    box |= {name: Interval(v, v) for name, v in whole.items()}
    found = Enclosure(maker.graph, [node]).run(BoxEnvironment(box))[0]
    assert Plan(maker.graph, [node]).run(MappingEnvironment({**exact, **whole}, item_value))[0] in found


@settings(max_examples=150)
@given(seeds)
def test_functions_agree_with_the_intervals_of_mpmath(seed: int) -> None:
    from mpmath import iv, mp

    random = Random(seed)
    iv.prec = 200
    low, wide = random.uniform(1e-3, 50), random.choice([0.0, 1e-9, 0.5, 7.0])
    exponent = Interval(random.uniform(-3, 3), 3.5)
    x = Interval(low, low + wide)
    theirs = iv.mpf([x.lo, x.hi])
    pairs = [
        (apply("log", x), iv.log(theirs)),
        (apply("log2", x), iv.log(theirs) / iv.log(2)),
        (apply("sqrt", x), iv.sqrt(theirs)),
        (apply("pow", x, exponent), iv.exp(iv.mpf([exponent.lo, exponent.hi]) * iv.log(theirs))),
        (power(x, 3), theirs**3),
        (power(x, -2), theirs**-2),
    ]
    for mine, other in pairs:
        low_end, high_end = mp.mpf(other.a), mp.mpf(other.b)
        assert mp.mpf(mine.lo) <= low_end
        assert high_end <= mp.mpf(mine.hi)


@settings(max_examples=100)
@given(seeds)
def test_formulas_with_functions_hold_the_values_of_mpmath(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, binding=False, exact=False)
    node = maker.formula(3)
    box = boxes(random)
    try:
        found = Enclosure(maker.graph, [node]).run(BoxEnvironment(box))[0]
        plan = Plan(maker.graph, [node])
        values = [plan.run(MappingEnvironment(v, item_value))[0] for v in points(random, box, 8)]
    except EvaluationError:
        return
    for value in values:
        slack = 1e-9 * max(1, value, -value)
        assert found.lo - slack <= value <= found.hi + slack


Exact = int | Fraction | float
numbers = st.one_of(
    st.integers(-(10**20), 10**20),
    st.fractions(max_denominator=10**6).filter(lambda f: abs(f) < 10**9),
    st.floats(-1e12, 1e12, allow_subnormal=False),
)


@given(numbers, numbers)
def test_every_operation_holds_the_exact_result(a: Exact, b: Exact) -> None:
    x, y, p, q = Interval(a, a), Interval(b, b), Fraction(a), Fraction(b)
    assert p + q in add(x, y)
    assert p * q in multiply(x, y)
    if b:
        assert p / q in divide(x, y)
    assert p**3 in power(x, 3)


@given(numbers, numbers)
def test_no_operation_widens_a_point_by_more_than_two_units(
    a: int | Fraction | float, b: int | Fraction | float
) -> None:
    x, y = Interval(a, a), Interval(b, b)
    for found in (add(x, y), multiply(x, y), *([divide(x, y)] if b else [])):
        if isinstance(found.hi, float):
            assert found.hi <= math.nextafter(math.nextafter(found.lo, math.inf), math.inf)


def test_exact_ends_stay_exact() -> None:
    g = Graph()
    x = g.symbol("x")
    node = g.add([(g.times(x, x), Fraction(1, 3)), (g.over(g.one, x), 2)])
    assert enclosed(g, node, x=Interval(Fraction(1, 2), 3)) == Interval(Fraction(1, 12) + Fraction(2, 3), 7)


@pytest.mark.parametrize("times_out", [False, True])
def test_a_weighted_mean_lies_between_what_it_weighs(times_out: bool) -> None:
    g = Graph()
    q, x, y = map(g.symbol, "qxy")
    rest = g.times(g.minus(g.one, q), y)
    if times_out:
        rest = g.minus(y, g.times(q, y))
    node = g.plus(g.times(q, x), rest)
    assert enclosed(g, node, q=Interval(Fraction(1, 5), Fraction(4, 5)), x=X, y=X) == Interval(1, 2)


def test_dividing_by_what_may_be_zero_is_an_error() -> None:
    g = Graph()
    with pytest.raises(EvaluationError, match="contains zero"):
        enclosed(g, g.power(g.symbol("x"), -1), x=Interval(0, 1))


def test_a_loop_too_long_to_run_is_an_error() -> None:
    g = Graph()
    n = g.symbol("n")
    i = g.index("i", g.one, n)
    node = g.intern(Reduce("sum", i, g.one, n, g.call("floor", [g.over(i, g.const(3))])))
    with pytest.raises(EvaluationError, match="too long"):
        enclosed(g, node, n=Interval(1, 10**12))


@pytest.mark.parametrize(
    ("x", "m", "expected"),
    [
        (Interval(7, 8), Interval(5, 5), (2, 3)),
        (Interval(-3, -2), Interval(5, 5), (2, 3)),
        (Interval(3, 6), Interval(5, 5), (0, 5)),
        (Interval(1, 2), Interval(3, 9), (1, 2)),
        (Interval(7, 8), Interval(-5, -5), (-3, -2)),
        (Interval(Fraction(11, 2), 6), Interval(5, 5), (Fraction(1, 2), 1)),
    ],
)
def test_a_remainder_is_exact_within_one_period(x: Interval, m: Interval, expected: tuple[int, int]) -> None:
    assert apply("mod", x, m) == Interval(*expected)


def test_what_may_lie_in_a_range_counts_for_the_high_end_only() -> None:
    g = Graph()
    n = g.symbol("n")
    i = g.index("i", g.one, n)
    body = g.item("t_op", [i])
    cost = [item_value("t_op", (k,), ()) for k in range(1, 5)]
    box = Interval(2, 4)
    assert enclosed(g, g.intern(Reduce("sum", i, g.one, n, body)), n=box) == Interval(sum(cost[:2]), sum(cost))
    assert enclosed(g, g.intern(Reduce("max", i, g.one, n, body)), n=box) == Interval(max(cost[:2]), max(cost))
    assert enclosed(g, g.intern(Reduce("min", i, g.one, n, body)), n=box) == Interval(min(cost), min(cost[:2]))


def test_terms_that_may_be_negative_widen_both_ends_of_a_sum() -> None:
    g = Graph()
    n, x = g.symbol("n"), g.symbol("x")
    i = g.index("i", g.one, n)
    body = g.minus(x, g.intern(Call("floor", (g.over(i, g.const(2)),))))
    node = g.intern(Reduce("sum", i, g.one, n, body))
    assert enclosed(g, node, n=Interval(1, 3), x=Interval(0, 1)) == Interval(-2, 1)


def test_an_empty_range_gives_zero_and_for_a_minimum_infinity() -> None:
    g = Graph()
    n = g.symbol("n")
    i = g.index("i", g.one, n)
    body = g.item("t_op", [i])
    zero = Interval(0, 0)
    assert enclosed(g, g.intern(Reduce("sum", i, g.one, n, body)), n=zero) == Interval(0, 0)
    assert enclosed(g, g.intern(Reduce("max", i, g.one, n, body)), n=zero) == Interval(0, 0)
    assert enclosed(g, g.intern(Reduce("min", i, g.one, n, body)), n=zero) == Interval(math.inf, math.inf)


def test_a_peak_whose_members_are_unknown_lies_between_one_use_and_all_uses() -> None:
    g = Graph()
    n, m, w = g.symbol("n"), g.symbol("m"), g.symbol("w")
    i, q = g.index("i", g.one, n), g.index("q", g.zero, m)
    member = g.intern(Call("mod", (i, m)))
    load = Load((Binder(i, g.one, n),), (member,), w, g.zero, g.zero, True)
    node = g.intern(Peak((load,), (q,), g.one))
    box = {"n": Interval(6, 6), "w": Interval(2, 3)}
    assert enclosed(g, node, m=Interval(3, 3), **box) == Interval(4, 6)
    low, high = enclosed(g, node, m=Interval(2, 3), **box)
    assert 2 <= low <= 4
    assert 9 <= high <= 18


def test_interference_is_what_the_others_load() -> None:
    g = Graph()
    n, w, v = g.symbol("n"), g.symbol("w"), g.symbol("v")
    i, q = g.index("i", g.one, n), g.index("q", g.zero, n)
    everyone = Load((Binder(i, g.one, n),), (g.one,), v, g.zero, g.zero, True)
    own = Load((), (g.one,), w, g.zero, g.zero, True)
    node = g.intern(Interference((own,), (own, everyone), (q,), g.one))
    box = {"w": Interval(2, 2), "v": Interval(1, 3)}
    assert enclosed(g, node, n=Interval(2, 4), **box) == Interval(2, 12)
