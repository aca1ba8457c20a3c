"""Laws of derivatives: they are what differences tend to, what sympy finds, and exact where a formula is linear."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import pytest
import sympy

from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import reduce_over
from apet.formula.evaluate.environment import EvaluationError, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.gradient import Gradient, QuantityKey
from apet.formula.graph.nodes import Binder, Interference, Load, NodeId, Peak
from apet.ground.interval import Number

SYMBOLS = ("x", "y", "z")
Key = tuple[str, tuple[Number, ...], tuple[Number, ...]]


@dataclass
class Values:
    """Symbols, and random items that are made when first asked for; an item is affine in its argument."""

    symbols: dict[str, Number]
    seed: int
    moved: dict[Key, Number] = field(default_factory=dict)

    def symbol(self, name: str) -> Number:
        return self.symbols[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        base = Random(f"{self.seed} {name} {subscripts}").uniform(0.5, 3.0)
        found: Number = base + 2 * sum(arguments)
        return found + self.moved.get((name, subscripts, arguments), 0)


class Maker:
    """Random formulas that are smooth but for maxima and minima."""

    def __init__(self, random: Random, loops: bool = True) -> None:
        self.random, self.loops, self.graph = random, loops, Graph()

    def formula(self, depth: int, bound: tuple[NodeId, ...] = ()) -> NodeId:
        g, r = self.graph, self.random
        if depth == 0:
            return self.leaf(bound)
        kinds = ["add", "times", "over", "log", "sqrt"]
        kinds += ["max", "min", "sum", "most", "least", "peak", "interference", "item", "item"] if self.loops else []
        kind = r.choice(kinds)
        if kind in ("sum", "most", "least"):
            index = g.index("i", g.one, g.const(3))
            body = self.formula(depth - 1, (*bound, index))
            return reduce_over(g, {"sum": "sum", "most": "max", "least": "min"}[kind], index, g.one, g.const(3), body)
        if kind in ("peak", "interference"):
            return self.family(kind, bound)
        one, other = self.formula(depth - 1, bound), self.formula(depth - 1, bound)
        match kind:
            case "add":
                return g.add([(one, 2), (other, Fraction(1, 3))], 1)
            case "times":
                return g.times(one, other)
            case "over":
                return g.over(one, g.shift(g.times(other, other), 1))
            case "max" | "min":
                return (g.maximum if kind == "max" else g.minimum)([one, other])
            case "item":
                return g.item("t_send", [self.subscript(bound)], [self.leaf(())])
            case _:
                return g.call(kind, [g.shift(g.times(one, one), 1)])

    def leaf(self, bound: tuple[NodeId, ...]) -> NodeId:
        g, r = self.graph, self.random
        found = [g.symbol(n) for n in SYMBOLS]
        return r.choice([*found, g.item("t_op", [self.subscript(bound)]) if self.loops else g.const(2), *bound])

    def subscript(self, bound: tuple[NodeId, ...]) -> NodeId:
        return self.random.choice([self.graph.const(1), *bound])

    def load(self, bound: tuple[NodeId, ...]) -> Load:
        g = self.graph
        index = g.index("p", g.one, g.const(4))
        inside = (*bound, index)
        where = g.call("mod", [index, g.const(2)])
        amounts = [g.plus(self.leaf(inside), self.leaf(inside)) for _ in range(3)]
        load, head, tail = (g.times(a, a) for a in amounts)
        return Load((Binder(index, g.one, g.const(4)),), (where,), load, head, tail, True)

    def family(self, kind: str, bound: tuple[NodeId, ...]) -> NodeId:
        g = self.graph
        loads, member = (self.load(bound), self.load(bound)), g.index("q", g.zero, g.const(1))
        servers = g.item("cores", [member])
        if kind == "peak":
            return g.intern(Peak(loads, (member,), servers))
        return g.intern(Interference(loads[:1], loads, (member,), servers))


def _values(random: Random, seed: int) -> Values:
    return Values({n: random.uniform(0.5, 3.0) for n in SYMBOLS}, seed)


def _difference(plan: Plan, values: Values, name: str | QuantityKey, step: float) -> float:
    """(f(x + h) - f(x - h)) / 2h."""
    found = []
    for h in (step, -step):
        moved, symbols = dict(values.moved), dict(values.symbols)
        if isinstance(name, str):
            symbols[name] += h
        else:
            moved[name] = moved.get(name, 0) + h
        found.append(plan.run(Values(symbols, values.seed, moved))[0])
    return float(found[0] - found[1]) / (2 * step)


@pytest.mark.parametrize("seed", range(40))
def test_derivatives_are_what_central_differences_tend_to(seed: int) -> None:
    random = Random(seed)
    maker, values = Maker(random), _values(random, seed)
    root = maker.formula(2)
    plan, found = Plan(maker.graph, [root]), Gradient(maker.graph, root).derivatives(values)
    assert float(found.value) == pytest.approx(float(plan.run(values)[0]), rel=1e-12)
    wanted: list[tuple[str | QuantityKey, Number]] = [(n, found.symbols.get(n, 0)) for n in SYMBOLS]
    # an item with an argument moves with it: only at that argument is it moved here, so its slope is not
    wanted += [(k, d) for k, d in found.items.items() if not k.arguments]
    for name, derivative in wanted:
        near = [_difference(plan, values, name, h) for h in (1e-5, 3e-6)]
        if near[0] == pytest.approx(near[1], rel=1e-5, abs=1e-6):  # else a kink lies in between
            assert float(derivative) == pytest.approx(near[1], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("seed", range(40))
def test_derivatives_are_those_of_sympy(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, loops=False)
    root = maker.formula(2)
    numbers = {n: random.uniform(0.5, 5) for n in SYMBOLS}
    found = Gradient(maker.graph, root).derivatives(MappingEnvironment(numbers))
    expression = Formula(maker.graph, root).sympy()
    named = {str(s): s for s in expression.free_symbols}
    for name in SYMBOLS:
        expected = 0.0
        if name in named:
            expected = float(sympy.diff(expression, named[name]).subs({s: numbers[n] for n, s in named.items()}))
        assert float(found.symbols.get(name, 0)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_linear_formula_has_exactly_its_coefficients() -> None:
    g = Graph()
    p = g.index("p", g.one, g.symbol("n"))
    body = g.scale(g.times(g.symbol("x"), g.item("t_op", [p])), Fraction(2, 3))
    root = g.plus(reduce_over(g, "sum", p, g.one, g.symbol("n"), body), g.scale(g.item("t_op", [g.one]), 5))
    values: dict[str, Number] = {"n": 3, "x": Fraction(1, 7)}
    values |= {"t_op[1]": 2, "t_op[2]": Fraction(1, 3), "t_op[3]": 10**30}
    found = Gradient(g, root).derivatives(MappingEnvironment(values))
    slope = Fraction(2, 21)
    assert {str(k): v for k, v in found.items.items()} == {"t_op[1]": 5 + slope, "t_op[2]": slope, "t_op[3]": slope}
    assert found.symbols["x"] == Fraction(2, 3) * (2 + Fraction(1, 3) + 10**30)
    assert found.symbols["n"] == slope * 10**30
    assert found.contributions() == {"t_op": found.value}


@pytest.mark.parametrize("seed", range(40))
def test_one_gives_the_same_derivatives_twice(seed: int) -> None:
    random = Random(seed)
    maker, values = Maker(random), _values(random, seed)
    gradient = Gradient(maker.graph, maker.formula(2))
    first = gradient.derivatives(values)
    gradient.derivatives(_values(random, seed + 1))
    assert gradient.derivatives(values) == first


@pytest.mark.parametrize(("kind", "expected"), [("max", {"a": 0, "b": 1}), ("min", {"a": 1, "b": 0})])
def test_only_the_winning_operand_counts(kind: str, expected: dict[str, int]) -> None:
    g = Graph()
    operands = [g.symbol("a"), g.symbol("b")]
    root = g.maximum(operands) if kind == "max" else g.minimum(operands)
    found = Gradient(g, root).derivatives(MappingEnvironment({"a": 2, "b": 3})).symbols
    assert {n: found.get(n, 0) for n in "ab"} == expected


@pytest.mark.parametrize("function", ["floor", "ceil"])
def test_rounding_counts_as_the_identity(function: str) -> None:
    g = Graph()
    root = g.call(function, [g.scale(g.symbol("a"), Fraction(1, 2))])
    assert Gradient(g, root).derivatives(MappingEnvironment({"a": 3})).symbols == {"a": Fraction(1, 2)}


def test_a_remainder_moves_with_its_dividend_and_against_its_divisor() -> None:
    g = Graph()
    root = g.call("mod", [g.symbol("a"), g.symbol("b")])
    assert Gradient(g, root).derivatives(MappingEnvironment({"a": 17, "b": 5})).symbols == {"a": 1, "b": -3}


def test_a_comparison_is_constant() -> None:
    g = Graph()
    root = g.times(g.compare("<=", g.symbol("a"), g.const(3)), g.symbol("b"))
    assert Gradient(g, root).derivatives(MappingEnvironment({"a": 2, "b": 5})).symbols == {"b": 1}


@pytest.mark.parametrize(
    ("base", "exponent", "expected"), [(2.0, 3.0, (12.0, 8 * math.log(2))), (0, 2, (0, 0)), (0, 1, (1, 0))]
)
def test_powers_have_slopes_in_base_and_exponent(base: float, exponent: float, expected: tuple[float, float]) -> None:
    g = Graph()
    found = Gradient(g, g.call("pow", [g.symbol("a"), g.symbol("b")]))
    symbols = found.derivatives(MappingEnvironment({"a": base, "b": exponent})).symbols
    assert (symbols.get("a", 0), symbols.get("b", 0)) == pytest.approx(expected)


def test_what_has_no_value_and_no_weight_has_no_derivative() -> None:
    g = Graph()
    root = g.plus(g.times(g.compare("<=", g.const(5), g.symbol("a")), g.item("t_op", [g.zero])), g.symbol("a"))
    assert Gradient(g, root).derivatives(MappingEnvironment({"a": 2})).items == {}


def test_where_there_is_no_value_an_error_says_so() -> None:
    g = Graph()
    with pytest.raises(EvaluationError, match="division by zero"):
        Gradient(g, g.over(g.one, g.symbol("a"))).derivatives(MappingEnvironment({"a": 0}))


def test_large_exact_numbers_beside_a_float_stay_exact() -> None:
    g = Graph()
    values: dict[str, Number] = {"a": 10**400, "b": Fraction(1, 10**400), "c": 0.5, "d": 2.0}
    root = g.add([(g.times(g.symbol("a"), g.symbol("b")), 3), (g.times(g.symbol("c"), g.symbol("d")), 4)])
    found = Gradient(g, root).derivatives(MappingEnvironment(values))
    assert found.value == 7.0
    assert found.symbols == {"a": Fraction(3, 10**400), "b": 3 * 10**400, "c": 8.0, "d": 2.0}


@pytest.mark.parametrize("seed", range(10))
def test_a_sum_of_products_has_the_same_derivatives_in_floats_and_exactly(seed: int) -> None:
    random = Random(seed)
    g = Graph()
    pairs = [(g.symbol(f"t{k}"), g.symbol(f"u{k}")) for k in range(random.randint(2, 40))]
    root = g.add([(g.times(t, u), random.choice((k + 1, Fraction(k + 1, 3)))) for k, (t, u) in enumerate(pairs)])
    values = {f"{name}{k}": random.uniform(-3, 3) for name in "tu" for k in range(len(pairs))}
    gradient = Gradient(g, root)
    found = gradient.derivatives(MappingEnvironment(values))
    exact = gradient.derivatives(MappingEnvironment({n: Fraction(v) for n, v in values.items()}))
    assert {n: float(s) for n, s in exact.symbols.items()} == pytest.approx(dict(found.symbols), rel=1e-15)
    assert all(type(s) is float for s in found.symbols.values())
    assert not any(type(s) is float for s in exact.symbols.values())
