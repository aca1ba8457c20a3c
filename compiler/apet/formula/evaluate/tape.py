"""The nodes below some roots, numbered anew so that one step can compute many of them.

Numbers rise with the level (operands first); on one level, symbols are neighbours and so are products of equally many
plain factors. Neighbours are put in the order in which they are used: then the operands of a sum, or of a column of
products, are often a slice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

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
    Node,
    NodeId,
    Peak,
    Reduce,
    Symbol,
    operands,
)

ALONE, SYMBOLS = 0, 1
"""Kinds of neighbours: nodes with a step of their own, symbols; k + 1 stands for products of k plain factors."""
NOTHING: frozenset[NodeId] = frozenset()

Key = tuple[int, bool, int]
"""Level, whether the node depends on a bound variable, kind."""
Operands = dict[NodeId, tuple[NodeId, ...]]
Gather = Callable[[Any], Sequence[Any]]


class Tape:
    """Some nodes of a graph under numbers from 0: `nodes` and `free` are as in a graph.

    `uses` counts the users of each, `origin` gives its number in the graph.
    """

    def __init__(self, graph: Graph, roots: Sequence[NodeId]) -> None:
        below = _below(graph, roots)
        groups = _grouped(graph, below)
        keys = sorted(groups)
        place = {n: k for k, n in enumerate(dict.fromkeys(roots))}
        for key in reversed(keys):
            _put_in_order_of_use(graph, groups[key], key[2], below, place)

        order = [n for key in keys for n in groups[key]]
        self.origin = order
        to = {n: k for k, n in enumerate(order)}
        self.nodes: list[Node] = [renumbered(graph.nodes[n], to) for n in order]
        self.free = [frozenset([to[i] for i in graph.free[n] if i in to]) if graph.free[n] else NOTHING for n in order]
        self.roots = tuple([to[r] for r in roots])
        self.kinds = [key[2] for key in keys for _ in groups[key]]
        self._group = [k if key[2] else -1 for k, key in enumerate(keys) for _ in groups[key]]
        self.uses = [0] * len(order)
        for used in (*below.values(), roots):
            for n in used:
                self.uses[to[n]] += 1

    def outside(self) -> list[NodeId] | None:
        """The nodes outside every loop; None where a root depends on a variable that it does not bind."""
        if any(self.free[r] for r in self.roots):
            return None
        return [n for n, free in enumerate(self.free) if not free]

    def neighbours(self, order: Iterable[NodeId]) -> list[tuple[int, list[NodeId]]]:
        """Rising numbers, cut into parts of one level and kind; what has a step of its own comes alone."""
        parts: list[tuple[int, list[NodeId]]] = []
        for group, part in groupby(order, self._group.__getitem__):
            if group < 0:
                parts += [(ALONE, [n]) for n in part]
            else:
                nodes = list(part)
                parts.append((self.kinds[nodes[0]], nodes))
        return parts


def _below(graph: Graph, roots: Sequence[NodeId]) -> Operands:
    """The operands of all nodes that the roots are made of."""
    inner: Operands = {}
    nodes, stack = graph.nodes, list(roots)
    while stack:
        n = stack.pop()
        if n in inner:
            continue
        node = nodes[n]
        kind = type(node)
        if kind is Symbol or kind is Const:
            inner[n] = ()
            continue
        if kind is Add:
            below = tuple([o for o, _ in node.terms])  # type: ignore[union-attr]
        elif kind is Mul:
            below = tuple([o for o, _ in node.factors])  # type: ignore[union-attr]
        else:
            below = operands(node)
        inner[n] = below
        stack += below

    return inner


def _grouped(graph: Graph, below: Operands) -> dict[Key, list[NodeId]]:
    level: dict[NodeId, int] = {}
    groups: dict[Key, list[NodeId]] = {}
    for n in sorted(below):
        height = level[n] = max([level[o] for o in below[n]]) + 1 if below[n] else 0
        groups.setdefault((height, bool(graph.free[n]), _kind(graph.nodes[n])), []).append(n)
    return groups


def _kind(node: Node) -> int:
    if type(node) is Symbol:
        return SYMBOLS
    if type(node) is Mul and all(e == 1 for _, e in node.factors):
        return len(node.factors) + 1
    return ALONE


def _put_in_order_of_use(
    graph: Graph, group: list[NodeId], kind: int, below: Operands, place: dict[NodeId, int]
) -> None:
    """Sort a group by the places that its users gave, and give places to its operands."""
    if len(group) > 1:
        group.sort(key=place.__getitem__)
    if kind > SYMBOLS:
        for column in zip(*[below[n] for n in group], strict=True):
            for o in column:
                place.setdefault(o, len(place))
    else:
        for n in group:
            for o in below[n]:
                place.setdefault(o, len(place))


def renumbered(node: Node, to: dict[NodeId, NodeId]) -> Node:
    """A node with other numbers for its operands."""
    if type(node) in (Symbol, Const):
        return node

    match node:
        case Add(constant, terms):
            return Add(constant, tuple([(to[n], c) for n, c in terms]))
        case Mul(factors):
            return Mul(tuple([(to[n], e) for n, e in factors]))
        case Const() | Symbol() | Index():
            return node
        case Item(name, subscripts, arguments):
            return Item(name, tuple([to[n] for n in subscripts]), tuple([to[n] for n in arguments]))
        case Extreme(kind, inner):
            return Extreme(kind, tuple([to[n] for n in inner]))
        case Call(function, inner):
            return Call(function, tuple([to[n] for n in inner]))
        case Compare(operator, left, right):
            return Compare(operator, to[left], to[right])
        case Reduce(kind, index, low, high, body):
            return Reduce(kind, to[index], to[low], to[high], to[body])
        case Peak(loads, members, servers):
            return Peak(_loads(loads, to), tuple([to[m] for m in members]), to[servers])
        case Interference(own, total, members, servers):
            return Interference(_loads(own, to), _loads(total, to), tuple([to[m] for m in members]), to[servers])


def _loads(loads: tuple[Load, ...], to: dict[NodeId, NodeId]) -> tuple[Load, ...]:
    return tuple([_load(load, to) for load in loads])


def _load(load: Load, to: dict[NodeId, NodeId]) -> Load:
    binders = tuple([Binder(to[index], to[low], to[high]) for index, low, high in load.binders])
    subscripts = tuple([to[s] for s in load.subscripts])
    return Load(binders, subscripts, to[load.load], to[load.head], to[load.tail], load.certain)


def is_slice(numbers: Sequence[NodeId]) -> bool:
    """Whether numbers follow one another without a gap."""
    return list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))


def gathering(numbers: Sequence[NodeId]) -> Gather:
    """How to take the values of two or more nodes out of a list: a slice where their numbers follow one another."""
    if is_slice(numbers):
        return itemgetter(slice(numbers[0], numbers[-1] + 1))
    return itemgetter(*numbers)
