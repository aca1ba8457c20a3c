"""The graph of formulas: a store of nodes whose maxima, calls and comparisons are simplified by what is proved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apet.formula.graph.dominance import extreme
from apet.formula.graph.facts import Facts
from apet.formula.graph.functions import fold, fold_comparison
from apet.formula.graph.nodes import NodeId, Rational
from apet.formula.graph.store import FARTHEST, Store

__all__ = ["FARTHEST", "Graph"]


class Graph(Store):
    """Nodes in normal form, and the `facts` that are proved of them."""

    def __init__(self) -> None:
        super().__init__()
        self.facts = Facts(self)
        self._compared: dict[tuple[str, NodeId, NodeId], NodeId] = {}

    def assume(self, name: str, low: Rational | None, high: Rational | None = None) -> None:
        """Promise that a symbol lies in [low, high]; None for no bound. Must come before the symbol is used."""
        super().assume(name, low, high)
        self.facts = Facts(self)
        self._compared.clear()

    def maximum(self, nodes: Iterable[NodeId]) -> NodeId:
        """The greatest of the nodes; what is dominated for all values that symbols may take is left out."""
        return extreme(self.facts, "max", nodes)

    def minimum(self, nodes: Iterable[NodeId]) -> NodeId:
        """The least of the nodes."""
        return extreme(self.facts, "min", nodes)

    def call(self, function: str, arguments: Sequence[NodeId]) -> NodeId:
        """A function of nodes, folded where they are constant and the result is exact."""
        return fold(self.facts, function, tuple(arguments))

    def compare(self, operator: str, left: NodeId, right: NodeId) -> NodeId:
        """1 where the comparison holds, else 0."""
        key = (operator, left, right)
        result = self._compared.get(key)
        if result is None:
            result = self._compared[key] = fold_comparison(self.facts, operator, left, right)
        return result

    def nonnegative(self, node: NodeId) -> bool:
        """Whether a node is proved to be >= 0 for all values that its symbols may take."""
        return self.facts.nonnegative(node)

    def at_most(self, left: NodeId, right: NodeId) -> bool:
        """Whether left <= right is proved."""
        return self.facts.at_most(left, right)
