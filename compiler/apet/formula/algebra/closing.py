"""Loops in closed form for plans that are run with numbers.

Formulas keep sums of powers, which are easier to read, to bound and to differentiate; a plan does not have to run over
their rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.formula.algebra.geometric import compared_power, geometric_sum
from apet.formula.algebra.guards import unless_cancelled
from apet.formula.algebra.ranges import occupied
from apet.formula.algebra.reduction import reduce_over
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
                powers = geometric_sum(graph, index, *ends_and_body)
                if powers is not None:
                    result = unless_cancelled(graph, ends_and_body[2], powers, occupied(graph, *ends_and_body[:2]))
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
