"""Which loop of a formula each node belongs to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from apet.formula.graph.nodes import Index, Load, Node, NodeId, bound_by, bound_operands, operands, operands_of_load


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
        return self.level(roots, bound)[0]

    def level(self, roots: Iterable[NodeId], bound: Iterable[NodeId]) -> tuple[list[NodeId], Collection[NodeId]]:
        """The nodes to compute, as `order` gives them, and those of them in which a variable is bound that is bound
        around them already."""
        roots, indices = tuple(roots), frozenset(bound)
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

        again = deeper & indices.union(*(free[r] for r in roots))
        here = self._on_this_level(roots, indices) if again else {n for n in reached if not free[n] & deeper}
        order = sorted(n for n in here if type(nodes[n]) is not Index)
        return order, {n for n in order if again & self._bound_inside(n)} if again else ()

    def _on_this_level(self, roots: Iterable[NodeId], indices: frozenset[NodeId]) -> set[NodeId]:
        """The same where a deeper loop binds a variable that is bound around it, too: a node that depends on it may be
        needed on both levels."""
        free, nodes = self.graph.free, self.graph.nodes
        here, seen = set[NodeId](), set[tuple[NodeId, frozenset[NodeId]]]()
        stack = [(root, frozenset[NodeId]()) for root in roots]

        while stack:
            node, crossed = visit = stack.pop()
            if visit in seen or not (free[node] & indices or crossed):
                continue
            seen.add(visit)

            if not free[node] & crossed:
                crossed = frozenset()
                if not free[node] & indices:
                    continue
                here.add(node)
            stack += [(operand, crossed.union(bound)) for operand, bound in bound_operands(nodes[node])]
        return here

    def _bound_inside(self, node: NodeId) -> set[NodeId]:
        """All variables that a node which binds any, or anything in it, binds."""
        nodes, variables, seen = self.graph.nodes, set[NodeId](), set[NodeId]()
        stack = [node] if bound_by(nodes[node]) else []
        while stack:
            one = stack.pop()
            if one not in seen:
                seen.add(one)
                variables.update(bound_by(nodes[one]))
                stack += operands(nodes[one])
        return variables

    def free_of_load(self, load: Load) -> frozenset[NodeId]:
        """The bound variables of outer loops that a load depends on."""
        return frozenset[NodeId]().union(*(self.graph.free[n].difference(b) for n, b in operands_of_load(load)))
