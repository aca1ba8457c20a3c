"""Whatever is proved of a formula holds of its exact values: range, sign, wholeness, enclosure, slope and shape.

One generator draws for all of them: products, quotients and powers of variables, divisors that reach 0, triangular and
empty ranges. The judge is the evaluator of models, which knows no formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.cost.expressions import Expressions
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import EvaluationError, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.extremes.curvature import Shape, shape_in
from apet.formula.extremes.enclosing import NamedIntervals
from apet.formula.extremes.monotone import Steepness, sign
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.model.evaluate import evaluate
from apet.model.pamela import parse
from apet.model.terms import Delay, Expression

WHOLE = frozenset({"n", "m", "k"})
SHARES = frozenset({"q"})
POOL: Mapping[str, tuple[Number, ...]] = {
    **dict.fromkeys(sorted(WHOLE), (0, 1, 2, 3, 5, 7)),
    "q": (0, 1, Fraction(1, 2), Fraction(1, 10), Fraction(7, 8)),
    "x": (0, 1, Fraction(1, 3), Fraction(7, 2), 9, Fraction(1, 8)),
}
NAMES = tuple(POOL)
FIRST, LAST = ("0", "1", "2", "k"), ("n", "m", "3", "k", "n - m")


class Drawn(NamedTuple):
    """An expression of a model, and the node that it has become."""

    text: str
    term: Expression
    graph: Graph
    node: NodeId

    def at(self, values: Mapping[str, Number]) -> Number | None:
        """Its value; None where it has none."""
        try:
            return evaluate(self.term, values)
        except (ApetError, ArithmeticError, ValueError):
            return None


def expression(random: Random, depth: int, bound: tuple[str, ...] = ()) -> str:
    """A text of at most that depth; every other one multiplies or divides."""
    if depth == 0 or random.random() < 0.15:
        return random.choice(["0", "1", "2", "5", "1/2", *NAMES, *NAMES, *bound, *bound, *bound])
    one, other = (expression(random, depth - 1, bound) for _ in range(2))
    kind = random.choice(
        ["+", "+", "-", "*", "*", "*", "/", "/", "max", "min", "of", "%", "^", "<", "==", "sum", "ratio", "ratio"]
    )
    match kind:
        case "max" | "min":
            return f"{kind}({one}, {other})"
        case "of":
            return f"{random.choice(['floor', 'ceil', 'abs'])}({one})"
        case "^":
            return f"({one})^{random.choice([2, 3])}"
        case "ratio":  # next to what a bound of a quotient is proved from
            return (
                f"{one} * {one} / {random.choice([f'({one} + {other})', f'max({one}, {other})', f'({one} * {other})'])}"
            )
        case "sum" if len(bound) < 2:
            i = "ij"[len(bound)]
            first, last = random.choice([*FIRST, *bound]), random.choice([*LAST, *bound])
            return f"sum({i} = {first}, {last}, {expression(random, depth - 1, (*bound, i))})"
        case "sum":
            return one
        case operator:
            return f"({one} {operator} {other})"


def drawn(random: Random) -> Drawn | None:
    """A random formula; None if the text has a mistake, or no value anywhere."""
    text = expression(random, random.choice([2, 3, 3, 4]))
    source = Source("drawn", "".join(f"param {n};" for n in NAMES) + f"L = delay({text});")
    graph = Graph()
    graph.integers |= WHOLE
    for name in SHARES:
        graph.assume(name, 0, 1)
    try:
        process = parse(source).equations["L"].body
        assert isinstance(process, Delay)
        return Drawn(text, process.time, graph, Expressions(graph, source, frozenset()).node(process.time, {}))
    except (ApetError, ArithmeticError, ValueError):
        return None


def point(random: Random, box: Mapping[str, Interval]) -> dict[str, Number]:
    return {n: random.choice([v for v in POOL[n] if box[n].lo <= v <= box[n].hi]) for n in NAMES}


EVERYWHERE = {n: Interval(min(values), max(values)) for n, values in POOL.items()}


def assert_known_bounds_hold(formula: Drawn, random: Random) -> None:
    graph, node = formula.graph, formula.node
    low, high = graph.facts.ranges.lower(node), graph.facts.ranges.upper(node)
    plan = Plan(graph, [node], exact=True, checked=True)
    for _ in range(8):
        values = point(random, EVERYWHERE)
        value = formula.at(values)
        if value is None:
            continue
        assert low is None or low <= value, values
        assert high is None or value <= high, values
        assert value >= 0 or not graph.nonnegative(node), values
        assert value == int(value) or not graph.integral[node], values
        with suppress(ArithmeticError, EvaluationError):  # a formula may divide by 0 beside a range that is empty
            assert plan.run(MappingEnvironment(values))[0] == value, values


def assert_slopes_hold(formula: Drawn, random: Random) -> None:
    nodes = len(formula.graph)
    box = dict(EVERYWHERE)
    for name in NAMES:
        low, high = sorted(random.sample(POOL[name], 2))
        box[name] = Interval(low, low if random.random() < 0.4 else high)
    try:
        enclosure = Enclosure(formula.graph, [formula.node]).run(NamedIntervals(box, WHOLE))[0]
    except (ArithmeticError, EvaluationError):
        enclosure = Interval(-(10**99), 10**99)
    moving = [n for n in NAMES if not box[n].is_point]
    steepness = Steepness(formula.graph, formula.node)
    try:
        slopes = steepness.slopes(box, moving)
    except ArithmeticError:
        return

    ranges = steepness.values(box)
    assert len(formula.graph) == nodes, "reading a formula writes into its graph"
    for name in moving:
        way, shape = sign(slopes[name]), shape_in(steepness, name, ranges)
        for _ in range(3):
            values, (a, b) = point(random, box), box[name]
            first, last = formula.at({**values, name: a}), formula.at({**values, name: b})
            if first is None or last is None:
                continue
            assert enclosure.lo <= min(first, last) <= max(first, last) <= enclosure.hi, (values, box)
            assert way is None or way * (last - first) > 0 or first == last, (name, values, box)
            assert slopes[name].lo * (b - a) <= last - first <= slopes[name].hi * (b - a), (name, values, box)
            middle = None if name in WHOLE else formula.at({**values, name: Fraction(a + b) / 2})
            if middle is not None:
                assert 2 * middle <= first + last or Shape.CONVEX not in shape, (name, values, box)
                assert 2 * middle >= first + last or Shape.CONCAVE not in shape, (name, values, box)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32))
def test_what_is_proved_of_a_formula_holds_of_its_values(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        formula = drawn(random)
        if formula is not None:
            assert_known_bounds_hold(formula, random)
            assert_slopes_hold(formula, random)


@pytest.mark.parametrize("text", ["x^2 / (x + n)", "n * n / max(n, m)", "i * i / (i + j)"])
def test_a_square_over_a_sum_is_not_bounded_by_one(text: str) -> None:
    graph = Graph()
    graph.integers |= WHOLE
    names = {"i": graph.index("i", graph.one, graph.symbol("n")), "j": graph.index("j", graph.one, graph.symbol("m"))}
    source = Source("square", "".join(f"param {n};" for n in (*NAMES, *names)) + f"L = delay({text});")
    process = parse(source).equations["L"].body
    assert isinstance(process, Delay)
    assert graph.facts.ranges.upper(Expressions(graph, source, frozenset()).node(process.time, names)) is None
