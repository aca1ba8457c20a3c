"""Which loop of a formula each node belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from apet.formula.graph.nodes import Index, Load, Node, NodeId, bound_by, operands


class Numbered(Protocol):
    """A graph, or a part of one under other numbers."""

    @property
    def nodes(self) -> Sequence[Node]:
        """The nodes by number, operands first."""
        ...

    @property
    def free(self) -> Sequence[frozenset[NodeId]]:
        """The bound variables that each depends on from outside."""
        ...


class Scopes:
    """Which nodes to compute inside which loop: those that depend on its bound variable, but on no deeper one."""

    def __init__(self, graph: Numbered) -> None:
        self.graph = graph

    def order(self, roots: Iterable[NodeId], bound: Iterable[NodeId]) -> list[NodeId]:
        """The nodes to compute, operands first: those that depend on one of the bound variables (on none, if there are
        none), but on no deeper one."""
        indices = frozenset(bound)
        free, nodes = self.graph.free, self.graph.nodes
        reached, deeper = set[NodeId](), set[NodeId]()
        stack = list(roots)
        while stack:
            node = stack.pop()
            if node in reached or (indices and not (free[node] & indices)):
                continue
            reached.add(node)
            deeper.update(bound_by(nodes[node]))
            stack += operands(nodes[node])

        inner = deeper - indices
        return sorted(n for n in reached if type(nodes[n]) is not Index and not (free[n] & inner))

    def free_of_load(self, load: Load) -> frozenset[NodeId]:
        """The bound variables of outer loops that a load depends on."""
        free = self.graph.free
        inner = free[load.load] | free[load.head] | free[load.tail]
        for subscript in load.subscripts:
            inner |= free[subscript]
        for binder in reversed(load.binders):
            inner = (inner - {binder.index}) | free[binder.low] | free[binder.high]
        return inner
