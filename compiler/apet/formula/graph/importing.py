"""Formulas of one graph in another, so that two compiled applications can be put into one expression.

Symbols and machine quantities of one name are the same thing in both. A bound variable becomes the variable of that
name, range and place among its likes in the target; so the same formula, imported, is the same node.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    operands,
)

Likes = tuple[str, NodeId, NodeId, int]


def imported(target: Graph, source: Graph, node: NodeId) -> NodeId:
    """The node of `target` with the value of a node of `source`, wherever what both graphs assume of symbols holds.

    What the source assumes of a symbol is taken over where the target does not know the symbol yet.
    """
    if target is source:
        return node
    return _Import(target, source).apply(node)


def _reachable(graph: Graph, node: NodeId) -> list[NodeId]:
    """A node and all that it is made of, operands and ranges of bound variables first."""
    seen, stack = set[NodeId](), [node]
    while stack:
        n = stack.pop()
        if n not in seen:
            seen.add(n)
            stack += (*operands(graph.nodes[n]), *graph.ranges.get(n, ()))
    return sorted(seen)


class _Import:
    def __init__(self, target: Graph, source: Graph) -> None:
        self.target = target
        self.source = source
        self.known = {n.name for n in target.nodes if isinstance(n, Symbol)}
        self.done: dict[NodeId, NodeId] = {}
        self.places = _places(source)
        self.variables: dict[Likes, list[NodeId]] = {}
        for index in target.ranges:
            self.variables.setdefault(_likes(target, index), []).append(index)

    def apply(self, node: NodeId) -> NodeId:
        order = _reachable(self.source, node)
        for n in order:  # before anything is proved of the target: assumptions clear what it has proved
            found = self.source.nodes[n]
            if isinstance(found, Symbol):
                self._assume(found.name)
        for n in order:
            self.done[n] = self._rebuilt(n)
        return self.done[node]

    def _assume(self, name: str) -> None:
        if name in self.known:
            return
        if name in self.source.assumed and name not in self.target.assumed:
            self.target.assume(name, *self.source.assumed[name])
        for mine, theirs in (
            (self.target.integers, self.source.integers),
            (self.target.distinct, self.source.distinct),
        ):
            mine.update({name} & theirs)

    def _all(self, nodes: Iterable[NodeId]) -> tuple[NodeId, ...]:
        return tuple(self.done[n] for n in nodes)

    def _rebuilt(self, node: NodeId) -> NodeId:
        g, done = self.target, self.done
        match self.source.nodes[node]:
            case Const(value):
                return g.const(value)
            case Symbol(name):
                return g.symbol(name)
            case Index(name, _):
                return self._index(node, name)
            case Item(name, subscripts, arguments):
                return g.item(name, self._all(subscripts), self._all(arguments))
            case Add(constant, terms):
                return g.add([(done[n], c) for n, c in terms], constant)
            case Mul(factors):
                return g.times(*(g.power(done[n], e) for n, e in factors))
            case Extreme(kind, found):
                return (g.maximum if kind == "max" else g.minimum)(self._all(found))
            case Call(function, found):
                return g.call(function, self._all(found))
            case Compare(operator, left, right):
                return g.compare(operator, done[left], done[right])
            case Reduce(kind, index, low, high, body):
                return g.intern(Reduce(kind, done[index], done[low], done[high], done[body]))
            case Peak(loads, members, servers):
                return g.intern(Peak(self._loads(loads), self._all(members), done[servers]))
            case Interference(own, total, members, servers):
                return g.intern(Interference(self._loads(own), self._loads(total), self._all(members), done[servers]))

    def _index(self, node: NodeId, name: str) -> NodeId:
        """The bound variable of the target with this one's place among those of its name, range and height.

        Missing ones are made up to that place: then two variables of the source never become one.
        """
        low, high = self._all(self.source.ranges[node])
        likes: Likes = (name, low, high, self.source.height[node])
        found = self.variables.setdefault(likes, [])
        while len(found) <= self.places[node]:
            found.append(self.target.member(*likes))
        return found[self.places[node]]

    def _loads(self, loads: tuple[Load, ...]) -> tuple[Load, ...]:
        done, found = self.done, []
        for load in loads:
            binders = tuple(Binder(done[b.index], done[b.low], done[b.high]) for b in load.binders)
            ends = (done[load.load], done[load.head], done[load.tail])
            found.append(Load(binders, self._all(load.subscripts), *ends, load.certain))
        return tuple(found)


def _likes(graph: Graph, index: NodeId) -> Likes:
    found = graph.nodes[index]
    assert isinstance(found, Index)
    return (found.name, *graph.ranges[index], graph.height[index])


def _places(graph: Graph) -> dict[NodeId, int]:
    """The place of each bound variable among those of its name, range and height, in the order of making."""
    counts: dict[Likes, int] = {}
    places: dict[NodeId, int] = {}
    for index in graph.ranges:
        likes = _likes(graph, index)
        places[index] = counts.get(likes, 0)
        counts[likes] = places[index] + 1
    return places
