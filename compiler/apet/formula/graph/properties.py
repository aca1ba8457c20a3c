"""What is kept of every node: the bound variables that it depends on, its height, and whether it is whole."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from apet.formula.graph.nodes import (
    Add,
    Call,
    Compare,
    Const,
    Extreme,
    Index,
    Interference,
    Item,
    Mul,
    Node,
    NodeId,
    Peak,
    Reduce,
    Symbol,
    bound_operands,
    operands,
)

FreeVariables = Sequence[frozenset[NodeId]]
"""The bound variables that each node depends on from outside."""

NONE: frozenset[NodeId] = frozenset()
BINDING = frozenset((Reduce, Peak, Interference))
"""Kinds of nodes that bind variables."""


def free_of(free: FreeVariables, number: NodeId, node: Node) -> frozenset[NodeId]:
    """The bound variables that a node depends on from outside."""
    kind = type(node)
    if kind is Index:
        return frozenset((number,))
    if kind is Const or kind is Symbol:
        return NONE
    if kind in BINDING:
        return NONE.union(*(free[n].difference(bound) for n, bound in bound_operands(node)))

    bound = NONE
    if kind is Add or kind is Mul:
        pairs = node.terms if kind is Add else node.factors  # type: ignore[union-attr]
        for operand, _ in pairs:
            more = free[operand]
            if more and more is not bound:
                bound = bound | more if bound else more
        return bound
    for operand in node.subscripts + node.arguments if kind is Item else operands(node):  # type: ignore[union-attr]
        more = free[operand]
        if more and more is not bound:
            bound = bound | more if bound else more

    return bound


def height_of(height: Sequence[int], node: Node) -> int:
    """The greatest height of a node's operands, one more where the node binds variables."""
    kind = type(node)
    if kind is Add:
        return max([height[n] for n, _ in node.terms])  # type: ignore[union-attr]
    if kind is Mul:
        return max([height[n] for n, _ in node.factors])  # type: ignore[union-attr]
    return max([height[n] for n in operands(node)], default=0) + (kind in BINDING)


def is_integral(whole: Sequence[bool], integers: Collection[str], node: Node) -> bool:
    """Whether a node is whole where its symbols are."""
    kind = type(node)
    if kind is Mul:
        for n, e in node.factors:  # type: ignore[union-attr]  # noqa: SIM110 - twice as fast as a generator
            if e < 0 or not whole[n]:
                return False
        return True

    if kind is Add:
        if type(node.constant) is not int:  # type: ignore[union-attr]
            return False
        for n, c in node.terms:  # type: ignore[union-attr]  # noqa: SIM110 - twice as fast as a generator
            if type(c) is not int or not whole[n]:
                return False
        return True

    match node:
        case Const(value):
            return type(value) is int
        case Symbol(name):
            return name in integers
        case Index():
            return True
        case Item(name, _, _):
            return name in ("share", "cores")
        case Extreme(_, inner):
            return all(whole[n] for n in inner)
        case Call(function, inner):
            return function in ("floor", "ceil") or (function in ("mod", "abs") and all(whole[n] for n in inner))
        case Compare():
            return True
        case Reduce(_, _, _, _, body):
            return whole[body]
        case _:
            return False
