"""Loops in closed form for plans that are run with numbers.

Formulas keep sums of powers and sums of `max(i, c)`, which are easier to read, to bound and to differentiate; a plan
does not have to run over their rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.formula.algebra.conditions import bend_on, halves
from apet.formula.algebra.geometric import compared_power, geometric_sum
from apet.formula.algebra.guards import unless_cancelled
from apet.formula.algebra.polynomial import expand_moving
from apet.formula.algebra.ranges import factored, occupied
from apet.formula.algebra.reduction import in_pieces, is_loop, reduce_over, sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import reachable
from apet.formula.graph.nodes import Compare, NodeId, Reduce, operands
from apet.formula.graph.rebuilding import Rebuilding


def with_closed_loops(graph: Graph, roots: Sequence[NodeId]) -> list[NodeId]:
    """Nodes of the same values without the loops that have a closed form for numbers."""
    # Most graphs have none, and may be long.
    if not any(type(node) is Reduce for node in graph.nodes):
        return list(roots)
    closing = _Closing(graph)
    for n in reachable(graph, roots):  # operands first: nothing recurses, however deep the formula
        try:
            closing.copies[n] = closing.closed(n)
        except (ZeroDivisionError, ValueError):
            closing.copies[n] = n  # a round has no value, which a run over the rounds finds only where it is needed
    return [closing.copies[n] for n in roots]


class _Closing(Rebuilding):
    def __init__(self, graph: Graph) -> None:
        super().__init__(graph, graph)
        self.copies: dict[NodeId, NodeId] = {}

    def closed(self, node: NodeId) -> NodeId:
        """What stands for a node: the node itself where nothing in it has a closed form."""
        graph = self.target
        result: NodeId | None = None
        match graph.nodes[node]:
            case Compare("==" | "!=" as operator, left, right):
                result = compared_power(graph, operator, left, right)
            case Reduce("sum", index, low, high, body):
                ends_and_body = [self.apply(n) for n in (low, high, body)]
                result = closed_sum(graph, index, *ends_and_body)
                if result is not None:
                    result = unless_cancelled(graph, ends_and_body[2], result, occupied(graph, *ends_and_body[:2]))
                    result = None if index in graph.free[result] else result  # a divisor moves with the rounds
            case _:
                pass
        if result is not None:
            return result
        changed = any(self.copies[n] != n for n in operands(graph.nodes[node]))
        return self.rebuilt(node) if changed else node

    def apply(self, node: NodeId) -> NodeId:
        return self.copies[node]

    def variable(self, index: NodeId) -> NodeId:
        return index

    def bound(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        return index

    def reduced(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        return reduce_over(self.target, kind, index, low, high, body)


def closed_sum(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId | None:
    """The sum of a body over index = low..high with fewer rounds to run over; None where it stays as it is."""
    powers = geometric_sum(graph, index, low, high, body)
    if powers is not None and not is_loop(graph, powers):
        return powers
    bend = bend_on(graph, index, body)
    if bend is None:
        return powers if powers is not None else _termwise(graph, index, low, high, body)

    def summed(index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        closed = closed_sum(graph, index, low, high, body)
        return reduce_over(graph, "sum", index, low, high, body) if closed is None else closed

    parts = in_pieces(graph, index, body, bend, halves(graph, index, low, high, bend), summed)
    return powers if parts is None else graph.plus(*parts)


def _termwise(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId | None:
    """The sum of a body of products multiplied out, of which each term may have a closed form; None unless all have."""
    outside, inside = factored(graph, index, body)
    expanded = expand_moving(graph, inside, index)
    if expanded == inside:
        return None
    total = sum_over(graph, index, low, high, expanded)
    return None if is_loop(graph, total) else graph.times(outside, total)
