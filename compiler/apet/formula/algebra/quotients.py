"""Divisors that may be 0 and may cancel: `n (1/n)` is 1 in normal form, also where 1/n has no value.

What is inside a call, a comparison or a loop never cancels against what is outside. A divisor that is not 0 where a
comparison beside it holds does no harm: `[1 <= n] w/n` is 0 where it does not hold.
"""

from __future__ import annotations

from apet.formula.graph.bounds import lower_bound, upper_bound
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, Compare, Extreme, Mul, NodeId, operands


def divides(graph: Graph, top: NodeId) -> bool:
    """Whether a sum, product or extreme divides by what may be 0."""
    known, unknown, stack = graph.dividing, set[NodeId](), [top]
    while stack:
        node = stack.pop()
        if node not in known and node not in unknown:
            unknown.add(node)
            stack += _inside(graph, node)
    for node in sorted(unknown):  # operands first: nothing recurses, however deep the formula
        known[node] = bool(_own_divisors(graph, node)) or any(known[n] for n in _inside(graph, node))
    return known[top]


def _inside(graph: Graph, node: NodeId) -> tuple[NodeId, ...]:
    """The operands that something outside may cancel against."""
    form = graph.nodes[node]
    return operands(form) if isinstance(form, Add | Mul | Extreme) else ()


def divisors(graph: Graph, top: NodeId) -> set[NodeId]:
    """What a sum, product or extreme divides by that may be 0 and may cancel."""
    bases, seen, stack = set[NodeId](), set[NodeId](), [top]
    while stack:
        node = stack.pop()
        if node not in seen and divides(graph, node):
            seen.add(node)
            bases.update(_own_divisors(graph, node))
            stack += _inside(graph, node)
    return bases


def cancelled(graph: Graph, bases: set[NodeId], closed: NodeId) -> list[NodeId]:
    """Those of some divisors by which nothing in a closed form is divided."""
    left, seen, stack = set(bases), set[NodeId](), [closed]
    while stack and left:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            form = graph.nodes[node]
            left -= {n for n, e in form.factors if e < 0} if isinstance(form, Mul) else set()
            stack += operands(form)
    return sorted(left)


def _own_divisors(graph: Graph, node: NodeId) -> list[NodeId]:
    form = graph.nodes[node]
    if not isinstance(form, Mul):
        return []
    bases = [n for n, e in form.factors if e < 0 and not _is_never_zero(graph, n)]
    conditions = [n for n, _ in form.factors if isinstance(graph.nodes[n], Compare)] if bases else []
    return [n for n in bases if not any(excludes_zero(graph, c, n) for c in conditions)]


def _is_never_zero(graph: Graph, node: NodeId) -> bool:
    low, high = lower_bound(graph, node), upper_bound(graph, node)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return True
    match graph.nodes[node]:
        case Mul(factors):
            return all(_is_never_zero(graph, n) for n, _ in factors)
        case Call("pow", (base, _)):
            return _is_never_zero(graph, base)
        case _:
            return False


def excludes_zero(graph: Graph, condition: NodeId, divisor: NodeId) -> bool:
    """Whether a divisor is above 0, or is not 0, wherever a condition holds."""
    match graph.nodes[condition]:
        case Compare("<=" | "<" as operator, left, right):
            least = lower_bound(graph, graph.minus(divisor, graph.minus(right, left)))
            return least is not None and (least > 0 or (least == 0 and operator == "<"))
        case Compare("!=", left, right):
            difference = graph.minus(right, left)
            return graph.zero in (graph.minus(divisor, difference), graph.plus(divisor, difference))
        case _:
            return False
