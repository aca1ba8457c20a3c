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


def content(found: Add) -> Rational:
    """The common factor of all coefficients and the constant, negative if all of them are."""
    numbers = [c for _, c in found.terms] + ([found.constant] if found.constant else [])
    if all(type(c) is int for c in numbers):
        common: Rational = math.gcd(*numbers)  # type: ignore[arg-type]
    else:
        parts = [Fraction(c) for c in numbers]
        common = Fraction(math.gcd(*(p.numerator for p in parts)), math.lcm(*(p.denominator for p in parts)))
    return whole(-common if all(c < 0 for c in numbers) else common)


def scaled(found: Add, factor: Rational) -> Terms:
    """The terms times a factor other than 0."""
    if factor == 1:
        return found.terms
    if type(factor) is int:
        return tuple([(n, c * factor if type(c) is int else whole(c * factor)) for n, c in found.terms])
    return tuple([(n, whole(c * factor)) for n, c in found.terms])


def merged(long: Terms, few: Mapping[NodeId, Rational]) -> Terms:
    """The terms of a long sum and a few more, put in their places instead of gone through all together."""
    found = list(long)
    for node, coefficient in few.items():
        at = bisect_left(found, (node,))
        if at < len(found) and found[at][0] == node:
            coefficient += found[at][1]
            found[at : at + 1] = [(node, whole(coefficient))] if coefficient else []
        elif coefficient:
            found.insert(at, (node, whole(coefficient)))
    return tuple(found)
