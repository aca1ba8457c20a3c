"""Sums of polynomials over a range, reckoned on whole numbers before any node is made.

A polynomial is a common denominator and a dictionary from monomials to whole coefficients; a monomial is one whole
number that holds the exponent of each atom in a field of its own, so that monomials are multiplied by adding them.
What nodes are as polynomials is kept from sum to sum: an outer loop finds what the inner one has made of its body.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from weakref import WeakKeyDictionary

from apet.formula.algebra.polynomial import power_sum
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Compare, Const, Mul, NodeId, Rational

FIELD = 16
MASK = (1 << FIELD) - 1
HIGHEST = 24
MOST = 512
MOST_ATOMS = 16
"""A monomial has a field for each atom that is known: with more than these, all is forgotten."""
MOST_KEPT = 4096

Terms = dict[int, int]
Polynomial = tuple[int, Terms]
Parts = tuple[Rational, list[tuple[NodeId, Rational]]]
"""A constant, and nodes with coefficients."""
ONE: Polynomial = (1, {0: 1})


class TooManyTerms(Exception):  # not an error: another way is taken
    """A polynomial has too many terms, or is none."""


@cache
def sums_of_powers(degree: int) -> tuple[int, tuple[int, ...]]:
    """S_d(n) = 1^d + … + n^d as a denominator and the whole coefficients of n^0, n^1, …"""
    coefficients = power_sum(degree)
    bottom = lcm(*(c.denominator for c in coefficients))
    return bottom, tuple(int(c * bottom) for c in coefficients)


@cache
def weights(degree: int) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]:
    """The sum of k^d over k = low..high: a denominator, and which powers of high and of low it has how often.

    It is S(high) - S(low) + low^d.
    """
    bottom, coefficients = sums_of_powers(degree)
    above = [(k, w) for k, w in enumerate(coefficients) if w]
    below = [(k, bottom * (k == degree) - w) for k, w in enumerate(coefficients)]
    return bottom, above, [(k, w) for k, w in below if w]


def closed_terms(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: Parts, longest: int) -> Parts | None:
    """The sum of a polynomial body over index = low..high, multiplied out; right for high >= low - 1.

    Body and result are a constant and terms, of which no node is made. None if there are more than so many terms, or
    where the body is no polynomial of moderate degree in the index.
    """
    memory = _memories.get(graph)
    if memory is None or len(memory.atoms) > MOST_ATOMS or len(memory.polynomials) > MOST_KEPT:
        memory = _memories[graph] = _PolynomialMemory()

    reader = _PolynomialReader(graph, memory)
    try:
        sum_parts = reader.parts(body), reader.polynomial(low), reader.polynomial(high)
        return reader.nodes(*reader.summed(index, *sum_parts), longest)
    except TooManyTerms:
        return None


class _PolynomialMemory:
    """The atoms of a graph by place, what nodes are as polynomials, and which nodes monomials are.

    With the atoms n (place 0) and i (place 1), n i^2 is the monomial 1 + (2 << 16), and (n i^2 + n) / 2 is the
    polynomial (2, {1 + (2 << 16): 1, 1: 1}).
    """

    def __init__(self) -> None:
        self.atoms: list[NodeId] = []
        self.places: dict[NodeId, int] = {}
        self.polynomials: dict[NodeId, Polynomial] = {}
        self.monomials: dict[int, NodeId] = {}


_memories: WeakKeyDictionary[Graph, _PolynomialMemory] = WeakKeyDictionary()


class _PolynomialReader:
    """Nodes as polynomials in their atoms, and back."""

    def __init__(self, graph: Graph, memory: _PolynomialMemory) -> None:
        self.graph = graph
        self.atoms, self.places = memory.atoms, memory.places
        self.polynomials, self.monomials = memory.polynomials, memory.monomials

    def polynomial(self, node: NodeId) -> Polynomial:
        polynomial = self.polynomials.get(node)
        if polynomial is None:
            polynomial = self.polynomials[node] = self._read(node)
        return polynomial

    def parts(self, parts: Parts) -> Polynomial:
        return _sum([(ONE, parts[0]), *[(self.polynomial(n), c) for n, c in parts[1]]])

    def _read(self, node: NodeId) -> Polynomial:
        here = self.graph.nodes[node]
        kind = type(here)
        if kind is Const:
            value = here.value  # type: ignore[union-attr]
            return value.denominator, ({0: value.numerator} if value else {})
        if kind is Add:
            return self.parts((here.constant, here.terms))  # type: ignore[union-attr, arg-type]
        if kind is Mul:
            product = ONE
            for n, exponent in here.factors:  # type: ignore[union-attr]
                product = multiplied(product, self._power(n, exponent))
            return product

        return 1, {self._atom(node): 1}

    def _power(self, node: NodeId, exponent: int) -> Polynomial:
        if exponent < -HIGHEST:
            raise TooManyTerms
        if exponent < 0:
            # an inverse is an atom of its own, which must not meet what it inverts
            return 1, {self._atom(self.graph.intern(Mul(((node, -1),)))) * -exponent: 1}
        base = self.polynomial(node)
        return base if exponent == 1 else raised(base, exponent)

    def _atom(self, node: NodeId) -> int:
        place = self.places.get(node)
        if place is None:
            if type(self.graph.nodes[node]) is Compare:
                raise TooManyTerms
            place = self.places[node] = len(self.atoms)
            self.atoms.append(node)
        return 1 << (FIELD * place)

    def summed(self, index: NodeId, body: Polynomial, low: Polynomial, high: Polynomial) -> Polynomial:
        bottom, terms = body
        self._atom(index)
        place = FIELD * self.places[index]
        self._check_atoms(index, [*terms, *low[1], *high[1]])
        parts: dict[int, Terms] = {}
        for monomial, coefficient in terms.items():
            degree = (monomial >> place) & MASK
            parts.setdefault(degree, {})[monomial - (degree << place)] = coefficient
        top = max(parts, default=0)
        if top > HIGHEST:
            raise TooManyTerms
        below, above = _unit(low), _unit(high)
        if below is None or above is None:
            over, total = _summed(parts, low, high, top)
        else:
            over, total = _summed_between(parts, below, above)

        return over * bottom, total

    def _check_atoms(self, index: NodeId, monomials: Sequence[int]) -> None:
        """`TooManyTerms` if an atom other than the index depends on it, or if one meets its inverse."""
        used = 0
        for monomial in monomials:
            used |= monomial
        met, inverted = [], set[NodeId]()
        for atom in self.atoms:
            if used & MASK and atom != index:
                if index in self.graph.free[atom]:
                    raise TooManyTerms
                met.append(atom)
                form = self.graph.nodes[atom]
                if type(form) is Mul:
                    inverted.update([n for n, _ in form.factors])
            used >>= FIELD

        if inverted and not inverted.isdisjoint(met):
            raise TooManyTerms

    def nodes(self, bottom: int, terms: Terms, longest: int) -> Parts:
        nonzero = {m: c for m, c in terms.items() if c}
        constant = nonzero.pop(0, 0)
        if len(nonzero) > longest:
            raise TooManyTerms
        return _ratio(constant, bottom), [(self._monomial(m), _ratio(c, bottom)) for m, c in nonzero.items()]

    def _monomial(self, monomial: int) -> NodeId:
        node = self.monomials.get(monomial)
        if node is not None:
            return node

        factors: list[tuple[NodeId, int]] = []
        rest, moderate = monomial, True
        for atom in self.atoms:
            exponent = rest & MASK
            rest >>= FIELD
            if exponent:
                moderate &= exponent <= HIGHEST
                form = self.graph.nodes[atom]
                if type(form) is Mul:
                    factors += [(n, e * exponent) for n, e in form.factors]
                else:
                    factors.append((atom, exponent))
        if len(factors) == 1 and factors[0][1] == 1:
            node = factors[0][0]
        else:
            factors.sort()
            node = self.graph.intern(Mul(tuple(factors)))
        self.monomials[monomial] = node
        if moderate:
            self.polynomials[node] = 1, {monomial: 1}

        return node


def _unit(polynomial: Polynomial) -> int | None:
    """The monomial that a polynomial is; None if it is none, or a multiple of one."""
    bottom, terms = polynomial
    if bottom == 1 and len(terms) == 1:
        ((monomial, coefficient),) = terms.items()
        return monomial if coefficient == 1 else None
    return None


def _summed_between(parts: dict[int, Terms], low: int, high: int) -> Polynomial:
    """The sum of parts by degree from one monomial to another."""
    common = lcm(*[weights(d)[0] for d in parts])
    total: Terms = {}
    for d, coefficients in parts.items():
        share, above, below = weights(d)
        ends = [(high * k, w * (common // share)) for k, w in above]
        if low:  # from 1 on, the low end makes nothing
            ends += [(low * k, w * (common // share)) for k, w in below]
        for m, c in coefficients.items():
            for n, w in ends:
                total[m + n] = total.get(m + n, 0) + c * w
    return common, total


def _summed(parts: dict[int, Terms], low: Polynomial, high: Polynomial, top: int) -> Polynomial:
    """The sum of parts by degree from one polynomial to another; `TooManyTerms` if it has too many terms."""
    over = lcm(low[0], high[0])
    lows, highs = (_powers({m: c * (over // b) for m, c in t.items()}, top + 1) for b, t in (low, high))
    common = lcm(*[weights(d)[0] for d in parts]) * over ** (top + 1)
    total: Terms = {}
    for d, coefficients in parts.items():
        share, above, below = weights(d)
        share *= over ** (d + 1)
        span: Terms = {}
        for powers, pairs in ((highs, above), (lows, below)):
            for k, w in pairs:
                if over != 1:
                    w *= over ** (d + 1 - k)
                for monomial, c in powers[k].items():
                    span[monomial] = span.get(monomial, 0) + w * c
        _collect(total, coefficients, span, common // share)

    return common, total


def _ratio(top: int, bottom: int) -> Rational:
    return top // bottom if top % bottom == 0 else Fraction(top, bottom)


def _sum(parts: Sequence[tuple[Polynomial, Rational]]) -> Polynomial:
    """The sum of polynomials times coefficients."""
    common = 1
    for (bottom, _), c in parts:
        if bottom != 1 or type(c) is not int:
            common = lcm(common, bottom * c.denominator)
    total: Terms = {}
    for (bottom, terms), c in parts:
        factor = c.numerator * (common // (bottom * c.denominator))
        if factor:
            for monomial, coefficient in terms.items():
                total[monomial] = total.get(monomial, 0) + coefficient * factor
    return common, total


def multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    """The product; `TooManyTerms` if it has too many terms."""
    (one, first), (other, second) = left, right
    if first == {0: 1}:
        return one * other, second
    total: Terms = {}
    _collect(total, first, second, 1)
    return one * other, total


def _collect(total: Terms, left: Terms, right: Terms, factor: int) -> None:
    """Add a product times a factor; `TooManyTerms` if it has too many terms."""
    if len(left) * len(right) > MOST:
        raise TooManyTerms
    for m, c in left.items():
        c *= factor
        for n, d in right.items():
            if d:
                total[m + n] = total.get(m + n, 0) + c * d


def raised(base: Polynomial, exponent: int) -> Polynomial:
    """A power from 0 up; `TooManyTerms` for high ones."""
    if exponent > HIGHEST:
        raise TooManyTerms
    return base[0] ** exponent, _powers(base[1], exponent)[exponent]


def _powers(base: Terms, highest: int) -> list[Terms]:
    """The powers from 0 up to the highest."""
    if len(base) == 1:
        ((monomial, coefficient),) = base.items()
        if coefficient == 1:
            return [{monomial * k: 1} for k in range(highest + 1)]
        return [{monomial * k: coefficient**k} for k in range(highest + 1)]
    powers: list[Terms] = [{0: 1}]
    for _ in range(highest):
        powers.append(multiplied((1, powers[-1]), (1, base))[1])
    return powers
