"""Polynomials in one bound variable, and their exact sums over a range (Faulhaber).

Source of the closed form: J. Faulhaber 1631; here by the recurrence S_k(n) = ((n+1)^(k+1) - 1 - sum_{j<k} C(k+1, j)
S_j(n)) / (k+1) for S_k(n) = 1^k + … + n^k (Graham, Knuth, Patashnik, Concrete Mathematics, 2.6), kept per degree as
exact coefficients.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Mul, NodeId, Rational
from apet.formula.graph.store import Store

HIGHEST_DEGREE = 24
MOST_TERMS = 4096
MOST_MOVING = 64
"""Terms of one product that are multiplied out for an index."""


@cache
def power_sum(degree: int) -> tuple[Rational, ...]:
    """Coefficients c_0..c_{d+1} of S_d(n) = sum over k=1..n of k^d as a polynomial in n (for d = 0 it is n)."""
    # (n+1)^(d+1) - 1 = sum over j<=d of C(d+1, j) S_j(n)
    total = [Fraction(comb(degree + 1, j)) for j in range(degree + 2)]
    total[0] -= 1
    for j in range(degree):
        for k, c in enumerate(power_sum(j)):
            total[k] -= comb(degree + 1, j) * c
    return tuple(c / (degree + 1) for c in total)


def expand(graph: Store, node: NodeId) -> NodeId:
    """The node with products of sums multiplied out, unless that makes too many terms."""
    form = graph.nodes[node]
    if isinstance(form, Add):
        if not any(type(graph.nodes[n]) is Mul for n, _ in form.terms):
            return node
        return graph.add([(expand(graph, n), c) for n, c in form.terms], form.constant)
    if not isinstance(form, Mul) or not any(e > 0 and type(graph.nodes[n]) is Add for n, e in form.factors):
        return node
    result = [(graph.one, 1)]  # type: list[tuple[NodeId, Rational]]
    for factor, exponent in form.factors:
        inner = graph.nodes[factor]
        if isinstance(inner, Add) and exponent > 0:
            for _ in range(exponent):
                result = _multiplied(graph, result, inner)
                if len(result) > MOST_TERMS:
                    return node
        else:
            result = [(graph.times(n, graph.power(factor, exponent)), c) for n, c in result]

    return graph.add(result)


def expand_moving(graph: Graph, node: NodeId, index: NodeId) -> NodeId:
    """The node with products of sums multiplied out where these move with the index, at any depth; what is free of it
    stays together. Unless that makes too many terms."""
    form = graph.nodes[node]
    if index not in graph.free[node]:
        return node
    if isinstance(form, Add):
        return graph.add([(expand_moving(graph, n, index), c) for n, c in form.terms], form.constant)
    if not isinstance(form, Mul):
        return node

    result = [graph.one]
    for factor, exponent in form.factors:
        parts = [graph.power(factor, exponent)]
        if exponent == 1 and type(graph.nodes[factor]) is Add:
            parts = _parts_in(graph, expand_moving(graph, factor, index), index)
        result = [graph.times(one, part) for one in result for part in parts]
        if len(result) > MOST_MOVING:
            return node
    return graph.add([(product, 1) for product in result])


def _parts_in(graph: Graph, total: NodeId, index: NodeId) -> list[NodeId]:
    """The terms of a sum that depend on an index, and the rest of it."""
    constant, terms = graph.terms(total)
    still = graph.add([(n, c) for n, c in terms if index not in graph.free[n]], constant)
    moving = [graph.scale(n, c) for n, c in terms if index in graph.free[n]]
    return moving if still == graph.zero else [*moving, still]


def _multiplied(graph: Store, left: list[tuple[NodeId, Rational]], right: Add) -> list[tuple[NodeId, Rational]]:
    products = [(graph.times(n, m), c * d) for n, c in left for m, d in right.terms]
    if right.constant:
        products += [(n, c * right.constant) for n, c in left]
    merged = graph.add(products)
    constant, terms = graph.terms(merged)
    return [*terms, (graph.one, constant)] if constant else list(terms)


def degree(graph: Graph, node: NodeId, index: NodeId) -> int | None:
    """At most to which power the index occurs in a node; None if the node is no polynomial in it."""
    if index not in graph.free[node]:
        return 0
    if node == index:
        return 1
    form = graph.nodes[node]
    if type(form) is Add:
        each = [degree(graph, n, index) for n, _ in form.terms]
        return None if None in each else max(d for d in each if d is not None)
    if type(form) is not Mul:
        return None
    total = 0
    for factor, exponent in form.factors:
        part = degree(graph, factor, index)
        if part is None or (part and exponent < 0):
            return None
        total += part * exponent

    return total


def in_powers(graph: Graph, node: NodeId, index: NodeId) -> dict[int, NodeId] | None:
    """Coefficients by power of the index, each free of it; None if the node is no polynomial in it."""
    if index not in graph.free[node]:
        return {0: node}
    _, terms = graph.terms(node)
    if any(index in graph.free[n] and n != index and type(graph.nodes[n]) is not Mul for n, _ in terms):
        return None

    constant, terms = graph.terms(expand(graph, node))
    parts: dict[int, list[tuple[NodeId, Rational]]] = {0: [(graph.one, constant)]}
    for atom, coefficient in terms:
        split = split_power(graph, atom, index)
        if split is None:
            return None
        degree, rest = split
        parts.setdefault(degree, []).append((rest, coefficient))
    powers = {d: graph.add(p) for d, p in parts.items()}
    return {d: n for d, n in powers.items() if n != graph.zero}


def split_power(graph: Graph, atom: NodeId, index: NodeId) -> tuple[int, NodeId] | None:
    """An atom as power of the index and a rest free of it; None if it is not of that kind."""
    if index not in graph.free[atom]:
        return 0, atom
    if atom == index:
        return 1, graph.one
    form = graph.nodes[atom]
    if not isinstance(form, Mul):
        return None
    degree, rest = 0, []
    for factor, exponent in form.factors:
        if factor == index:
            degree = exponent
        elif index in graph.free[factor]:
            return None
        else:
            rest.append(graph.power(factor, exponent))
    if not 0 <= degree <= HIGHEST_DEGREE:
        return None

    return degree, graph.times(*rest)


def sum_of_powers(graph: Graph, coefficients: dict[int, NodeId], low: NodeId, high: NodeId) -> NodeId:
    """The sum of the polynomial over low..high by Faulhaber; right for high >= low - 1 only."""
    total: list[tuple[NodeId, Rational]] = []
    below = graph.shift(low, -1)
    for degree, coefficient in coefficients.items():
        upper = _at(graph, degree, high)
        span = graph.minus(upper, _at(graph, degree, below))
        total.append((graph.times(coefficient, span), 1))
    return graph.add(total)


def _at(graph: Graph, degree: int, node: NodeId) -> NodeId:
    """S_degree at a node."""
    value = graph.value(node)
    if value is not None:
        return graph.const(sum((c * Fraction(value) ** k for k, c in enumerate(power_sum(degree))), Fraction(0)))
    powers = [(graph.power(node, k) if k else graph.one, c) for k, c in enumerate(power_sum(degree)) if c]
    return expand(graph, graph.add(powers))
