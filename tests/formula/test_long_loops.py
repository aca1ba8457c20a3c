"""Long loops over arrays of floats enclose what numbers of many digits give."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apet.formula.columns import long_loops
from apet.formula.columns.long_loops import LongLoopPlan
from apet.formula.evaluate.environment import EvaluationError, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Reduce
from apet.ground.interval import Interval

Body = Callable[[Graph, NodeId, NodeId], NodeId]

BODIES: dict[str, Body] = {
    "sqrt(i)": lambda g, i, n: g.call("sqrt", [i]),
    "log2(i) - sqrt(n)": lambda g, i, n: g.minus(g.call("log2", [i]), g.call("sqrt", [n])),
    "1/i": lambda g, i, n: g.over(g.one, i),
    "2^(-i)": lambda g, i, n: g.call("pow", [g.const(2), g.scale(i, -1)]),
    "(i n)^(1/3)": lambda g, i, n: g.call("pow", [g.times(i, n), g.const(Fraction(1, 3))]),
    "floor(sqrt(i n))": lambda g, i, n: g.call("floor", [g.call("sqrt", [g.times(i, n)])]),
    "i % 7 sqrt(n)": lambda g, i, n: g.times(g.call("mod", [i, g.const(7)]), g.call("sqrt", [n])),
    "(log(i) <= 3) sqrt(i)": lambda g, i, n: g.times(
        g.compare("<=", g.call("log", [i]), g.const(3)), g.call("sqrt", [i])
    ),
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """All loops are long, and have several blocks."""
    monkeypatch.setattr(long_loops, "FEWEST", 0)
    monkeypatch.setattr(long_loops, "FIRST", 3)
    monkeypatch.setattr(long_loops, "BLOCK", 16)


def loop(graph: Graph, kind: str, last: NodeId, body: Callable[[NodeId], NodeId]) -> NodeId:
    """The reduction of a body over 1..last."""
    index = graph.index("i", graph.one, last)
    return graph.intern(Reduce(kind, index, graph.one, last, body(index)))


def sides(plan: Plan, **values: int) -> Interval:
    return plan.enclosed(MappingEnvironment(values))[0]


def assert_encloses(graph: Graph, root: NodeId, n: int) -> None:
    wide, narrow = sides(LongLoopPlan(graph, [root]), n=n), sides(Plan(graph, [root], exact=True), n=n)
    assert wide.lo <= narrow.lo
    assert narrow.hi <= wide.hi
    assert float(wide.hi - wide.lo) <= 1e-14 * n * max(1, abs(float(narrow.hi)))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", BODIES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(n=st.integers(1, 60), kind=st.sampled_from(["sum", "max", "min"]))
def test_arrays_enclose_what_digits_give(name: str, n: int, kind: str) -> None:
    graph = Graph()
    graph.assume("n", 1)
    last = graph.symbol("n")
    assert_encloses(graph, loop(graph, kind, last, lambda i: BODIES[name](graph, i, last)), n)


@pytest.mark.usefixtures("small")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(n=st.integers(1, 20), kinds=st.tuples(*[st.sampled_from(["sum", "max", "min"])] * 2), jump=st.booleans())
def test_so_do_nested_ones(n: int, kinds: tuple[str, str], jump: bool) -> None:
    graph = Graph()
    last = graph.symbol("n")

    def body(i: NodeId, j: NodeId) -> NodeId:
        root = graph.call("sqrt", [graph.plus(graph.times(i, i), j)])
        return graph.call("ceil", [root]) if jump else root

    assert_encloses(graph, loop(graph, kinds[0], last, lambda i: loop(graph, kinds[1], i, lambda j: body(i, j))), n)


def test_a_long_sum_of_roots_holds_the_one_of_mpmath() -> None:
    graph = Graph()
    root = loop(graph, "sum", graph.const(300_000), lambda i: graph.call("sqrt", [i]))
    enclosure = sides(LongLoopPlan(graph, [root]))
    with mpmath.workdps(40):
        truth = mpmath.zeta(-0.5) - mpmath.zeta(-0.5, 300_001)
        low, high = (mpmath.mpf(Fraction(e).numerator) / Fraction(e).denominator for e in enclosure)
        assert low <= truth <= high
        assert high - low <= truth * 1e-15


def test_a_whole_sum_stays_whole_and_a_short_fraction_short() -> None:
    graph = Graph()
    floors = loop(graph, "sum", graph.const(10_000), lambda i: graph.call("floor", [graph.call("sqrt", [i])]))
    parts = loop(
        graph,
        "sum",
        graph.const(7_000),
        lambda i: graph.over(graph.one, graph.plus(graph.one, graph.call("mod", [i, graph.const(7)]))),
    )
    wholes, fractions = LongLoopPlan(graph, [floors, parts]).run(MappingEnvironment({}))
    assert wholes == sum(math.isqrt(i) for i in range(1, 10_001))
    assert fractions == 1000 * sum(Fraction(1, k) for k in range(1, 8))


def test_rounds_of_inner_loops_count() -> None:
    graph = Graph()
    last = graph.const(4_000)
    root = loop(
        graph, "sum", last, lambda i: loop(graph, "sum", last, lambda j: graph.call("sqrt", [graph.plus(i, j)]))
    )
    with pytest.raises(EvaluationError, match="too many to run"):
        LongLoopPlan(graph, [root]).run(MappingEnvironment({}))
