"""Exact plans, and what they decide where a value is known nearly only."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.api import compile_text
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.reals import real
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.exact import rational_power
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.machine import parse_machines
from apet.prediction import Predictor

MACHINE = 'schema = 1\nname = "one"\n[[machine]]\nname = "m"\n[machine.op_s]\na = 1.0\n'
ROOTS = st.fractions(Fraction(1, 1000), 1000, max_denominator=1000)


@given(ROOTS, st.integers(1, 7), st.integers(-5, 5))
def test_a_rational_power_is_found_exactly(root: Fraction, degree: int, times: int) -> None:
    base, exponent = root**degree, Fraction(times, degree)
    assert rational_power(base, exponent) == root**times
    assert real("pow", base, exponent) == root**times
    assert real("sqrt", root**2) == root


@given(st.integers(2, 10**12), st.integers(2, 9))
def test_what_is_no_whole_power_has_no_rational_root(base: int, degree: int) -> None:
    found = rational_power(base, Fraction(1, degree))
    near = round(base ** (1 / degree))
    whole = next((k for k in (near - 1, near, near + 1) if k**degree == base), None)
    assert found == whole


@given(st.integers(-300, 300))
def test_the_logarithm_of_a_power_of_two_is_whole(exponent: int) -> None:
    assert real("log2", Fraction(2) ** exponent) == exponent


def root_times_root(graph: Graph) -> NodeId:
    """(3 sqrt(n)) (sqrt(n) / 3), which is n."""
    n = graph.symbol("n")
    return graph.times(graph.call("sqrt", [n]), graph.call("sqrt", [graph.scale(n, 4)]), graph.const(Fraction(1, 2)))


@given(st.integers(1, 10**6))
def test_a_jump_is_where_it_is(n: int) -> None:
    graph = Graph()
    product = root_times_root(graph)
    held = graph.compare("<=", graph.symbol("n"), product), graph.compare("==", product, graph.symbol("n"))
    rounded = graph.call("floor", [product]), graph.call("ceil", [product])
    rest = graph.call("mod", [product, graph.symbol("n")])
    found = Plan(graph, [*held, *rounded, rest], exact=True).run(MappingEnvironment({"n": n}))
    assert found == [1, 1, n, n, 0]


@pytest.mark.parametrize(
    ("rounds", "given", "seconds"),
    [
        ("floor(7 * sqrt(n / 49))", 1, (1, 1)),
        ("floor(7 * sqrt(n / 49))", Interval(1, 2), (1, 1)),
        ("floor(sqrt(n) * sqrt(n))", 2, (2, 2)),
        ("floor(sqrt(n) * sqrt(n))", Interval(2, 27), (2, 27)),
        ("ceil(n ^ (1 / 3))", 125, (5, 5)),
        ("ceil(n ^ (1 / 3))", Interval(8, 27), (2, 3)),
        ("sqrt(n) * sqrt(n)", 2, (2, 2)),
    ],
)
def test_what_is_guaranteed_counts_the_rounds_exactly(
    rounds: str, given: Number | Interval, seconds: tuple[int, int]
) -> None:
    app = compile_text(f"param n; L = seq (i = 1, {rounds}) a[1];", "rounds.pam")
    machines = parse_machines(Source("one.toml", MACHINE))
    assert Predictor(app, machines).predict(1, {"n": given}).guaranteed == Interval(*seconds)


@pytest.mark.parametrize(
    ("seconds", "truth"),
    [
        ("ceil(log2(2^200 + 1))", 201),
        ("ceil(log2(2^2000 + 1))", 2001),
        ("ceil(sqrt(10^100 + 1)) - 10^50", 1),
        ("floor(sqrt(10^100 - 1)) - 10^50 + 2", 1),
        ("(sqrt(10^100 + 1) > 10^50) + (sqrt(10^100) > 10^50)", 1),
        ("ceil(log(1000) / log(10))", 3),
        ("floor(log(125) / log(5)) + ceil(log(3125) / log(125) * 3)", 8),
        ("1 + floor(sqrt(8) - 2 * sqrt(2))", 1),
        ("1 + floor(sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6)))", 1),
        ("ceil(log2(10) - log2(5)) + (sqrt(12) / sqrt(3)) % 2", 1),
    ],
)
def test_a_jump_is_decided_however_near(seconds: str, truth: int) -> None:
    machines = parse_machines(Source("one.toml", MACHINE))
    prediction = Predictor(compile_text(f"L = delay({seconds});", "jump.pam"), machines).predict()
    assert prediction.guaranteed == prediction.estimate == Interval(truth, truth)


def test_what_cannot_be_decided_counts_on_both_sides() -> None:
    machines = parse_machines(Source("one.toml", MACHINE))
    guaranteed = Predictor(compile_text("param n = 3; L = delay(1 + floor(2 ^ log2(n)));", "n.pam"), machines).predict()
    assert guaranteed.guaranteed == Interval(3, 4)


@pytest.mark.parametrize(
    ("seconds", "n"),
    [("n * (sqrt(n * n + 1) - n)", 10**8), ("(1 + 1 / n) ^ n", 10**5), ("sum(i = 1, n, 1 / i)", 3000)],
)
def test_the_estimate_lies_between_bounds_that_are_neighbours(seconds: str, n: int) -> None:
    machines = parse_machines(Source("one.toml", MACHINE))
    app = compile_text(f"param n = {n}; L = delay({seconds});", "n.pam")
    prediction = Predictor(app, machines).predict()
    low, high = prediction.guaranteed
    assert low <= prediction.estimate.lo <= high
    assert high == math.nextafter(low, math.inf)
