"""Other forms of sums, which are only looked at: made in a store of their own, so that reading never writes."""

from __future__ import annotations

from apet.formula.algebra.polynomial import expand
from apet.formula.graph.nodes import Add, Const, Mul, NodeId, Rational
from apet.formula.graph.store import Store

Factors = tuple[tuple[NodeId, int], ...]
Monomials = tuple[Rational, list[tuple[Factors, Rational]]]
"""A constant, and products of nodes with their coefficients."""


class Scratch:
    """Sums and products of a graph's nodes; whatever else they are made of is a symbol in it.

    With the nodes 3 = x and 5 = floor(x), the sum 2 x (x + floor(x)) becomes 2 `3` (`3` + `5`).
    """

    def __init__(self, graph: Store) -> None:
        self.graph = graph
        self.store = Store()
        self._opened: dict[NodeId, NodeId] = {}
        self._origins: dict[NodeId, NodeId] = {}

    def opened(self, node: NodeId) -> NodeId:
        """The node of the scratch for a node of the graph."""
        opened = self._opened.get(node)
        if opened is None:
            opened = self._opened[node] = self._open(node)
            self._origins.setdefault(opened, node)
        return opened

    def _open(self, node: NodeId) -> NodeId:
        store = self.store
        match self.graph.nodes[node]:
            case Const(value):
                return store.const(value)
            case Add(constant, terms):
                return store.add([(self.opened(n), c) for n, c in terms], constant)
            case Mul(factors):
                return store.times(*(store.power(self.opened(n) if e > 0 else self._atom(n), e) for n, e in factors))
            case _:
                return self._atom(node)

    def _atom(self, node: NodeId) -> NodeId:
        atom = self.store.symbol(str(node))
        self._origins[atom] = node
        return atom

    def expanded(self, node: NodeId) -> Monomials | None:
        """A sum of the graph with products of sums multiplied out."""
        constant, terms = self.graph.terms(node)
        powers = [(self.graph.factors(n), c) for n, c in terms]
        if any(e > 0 and type(self.graph.nodes[n]) is Add for factors, _ in powers for n, e in factors):
            return self.monomials(expand(self.store, self.opened(node)))
        return constant, powers

    def monomials(self, node: NodeId) -> Monomials | None:
        """A sum of the scratch by products of nodes of the graph; None if one of the factors is none."""
        constant, terms = self.store.terms(node)
        powers = [(self.store.factors(n), c) for n, c in terms]
        if not all(n in self._origins for factors, _ in powers for n, _ in factors):
            return None
        return constant, [(tuple(sorted((self._origins[n], e) for n, e in factors)), c) for factors, c in powers]
