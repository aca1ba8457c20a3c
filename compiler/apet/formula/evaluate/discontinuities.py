"""Where a value that is known nearly only decides a jump: a rounding, a comparison, a remainder, the end of a range.

Exact plans compute logarithms, roots and powers to 60 digits. `floor(sqrt(n) * sqrt(n))` for n = 2 must be 2, though
the product is 10^-70 below it: before a jump, what is as near to a whole number as that is taken for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from apet.formula.evaluate.arithmetic import Step, Values
from apet.formula.graph.nodes import Call, Compare, Item, Node, NodeId, Reduce, operands

INEXACT = frozenset(("log", "log2", "sqrt", "pow"))
JUMPS = frozenset(("floor", "ceil", "mod"))
NEARLY = Fraction(1, 10**50)


def nearly_known(nodes: Sequence[Node]) -> set[NodeId]:
    """The nodes whose values depend on a function without exact values; operands come first."""
    near = set[NodeId]()
    for n, node in enumerate(nodes):
        if (type(node) is Call and node.function in INEXACT) or (near and not near.isdisjoint(operands(node))):
            near.add(n)
    return near


def decided_by(node: Node) -> tuple[NodeId, ...]:
    """The operands at whose whole values a node may jump."""
    match node:
        case Call(function, arguments):
            return arguments if function in JUMPS else ()
        case Compare(_, left, right):
            return left, right
        case Reduce(_, _, low, high, _):
            return low, high
        case Item():
            return operands(node)
        case _:
            return ()


def settling(nodes: Sequence[NodeId]) -> Step:
    """A step that makes those values whole that are nearly so."""

    def run(values: Values, environment: Any) -> None:
        for n in nodes:
            values[n] = settled(values[n])

    return run


def meeting(left: NodeId, right: NodeId) -> Step:
    """A step that makes two values equal that are nearly so."""

    def run(values: Values, environment: Any) -> None:
        one, other = values[left], values[right]
        if type(one) is type(other) is Fraction and abs(one - other) <= NEARLY * abs(one):
            values[left] = other

    return run


def settled(value: Any) -> Any:
    """The nearest whole number for a fraction that is less than 10^-50 away from it, in relation to its size."""
    if type(value) is not Fraction:
        return value
    whole = round(value)
    return whole if abs(value - whole) <= NEARLY * max(1, abs(whole)) else value
