"""Sharper sums: terms that nearly cancel are put together before intervals are put in.

The naive enclosure of x - floor(x) over [0, 10] is [-10, 10]. Other forms of the same sum hold as well: floor(a) is a
less a number from 0 to 1; sqrt(a) - b is (a - b^2) / (sqrt(a) + b); c x^2 + b x is c (x + b/2c)^2 - b^2/4c.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from apet.formula.algebra.polynomial import expand
from apet.formula.evaluate.rounding import EVERYTHING, add, divide, multiply, negate, point, power, scale
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, Mul, NodeId, Rational
from apet.ground.interval import Interval

MOST_TERMS = 16

Enclose = Callable[[list[Any]], Interval]
"""From the enclosures of all nodes below a sum to one of the sum."""
REMAINDERS = {"floor": Interval(-1, 0), "ceil": Interval(0, 1)}
"""What the rounded number has more than the number itself."""


def other_forms(graph: Graph, node: NodeId) -> list[Enclose]:
    """Further enclosures of a sum; each holds."""
    _, terms = graph.terms(node)
    if not 1 <= len(terms) <= MOST_TERMS:
        return []

    forms = []
    for n, c in terms:
        match graph.nodes[n]:
            case Call("floor" | "ceil" as function, (argument,)):
                rest = graph.add([(node, 1), (n, -c), (argument, c)])
                if len(graph.terms(rest)[1]) < len(terms):
                    forms.append(_shifted(graph, rest, scale(REMAINDERS[function], c)))
            case Call("sqrt", (argument,)):
                forms += _without_root(graph, node, n, c, argument)
            case Mul(((x, 2),)) if x in dict(terms):
                forms.append(_square(graph, node, n, x))
            case _:
                pass

    return forms


def _shifted(graph: Graph, rest: NodeId, by: Interval) -> Enclose:
    linear = _polynomial(graph, rest)
    return lambda values: add(linear(values), by)


def _square(graph: Graph, node: NodeId, square: NodeId, x: NodeId) -> Enclose:
    coefficients = dict(graph.terms(node)[1])
    c, b = coefficients[square], coefficients[x]
    middle = Fraction(b) / (2 * c)
    rest = _polynomial(graph, graph.add([(node, 1), (square, -c), (x, -b)], -c * middle**2))
    return lambda values: add(scale(power(add(values[x], point(middle)), 2), c), rest(values))


def _without_root(graph: Graph, node: NodeId, root: NodeId, c: Rational, argument: NodeId) -> list[Enclose]:
    rest = graph.add([(node, 1), (root, -c)])
    above = expand(graph, graph.minus(graph.scale(argument, c * c), graph.times(rest, rest)))
    if len(graph.terms(above)[1]) >= len(graph.terms(argument)[1]):
        return []
    numerator, others = _polynomial(graph, above), _polynomial(graph, rest)

    def enclose(values: list[Any]) -> Interval:
        below = add(scale(values[root], c), negate(others(values)))
        return divide(numerator(values), below) if below.lo > 0 or below.hi < 0 else EVERYTHING

    return [enclose]


def _polynomial(graph: Graph, node: NodeId) -> Enclose:
    """A sum of products of nodes whose values are there."""
    constant, terms = graph.terms(node)
    products = [(c, graph.factors(n)) for n, c in terms]

    def enclose(values: list[Any]) -> Interval:
        total = point(constant)
        for c, factors in products:
            one = point(c)
            for factor, exponent in factors:
                one = multiply(one, power(values[factor], exponent, lenient=True))
            total = add(total, one)
        return total

    return enclose
