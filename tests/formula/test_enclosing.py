from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula import trees

from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.rounding import down, up
from apet.formula.extremes.enclosing import BoxValue, Ends, NamedIntervals, enclosed
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval

seeds = st.integers(0, 2**32)
UNIT = 2.0**-53
MANY = 5_000
"""Formulas that `--slow` draws: some minutes on a slow machine."""


def new_graph() -> Graph:
    graph = Graph()
    graph.integers |= set(trees.WHOLE)
    return graph


def assert_holds_every_value(seed: int, most_evaluations: int = 60) -> str:
    """Enclose a random formula over a random box, check it against the oracles, and tell how it was found."""
    from flint import arb, ctx

    r = Random(seed)
    kinds = trees.PLAIN if r.random() < 0.6 else trees.PLAIN + trees.SIGNED + trees.INEXACT
    tree, around = trees.tree(r, r.randint(1, 3), kinds), trees.box(r)
    graph = new_graph()
    try:
        found = enclosed(graph, trees.node(graph, tree), NamedIntervals(around, graph.integers), most_evaluations)
    except EvaluationError:
        return "no value"
    assert found.lo <= found.hi
    ctx.prec = 400
    for at in trees.points(r, around, 6):
        value = trees.ball(tree, at)
        assert not value < arb(found.lo), (seed, tree, around, at, found)
        assert not value > arb(found.hi), (seed, tree, around, at, found)
    if "endpoints" in found.certificate and math.isfinite(found.hi) and not searched(tree):
        check_width(seed, tree, around, found)
    return found.certificate.split(",")[0]


def searched(tree: trees.Tree) -> bool:
    """Whether a part may have been enclosed by wider means than at end points, or the oracle knows more than we do."""
    return tree[0] in ("mod", "floor", "ceil") or any(searched(p) for p in trees.parts_of(tree))


def check_width(seed: int, tree: trees.Tree, around: dict[str, Interval], found: Ends) -> None:
    """End points are no wider than the natural extension, but for rounding."""
    from mpmath import iv

    iv.prec = 53
    try:
        theirs = trees.natural(tree, around)
    except (ZeroDivisionError, OverflowError):
        return
    low, high = float(theirs.a), float(theirs.b)
    slack = 6 * UNIT * max(abs(found.lo), abs(found.hi)) + 1e-320
    if "outward" in found.certificate or not trees.is_plain(tree):
        # powers and logarithms magnify what rounding outward did to differences and functions before
        slack = 1e-12 * max(1, abs(found.lo), abs(found.hi))
    if math.isfinite(low) and math.isfinite(high):
        assert found.lo >= low - slack, (seed, tree, around, found, low)
        assert found.hi <= high + slack, (seed, tree, around, found, high)


@settings(max_examples=150)
@given(seeds)
def test_an_enclosure_holds_every_value_and_is_no_wider_than_interval_arithmetic(seed: int) -> None:
    assert_holds_every_value(seed)


@pytest.mark.slow
def test_thousands_of_random_formulas_are_enclosed() -> None:
    found = Counter(assert_holds_every_value(seed) for seed in range(MANY))
    assert found["exact endpoints"] > MANY / 5, found


@pytest.fixture
def graph() -> Graph:
    return new_graph()


def ends(graph: Graph, node: NodeId, **box: BoxValue) -> Ends:
    return Formula(graph, node).enclose(box)


def test_a_monotone_formula_of_floats_is_exact_at_both_ends_and_rounded_once(graph: Graph) -> None:
    x, y = graph.symbol("x"), graph.symbol("y")
    node = graph.plus(graph.times(x, y), graph.over(x, graph.shift(y, 1)))
    found = ends(graph, node, x=(0.1, 0.3), y=0.7)
    exact = [Fraction(e) * Fraction(0.7) + Fraction(e) / (Fraction(0.7) + 1) for e in (0.1, 0.3)]
    assert found == (down(exact[0]), up(exact[1]), "exact endpoints")


def test_a_difference_is_exact_at_both_end_points(graph: Graph) -> None:
    x, y = graph.symbol("x"), graph.symbol("y")
    found = ends(graph, graph.minus(x, y), x=(1, 5), y=(Fraction(1, 3), 2))
    assert found == (-1.0, up(Fraction(14, 3)), "exact endpoints")


def test_a_maximum_with_zero_takes_a_difference_that_may_be_negative(graph: Graph) -> None:
    n, x = graph.symbol("n"), graph.symbol("x")
    node = graph.times(x, graph.maximum([graph.zero, graph.shift(n, -3)]))
    found = ends(graph, node, n=(1, 10), x=(0.5, 1.5))
    assert found.certificate == "exact endpoints"
    assert (found.lo, round(found.hi, 9)) == (0.0, 10.5)


