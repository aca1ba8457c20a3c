"""Formulas as JSON, and back.

    {"format": 1, "nodes": [...], "root": k, "parameters": ["P", ...], "operations": ["t_send", ...]}

`nodes` are objects in topological order; they refer to earlier ones by position. `kind` says what a node is:

    const        value
    symbol       name, and what is assumed of it, if anything: low, high (null: no bound), whole (true: an integer),
                 distinct (true: no other distinct symbol has its value)
    index        name, low, high                           a bound variable with the nodes of its range
    item         name, subscripts, arguments
    add          constant, terms [[node, coefficient], ...]
    mul          factors [[node, exponent], ...]
    extreme      choose ("max" or "min"), operands
    call         function, operands
    compare      operator ("<=", "<", "==" or "!="), left, right
    reduce       choose ("sum", "max" or "min"), index, low, high, body
    peak         loads, members, servers
    interference own, all, members, servers

A load is {"binders": [[index, low, high], ...], "subscripts", "load", "head", "tail", "certain"}. Numbers are exact:
whole ones up to 2^53 are JSON numbers, larger ones strings of digits, fractions strings "p/q". Nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational, operands, operation_names, parameter_names

FORMAT = 1
SAFE = 2**53


def to_json(graph: Graph, node: NodeId) -> dict[str, Any]:
    """The graph below a node as plain lists, dictionaries, numbers and strings."""
    order = sorted(_with_ranges(graph, node))
    below = [graph.nodes[n] for n in graph.below(node)]
    position = {n: k for k, n in enumerate(order)}
    return {
        "format": FORMAT,
        "nodes": [_JsonWriter(graph, position).node(n) for n in order],
        "root": position[node],
        "parameters": parameter_names(below),
        "operations": operation_names(below),
    }


def plain(value: Rational) -> int | str:
    """An exact number as JSON keeps it exactly."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    whole = int(value)
    return whole if abs(whole) <= SAFE else str(whole)


def _with_ranges(graph: Graph, root: NodeId) -> set[NodeId]:
    """All nodes below the root, with those that the ranges of its bound variables are made of."""
    seen, stack = set[NodeId](), [root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack += operands(graph.nodes[node])
            stack += graph.ranges.get(node, ())
    return seen


class _JsonWriter:
    def __init__(self, graph: Graph, position: Mapping[NodeId, int]) -> None:
        self.graph = graph
        self.position = position

    def node(self, node: NodeId) -> dict[str, Any]:
        at = self.position

        match self.graph.nodes[node]:
            case kinds.Const(value):
                return {"kind": "const", "value": plain(value)}
            case kinds.Symbol(name):
                return self._symbol(name)
            case kinds.Index(name, _):
                low, high = self.graph.ranges[node]
                return {"kind": "index", "name": name, "low": at[low], "high": at[high]}
            case kinds.Item(name, subscripts, arguments):
                inner = {"subscripts": self._all(subscripts), "arguments": self._all(arguments)}
                return {"kind": "item", "name": name, **inner}
            case kinds.Add(constant, terms):
                return {"kind": "add", "constant": plain(constant), "terms": [[at[n], plain(c)] for n, c in terms]}
            case kinds.Mul(factors):
                return {"kind": "mul", "factors": [[at[n], e] for n, e in factors]}
            case kinds.Extreme(choose, inner):
                return {"kind": "extreme", "choose": choose, "operands": self._all(inner)}
            case kinds.Call(function, inner):
                return {"kind": "call", "function": function, "operands": self._all(inner)}
            case kinds.Compare(operator, left, right):
                return {"kind": "compare", "operator": operator, "left": at[left], "right": at[right]}
            case kinds.Reduce(choose, index, low, high, body):
                ends = {"index": at[index], "low": at[low], "high": at[high]}
                return {"kind": "reduce", "choose": choose, **ends, "body": at[body]}
            case kinds.Peak(loads, members, servers):
                return {"kind": "peak", "loads": self._loads(loads), **self._family(members, servers)}
            case kinds.Interference(own, total, members, servers):
                return {
                    "kind": "interference",
                    "own": self._loads(own),
                    "all": self._loads(total),
                    **self._family(members, servers),
                }

    def _symbol(self, name: str) -> dict[str, Any]:
        record: dict[str, Any] = {"kind": "symbol", "name": name}
        if name in self.graph.assumed:
            low, high = self.graph.assumed[name]
            record |= {"low": plain(low), "high": None if high is None else plain(high)}
        facts = (("whole", self.graph.integers), ("distinct", self.graph.distinct))
        return record | {fact: True for fact, names in facts if name in names}

    def _all(self, nodes: Any) -> list[int]:
        return [self.position[n] for n in nodes]

    def _family(self, members: tuple[NodeId, ...], servers: NodeId) -> dict[str, Any]:
        return {"members": self._all(members), "servers": self.position[servers]}

    def _loads(self, loads: tuple[kinds.Load, ...]) -> list[dict[str, Any]]:
        return [
            {
                "binders": [self._all(binder) for binder in load.binders],
                "subscripts": self._all(load.subscripts),
                "load": self.position[load.load],
                "head": self.position[load.head],
                "tail": self.position[load.tail],
                "certain": load.certain,
            }
            for load in loads
        ]
