"""Sums of nearly equal terms: other forms of a sum hold all values, and are not much wider than they are apart."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula.random_formulas import BoxEnvironment

from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval

Made = tuple[NodeId, str]
"""A node, and the same as an expression of Python for mpmath."""


def _inside(graph: Graph, random: Random) -> Made:
    """A polynomial in x and y that is positive for positive ones."""
    x, y = graph.symbol("x"), graph.symbol("y")
    a, b, c = random.randint(1, 3), random.randint(0, 2), random.randint(1, 9)
    power = random.choice([1, 2, 2])
    return graph.add([(graph.power(x, power), a), (y, b)], c), f"({a}*x**{power} + {b}*y + {c})"


def _term(graph: Graph, random: Random) -> Made:
    node, text = _inside(graph, random)
    other, below = _inside(graph, random)
    match random.choice(["sqrt", "log", "log2", "plain", "fraction", "fraction", "square"]):
        case "plain":
            return node, text
        case "fraction":
            return graph.times(node, graph.power(other, -1)), f"({text}/{below})"
        case "square":
            return graph.power(node, 2), f"({text}**2)"
        case function:
            named = "mpmath.log2" if function == "log2" else f"mpmath.{function}"
            return graph.call(function, [node]), (
                f"(mpmath.log({text})/mpmath.log(2))" if function == "log2" else f"{named}({text})"
            )


def _sum(graph: Graph, random: Random) -> Made:
    terms = [_term(graph, random) for _ in range(random.randint(2, 4))]
    signs = [random.choice([1, -1, 2, -3]) for _ in terms]
    constant = random.randint(-2, 2)
    node = graph.add([(n, c) for (n, _), c in zip(terms, signs, strict=True)], constant)
    return node, " + ".join([str(constant), *(f"{c}*{text}" for (_, text), c in zip(terms, signs, strict=True))])


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_every_form_of_a_sum_holds_what_mpmath_computes(seed: int) -> None:
    random = Random(seed)
    graph = Graph()
    node, text = _sum(graph, random)
    size, width = 10 ** random.randint(0, 6), Fraction(1, 10 ** random.randint(0, 3))
    box = {name: Interval(size, size + random.randint(0, 5) * width) for name in ("x", "y")}
    found = Enclosure(graph, [node]).run(BoxEnvironment(box))[0]

    with mpmath.workdps(120):
        for _ in range(6):
            values = {n: i.lo + (i.hi - i.lo) * Fraction(random.randint(0, 8), 8) for n, i in box.items()}
            point = {
                n: mpmath.mpf(v.numerator) / v.denominator for n, v in ((n, Fraction(v)) for n, v in values.items())
            }
            value = eval(text, {"mpmath": mpmath, **point})  # made above
            low, high = (mpmath.mpf(Fraction(e).numerator) / Fraction(e).denominator for e in found)
            assert low - mpmath.mpf(10) ** -40 <= value <= high + mpmath.mpf(10) ** -40, (text, values)


def _made(graph: Graph, what: str) -> NodeId:
    x = graph.symbol("x")
    square, above = graph.power(x, 2), graph.add([(x, 1)], 1)

    def root(n: NodeId) -> NodeId:
        return graph.call("sqrt", [n])

    def log(n: NodeId) -> NodeId:
        return graph.call("log", [n])

    def over(a: NodeId, b: NodeId) -> NodeId:
        return graph.times(a, graph.power(b, -1))

    forms = {
        "1 + sqrt(x^2 + 1) - x": lambda: graph.add([(root(graph.add([(square, 1)], 1)), 1), (x, -1)], 1),
        "sqrt(x + 1) - sqrt(x)": lambda: graph.add([(root(above), 1), (root(x), -1)]),
        "log(x + 1) - log(x)": lambda: graph.add([(log(above), 1), (log(x), -1)]),
        "x/(x + 1) - x/(x + 2)": lambda: graph.add([(over(x, above), 1), (over(x, graph.add([(x, 1)], 2)), -1)]),
        "(x + 1)^3 - x^3 - 3 x^2 - 3 x": lambda: graph.add(
            [(graph.power(above, 3), 1), (graph.power(x, 3), -1), (square, -3), (x, -3)]
        ),
    }
    return forms[what]()


@pytest.mark.parametrize(
    ("what", "widest"),
    [
        ("1 + sqrt(x^2 + 1) - x", 1e-12),
        ("sqrt(x + 1) - sqrt(x)", 1e-9),
        ("log(x + 1) - log(x)", 1e-11),
        ("x/(x + 1) - x/(x + 2)", 1e-11),
        ("(x + 1)^3 - x^3 - 3 x^2 - 3 x", 0),
    ],
)
def test_terms_that_nearly_cancel_do_not_widen_a_sum(what: str, widest: float) -> None:
    graph = Graph()
    node = _made(graph, what)
    found = Enclosure(graph, [node]).run(BoxEnvironment({"x": Interval(10**6, 10**6 + 1)}))[0]
    assert found.hi - found.lo <= widest
