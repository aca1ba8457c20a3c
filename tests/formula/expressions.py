"""Random formulas with values for them. Every value is exact, whole parameters are small, so loops are short.

Operands of functions that have no exact value (logarithms, roots) stay outside floor, modulus and comparisons: there a
last digit would decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from apet.formula.algebra.reduction import reduce_over
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Interference, Load, NodeId, Peak
from apet.ground.interval import Number

PARAMETERS = ("n", "m", "P")
QUANTITIES = ("t_send", "t_mpy_double", "share")
Draw = Callable[[st.SearchStrategy[Any]], Any]


def quantity(name: str, subscripts: Iterable[Any], arguments: Iterable[Any]) -> int:
    """A value for every machine quantity, 0..6, different for most subscripts."""
    total = QUANTITIES.index(name) if name in QUANTITIES else len(name)
    for weight, value in enumerate((*subscripts, *arguments), start=2):
        total += weight * int(value)
    return total % 7


@dataclass(frozen=True)
class Environment:
    """Parameters from a mapping, quantities from `quantity`."""

    values: Mapping[str, Number]

    def symbol(self, name: str) -> Number:
        return self.values[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        return quantity(name, subscripts, arguments)


@dataclass
class Case:
    """A formula and values for its parameters."""

    graph: Graph
    node: NodeId
    values: dict[str, Number] = field(default_factory=dict)

    def evaluated(self) -> Number:
        """The exact value."""
        return Plan(self.graph, [self.node]).run(Environment(self.values))[0]

    def __repr__(self) -> str:
        from apet.formula.show.text import text

        return f"{text(self.graph, self.node)} at {self.values}"


def new_graph() -> Graph:
    """A graph whose parameters n, m, P are whole; P is at least 1."""
    graph = Graph()
    graph.integers.update(PARAMETERS)
    graph.assume("P", 1)
    return graph


@st.composite
def cases(draw: Draw, families: bool = True, inexact: bool = False, depth: int = 4) -> Case:
    """A formula with values."""
    graph = new_graph()
    grower = _Grower(graph, draw, families)
    node = grower.grow(depth, ())
    if inexact:
        function = draw(st.sampled_from(["sqrt", "log", "log2"]))
        node = graph.plus(node, graph.call(function, [graph.shift(grower.grow(2, (), safe=True), 1)]))
    return Case(graph, node, {name: draw(st.integers(1 if name == "P" else 0, 4)) for name in PARAMETERS})


class _Grower:
    def __init__(self, graph: Graph, draw: Draw, families: bool) -> None:
        self.graph = graph
        self.draw = draw
        self.families = families

    def grow(self, depth: int, bound: tuple[NodeId, ...], safe: bool = False) -> NodeId:
        """A node that is never negative if `safe`."""
        kinds = ["leaf"]
        if depth > 0:
            kinds += ["sum", "sum", "product", "extreme", "floor", "mod", "compare", "item", "over", "reduce", "reduce"]
            if not safe:
                kinds += ["minus", "abs"]
            if self.families and depth > 1:
                kinds += ["family"]
        return getattr(self, "_" + self.draw(st.sampled_from(kinds)))(depth - 1, bound, safe)  # type: ignore[no-any-return]

    def _leaf(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        graph = self.graph
        if bound and self.draw(st.booleans()):
            return self.draw(st.sampled_from(bound))  # type: ignore[no-any-return]
        if self.draw(st.booleans()):
            return graph.symbol(self.draw(st.sampled_from(PARAMETERS)))
        low = 0 if safe else -3
        return graph.const(Fraction(self.draw(st.integers(low, 5)), self.draw(st.sampled_from([1, 1, 2, 3]))))

    def _whole(self, bound: tuple[NodeId, ...]) -> NodeId:
        """A whole number: a parameter, a bound variable or a constant."""
        found = [self.graph.symbol(p) for p in PARAMETERS] + [self.graph.const(k) for k in (0, 1, 2)] + [*bound]
        return self.draw(st.sampled_from(found))  # type: ignore[no-any-return]

    def _sum(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        count = self.draw(st.integers(2, 3))
        factor = st.sampled_from([1, 2, Fraction(1, 2), 3] if safe else [1, 2, Fraction(1, 3), -1])
        return self.graph.add([(self.grow(depth, bound, safe), self.draw(factor)) for _ in range(count)])

    def _product(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        return self.graph.times(self.grow(depth, bound, safe), self.grow(depth, bound, safe))

    def _over(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        return self.graph.over(self.grow(depth, bound, safe), self.graph.symbol("P"))

    def _minus(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        return self.graph.minus(self.grow(depth, bound), self.grow(depth, bound))

    def _abs(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        return self.graph.call("abs", [self.grow(depth, bound)])

    def _extreme(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        found = [self.grow(depth, bound, safe) for _ in range(self.draw(st.integers(2, 3)))]
        return self.graph.maximum(found) if self.draw(st.booleans()) else self.graph.minimum(found)

    def _floor(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        return self.graph.call(self.draw(st.sampled_from(["floor", "ceil"])), [self.grow(depth, bound, safe)])

    def _mod(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        return self.graph.call("mod", [self.grow(depth, bound, safe), self.graph.symbol("P")])

    def _compare(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        operator = self.draw(st.sampled_from(["<=", "<", "==", "!=", ">", ">="]))
        return self.graph.compare(operator, self.grow(depth, bound), self.grow(depth, bound))

    def _item(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        name = self.draw(st.sampled_from(QUANTITIES))
        subscripts = [self._whole(bound) for _ in range(self.draw(st.integers(0, 2)))]
        return self.graph.item(name, subscripts, [self._whole(bound)] if self.draw(st.booleans()) else [])

    def _range(self, bound: tuple[NodeId, ...]) -> tuple[NodeId, NodeId, NodeId]:
        low, high = self.graph.const(self.draw(st.integers(0, 2))), self._whole(bound)
        return self.graph.index(self.draw(st.sampled_from(["i", "j"])), low, high), low, high

    def _reduce(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        index, low, high = self._range(bound)
        body = self.grow(depth, (*bound, index), safe=True)
        kind = self.draw(st.sampled_from(["sum", "max", "max", "min"]))
        if kind == "min":  # infinite over an empty range, which no arithmetic needs to stand
            high = self.graph.maximum([low, high])
            again = self.graph.index_like(index, low, high)
            from apet.formula.algebra.reduction import substitute

            body, index = substitute(self.graph, body, {index: again}), again
        return reduce_over(self.graph, kind, index, low, high, body)

    def _loads(self, depth: int, bound: tuple[NodeId, ...]) -> tuple[Load, ...]:
        found = []
        for _ in range(self.draw(st.integers(1, 2))):
            binders, inner = [], bound
            for _ in range(self.draw(st.integers(0, 2))):
                binders.append(Binder(*self._range(inner)))
                inner = (*inner, binders[-1].index)
            load, head, tail = (self.grow(min(depth, 1), inner, safe=True) for _ in range(3))
            found.append(Load(tuple(binders), (self._whole(inner),), load, head, tail, self.draw(st.booleans())))
        return tuple(found)

    def _family(self, depth: int, bound: tuple[NodeId, ...], safe: bool) -> NodeId:
        graph = self.graph
        member = graph.index("q", graph.zero, graph.symbol("P"))
        servers = graph.shift(graph.item("share", [member]), 1)
        loads = self._loads(depth, bound)
        if safe or self.draw(st.booleans()):
            return graph.intern(Peak(loads, (member,), servers))
        return graph.intern(Interference(loads, (*loads, *self._loads(depth, bound)), (member,), servers))
