"""The terms of sums in normal form: sorted by node, none twice, no coefficient 0, whole ones as `int`."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction

from apet.formula.graph.nodes import Add, NodeId, Rational

Terms = tuple[tuple[NodeId, Rational], ...]


def whole(value: Rational) -> Rational:
    """An int where a fraction is whole."""
    if type(value) is int:
        return value
    return value.numerator if value.denominator == 1 else value


def content(total: Add) -> Rational:
    """The common factor of all coefficients and the constant, negative if all of them are."""
    numbers = [c for _, c in total.terms] + ([total.constant] if total.constant else [])
    if all(type(c) is int for c in numbers):
        common: Rational = math.gcd(*numbers)  # type: ignore[arg-type]
    else:
        parts = [Fraction(c) for c in numbers]
        common = Fraction(math.gcd(*(p.numerator for p in parts)), math.lcm(*(p.denominator for p in parts)))
    return whole(-common if all(c < 0 for c in numbers) else common)


def scaled(total: Add, factor: Rational) -> Terms:
    """The terms times a factor other than 0."""
    if factor == 1:
        return total.terms
    if type(factor) is int:
        return tuple([(n, c * factor if type(c) is int else whole(c * factor)) for n, c in total.terms])
    return tuple([(n, whole(c * factor)) for n, c in total.terms])


def merged(long: Terms, few: Mapping[NodeId, Rational]) -> Terms:
    """The terms of a long sum and a few more, put in their places instead of gone through all together."""
    terms = list(long)
    for node, coefficient in few.items():
        at = bisect_left(terms, (node,))
        if at < len(terms) and terms[at][0] == node:
            coefficient += terms[at][1]
            terms[at : at + 1] = [(node, whole(coefficient))] if coefficient else []
        elif coefficient:
            terms.insert(at, (node, whole(coefficient)))
    return tuple(terms)
