"""Where the operations of an expression have no value: nodes that are 1 there, else 0, each with the reason.

Nothing is asked where the graph proves that there is a value: a divisor that is never 0, a logarithm of a number above
0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from apet.cost.cost import BROKEN_POWER, DIVISOR, LOGARITHM, ROOT
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Mul, NodeId

Failure = tuple[str, NodeId]
"""The kind of a requirement, and a node that is 1 where it does not hold, else 0."""


def failures(graph: Graph, operator: str, operands: list[NodeId]) -> Iterator[Failure]:
    """Where an operator or a function has no value."""
    match operator, operands:
        case (("/" | "%" | "mod"), [_, divisor]):
            yield from _zeros(graph, divisor)
        case "^", [base, exponent]:
            yield from _of_power(graph, base, exponent)
        case (("log" | "log2"), [argument]) if not graph.facts.ranges.positive(argument):
            yield LOGARITHM, graph.compare("<=", argument, graph.zero)
        case "sqrt", [argument] if not graph.nonnegative(argument):
            yield ROOT, graph.compare("<", argument, graph.zero)
        case _:
            return


def _of_power(graph: Graph, base: NodeId, exponent: NodeId) -> Iterator[Failure]:
    if not graph.nonnegative(exponent):
        falling = graph.compare("<", exponent, graph.zero)
        for kind, zero in _zeros(graph, base):
            yield kind, graph.times(zero, falling)
    if not graph.integral[exponent] and not graph.nonnegative(base):
        broken = graph.compare("!=", graph.call("mod", [exponent, graph.one]), graph.zero)
        yield BROKEN_POWER, graph.times(graph.compare("<", base, graph.zero), broken)


def _zeros(graph: Graph, divisor: NodeId) -> Iterator[Failure]:
    """Where a divisor is 0: one of its factors."""
    for factor in _factors(graph, divisor):
        if not (graph.facts.ranges.never_zero(factor) or _between_whole(graph, factor)):
            yield DIVISOR, graph.compare("==", factor, graph.zero)


def _factors(graph: Graph, node: NodeId) -> tuple[NodeId, ...]:
    """Nodes of which one is 0 where a node is; what is divided by is not 0 in its own right."""
    match graph.nodes[node]:
        case Mul(factors):
            return tuple(n for n, exponent in factors if exponent > 0)
        case Add(0, ((inner, _),)):
            return _factors(graph, inner)
        case _:
            return (node,)


def _between_whole(graph: Graph, node: NodeId) -> bool:
    """Whether a node misses 0 since its whole terms do: i - j + 1/2, 2 n + 1."""
    constant, terms = graph.terms(node)
    if not all(graph.integral[n] for n, _ in terms):
        return False
    common = math.lcm(constant.denominator, *(c.denominator for _, c in terms))
    step = math.gcd(*(int(c * common) for _, c in terms))
    return int(constant * common) % (step or 1) != 0
