"""Formulas of one graph in another, so that two compiled applications can be put into one expression.

Symbols and machine quantities of one name are the same thing in both. A bound variable becomes the variable of that
name, range and place among its likes in the target; so the same formula, imported, is the same node.
"""

from __future__ import annotations

from collections.abc import Iterable

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Index, NodeId, Reduce, Symbol, operands
from apet.formula.graph.rebuilding import Rebuilding

Likes = tuple[str, NodeId, NodeId, int]


def imported(target: Graph, source: Graph, node: NodeId) -> NodeId:
    """The node of `target` with the value of a node of `source`, wherever what both graphs assume of symbols holds.

    What the source assumes of a symbol is taken over where the target does not know the symbol yet.
    """
    if target is source:
        return node
    return _Import(target, source).whole(node)


def reachable(graph: Graph, nodes: Iterable[NodeId]) -> list[NodeId]:
    """Some nodes and all that they are made of, operands and ranges of bound variables first."""
    seen, stack = set[NodeId](), list(nodes)
    while stack:
        n = stack.pop()
        if n not in seen:
            seen.add(n)
            stack += (*operands(graph.nodes[n]), *graph.ranges.get(n, ()))
    return sorted(seen)


class _Import(Rebuilding):
    def __init__(self, target: Graph, source: Graph) -> None:
        super().__init__(source, target)
        self.symbol_names = {n.name for n in target.nodes if isinstance(n, Symbol)}
        self.copies: dict[NodeId, NodeId] = {}
        self.places = _places(source)
        self.variables: dict[Likes, list[NodeId]] = {}
        for index in target.ranges:
            self.variables.setdefault(_likes(target, index), []).append(index)

    def whole(self, node: NodeId) -> NodeId:
        """A node and all that it is made of."""
        order = reachable(self.source, [node])
        for n in order:  # before anything is proved of the target: assumptions clear what it has proved
            symbol = self.source.nodes[n]
            if isinstance(symbol, Symbol):
                self._assume(symbol.name)

        for n in order:  # operands first: nothing recurses, however deep the formula
            self.copies[n] = self.rebuilt(n)
        return self.copies[node]

    def _assume(self, name: str) -> None:
        if name in self.symbol_names:
            return
        if name in self.source.assumed and name not in self.target.assumed:
            self.target.assume(name, *self.source.assumed[name])
        for mine, theirs in (
            (self.target.integers, self.source.integers),
            (self.target.distinct, self.source.distinct),
        ):
            mine.update({name} & theirs)

    def apply(self, node: NodeId) -> NodeId:
        return self.copies[node]

    def variable(self, index: NodeId) -> NodeId:
        """The bound variable of the target with this one's place among those of its name, range and height.

        Missing ones are made up to that place: then two variables of the source never become one.
        """
        low, high = (self.copies[n] for n in self.source.ranges[index])
        node = self.source.nodes[index]
        assert isinstance(node, Index)
        likes: Likes = (node.name, low, high, self.source.height[index])

        alike = self.variables.setdefault(likes, [])
        while len(alike) <= self.places[index]:
            alike.append(self.target.member(*likes))
        return alike[self.places[index]]

    def bound(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        return self.copies[index]

    def reduced(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        return self.target.intern(Reduce(kind, index, low, high, body))


def _likes(graph: Graph, index: NodeId) -> Likes:
    variable = graph.nodes[index]
    assert isinstance(variable, Index)
    return (variable.name, *graph.ranges[index], graph.height[index])


def _places(graph: Graph) -> dict[NodeId, int]:
    """The place of each bound variable among those of its name, range and height, in the order of making."""
    counts: dict[Likes, int] = {}
    places: dict[NodeId, int] = {}
    for index in graph.ranges:
        likes = _likes(graph, index)
        places[index] = counts.get(likes, 0)
        counts[likes] = places[index] + 1
    return places
