"""Where two formulas are equal, as a formula.

The difference is made a polynomial in the unknown by multiplying with what it is divided by; one of first or second
degree, or with one power only, is solved in closed form. Where the unknown occurs in one floor or ceiling alone, that
is solved for first: floor(n / k) reaches y at n = k ceil(y). All is done on the formula graph, so other parameters and
operation times stay symbols.
"""

from __future__ import annotations

from fractions import Fraction

from apet.formula.algebra.polynomial import expand, in_powers
from apet.formula.algebra.reduction import substitute
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, NodeId, operands

LARGEST = 400
"""Differences of more nodes are not solved."""
DEEPEST = 3


def roots(graph: Graph, difference: NodeId, unknown: NodeId) -> list[NodeId]:
    """Formulas of which one may be the value of the symbol `unknown` where the difference changes its sign.

    They are candidates: which one it is, and whether, must be decided with numbers. None where there is no closed form.
    """
    if len(graph.below(difference)) > LARGEST:
        return []
    x = graph.index("x", graph.zero, graph.const(10**30))
    try:
        return _solved(graph, substitute(graph, difference, {unknown: x}), x, 0)
    except ZeroDivisionError:
        return []


def _solved(graph: Graph, node: NodeId, x: NodeId, depth: int) -> list[NodeId]:
    if x not in graph.free[node] or depth > DEEPEST:
        return []
    step = _only_step(graph, node, x)
    if step is not None:
        return _through_step(graph, node, step, x, depth)
    coefficients = in_powers(graph, _cleared(graph, expand(graph, node), x), x)
    if coefficients is None:
        return []
    lowest = min(coefficients, default=0)
    roots = _of_polynomial(graph, {d - lowest: c for d, c in coefficients.items()})
    return [*roots, graph.zero] if lowest > 0 else roots


def _of_polynomial(graph: Graph, coefficients: dict[int, NodeId]) -> list[NodeId]:
    c0 = coefficients.get(0, graph.zero)
    others = sorted(d for d in coefficients if d > 0)
    if len(others) == 1:
        degree = others[0]
        ratio = graph.over(graph.scale(c0, -1), coefficients[degree])
        if degree == 1:
            return [ratio]
        if degree == 2:
            return [graph.call("sqrt", [ratio]), graph.scale(graph.call("sqrt", [ratio]), -1)]
        return [graph.call("pow", [ratio, graph.const(Fraction(1, degree))])]
    if others != [1, 2]:
        return []

    b, a = coefficients[1], coefficients[2]
    inside = graph.minus(graph.times(b, b), graph.scale(graph.times(a, c0), 4))
    root = graph.call("sqrt", [inside])
    below = graph.scale(a, 2)
    return [graph.over(graph.add([(b, -1), (root, sign)]), below) for sign in (1, -1)]


def _cleared(graph: Graph, node: NodeId, x: NodeId) -> NodeId:
    """The node times the least power of everything with the unknown that it is divided by."""
    for _ in range(DEEPEST):
        constant, terms = graph.terms(node)
        below: dict[NodeId, int] = {}
        for term, _c in terms:
            for factor, exponent in graph.factors(term):
                if exponent < 0 and x in graph.free[factor]:
                    below[factor] = max(below.get(factor, 0), -exponent)
        if not below:
            return node
        by = graph.times(*(graph.power(f, e) for f, e in below.items()))
        products = [(graph.times(term, by), c) for term, c in terms]
        node = expand(graph, graph.add([*((expand(graph, n), c) for n, c in products), (by, constant)]))

    return node


def _only_step(graph: Graph, node: NodeId, x: NodeId) -> NodeId | None:
    """The one floor or ceiling through which the node depends on the unknown, if it does so through it alone."""
    step: NodeId | None = None
    stack, seen = [node], set[NodeId]()
    while stack:
        n = stack.pop()
        if n in seen or x not in graph.free[n]:
            continue
        seen.add(n)
        here = graph.nodes[n]
        if isinstance(here, Call) and here.function in ("floor", "ceil"):
            if step not in (None, n):
                return None
            step = n
        elif n == x:
            return None
        else:
            stack += operands(here)

    return step


def _through_step(graph: Graph, node: NodeId, step: NodeId, x: NodeId, depth: int) -> list[NodeId]:
    """First the value of the step, then where the step reaches it."""
    call = graph.nodes[step]
    assert isinstance(call, Call)
    y = graph.index("y", graph.zero, graph.const(10**30))
    roots: list[NodeId] = []
    for level in _solved(graph, substitute(graph, node, {step: y}), y, depth + 1):
        up, down = graph.call("ceil", [level]), graph.call("floor", [level])
        for reached in (up, graph.shift(down, 1), down, graph.shift(up, -1)):
            roots += _solved(graph, graph.minus(call.operands[0], reached), x, depth + 1)
    return list(dict.fromkeys(roots))
