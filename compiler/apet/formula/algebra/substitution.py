"""Replacing bound variables or symbols by other nodes."""

from __future__ import annotations

from collections.abc import Mapping

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import (
    Add,
    Binder,
    Call,
    Compare,
    Const,
    Extreme,
    Index,
    Interference,
    Item,
    Load,
    Mul,
    NodeId,
    Peak,
    Reduce,
    Symbol,
)


def substitute(graph: Graph, node: NodeId, replacement: Mapping[NodeId, NodeId]) -> NodeId:
    """The node with every free occurrence of a key replaced; simplified on the way.

    A key is an index or a symbol, or any other node: that is replaced where it stands as a whole.
    """
    return _Substitution(graph, replacement).apply(node)


class _Substitution:
    def __init__(self, graph: Graph, replacement: Mapping[NodeId, NodeId]) -> None:
        self.graph = graph
        self.done: dict[NodeId, NodeId] = dict(replacement)
        self.keys = frozenset[NodeId]().union(*(graph.free[k] for k in replacement))
        self.everywhere = any(not graph.free[k] for k in replacement)

    def apply(self, node: NodeId) -> NodeId:
        found = self.done.get(node)
        if found is not None:
            return found
        if not self.everywhere and not (self.graph.free[node] & self.keys):
            result = node
        else:
            result = self._rebuilt(node)
        self.done[node] = result
        return result

    def _rebuilt(self, node: NodeId) -> NodeId:
        g, apply = self.graph, self.apply
        match g.nodes[node]:
            case Const() | Symbol() | Index():
                return node
            case Item(name, subscripts, arguments):
                return g.item(name, map(apply, subscripts), map(apply, arguments))
            case Add(constant, terms):
                return g.add([(apply(n), c) for n, c in terms], constant)
            case Mul(factors):
                return g.times(*(g.power(apply(n), e) for n, e in factors))
            case Extreme("max", found):
                return g.maximum([apply(n) for n in found])
            case Extreme(_, found):
                return g.minimum([apply(n) for n in found])
            case Call(function, found):
                return g.call(function, [apply(n) for n in found])
            case Compare(operator, left, right):
                return g.compare(operator, apply(left), apply(right))
            case Reduce(kind, index, low, high, body):
                return self._reduced(kind, index, apply(low), apply(high), body)
            case Peak(loads, members, servers):
                return g.intern(Peak(self._loads(loads), members, apply(servers)))
            case Interference(own, total, members, servers):
                return g.intern(Interference(self._loads(own), self._loads(total), members, apply(servers)))

    def _reduced(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        from apet.formula.algebra.reduction import reduce_over

        fresh = self._fresh(index, low, high)
        return reduce_over(self.graph, kind, fresh, low, high, self.apply(body))

    def _fresh(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        """A bound variable for the new range: facts are proved from the range of a variable, so it gets its own."""
        fresh = self.graph.index_like(index, low, high)
        if fresh == index:
            return index
        self.done[index] = fresh
        self.keys = self.keys | {index}
        return fresh

    def _loads(self, loads: tuple[Load, ...]) -> tuple[Load, ...]:
        return tuple(self._load(load) for load in loads)

    def _load(self, load: Load) -> Load:
        apply, binders = self.apply, []
        for index, low, high in load.binders:
            low_, high_ = apply(low), apply(high)
            binders.append(Binder(self._fresh(index, low_, high_), low_, high_))
        subscripts = tuple(apply(s) for s in load.subscripts)
        return Load(tuple(binders), subscripts, apply(load.load), apply(load.head), apply(load.tail), load.certain)
