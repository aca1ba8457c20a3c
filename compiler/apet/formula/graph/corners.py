"""Proofs that a sum of products of bounded factors is never negative: it is least where each is at an end of its range.

`q + r - q r` with q and r in [0, 1] is 0 or 1 there. Factors that share names are taken as independent of each
other, but for comparisons that contradict each other: the least value of such a sum is not below what is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import prod

from apet.formula.graph.nodes import Add, Compare, Mul, NodeId, Rational
from apet.formula.graph.places import apart, place_of
from apet.formula.graph.ranges import Ranges

MOST_CORNERS = 400
"""Sums with some factors put in that are looked at: of k factors there are 2^k corners."""

MOST_COMPARED = 64
"""Comparisons of which it is asked whether they contradict each other, two by two."""

Proof = Callable[[NodeId], bool]
"""Whether a node is proved not to be negative."""
Products = Mapping[frozenset[NodeId], Rational]
Exclusions = Mapping[NodeId, Sequence[NodeId]]
FactorRanges = Mapping[NodeId, tuple[Rational, Rational]]


def nonnegative_at_corners(known: Ranges, nonnegative: Proof, node: NodeId) -> bool:
    """Whether a sum is proved not to be negative."""
    constant, terms = known.store.terms(node)
    products: dict[frozenset[NodeId], Rational] = {frozenset(): constant}
    ranges: dict[NodeId, tuple[Rational, Rational]] = {}

    for term, coefficient in terms:
        factors = _factors(known, term)
        for factor in factors.difference(ranges):
            ends = _range_of(known, nonnegative, factor)
            if ends is None:
                return False
            ranges[factor] = ends
        products[factors] = products.get(factors, 0) + coefficient
    return _least_is_nonnegative(products, ranges, _exclusions(known, ranges))


def _range_of(known: Ranges, nonnegative: Proof, factor: NodeId) -> tuple[Rational, Rational] | None:
    """A range of a factor that is not negative; that of a share, where a sum is proved to be one."""
    low, high = known.lower(factor), known.upper(factor)
    if high is None:
        return None
    if type(known.store.nodes[factor]) is Add:  # what is proved of it is proved of its own factors, which are below it
        low = 0 if (low is None or low < 0) and nonnegative(factor) else low
        high = 1 if high > 1 and nonnegative(known.store.add([(factor, -1)], 1)) else high
    return None if low is None or low < 0 else (low, high)


def _factors(known: Ranges, term: NodeId) -> frozenset[NodeId]:
    """The factors of a product, each once; those without a bound of their own together."""
    store = known.store
    form = store.nodes[term]
    if type(form) is not Mul:
        return frozenset((term,))
    bounded = [n for n, e in form.factors if e == 1 and known.upper(n) is not None]
    rest = [store.power(n, e) for n, e in form.factors if n not in bounded]
    return frozenset((*bounded, store.times(*rest))) if rest else frozenset(bounded)


def _exclusions(known: Ranges, factors: Iterable[NodeId]) -> Exclusions:
    """Of each comparison the others that are 0 where it is 1."""
    store = known.store
    forms = ((n, store.nodes[n]) for n in factors)
    places = {n: place_of(store, form) for n, form in forms if type(form) is Compare}
    if len(places) > MOST_COMPARED:
        return {}
    pairs = [(n, a, m, b) for (n, a), (m, b) in combinations(places.items(), 2) if a is not None and b is not None]
    excluded: dict[NodeId, list[NodeId]] = {n: [] for n in places}
    for n, one, m, other in pairs:
        if one.quantity == other.quantity and apart(one, other):
            excluded[n].append(m)
            excluded[m].append(n)
    return excluded


def _least_is_nonnegative(products: Products, ranges: FactorRanges, exclusions: Exclusions) -> bool:
    waiting = [products]
    for _ in range(MOST_CORNERS):
        if not waiting:
            return True
        sums = waiting.pop()
        if sum(c * prod(ranges[f][c < 0] for f in factors) for factors, c in sums.items()) >= 0:
            continue
        often = Counter(f for factors in sums for f in factors).most_common(1)
        if not often:
            return False
        factor, _ = often[0]
        for end in ranges[factor]:
            there = _put(sums, factor, end)
            for other in exclusions.get(factor, ()) if end else ():
                there = _put(there, other, 0)
            waiting.append(there)
    return False


def _put(products: Products, factor: NodeId, value: Rational) -> Products:
    """The sum with a number for one factor."""
    sums: dict[frozenset[NodeId], Rational] = {}
    for factors, coefficient in products.items():
        rest = factors - {factor}
        sums[rest] = sums.get(rest, 0) + (coefficient * value if factor in factors else coefficient)
    return {factors: coefficient for factors, coefficient in sums.items() if coefficient}
