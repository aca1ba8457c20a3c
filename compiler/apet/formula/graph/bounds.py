"""Numbers that a node is never below, and never above, found from those of its operands.

Of a sum, a product and a maximum they follow from the ends of the operands' ranges. What is not known is None.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from apet.formula.graph.nodes import (
    Add,
    Call,
    Compare,
    Const,
    Extreme,
    Index,
    Interference,
    Item,
    Mul,
    NodeId,
    Peak,
    Rational,
    Reduce,
    Symbol,
)
from apet.formula.graph.sums import whole

if TYPE_CHECKING:
    from apet.formula.graph.graph import Graph


def lower_bound(graph: Graph, node: NodeId) -> Rational | None:
    """A number that a node is never below, or None."""
    bounds = graph.lower_bounds
    if node not in bounds:
        bounds[node] = None  # a bound that needs itself is none
        bounds[node] = _lower_bound(graph, node)
    return bounds[node]


def _lower_bound(graph: Graph, node: NodeId) -> Rational | None:
    match graph.nodes[node]:
        case Const(value):
            return value
        case Symbol(name):
            return graph.assumed.get(name, (0, None))[0]
        case Index():
            return lower_bound(graph, graph.ranges[node][0])
        case Item() | Compare() | Peak() | Interference():
            return 0

        case Add(constant, terms):
            return _least_sum(graph, constant, terms)
        case Mul(factors):
            return _least_product(graph, factors)
        case Extreme("max", inner):
            lows = [low for n in inner if (low := lower_bound(graph, n)) is not None]
            return max(lows, default=None)
        case Extreme(_, inner):
            bounds = [lower_bound(graph, n) for n in inner]
            return min((b for b in bounds if b is not None), default=None) if None not in bounds else None
        case Call(function, inner):
            return _least_call(graph, function, inner)

        case Reduce(kind, _, _, _, body):
            # over an empty range a sum or maximum is 0, whatever lower bound above 0 its body has
            low = lower_bound(graph, body)
            return low if kind == "min" else (0 if low is not None and low >= 0 else None)


def upper_bound(graph: Graph, node: NodeId) -> Rational | None:
    """A number that a node is never above, or None."""
    bounds = graph.upper_bounds
    if node not in bounds:
        bounds[node] = None  # a bound that needs itself is none
        bounds[node] = _upper_bound(graph, node)
    return bounds[node]


def _upper_bound(graph: Graph, node: NodeId) -> Rational | None:
    match graph.nodes[node]:
        case Const(value):
            return value
        case Symbol(name):
            return graph.assumed.get(name, (0, None))[1]
        case Index():
            return upper_bound(graph, graph.ranges[node][1])
        case Compare():
            return 1
        case Call("mod", (_, modulus)):
            return upper_bound(graph, modulus) if at_least(graph, modulus, 0) else None
        case Call("pow", (base, exponent)) if at_least(graph, base, 0) and graph.nonnegative(exponent):
            high = upper_bound(graph, base)
            return 1 if high is not None and high <= 1 else None

        case Add(constant, terms):
            least = _least_sum(graph, -constant, tuple((n, -c) for n, c in terms))
            return None if least is None else -least
        case Mul(factors):
            return _greatest_product(graph, factors)
        case Extreme(kind, inner):
            highs = [upper_bound(graph, n) for n in inner]
            known = [high for high in highs if high is not None]
            return min(known, default=None) if kind == "min" else None if None in highs else max(known)
        case _:
            return None


def _greatest_product(graph: Graph, factors: tuple[tuple[NodeId, int], ...]) -> Rational | None:
    """Of factors that are not negative; `x / max(x, y)` and `x / (x + y)` are at most 1."""
    if any(not at_least(graph, n, 0) for n, _ in factors):
        return None
    above = {n: e for n, e in factors if e > 0}
    product: Rational = 1
    for divisor in (n for n, e in factors if e < 0):
        part = next((p for p in _parts(graph, divisor) if above.get(p[0])), None)
        if part is None or dict(factors)[divisor] != -1:
            return None
        above[part[0]] -= 1
        product /= Fraction(part[1])

    for node, exponent in above.items():
        high = upper_bound(graph, node) if exponent else 1
        if high is None:
            return None
        product *= high**exponent
    return whole(product)


def _parts(graph: Graph, node: NodeId) -> list[tuple[NodeId, Rational]]:
    """Multiples of nodes that a maximum, or a sum of what is not negative, is never below."""
    match graph.nodes[node]:
        case Extreme("max", operands):
            sums = [graph.terms(n) for n in operands]
            return [terms[0] for constant, terms in sums if not constant and len(terms) == 1 and terms[0][1] > 0]
        case Add(constant, terms) if constant >= 0 and all(c > 0 and at_least(graph, n, 0) for n, c in terms):
            return list(terms)
        case _:
            return []


def _least_sum(graph: Graph, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Rational | None:
    total = constant
    for node, coefficient in terms:
        end = lower_bound(graph, node) if coefficient > 0 else upper_bound(graph, node)
        if end is None:
            return None
        total += coefficient * end
    return total


def _least_product(graph: Graph, factors: tuple[tuple[NodeId, int], ...]) -> Rational | None:
    # an even power is not negative anyway; an inverse tells only that the product is not below 0
    lows = [lower_bound(graph, n) for n, e in factors if e % 2]
    if any(low is None or low < 0 for low in lows):
        return None
    if any(e < 0 for _, e in factors) or len(lows) < len(factors):
        return 0
    product: Rational = 1
    for (_, exponent), low in zip(factors, lows, strict=True):
        assert low is not None
        product *= low**exponent
    return product


def _least_call(graph: Graph, function: str, arguments: tuple[NodeId, ...]) -> Rational | None:
    match function:
        case "abs" | "sqrt":
            return 0
        case "mod":
            return 0 if at_least(graph, arguments[1], 0) else None
        case "floor" | "ceil":
            low = lower_bound(graph, arguments[0])
            return None if low is None else low // 1
        case "pow":
            return 0 if at_least(graph, arguments[0], 0) else None
        case "log" | "log2":
            return 0 if at_least(graph, arguments[0], 1) else None
        case _:
            return None


def at_least(graph: Graph, node: NodeId, bound: Rational) -> bool:
    low = lower_bound(graph, node)
    return low is not None and low >= bound
