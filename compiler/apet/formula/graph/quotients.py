"""Divisors that may be 0 and may cancel: `n (1/n)` is 1 in normal form, also where 1/n has no value.

What is inside a call, a comparison or a loop never cancels against what is outside. A divisor that is not 0 where a
comparison beside it holds does no harm: `[1 <= n] w/n` is 0 where it does not hold.
"""

from __future__ import annotations

from apet.formula.graph.nodes import Add, Compare, Extreme, Mul, NodeId, operands
from apet.formula.graph.ranges import Ranges


class Quotients:
    """Where the nodes of a store divide by what may be 0; valid as long as their ranges."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.store = ranges.store
        self._dividing: dict[NodeId, bool] = {}

    def divides(self, top: NodeId) -> bool:
        """Whether a sum, product or extreme divides by what may be 0."""
        known, unknown, stack = self._dividing, set[NodeId](), [top]
        while stack:
            node = stack.pop()
            if node not in known and node not in unknown:
                unknown.add(node)
                stack += self._inside(node)
        for node in sorted(unknown):  # operands first: nothing recurses, however deep the formula
            known[node] = bool(self._own_divisors(node)) or any(known[n] for n in self._inside(node))
        return known[top]

    def _inside(self, node: NodeId) -> tuple[NodeId, ...]:
        """The operands that something outside may cancel against."""
        form = self.store.nodes[node]
        return operands(form) if isinstance(form, Add | Mul | Extreme) else ()

    def divisors(self, top: NodeId) -> set[NodeId]:
        """What a sum, product or extreme divides by that may be 0 and may cancel."""
        bases, seen, stack = set[NodeId](), set[NodeId](), [top]
        while stack:
            node = stack.pop()
            if node not in seen and self.divides(node):
                seen.add(node)
                bases.update(self._own_divisors(node))
                stack += self._inside(node)
        return bases

    def cancelled(self, bases: set[NodeId], closed: NodeId) -> list[NodeId]:
        """Those of some divisors by which nothing in a closed form is divided."""
        left, seen, stack = set(bases), set[NodeId](), [closed]
        while stack and left:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                form = self.store.nodes[node]
                left -= {n for n, e in form.factors if e < 0} if isinstance(form, Mul) else set()
                stack += operands(form)
        return sorted(left)

    def _own_divisors(self, node: NodeId) -> list[NodeId]:
        form = self.store.nodes[node]
        if not isinstance(form, Mul):
            return []
        bases = [n for n, e in form.factors if e < 0 and not self.ranges.never_zero(n)]
        conditions = [n for n, _ in form.factors if isinstance(self.store.nodes[n], Compare)] if bases else []
        return [n for n in bases if not any(self.excludes_zero(c, n) for c in conditions)]

    def excludes_zero(self, condition: NodeId, divisor: NodeId) -> bool:
        """Whether a divisor is above 0, or is not 0, wherever a condition holds."""
        match self.store.nodes[condition]:
            case Compare("<=" | "<" as operator, left, right):
                least = self.ranges.lower(self.store.minus(divisor, self.store.minus(right, left)))
                return least is not None and (least > 0 or (least == 0 and operator == "<"))
            case Compare("!=", left, right):
                difference = self.store.minus(right, left)
                return self.store.zero in (self.store.minus(divisor, difference), self.store.plus(divisor, difference))
            case _:
                return False
