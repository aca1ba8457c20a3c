"""Nodes built anew from operands that were built before: in another graph, or with other nodes in their places."""

from __future__ import annotations

from abc import ABC, abstractmethod
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
)


class Rebuilding(ABC):
    """One rebuilding of nodes of `source` in `target`, where they are simplified again."""

    def __init__(self, source: Graph, target: Graph) -> None:
        self.source = source
        self.target = target

    @abstractmethod
    def apply(self, node: NodeId) -> NodeId:
        """The node of the target that stands for a node of the source."""

    @abstractmethod
    def variable(self, index: NodeId) -> NodeId:
        """The variable of the target that stands for a bound variable."""

    @abstractmethod
    def bound(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        """The variable of the target where it is bound, to a range in the target; what it binds is rebuilt after."""

    @abstractmethod
    def reduced(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        """A loop of the target over a rebuilt body; its variable is in the target."""

    def rebuilt(self, node: NodeId) -> NodeId:
        """The node of the target made of the operands that stand for the node's operands."""
        g, apply = self.target, self.apply

        match self.source.nodes[node]:
            case Const(value):
                return g.const(value)
            case Symbol(name):
                return g.symbol(name)
            case Index():
                return self.variable(node)
            case Item(name, subscripts, arguments):
                return g.item(name, map(apply, subscripts), map(apply, arguments))
            case Add(constant, terms):
                return g.add([(apply(n), c) for n, c in terms], constant)
            case Mul(factors):
                return self._product(factors)
            case Extreme(kind, operands):
                return (g.maximum if kind == "max" else g.minimum)([apply(n) for n in operands])
            case Call(function, operands):
                return g.call(function, [apply(n) for n in operands])
            case Compare(operator, left, right):
                return g.compare(operator, apply(left), apply(right))
            case Reduce(kind, index, low, high, body):
                return self._reduced(kind, Binder(index, low, high), body)
            case Peak(loads, members, servers):
                return g.intern(Peak(self._loads(loads), self._variables(members), apply(servers)))
            case Interference(own, total, members, servers):
                parts = self._loads(own), self._loads(total)
                return g.intern(Interference(*parts, self._variables(members), apply(servers)))

    def _reduced(self, kind: str, binder: Binder, body: NodeId) -> NodeId:
        """A loop; 0 where its body never has a value, and which may be empty: where it is not, what is required of the
        body does not hold."""
        low, high = self.apply(binder.low), self.apply(binder.high)
        index = self.bound(binder.index, low, high)
        try:
            each = self.apply(body)
        except ZeroDivisionError:
            if kind == "min" or self.target.compare("<=", low, high) == self.target.one:
                raise
            return self.target.zero
        return self.reduced(kind, index, low, high, each)

    def _product(self, factors: Iterable[tuple[NodeId, int]]) -> NodeId:
        """The product of powers; where one is 0 the others are not asked for, which need no value then."""
        g, powers, nodes = self.target, list[NodeId](), self.source.nodes
        for node, exponent in sorted(factors, key=lambda f: (f[1] < 0, type(nodes[f[0]]) is not Compare)):
            base = self.apply(node)
            if base == g.zero and (exponent > 0 or any(type(g.nodes[n]) is Compare for n in powers)):
                return base  # where the comparison is not 0, what is required of the divisor does not hold
            powers.append(g.power(base, exponent))
        return g.times(*powers)

    def _variables(self, indices: Iterable[NodeId]) -> tuple[NodeId, ...]:
        return tuple([self.variable(i) for i in indices])

    def _loads(self, loads: Iterable[Load]) -> tuple[Load, ...]:
        return tuple([rebuilt for load in loads if (rebuilt := self._load(load)) is not None])

    def _load(self, load: Load) -> Load | None:
        """A load; None of one whose member has no value: a condition, by which the load is 0, excludes the use."""
        apply, binders = self.apply, []
        for index, low, high in load.binders:
            ends = apply(low), apply(high)
            binders.append(Binder(self.bound(index, *ends), *ends))
        try:
            subscripts = tuple([apply(s) for s in load.subscripts])
        except (ZeroDivisionError, ValueError):
            if apply(load.load) == self.target.zero:
                return None
            raise
        return Load(tuple(binders), subscripts, apply(load.load), apply(load.head), apply(load.tail), load.certain)
