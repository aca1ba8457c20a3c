"""Heads and tails in a sequence: how long before the first and after the last use of each resource."""

from __future__ import annotations

from collections.abc import Iterable

from apet.cost.cost import Cost
from apet.cost.loads import Demand, Demands, Members, added, raised
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational


def placed(graph: Graph, members: Members, parts: list[Cost]) -> Iterable[Demands]:
    """The demands of the parts of a sequence with their heads and tails counted from the sequence's ends."""
    height = max(graph.height[p.lower] for p in parts)
    demands_of = [raised_demands(graph, members, part.demands, height) for part in parts]
    spent = [part.lower for part in parts]
    heads = _offsets(graph, demands_of, spent, "head")
    tails = reversed(_offsets(graph, demands_of[::-1], spent[::-1], "tail"))
    for demands, head, tail in zip(demands_of, heads, tails, strict=True):
        if demands:
            offset = iter(zip(head, tail, strict=True))
            yield {f: [_at(d, *next(offset)) for d in family] for f, family in demands.items()}


def _at(demand: Demand, head: NodeId, tail: NodeId) -> Demand:
    return demand if demand.head == head and demand.tail == tail else demand._replace(head=head, tail=tail)


def raised_demands(graph: Graph, members: Members, demands: Demands, height: int) -> Demands:
    """The demands with binders that no formula of this height binds."""
    if not any(d.binders for family in demands.values() for d in family):
        return demands
    return {f: [raised(graph, members, f, d, height) for d in family] for f, family in demands.items()}


def _offsets(graph: Graph, parts: list[Demands], spent: list[NodeId], end: str) -> list[list[NodeId]]:
    """Per part and demand, the least time from the sequence's start (or end) to its first (or last) use.

    A use after one on the same members that happens under the same condition cannot be the first; it gets the first
    one's time, so that a long sequence costs no more than its length.
    """
    running, first, rows = _RunningSum(graph), dict[tuple[object, ...], NodeId](), []
    for part, time in zip(parts, spent, strict=True):
        row: list[NodeId] = []
        here = dict[tuple[object, ...], NodeId]()  # uses side by side within a part do not precede each other
        for family, demands in part.items():
            for demand in demands:
                key = (family, demand.binders, demand.subscripts, demand.guard)
                node = first.get(key)
                if node is None:
                    node = added(graph, (running.node(), demand.head if end == "head" else demand.tail))
                    if demand.guard != graph.zero:
                        here[key] = node
                row.append(node)
        first.update(here)
        running.add(time)
        rows.append(row)

    return rows


class _RunningSum:
    """A sum that grows term by term and becomes a node only when asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._waiting: list[NodeId] = []
        self._terms: dict[NodeId, Rational] = {}
        self._constant: Rational = 0
        self.add = self._waiting.append

    def node(self) -> NodeId:
        """The sum of what was added so far."""
        for node in self._waiting:
            constant, terms = self.graph.terms(node)
            self._constant += constant
            for atom, coefficient in terms:
                self._terms[atom] = self._terms.get(atom, 0) + coefficient
        self._waiting.clear()
        return self.graph.add(self._terms.items(), self._constant)
