"""Conditions that cannot hold together: what one of them excludes is not required of any run.

A comparison of l and r says where r - l lies. Two comparisons of which the differences are multiples of each other, but
for a constant, say of one quantity where it lies: 0 < x and x == 0 of x, n >= 1 and 2 n == 1 of n.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from apet.formula.algebra.ranges import factored
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Compare, Mul, NodeId, Rational
from apet.formula.graph.sums import whole

MIRRORED = {"<=": ">=", "<": ">", "==": "==", "!=": "!="}


Quantity = tuple[tuple[NodeId, Rational], ...]
"""A sum of nodes with coefficients, the first of which is 1; no node is made of it."""


class Place(NamedTuple):
    """That `quantity` is `>=`, `>`, `<=`, `<`, `==` or `!=` to a number."""

    quantity: Quantity
    operator: str
    number: Rational


def place_of(graph: Graph, comparison: Compare) -> Place | None:
    """What a comparison says of the multiple of its difference whose first coefficient is 1."""
    constant, terms = graph.terms(comparison.right)
    less, others = graph.terms(comparison.left)
    sums = dict(terms)
    for node, coefficient in others:
        sums[node] = sums.get(node, 0) - coefficient
    moving = sorted((n, c) for n, c in sums.items() if c)
    if not moving:
        return None

    leading = moving[0][1]
    quantity = tuple([(n, whole(Fraction(c) / leading)) for n, c in moving])
    number = Fraction(less - constant) / leading
    operator = MIRRORED[comparison.operator] if leading > 0 else comparison.operator
    integral = all(type(c) is int and graph.integral[n] for n, c in quantity)
    return _among_whole(quantity, operator, number) if integral else Place(quantity, operator, number)


def _among_whole(quantity: Quantity, operator: str, number: Rational) -> Place:
    """The same of a whole quantity, without `>` and `<`."""
    if operator in (">", ">="):
        return Place(quantity, ">=", math.floor(number) + 1 if operator == ">" else math.ceil(number))
    if operator in ("<", "<="):
        return Place(quantity, "<=", math.ceil(number) - 1 if operator == "<" else math.floor(number))
    return Place(quantity, operator, number)


def apart(one: Place, other: Place) -> bool:
    """Whether two places of one quantity have nothing in common."""
    if one.operator != "==" and (other.operator == "==" or other.operator in ("<", "<=")):
        one, other = other, one
    below = one.number < other.number
    equal = one.number == other.number

    match one.operator, other.operator:
        case "==", "==":
            return not equal
        case "==", "!=":
            return equal
        case (("==" | "<="), ">="):
            return below
        case (("==" | "<" | "<="), ">"):
            return below or equal
        case "<", ">=":
            return below or equal
        case "==", "<=":
            return one.number > other.number
        case "==", "<":
            return one.number >= other.number
        case _:
            return False


def comparisons(graph: Graph, node: NodeId) -> list[Compare]:
    """The comparisons that hold wherever a node is not 0."""
    match graph.nodes[node]:
        case Compare() as comparison:
            return [comparison]
        case Mul(factors):
            return [c for n, exponent in factors if exponent > 0 for c in comparisons(graph, n)]
        case Add(0, ((inner, _),)):
            return comparisons(graph, inner)
        case _:
            return []


def excluded(graph: Graph, guard: NodeId, node: NodeId) -> bool:
    """Whether guard * node is proved to be 0 by comparisons in them; a guard that is a sum is one of several ways."""
    ways = graph.nodes[guard]
    if isinstance(ways, Add) and not ways.constant and all(c > 0 for _, c in ways.terms):
        return all(excluded(graph, way, node) for way, _ in ways.terms)

    places = [place_of(graph, c) for n in (guard, node) for c in comparisons(graph, n)]
    known = [p for p in places if p is not None]
    return any(apart(a, b) for a, b in combinations(known, 2) if a.quantity == b.quantity)


def met_in_some_round(graph: Graph, index: NodeId, low: NodeId, high: NodeId, node: NodeId) -> NodeId | None:
    """1 where a comparison `[a i + b == 0]` holds in some round, times what it is multiplied by; None for others."""
    outside, inside = factored(graph, index, node)
    comparison = graph.nodes[inside]
    if not isinstance(comparison, Compare) or comparison.operator != "==":
        return None
    difference = graph.minus(comparison.right, comparison.left)
    slope = dict(graph.terms(difference)[1]).get(index)
    if slope is None:
        return None
    at = graph.minus(index, graph.scale(difference, Fraction(1) / slope))
    if index in graph.free[at]:
        return None

    rest = graph.zero if graph.integral[at] else graph.call("mod", [at, graph.one])
    within = (graph.compare("<=", low, at), graph.compare("<=", at, high), graph.compare("==", rest, graph.zero))
    return graph.times(outside, *within)
