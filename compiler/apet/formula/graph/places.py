"""Where a comparison says that a quantity lies, so that two of them may be seen to contradict each other.

A comparison of l and r says where r - l lies. Two comparisons of which the differences are multiples of each other, but
for a constant, say of one quantity where it lies: 0 < x and x == 0 of x, n >= 1 and 2 n == 1 of n.
"""

from __future__ import annotations

import math
from fractions import Fraction

from apet.formula.graph.nodes import Compare, NodeId, Rational
from apet.formula.graph.store import Store
from apet.formula.graph.sums import whole
from apet.ground.records import NamedTuple

MIRRORED = {"<=": ">=", "<": ">", "==": "==", "!=": "!="}


Quantity = tuple[tuple[NodeId, Rational], ...]
"""A sum of nodes with coefficients, the first of which is 1; no node is made of it."""


class Place(NamedTuple):
    """That `quantity` is `>=`, `>`, `<=`, `<`, `==` or `!=` to a number."""

    quantity: Quantity
    operator: str
    number: Rational


def place_of(store: Store, comparison: Compare) -> Place | None:
    """What a comparison says of the multiple of its difference whose first coefficient is 1."""
    constant, terms = store.terms(comparison.right)
    less, others = store.terms(comparison.left)
    sums = dict(terms)
    for node, coefficient in others:
        sums[node] = sums.get(node, 0) - coefficient
    moving = sorted((n, c) for n, c in sums.items() if c)
    if not moving:
        return None

    leading = moving[0][1]
    quantity = tuple([(n, whole(Fraction(c) / leading)) for n, c in moving])
    number = Fraction(less - constant) / leading
    operator = MIRRORED[comparison.operator] if leading > 0 else comparison.operator
    integral = all(type(c) is int and store.integral[n] for n, c in quantity)
    return _among_whole(quantity, operator, number) if integral else Place(quantity, operator, number)


def _among_whole(quantity: Quantity, operator: str, number: Rational) -> Place:
    """The same of a whole quantity, without `>` and `<`."""
    if operator in (">", ">="):
        return Place(quantity, ">=", math.floor(number) + 1 if operator == ">" else math.ceil(number))
    if operator in ("<", "<="):
        return Place(quantity, "<=", math.ceil(number) - 1 if operator == "<" else math.floor(number))
    return Place(quantity, operator, number)


def apart(one: Place, other: Place) -> bool:
    """Whether two places of one quantity have nothing in common."""
    if one.operator != "==" and (other.operator == "==" or other.operator in ("<", "<=")):
        one, other = other, one
    below = one.number < other.number
    equal = one.number == other.number

    match one.operator, other.operator:
        case "==", "==":
            return not equal
        case "==", "!=":
            return equal
        case (("==" | "<="), ">="):
            return below
        case (("==" | "<" | "<="), ">"):
            return below or equal
        case "<", ">=":
            return below or equal
        case "==", "<=":
            return one.number > other.number
        case "==", "<":
            return one.number >= other.number
        case _:
            return False
