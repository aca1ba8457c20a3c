"""Divisors that may be 0 and may cancel: `n (1/n)` is 1 in normal form, also where 1/n has no value.

What is inside a call, a comparison or a loop never cancels against what is outside. A divisor that is not 0 where a
comparison beside it holds does no harm: `[1 <= n] w/n` is 0 where it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apet.formula.graph.nodes import Add, Compare, Extreme, Mul, NodeId, Rational, operands
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

    def divisors(self, top: NodeId) -> dict[NodeId, int]:
        """What a sum, product or extreme divides by that may be 0 and may cancel, with the greatest exponent."""
        bases, seen, stack = dict[NodeId, int](), set[NodeId](), [top]
        while stack:
            node = stack.pop()
            if node not in seen and self.divides(node):
                seen.add(node)
                for base, exponent in self._own_divisors(node):
                    bases[base] = max(exponent, bases.get(base, 0))
                stack += self._inside(node)
        return bases

    def direct(self, body: NodeId) -> dict[NodeId, int]:
        """By what each term of a body is divided, of what may be 0, with the least exponent."""
        terms = [dict(self._own_divisors(n)) for n, _ in self.store.terms(body)[1]]
        common = set(terms[0]).intersection(*terms) if terms and not self.store.terms(body)[0] else set()
        return {base: min(each[base] for each in terms) for base in common}

    def cancelled(self, bases: Mapping[NodeId, int], direct: Mapping[NodeId, int], closed: NodeId) -> list[NodeId]:
        """Those of some divisors by which a closed form is not divided, to their exponents; of divisors of all
        its terms, those by which one term is not."""
        constant, terms = self.store.terms(closed)
        lost = set(self._lost(bases, closed))
        for term in [self.store.one] * bool(constant) + [n for n, _ in terms]:
            lost.update(self._lost(direct, term))
        return sorted(lost)

    def _lost(self, bases: Mapping[NodeId, int], term: NodeId) -> Iterable[NodeId]:
        left, seen, stack = dict(bases), set[NodeId](), [term]
        while stack and left:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                form = self.store.nodes[node]
                for base, exponent in form.factors if isinstance(form, Mul) else ():
                    if base in left and -exponent >= left[base]:
                        del left[base]
                stack += operands(form)
        return left

    def _own_divisors(self, node: NodeId) -> list[tuple[NodeId, int]]:
        form = self.store.nodes[node]
        if not isinstance(form, Mul):
            return []
        bases = [(n, -e) for n, e in form.factors if e < 0 and not self.ranges.never_zero(n)]
        conditions = [n for n, _ in form.factors if isinstance(self.store.nodes[n], Compare)] if bases else []
        return [(n, e) for n, e in bases if not any(self.excludes_zero(c, n) for c in conditions)]

    def excludes_zero(self, condition: NodeId, divisor: NodeId) -> bool:
        """Whether a divisor is above 0, or is not 0, wherever a condition holds."""
        match self.store.nodes[condition]:
            case Compare("<=" | "<" as operator, left, right):
                least = self.ranges.least_sum(*self._combined((divisor, 1), (right, -1), (left, 1)))
                return least is not None and (least > 0 or (least == 0 and operator == "<"))
            case Compare("!=", left, right):
                return any(self._combined((divisor, 1), (right, sign), (left, -sign)) == (0, ()) for sign in (1, -1))
            case _:
                return False

    def _combined(self, *parts: tuple[NodeId, int]) -> tuple[Rational, tuple[tuple[NodeId, Rational], ...]]:
        """A sum of multiples as constant and terms, of which no node is made."""
        total: Rational = 0
        sums: dict[NodeId, Rational] = {}
        for node, factor in parts:
            constant, terms = self.store.terms(node)
            total += factor * constant
            for n, coefficient in terms:
                sums[n] = sums.get(n, 0) + factor * coefficient
        return total, tuple((n, c) for n, c in sums.items() if c)
