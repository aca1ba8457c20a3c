"""Proofs that a node is never negative, or never above another.

First by structure: sums and products of what is not negative. Then by elimination: a bound variable that occurs
linearly is replaced by the end of its range that makes the sum least, innermost first; likewise symbols with known
bounds. `n - i` with i in 1..n is proved so: i = n gives 0. Last, sums of products of shares are looked at where each
share is 0 or 1 (`corners`). What cannot be proved is taken as possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from apet.formula.graph.corners import nonnegative_at_corners
from apet.formula.graph.nodes import (
    Add,
    Call,
    Extreme,
    Index,
    Interference,
    Item,
    Mul,
    NodeId,
    Peak,
    Rational,
    Reduce,
    Symbol,
)
from apet.formula.graph.quotients import Quotients
from apet.formula.graph.ranges import Ranges
from apet.formula.graph.store import Store

DEEPEST = 12
WIDEST = 8
OPEN = (Item, Peak, Interference, Reduce)
"""Kinds of nodes that nothing is known to be above of, but the same node or a maximum that contains it."""


class Facts:
    """What is proved of the nodes of a store; valid as long as its assumptions.

    `ranges` has the numbers that a node is never beyond, `quotients` what is divided by that may be 0.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ranges = Ranges(store)
        self.quotients = Quotients(self.ranges)
        self._signs: dict[NodeId, bool] = {}
        self._open_sums: dict[NodeId, dict[NodeId, Rational] | None] = {}

    def nonnegative(self, node: NodeId) -> bool:
        """Whether node >= 0 is proved."""
        proved = self._signs.get(node)
        if proved is None:
            proved = self._signs[node] = self._proved(node, 0)
        return proved

    def at_most(self, left: NodeId, right: NodeId) -> bool:
        """Whether left <= right is proved."""
        if left == right:
            return True
        plain = self.plainly_at_most(left, right)
        return self.nonnegative(self.store.minus(right, left)) if plain is None else plain

    def plainly_at_most(self, left: NodeId, right: NodeId) -> bool | None:
        """Whether left <= right, where it can be told from coefficients alone; None where a proof must be tried.

        Most comparisons of branches end here, without a node for the difference.
        """
        more, less_of = self._open_sum(right), self._open_sum(left)
        if more is not None and less_of is not None:  # nothing can make up for an atom that the left has more of
            for atom, coefficient in less_of.items():
                if coefficient > more.get(atom, 0):
                    return False

        constant, terms = self.store.terms(right)
        sums = dict(terms)
        less, terms = self.store.terms(left)
        constant -= less
        for atom, coefficient in terms:
            sums[atom] = sums.get(atom, 0) - coefficient
        # right - left = constant + sums: without a falling term it is enough that each term has a lower bound of 0
        falling = [n for n, c in sums.items() if c < 0]
        if not falling:
            rising = [self.ranges.lower(n) for n, c in sums.items() if c]
            return True if constant >= 0 and all(low is not None and low >= 0 for low in rising) else None
        # t_op may be as large as it likes: `… - t_op >= 0` is false unless another atom can rise with it
        if any(type(self.store.nodes[n]) in OPEN and not self.store.free[n] for n in falling):
            helpers = (type(self.store.nodes[n]) for n, c in sums.items() if c > 0)
            return None if any(kind in (Extreme, Index, Symbol, Call, Mul) for kind in helpers) else False
        return None

    def plainly_incomparable(self, nodes: Sequence[NodeId]) -> bool:
        """Whether it is plain that none of the nodes is at most another: each has an open atom of its own."""
        sums = [self._open_sum(n) for n in nodes]
        if None in sums:
            return False
        owners = Counter(chain.from_iterable(s for s in sums if s))
        return all(any(c > 0 and owners[atom] == 1 for atom, c in s.items()) for s in sums if s is not None)

    def _open_sum(self, node: NodeId) -> dict[NodeId, Rational] | None:
        """The coefficients of a sum of open atoms without bound variables; None of any other node."""
        if node not in self._open_sums:
            coefficients = dict(self.store.terms(node)[1])
            plain = all(type(self.store.nodes[n]) in OPEN and not self.store.free[n] for n in coefficients)
            self._open_sums[node] = coefficients if plain else None
        return self._open_sums[node]

    def _proved(self, node: NodeId, depth: int) -> bool:
        low = self.ranges.lower(node)
        if low is not None and low >= 0:
            return True
        form = self.store.nodes[node]
        # Proofs of parts are kept by the graph: they are not tried again with every atom that is eliminated.
        if type(form) is Mul:
            return depth == 0 and all(self.nonnegative(n) for n, _ in form.factors)
        if depth > DEEPEST or type(form) is not Add:
            return False
        if depth == 0 and form.constant >= 0 and all(c > 0 and self.nonnegative(n) for n, c in form.terms):
            return True
        replaced = self._eliminate(node)
        if replaced is not None and self._proved(replaced, depth + 1):
            return True
        return depth == 0 and nonnegative_at_corners(self.ranges, self.nonnegative, node)

    def _eliminate(self, node: NodeId) -> NodeId | None:
        """A sum that is at most this one, with one atom fewer; None if nothing can be replaced."""
        # Innermost variables first, which have the greatest numbers. For i - j with j in 1..i and i in 1..n, j = i
        # leaves 0, while i = 1 would leave 1 - j, of which nothing can be proved.
        store = self.store
        total = store.nodes[node]
        assert isinstance(total, Add)
        for atom, coefficient in reversed(total.terms):
            if isinstance(store.nodes[atom], Index) and self._linear(total, atom):
                low, high = store.ranges[atom]
                return self._with(node, atom, coefficient, low if coefficient > 0 else high)
        for atom, coefficient in total.terms:
            if coefficient < 0 and (replaced := self._dominating(atom, total)) is not None:
                return self._with(node, atom, coefficient, replaced)
        for atom, coefficient in total.terms:
            # max(a, b) - a is at least a - a: an operand that cancels something makes the sum shorter
            for operand in self._dominated(atom) if coefficient > 0 else ():
                smaller = self._with(node, atom, coefficient, operand)
                shorter = store.nodes[smaller]
                if type(shorter) is not Add or len(shorter.terms) < len(total.terms):
                    return smaller

        return None

    def _with(self, total: NodeId, atom: NodeId, coefficient: Rational, other: NodeId) -> NodeId:
        """A sum with another node in the place of an atom."""
        return self.store.add([(total, 1), (atom, -coefficient), (other, coefficient)])

    def _dominated(self, atom: NodeId) -> Sequence[NodeId]:
        """What an atom is never below: `max(a, b) >= a`, `floor(x) >= x - 1`."""
        match self.store.nodes[atom]:
            case Extreme("max", operands):
                return operands[:WIDEST]
            case Call("floor", (argument,)):
                return (self.store.shift(argument, -1),)
            case _:
                return ()

    def _linear(self, total: Add, index: NodeId) -> bool:
        return not any(n != index and index in self.store.free[n] for n, _ in total.terms)

    def _dominating(self, atom: NodeId, within: Add) -> NodeId | None:
        """Something simpler that an atom is never above: `floor(x) <= x`, `x % m <= m - 1` for whole x and m."""
        match self.store.nodes[atom]:
            case Call("floor", (argument,)):
                return argument
            case Call("mod", (left, modulus)) if self.store.integral[left] and self.store.integral[modulus]:
                return self.store.shift(modulus, -1) if self.ranges.at_least(modulus, 0) else None
            case Extreme("min", operands):
                others = {n for n, _ in within.terms}
                return next((n for n in operands if n in others), operands[0])
            case _:
                return None
