"""Sharper sums: what several terms share is put in once for all of them.

The naive enclosure of q x + (1 - q) y takes q from different places of its interval in the two terms. A sum in which a
factor occurs in first power only is affine in it when all factors are taken for independent variables, so every value
lies between those at the two ends of the factor: at each end the terms are collected again, q becomes a coefficient,
and the two intervals are joined. For x, y in [1, 2] and q in [0.2, 0.8] this gives [1, 2] instead of [0.4, 3.2].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

from apet.formula.algebra.scratch import Factors, Scratch
from apet.formula.evaluate.rounding import add, common, hull, infinite, multiply, point, power, scale
from apet.formula.graph.nodes import NodeId, Rational
from apet.ground.interval import Interval, Number

MOST_TERMS = 64
MOST_SHARED = 4

Sharpen = Callable[[list[Any], Interval], Interval]


def sharpening(scratch: Scratch, node: NodeId) -> Sharpen | None:
    """How to narrow the naive enclosure of a sum, given the enclosures of its factors; None if nothing is shared."""
    if len(scratch.graph.terms(node)[1]) > MOST_TERMS:
        return None
    expanded = scratch.expanded(node)
    if expanded is None or not 1 < len(expanded[1]) <= MOST_TERMS:
        return None
    constant, monomials = expanded
    shared = _shared(monomials)
    if not shared:
        return None
    plans: dict[tuple[NodeId, ...], _CollectedTerms] = {}

    def sharpen(values: list[Any], naive: Interval) -> Interval:
        chosen = tuple([f for f in shared if _wide(values[f])][:MOST_SHARED])
        if not chosen:
            return naive
        if chosen not in plans:
            plans[chosen] = _CollectedTerms(monomials, chosen, constant)
        return common(naive, plans[chosen].enclosure(values))

    return sharpen


def _shared(monomials: list[tuple[Factors, Rational]]) -> list[NodeId]:
    """The factors of at least two terms, in none of them to another power than 1; the most frequent first."""
    count = Counter(f for factors, _ in monomials for f, _ in factors)
    bent = {f for factors, _ in monomials for f, e in factors if e != 1}
    return [f for f, times in count.most_common() if times > 1 and f not in bent]


def _wide(x: Interval) -> bool:
    return x.lo != x.hi and not infinite(x.lo) and not infinite(x.hi)


class _CollectedTerms:
    """The terms of a sum by what remains of them without the chosen factors."""

    def __init__(
        self, monomials: list[tuple[Factors, Rational]], chosen: tuple[NodeId, ...], constant: Rational
    ) -> None:
        self.chosen = chosen
        self.groups: dict[Factors, list[tuple[Rational, list[int]]]] = {(): [(constant, [])]}
        for factors, coefficient in monomials:
            rest = tuple((f, e) for f, e in factors if f not in chosen)
            inside = [chosen.index(f) for f, _ in factors if f in chosen]
            self.groups.setdefault(rest, []).append((coefficient, inside))

    def enclosure(self, values: list[Any]) -> Interval:
        rests = [(_product(values, rest), parts) for rest, parts in self.groups.items()]
        corners = product(*(values[f] for f in self.chosen))
        return hull(*(self._at(corner, rests) for corner in corners))

    @staticmethod
    def _at(corner: tuple[Number, ...], rests: list[tuple[Interval, list[tuple[Rational, list[int]]]]]) -> Interval:
        total = point(0)
        for rest, parts in rests:
            coefficient = point(0)
            for start, inside in parts:
                one = point(start)
                for i in inside:
                    one = scale(one, corner[i])
                coefficient = add(coefficient, one)
            total = add(total, multiply(coefficient, rest))
        return total


def _product(values: list[Any], factors: Factors) -> Interval:
    result = point(1)
    for factor, exponent in factors:
        result = multiply(result, power(values[factor], exponent, lenient=True))
    return result
