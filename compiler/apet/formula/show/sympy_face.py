"""Formulas as sympy expressions. Only this file and its objects know sympy.

Symbols are non-negative unless something else is assumed of them. Machine quantities are `Quantity` objects, printed
`t_op[p](8)`; sums are `sympy.Sum`, comparisons `Iverson`, indexed maxima `IndexedMax`, resource families `PeakLoad` and
`OtherLoad`. All of these but quantities compute with numbers after `expression.subs({...}).doit()`. The keys of `subs`
are the expression's own `free_symbols`, which carry assumptions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.formula.show.bound_names import bound_names
from apet.formula.show.sympy_objects import IndexedMax, IndexedMin, Iverson, OtherLoad, PeakLoad, Quantity, as_number


def to_sympy(graph: Graph, node: NodeId) -> sympy.Expr:
    """A node as a sympy expression; exact, and built without simplification where sympy would take exponential time."""
    return SympyBuilder(graph, node).build()


class SympyBuilder:
    """Builds the expression of a node; the methods `quantity`, `holds`, `extreme_over`, `family` are its objects."""

    def __init__(self, graph: Graph, root: NodeId) -> None:
        self.graph = graph
        self.root = root
        self.expressions: dict[NodeId, Any] = {}
        self.names: dict[NodeId, str] = {}

    def build(self) -> sympy.Expr:
        order = self.graph.below(self.root)
        self.names = bound_names(self.graph, order, kinds.parameter_names(self.graph.nodes[n] for n in order))
        for node in order:  # operands first: nothing recurses, however deep the formula
            self.expressions[node] = self._node(node)
        return self.expressions[self.root]

    def quantity(self, name: str, subscripts: list[Any], arguments: list[Any]) -> Any:
        """A quantity of the machine."""
        return Quantity(name, subscripts, arguments)

    def holds(self, operator: str, left: Any, right: Any) -> Any:
        """1 where the comparison holds, else 0."""
        return Iverson(operator, left, right)

    def extreme_over(self, node: NodeId, kind: str, body: Any, limits: tuple[Any, ...]) -> Any:
        """The greatest or least body over the limits (index, low, high)."""
        return (IndexedMax if kind == "max" else IndexedMin)(body, limits)

    def family(self, node: NodeId, family: Any) -> Any:
        """The load of a resource family, made as its object."""
        return family

    def _all(self, nodes: Any) -> list[Any]:
        return [self.expressions[n] for n in nodes]

    def _node(self, node: NodeId) -> Any:
        match self.graph.nodes[node]:
            case kinds.Const(value):
                return as_number(value)
            case kinds.Symbol(name):
                return self._symbol(name)
            case kinds.Index():
                return self._index(node)
            case kinds.Item(name, subscripts, arguments):
                return self.quantity(name, self._all(subscripts), self._all(arguments))

            case kinds.Add(constant, terms):
                return sympy.Add(as_number(constant), *(as_number(c) * self.expressions[n] for n, c in terms))
            case kinds.Mul(factors):
                return sympy.Mul(*(self.expressions[n] ** e for n, e in factors))
            case kinds.Extreme(kind, inner):
                return (sympy.Max if kind == "max" else sympy.Min)(*self._all(inner), evaluate=False)
            case kinds.Call(function, inner):
                return _FUNCTIONS[function](*self._all(inner))
            case kinds.Compare(operator, left, right):
                return self.holds(operator, self.expressions[left], self.expressions[right])

            case kinds.Reduce(kind, index, low, high, body):
                return self._reduce(node, kind, index, low, high, body)
            case kinds.Peak(loads, members, servers):
                among = sympy.Tuple(*self._all(members))
                return self.family(node, PeakLoad(self._loads(loads), among, self.expressions[servers]))
            case kinds.Interference(own, total, members, servers):
                among = sympy.Tuple(*self._all(members))
                loads_of_both = self._loads(own), self._loads(total)
                return self.family(node, OtherLoad(*loads_of_both, among, self.expressions[servers]))

    def _symbol(self, name: str) -> Any:
        low, high = self.graph.assumed.get(name, (0, None))
        assumed: dict[str, bool] = {"integer": True} if name in self.graph.integers else {"real": True}
        if low > 0:
            assumed["positive"] = True
        elif low == 0:
            assumed["nonnegative"] = True
        elif high is not None and high < 0:
            assumed["negative"] = True
        return sympy.Symbol(name, **assumed)

    def _index(self, node: NodeId) -> Any:
        low = self.graph.facts.ranges.lower(node)
        sign = {} if low is None or low < 0 else {"positive": True} if low > 0 else {"nonnegative": True}
        return sympy.Symbol(self.names[node], integer=True, **sign)

    def _reduce(self, node: NodeId, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> Any:
        inner, limits = self.expressions[body], tuple(self._all((index, low, high)))
        if kind != "sum":
            return self.extreme_over(node, kind, inner, limits)
        first, last = limits[1] if self._is_whole(low) else sympy.ceiling(limits[1]), limits[2]
        if not self._is_whole(high):
            last = sympy.floor(last)
        total = sympy.Sum(inner, (limits[0], first, last))
        # sympy's sums over ranges that end before they begin are negative (Karr's convention); ours are 0.
        if self.graph.nonnegative(self.graph.shift(self.graph.minus(high, low), 1)):
            return total
        return self.holds("<=", first, last) * total

    def _is_whole(self, node: NodeId) -> bool:
        """Whether an end of a range is whole where parameters are."""
        graph = self.graph
        match graph.nodes[node]:
            case kinds.Symbol() | kinds.Index():
                return True
            case kinds.Add(constant, terms):
                return isinstance(constant, int) and all(isinstance(c, int) and self._is_whole(n) for n, c in terms)
            case kinds.Mul(factors):
                return all(e > 0 and self._is_whole(n) for n, e in factors)
            case kinds.Extreme(_, inner):
                return all(self._is_whole(n) for n in inner)
            case _:
                return graph.integral[node]

    def _loads(self, loads: tuple[kinds.Load, ...]) -> Any:
        return sympy.Tuple(*(self._load(load) for load in loads))

    def _load(self, load: kinds.Load) -> Any:
        binders = sympy.Tuple(*(sympy.Tuple(*self._all(binder)) for binder in load.binders))
        parts = self._all((load.load, load.head, load.tail))
        return sympy.Tuple(binders, sympy.Tuple(*self._all(load.subscripts)), *parts, sympy.Integer(int(load.certain)))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "floor": sympy.floor,
    "ceil": sympy.ceiling,
    "abs": sympy.Abs,
    "sqrt": sympy.sqrt,
    "log": sympy.log,
    "log2": lambda x: sympy.log(x, 2),
    "mod": sympy.Mod,
    "pow": sympy.Pow,
}