@pytest.mark.parametrize("tiny", [1e-200, 1e-308])
def test_what_underflows_is_enclosed_exactly_instead(graph: Graph, tiny: float) -> None:
    x, y, z = map(graph.symbol, "xyz")
    found = ends(graph, graph.plus(graph.times(x, y), graph.times(x, z)), x=(0, tiny), y=(0, tiny), z=(0, 0))
    assert found.lo == 0
    assert Fraction(found.hi) >= Fraction(tiny) ** 2 > 0


def test_what_overflows_is_enclosed_exactly_instead(graph: Graph) -> None:
    x, y, z = map(graph.symbol, "xyz")
    node = graph.over(graph.times(x, y), z)
    found = ends(graph, node, x=(1e200, 1e300), y=(1e200, 1e300), z=(1e290, 1e299))
    assert found.certificate.startswith(("exact", "endpoints, rounded"))
    assert found.lo <= Fraction(1e200) ** 2 / Fraction(1e299)
    assert found.hi >= Fraction(1e300) ** 2 / Fraction(1e290)
    assert found.hi == math.inf
    assert 0 < found.lo < 1e102


def test_the_certificate_names_the_way(graph: Graph) -> None:
    x, n = graph.symbol("x"), graph.symbol("n")
    hill = graph.times(x, graph.minus(graph.one, x))
    assert ends(graph, hill, x=(0, 1)).certificate.startswith("branch and bound, ")
    bent = graph.plus(graph.power(graph.minus(graph.const(3), n), 2), graph.over(graph.one, graph.shift(n, 1)))
    assert ends(graph, bent, n=(0, 5)).certificate in ("scan", "corners")
    assert ends(graph, hill, x=(0, math.inf)).certificate == "interval arithmetic"


def test_whole_parameters_take_whole_values(graph: Graph) -> None:
    n = graph.symbol("n")
    assert ends(graph, graph.power(n, 2), n=(0.5, 3.5)) == (1.0, 9.0, "exact endpoints")
    with pytest.raises(ValueError, match="n is whole, but there is no whole number"):
        ends(graph, n, n=(0.25, 0.75))


def test_quantities_of_the_machine_have_their_printed_form(graph: Graph) -> None:
    t = graph.item("t_send", [graph.const(1)], [graph.const(8)])
    node = graph.times(t, graph.symbol("n"))
    found = Formula(graph, node).enclose({"t_send[1](8)": (0.5, 0.75), "n": (2, 4)})
    assert (round(found.lo, 9), round(found.hi, 9)) == (1, 3)
    with pytest.raises(KeyError, match="t_send"):
        Formula(graph, node).enclose({"n": (2, 4)})


@pytest.mark.parametrize(
    ("given", "message"),
    [((2, 1), "empty"), ((1, 2, 3), "neither"), ("12", "neither"), ((0, math.nan), "empty")],
)
def test_what_is_no_interval_is_named(graph: Graph, given: BoxValue, message: str) -> None:
    with pytest.raises(ValueError, match=f"x.*{message}|interval of x is {message}"):
        ends(graph, graph.symbol("x"), x=given)


def test_a_value_that_may_not_exist_is_an_error(graph: Graph) -> None:
    node = graph.over(graph.one, graph.symbol("x"))
    with pytest.raises(EvaluationError, match="zero"):
        ends(graph, node, x=(0, 1))
    with pytest.raises(EvaluationError, match="zero"):
        ends(graph, graph.over(graph.one, graph.shift(graph.symbol("x"), -1)), x=(0, 2))


def test_a_rounded_logarithm_is_not_trusted_at_one_point(graph: Graph) -> None:
    steps = graph.call("ceil", [graph.call("log2", [graph.symbol("n")])])
    node = graph.plus(steps, graph.over(graph.const(100), steps))
    found = ends(graph, node, n=(2, 64))
    values = [Fraction(k) + Fraction(100, k) for k in range(1, 7)]
    assert found.lo <= min(values)
    assert found.hi >= max(values)


def test_a_box_may_not_contradict_what_the_formula_was_made_for() -> None:
    graph = Graph()
    size = Formula(graph, graph.call("abs", [graph.symbol("x")]))
    with pytest.raises(ValueError, match="x goes from -3 to 2, but the formula was made for 0 or more"):
        size.enclose({"x": (-3, 2)})

    free = Graph()
    free.assume("x", -10, 10)
    assert Formula(free, free.call("abs", [free.symbol("x")])).enclose({"x": (-3, 2)})[:2] == (0, 3)
