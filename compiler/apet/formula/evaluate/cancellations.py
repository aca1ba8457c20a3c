"""Sharper sums: terms that nearly cancel are put together before intervals are put in.

The naive enclosure of x - floor(x) over [0, 10] is [-10, 10]. Other forms of the same sum hold as well: floor(a) is a
less a number from 0 to 1; sqrt(a) - b is (a - b^2) / (sqrt(a) + b); c x^2 + b x is c (x + b/2c)^2 - b^2/4c.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from apet.formula.algebra.polynomial import expand
from apet.formula.algebra.scratch import Scratch
from apet.formula.evaluate.rounding import EVERYTHING, add, divide, multiply, negate, point, power, scale
from apet.formula.graph.nodes import Call, Mul, NodeId, Rational
from apet.ground.interval import Interval

MOST_TERMS = 16

Enclose = Callable[[list[Any]], Interval]
"""From the enclosures of all nodes below a sum to one of the sum."""
REMAINDERS = {"floor": Interval(-1, 0), "ceil": Interval(0, 1)}
"""What the rounded number has more than the number itself."""


def other_forms(scratch: Scratch, node: NodeId) -> list[Enclose]:
    """Further enclosures of a sum; each holds."""
    graph, store, opened = scratch.graph, scratch.store, scratch.opened
    _, terms = graph.terms(node)
    if not 1 <= len(terms) <= MOST_TERMS:
        return []

    forms: list[Enclose | None] = []
    for n, c in terms:
        match graph.nodes[n]:
            case Call("floor" | "ceil" as function, (argument,)):
                rest = store.add([(opened(node), 1), (opened(n), -c), (opened(argument), c)])
                if len(store.terms(rest)[1]) < len(terms):
                    forms.append(_shifted(scratch, rest, scale(REMAINDERS[function], c)))
            case Call("sqrt", (argument,)):
                forms.append(_without_root(scratch, node, n, c, argument))
            case Mul(((x, 2),)) if x in dict(terms):
                forms.append(_square(scratch, node, n, x))
            case _:
                pass

    return [form for form in forms if form is not None]


def _shifted(scratch: Scratch, rest: NodeId, by: Interval) -> Enclose | None:
    linear = _polynomial(scratch, rest)
    return None if linear is None else lambda values: add(linear(values), by)


def _square(scratch: Scratch, node: NodeId, square: NodeId, x: NodeId) -> Enclose | None:
    coefficients = dict(scratch.graph.terms(node)[1])
    c, b = coefficients[square], coefficients[x]
    middle = Fraction(b) / (2 * c)
    whole, parts = scratch.opened(node), [(scratch.opened(square), -c), (scratch.opened(x), -b)]
    rest = _polynomial(scratch, scratch.store.add([(whole, 1), *parts], -c * middle**2))
    if rest is None:
        return None
    return lambda values: add(scale(power(add(values[x], point(middle)), 2), c), rest(values))


def _without_root(scratch: Scratch, node: NodeId, root: NodeId, c: Rational, argument: NodeId) -> Enclose | None:
    store, inside = scratch.store, scratch.opened(argument)
    rest = store.add([(scratch.opened(node), 1), (scratch.opened(root), -c)])
    above = expand(store, store.minus(store.scale(inside, c * c), store.times(rest, rest)))
    if len(store.terms(above)[1]) >= len(store.terms(inside)[1]):
        return None
    numerator, others = _polynomial(scratch, above), _polynomial(scratch, rest)
    if numerator is None or others is None:
        return None

    def enclose(values: list[Any]) -> Interval:
        below = add(scale(values[root], c), negate(others(values)))
        return divide(numerator(values), below) if below.lo > 0 or below.hi < 0 else EVERYTHING

    return enclose


def _polynomial(scratch: Scratch, node: NodeId) -> Enclose | None:
    """A sum of products of nodes whose values are there."""
    monomials = scratch.monomials(node)
    if monomials is None:
        return None
    constant, products = monomials

    def enclose(values: list[Any]) -> Interval:
        total = point(constant)
        for factors, c in products:
            one = point(c)
            for factor, exponent in factors:
                one = multiply(one, power(values[factor], exponent, lenient=True))
            total = add(total, one)
        return total

    return enclose
