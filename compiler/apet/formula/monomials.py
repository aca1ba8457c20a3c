"""Sums of polynomials over a range, reckoned on whole numbers before any node is made.

A polynomial is a common denominator and a dictionary from monomials to whole coefficients; a monomial is one whole
number that holds the exponent of each atom in a field of its own, so that monomials are multiplied by adding them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import lcm

from apet.formula.graph import Graph
from apet.formula.nodes import Add, Compare, Const, Mul, NodeId, Rational

FIELD = 16
MASK = (1 << FIELD) - 1
HIGHEST = 24
MOST = 512

Terms = dict[int, int]
Polynomial = tuple[int, Terms]
ONE: Polynomial = (1, {0: 1})


class TooLong(Exception):  # not an error: another way is taken
    """A polynomial has too many terms, or is none."""


@cache
def sums_of_powers(degree: int) -> tuple[int, tuple[int, ...]]:
    """S_d(n) = 1^d + … + n^d as a denominator and the whole coefficients of n^0, n^1, …"""
    from apet.formula.polynomial import power_sum

    found = power_sum(degree)
    bottom = lcm(*(c.denominator for c in found))
    return bottom, tuple(int(c * bottom) for c in found)


def closed_sum(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId, longest: int) -> NodeId | None:
    """The sum of a polynomial body over index = low..high, multiplied out; right for high >= low - 1.

    None if it has more than so many terms, or where the body is no polynomial of moderate degree in the index.
    """
    try:
        reader = _Reader(graph, index)
        bottom, terms = reader.summed(reader.polynomial(body), reader.polynomial(low), reader.polynomial(high))
        return reader.node(bottom, terms, longest)
    except TooLong:
        return None


class _Reader:
    """Nodes as polynomials in their atoms; the index has the lowest field."""

    def __init__(self, graph: Graph, index: NodeId) -> None:
        self.graph = graph
        self.index = index
        self.atoms = [index]
        self.places: dict[NodeId, int] = {index: 0}
        self.done: dict[NodeId, Polynomial] = {}

    def polynomial(self, node: NodeId) -> Polynomial:
        found = self.done.get(node)
        if found is None:
            found = self.done[node] = self._read(node)
        return found

    def _read(self, node: NodeId) -> Polynomial:
        here = self.graph.nodes[node]
        if type(here) is Const:
            return here.value.denominator, ({0: here.value.numerator} if here.value else {})
        if type(here) is Add:
            parts = [(self.polynomial(n), c) for n, c in here.terms]
            return _sum([((1, {0: 1}), here.constant), *parts])
        if type(here) is Mul:
            product = ONE
            for n, exponent in here.factors:
                product = multiplied(product, self._power(n, exponent))
            return product
        return 1, {self._atom(node): 1}

    def _power(self, node: NodeId, exponent: int) -> Polynomial:
        if exponent < 0:
            # an inverse is an atom of its own, which must not meet what it inverts
            return 1, {self._atom(self.graph.intern(Mul(((node, -1),)))) * -exponent: 1}
        return raised(self.polynomial(node), exponent)

    def _atom(self, node: NodeId) -> int:
        if node not in self.places:
            if type(self.graph.nodes[node]) is Compare or self.index in self.graph.free[node]:
                raise TooLong
            self.places[node] = len(self.atoms)
            self.atoms.append(node)
        return 1 << (FIELD * self.places[node])

    def summed(self, body: Polynomial, low: Polynomial, high: Polynomial) -> Polynomial:
        bottom, terms = body
        parts: dict[int, Terms] = {}
        for monomial, coefficient in terms.items():
            parts.setdefault(monomial & MASK, {})[monomial & ~MASK] = coefficient
        degree = max(parts, default=0)
        if degree > HIGHEST:
            raise TooLong
        powers = [_powers(p, degree + 1) for p in (low, high)]
        total = []
        for d, coefficients in parts.items():
            over, weights = sums_of_powers(d)
            # the sum from low to high is S(high) - S(low) + low^d
            of_high = [(p, w) for p, w in zip(powers[1], weights, strict=False) if w]
            of_low = [(p, over * (k == d) - w) for k, (p, w) in enumerate(zip(powers[0], weights, strict=False))]
            span_bottom, span = _sum([*of_high, *of_low])
            total.append((multiplied((1, coefficients), (span_bottom * over, span)), 1))
        return _sum(total, bottom)

    def node(self, bottom: int, terms: Terms, longest: int) -> NodeId:
        kept = {m: c for m, c in terms.items() if c}
        if len(kept) - (0 in kept) > longest:
            raise TooLong
        constant = _ratio(kept.pop(0, 0), bottom)
        self._check_inverses(kept)
        found = sorted([(self._monomial(m), _ratio(c, bottom)) for m, c in kept.items()])
        if (not constant and len(found) == 1) or not found:
            return self.graph.add(found, constant)
        return self.graph.intern(Add(constant, tuple(found)))

    def _check_inverses(self, terms: Terms) -> None:
        inverted = set[NodeId]()
        for atom in self.atoms:
            found = self.graph.nodes[atom]
            if type(found) is Mul:
                inverted.update(n for n, _ in found.factors)
        if not inverted.isdisjoint(self.places):
            raise TooLong

    def _monomial(self, monomial: int) -> NodeId:
        factors: list[tuple[NodeId, int]] = []
        for atom in self.atoms:
            exponent = monomial & MASK
            monomial >>= FIELD
            if exponent:
                found = self.graph.nodes[atom]
                if type(found) is Mul:
                    factors += [(n, e * exponent) for n, e in found.factors]
                else:
                    factors.append((atom, exponent))
        if len(factors) == 1 and factors[0][1] == 1:
            return factors[0][0]
        factors.sort()
        return self.graph.intern(Mul(tuple(factors)))


def _ratio(top: int, bottom: int) -> Rational:
    return top // bottom if top % bottom == 0 else Fraction(top, bottom)


def _sum(parts: Sequence[tuple[Polynomial, Rational]], over: int = 1) -> Polynomial:
    """The sum of polynomials times coefficients, divided by `over`."""
    common = 1
    for (bottom, _), c in parts:
        common = lcm(common, bottom * c.denominator)
    total: Terms = {}
    for (bottom, terms), c in parts:
        factor = c.numerator * (common // (bottom * c.denominator))
        if factor:
            for monomial, coefficient in terms.items():
                total[monomial] = total.get(monomial, 0) + coefficient * factor
    return common * over, total


def multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    """The product; `TooLong` if it has too many terms."""
    (one, first), (other, second) = left, right
    if len(first) * len(second) > MOST:
        raise TooLong
    if first == {0: 1}:
        return one * other, second
    total: Terms = {}
    for m, c in first.items():
        for n, d in second.items():
            total[m + n] = total.get(m + n, 0) + c * d
    return one * other, total


def raised(base: Polynomial, exponent: int) -> Polynomial:
    """A power from 0 up; `TooLong` for high ones."""
    if exponent > HIGHEST:
        raise TooLong
    bottom, terms = base
    if len(terms) == 1:
        ((monomial, coefficient),) = terms.items()
        return bottom**exponent, {monomial * exponent: coefficient**exponent}
    found = ONE
    for _ in range(exponent):
        found = multiplied(found, base)
    return found


def _powers(base: Polynomial, highest: int) -> list[Polynomial]:
    bottom, terms = base
    if len(terms) == 1:
        ((monomial, coefficient),) = terms.items()
        return [(bottom**k, {monomial * k: coefficient**k}) for k in range(highest + 1)]
    found = [ONE]
    for _ in range(highest):
        found.append(multiplied(found[-1], base))
    return found
