"""Sharper sums: terms that nearly cancel are put together before intervals are put in.

The naive enclosure of x - floor(x) over [0, 10] is [-10, 10]. Other forms of the same sum hold as well: floor(a) is a
less a number from 0 to 1; sqrt(a) - b is (a - b^2) / (sqrt(a) + b), also beside other terms; log(a) - log(b) is
log(1 + (a - b) / b); a/b - c/d is (a d - b c) / (b d); c x^2 + b x is c (x + b/2c)^2 - b^2/4c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any

from apet.formula.algebra.polynomial import expand
from apet.formula.algebra.scratch import Monomials, Scratch
from apet.formula.evaluate.interval_functions import apply
from apet.formula.evaluate.rounding import EVERYTHING, add, divide, multiply, negate, point, power, scale
from apet.formula.graph.nodes import Call, Mul, NodeId, Rational
from apet.ground.interval import Interval

MOST_TERMS, MOST_FRACTIONS = 16, 4

Term = tuple[NodeId, Rational]
Terms = tuple[Term, ...]
PartOfSum = tuple[Rational, Terms]
"""A constant and terms of a sum."""
NO_SUM: PartOfSum = (0, ())
Enclose = Callable[[list[Any]], Interval]
"""From the enclosures of all nodes below a sum to one of the sum."""
REMAINDERS = {"floor": Interval(-1, 0), "ceil": Interval(0, 1)}
"""What the rounded number has more than the number itself."""


def other_forms(scratch: Scratch, node: NodeId) -> list[Enclose]:
    """Further enclosures of a sum; each holds."""
    graph, store, opened = scratch.graph, scratch.store, scratch.opened
    constant, terms = graph.terms(node)
    if not 1 <= len(terms) <= MOST_TERMS:
        return []

    forms = [_multiplied_out(scratch, node), _over_one_divisor(scratch, constant, terms)]
    for n, c in terms:
        others = tuple(t for t in terms if t[0] != n)
        match graph.nodes[n]:
            case Call("floor" | "ceil" as function, (argument,)):
                rest = store.add([(opened(node), 1), (opened(n), -c), (opened(argument), c)])
                if len(store.terms(rest)[1]) < len(terms):
                    forms.append(_shifted(scratch, rest, scale(REMAINDERS[function], c)))
            case Call("sqrt", (argument,)):
                forms.append(_without_root(scratch, (n, c), argument, (constant, others), NO_SUM))
                forms.append(_without_root(scratch, (n, c), argument, (0, others), (constant, ())))
                for one in others if len(others) > 1 else ():
                    left = constant, tuple(t for t in others if t != one)
                    forms.append(_without_root(scratch, (n, c), argument, (0, (one,)), left))
            case Call("log" | "log2" as function, (argument,)) if c > 0:
                for one in others:
                    left = constant, tuple(t for t in others if t != one)
                    forms.append(_of_ratio(scratch, function, argument, one, c, left))
            case Mul(((x, 2),)) if x in dict(terms):
                forms.append(_square(scratch, node, n, x))
            case _:
                pass

    return [form for form in forms if form is not None]


def _multiplied_out(scratch: Scratch, node: NodeId) -> Enclose | None:
    """The sum with products of sums multiplied out, where terms cancel."""
    expanded = scratch.expanded(node)
    if expanded is None or len(expanded[1]) >= len(scratch.graph.terms(node)[1]):
        return None
    return partial(_total, expanded)


def _over_one_divisor(scratch: Scratch, constant: Rational, terms: Terms) -> Enclose | None:
    """Fractions put over their common divisor, where terms of the numerator cancel."""
    store, opened = scratch.store, scratch.opened
    fractions = {t: dict(scratch.graph.factors(t[0])) for t in terms}
    fractions = {t: factors for t, factors in fractions.items() if min(factors.values(), default=0) < 0}
    if not 2 <= len(fractions) <= MOST_FRACTIONS:
        return None

    divisor = dict[NodeId, int]()
    for factors in fractions.values():
        for f, e in factors.items():
            if e < 0:
                divisor[f] = max(divisor.get(f, 0), -e)
    above = list[NodeId]()
    for (_, c), factors in fractions.items():
        exponents = {f: factors.get(f, 0) + divisor.get(f, 0) for f in factors.keys() | divisor.keys()}
        product = store.times(*(store.power(opened(f), e) for f, e in exponents.items()))
        above.append(expand(store, store.scale(product, c)))
    total = store.add([(n, 1) for n in above])
    numerator = _polynomial(scratch, total)
    if numerator is None or _length(scratch, total) >= sum(_length(scratch, n) for n in above):
        return None

    below: Monomials = (0, [(tuple(divisor.items()), 1)])
    rest = _sum(constant, [t for t in terms if t not in fractions])
    return lambda values: add(divide(numerator(values), _total(below, values)), _total(rest, values))


def _length(scratch: Scratch, node: NodeId) -> int:
    constant, terms = scratch.store.terms(node)
    return len(terms) + (constant != 0)


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


def _without_root(scratch: Scratch, root: Term, argument: NodeId, beside: PartOfSum, left: PartOfSum) -> Enclose | None:
    """c sqrt(a) + b and what is left of the sum: (c^2 a - b^2) / (c sqrt(a) - b), where that numerator is shorter."""
    store, inside, (n, c) = scratch.store, scratch.opened(argument), root
    b = _opened_sum(scratch, beside)
    above = expand(store, store.minus(store.scale(inside, c * c), _square_of(scratch, beside, b)))
    if len(store.terms(above)[1]) >= len(store.terms(inside)[1]):
        return None
    numerator, other, rest = _polynomial(scratch, above), _polynomial(scratch, b), _sum(*left)
    if numerator is None or other is None:
        return None

    def enclose(values: list[Any]) -> Interval:
        below = add(scale(values[n], c), negate(other(values)))
        if below.lo <= 0 <= below.hi:
            return EVERYTHING
        return add(divide(numerator(values), below), _total(rest, values))

    return enclose


def _square_of(scratch: Scratch, part: PartOfSum, opened: NodeId) -> NodeId:
    constant, terms = part
    if not constant and len(terms) == 1:
        root = scratch.graph.nodes[terms[0][0]]
        if isinstance(root, Call) and root.function == "sqrt":
            return scratch.store.scale(scratch.opened(root.operands[0]), terms[0][1] ** 2)
    return scratch.store.times(opened, opened)


def _of_ratio(
    scratch: Scratch, function: str, argument: NodeId, other: Term, c: Rational, left: PartOfSum
) -> Enclose | None:
    """c log(a) - c log(b) and what is left of the sum: c log(1 + (a - b) / b), where a - b is shorter."""
    call = scratch.graph.nodes[other[0]]
    if other[1] != -c or not isinstance(call, Call) or call.function != function:
        return None
    (b,) = call.operands
    difference = expand(scratch.store, scratch.store.minus(scratch.opened(argument), scratch.opened(b)))
    above, rest = _polynomial(scratch, difference), _sum(*left)
    if above is None or _length(scratch, difference) >= _length(scratch, scratch.opened(argument)):
        return None

    def enclose(values: list[Any]) -> Interval:
        if values[b].lo <= 0:
            return EVERYTHING
        ratio = add(point(1), divide(above(values), values[b]))
        if ratio.lo <= 0:
            return EVERYTHING
        return add(scale(apply(function, ratio), c), _total(rest, values))

    return enclose


def _opened_sum(scratch: Scratch, part: PartOfSum) -> NodeId:
    constant, terms = part
    return scratch.store.add([(scratch.opened(n), c) for n, c in terms], constant)


def _sum(constant: Rational, terms: Iterable[Term]) -> Monomials:
    """Terms as they stand."""
    return constant, [(((n, 1),), c) for n, c in terms]


def _polynomial(scratch: Scratch, node: NodeId) -> Enclose | None:
    """A sum of products of nodes whose values are there."""
    monomials = scratch.monomials(node)
    return None if monomials is None else partial(_total, monomials)


def _total(monomials: Monomials, values: list[Any]) -> Interval:
    constant, products = monomials
    total = point(constant)
    for factors, c in products:
        one = point(c)
        for factor, exponent in factors:
            one = multiply(one, power(values[factor], exponent, lenient=True))
        total = add(total, one)
    return total
