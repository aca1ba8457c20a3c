"""Heads and tails in a sequence: how long before the first and after the last use of each resource."""

from __future__ import annotations

from collections.abc import Iterable

from apet.analysis.cost import Cost
from apet.analysis.loads import Members, raised
from apet.formula.graph import Graph
from apet.formula.nodes import NodeId, Rational


def placed(graph: Graph, members: Members, parts: list[Cost]) -> Iterable[Cost]:
    """The parts of a sequence with their heads and tails counted from the sequence's ends."""
    height = max(graph.height[p.lower] for p in parts)
    parts = [_raised(graph, members, part, height) for part in parts]
    heads = _offsets(graph, parts, "head")
    tails = reversed(_offsets(graph, list(reversed(parts)), "tail"))
    for part, head, tail in zip(parts, heads, tails, strict=True):
        demands = {
            f: [d._replace(head=h, tail=t) for d, h, t in zip(found, head[f], tail[f], strict=True)]
            for f, found in part.demands.items()
        }
        yield part._replace(demands=demands)


def _raised(graph: Graph, members: Members, part: Cost, height: int) -> Cost:
    if not any(d.binders for found in part.demands.values() for d in found):
        return part
    demands = {f: [raised(graph, members, f, d, height) for d in found] for f, found in part.demands.items()}
    return part._replace(demands=demands)


def _offsets(graph: Graph, parts: list[Cost], end: str) -> list[dict[str, list[NodeId]]]:
    """Per part and demand, the least time from the sequence's start (or end) to its first (or last) use.

    A use after one on the same members that happens under the same condition cannot be the first; it gets the first
    one's time, so that a long sequence costs no more than its length.
    """
    running, first, found = _RunningSum(graph), dict[tuple[object, ...], NodeId](), []
    for part in parts:
        row: dict[str, list[NodeId]] = {}
        for family, demands in part.demands.items():
            row[family] = []
            for demand in demands:
                key = (family, demand.binders, demand.subscripts, demand.guard)
                node = first.get(key)
                if node is None:
                    node = graph.plus(running.node(), demand.head if end == "head" else demand.tail)
                    if demand.guard != graph.zero:
                        first[key] = node
                row[family].append(node)
        running.add(part.lower)
        found.append(row)
    return found


class _RunningSum:
    """A sum that grows term by term and becomes a node only when asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._terms: dict[NodeId, Rational] = {}
        self._constant: Rational = 0

    def add(self, node: NodeId) -> None:
        """One more addend."""
        constant, terms = self.graph.terms(node)
        self._constant += constant
        for atom, coefficient in terms:
            self._terms[atom] = self._terms.get(atom, 0) + coefficient

    def node(self) -> NodeId:
        """The sum so far."""
        return self.graph.add(self._terms.items(), self._constant)
