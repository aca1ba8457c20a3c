"""Numbers that a node is never below, and never above, found from those of its operands.

Of a sum, a product and a maximum they follow from the ends of the operands' ranges. What is not known is None.
"""

from __future__ import annotations

from fractions import Fraction

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
    NodeId,
    Peak,
    Rational,
    Reduce,
    Symbol,
)
from apet.formula.graph.store import Store
from apet.formula.graph.sums import whole


class Ranges:
    """The ranges of the nodes of a store, each end found once; valid as long as the store's assumptions."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: tuple[dict[NodeId, Rational | None], ...] = ({}, {})

    def lower(self, node: NodeId) -> Rational | None:
        """A number that a node is never below, or None."""
        return self._end(node, False)

    def upper(self, node: NodeId) -> Rational | None:
        """A number that a node is never above, or None."""
        return self._end(node, True)

    def _end(self, node: NodeId, up: bool) -> Rational | None:
        known = self._known[up]
        if node not in known:
            known[node] = None  # a bound that needs itself is none
            known[node] = self._found(node, up)
        return known[node]

    def _found(self, node: NodeId, up: bool) -> Rational | None:
        match self.store.nodes[node]:
            case Const(value):
                return value
            case Symbol(name):
                return self.store.assumed.get(name, (0, None))[up]
            case Index():
                return self._end(self.store.ranges[node][up], up)
            case Compare():
                return int(up)
            case Item() | Peak() | Interference():
                return None if up else 0

            case Add(constant, terms):
                sign = -1 if up else 1
                least = self.least_sum(sign * constant, tuple((n, sign * c) for n, c in terms) if up else terms)
                return None if least is None else sign * least
            case Mul(factors):
                return self._greatest_product(factors) if up else self._least_product(factors)
            case Extreme(kind, inner):
                ends = [self._end(n, up) for n in inner]
                known = [end for end in ends if end is not None]
                enough = len(known) == len(ends) or (kind == "max") != up  # one is enough for what only it pushes
                return (max if kind == "max" else min)(known, default=None) if enough else None
            case Call(function, inner):
                return (self._greatest_call if up else self._least_call)(function, inner)

            case Reduce(kind, _, _, _, body):
                # over an empty range a sum or maximum is 0, whatever lower bound above 0 its body has
                low = None if up else self.lower(body)
                return low if kind == "min" else (0 if low is not None and low >= 0 else None)

    def _greatest_call(self, function: str, arguments: tuple[NodeId, ...]) -> Rational | None:
        if function == "mod":
            return self.upper(arguments[1]) if self.at_least(arguments[1], 0) else None
        if function == "pow" and all(self.at_least(n, 0) for n in arguments):
            high = self.upper(arguments[0])
            return 1 if high is not None and high <= 1 else None
        return None

    def _greatest_product(self, factors: tuple[tuple[NodeId, int], ...]) -> Rational | None:
        """Of factors that are not negative; `x / max(x, y)` and `x / (x + y)` are at most 1."""
        if any(not self.at_least(n, 0) for n, _ in factors):
            return None
        above = {n: e for n, e in factors if e > 0}
        product: Rational = 1
        for divisor in (n for n, e in factors if e < 0):
            part = next((p for p in self._parts(divisor) if above.get(p[0])), None)
            if part is None or dict(factors)[divisor] != -1:
                return None
            above[part[0]] -= 1
            product /= Fraction(part[1])

        for node, exponent in above.items():
            high = self.upper(node) if exponent else 1
            if high is None:
                return None
            product *= high**exponent
        return whole(product)

    def _parts(self, node: NodeId) -> list[tuple[NodeId, Rational]]:
        """Multiples of nodes that a maximum, or a sum of what is not negative, is never below."""
        match self.store.nodes[node]:
            case Extreme("max", operands):
                sums = [self.store.terms(n) for n in operands]
                return [terms[0] for constant, terms in sums if not constant and len(terms) == 1 and terms[0][1] > 0]
            case Add(constant, terms) if constant >= 0 and all(c > 0 and self.at_least(n, 0) for n, c in terms):
                return list(terms)
            case _:
                return []

    def least_sum(self, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Rational | None:
        """A number that a sum is never below, or None."""
        total = constant
        for node, coefficient in terms:
            end = self.lower(node) if coefficient > 0 else self.upper(node)
            if end is None:
                return None
            total += coefficient * end
        return total

    def _least_product(self, factors: tuple[tuple[NodeId, int], ...]) -> Rational | None:
        # an even power is not negative anyway; an inverse tells only that the product is not below 0
        lows = [self.lower(n) for n, e in factors if e % 2]
        if any(low is None or low < 0 for low in lows):
            return None
        if any(e < 0 for _, e in factors) or len(lows) < len(factors):
            return 0
        product: Rational = 1
        for (_, exponent), low in zip(factors, lows, strict=True):
            assert low is not None
            product *= low**exponent
        return product

    def _least_call(self, function: str, arguments: tuple[NodeId, ...]) -> Rational | None:
        match function:
            case "abs" | "sqrt":
                return 0
            case "mod":
                return 0 if self.at_least(arguments[1], 0) else None
            case "floor" | "ceil":
                low = self.lower(arguments[0])
                return None if low is None else low // 1
            case "pow":
                return 0 if self.at_least(arguments[0], 0) else None
            case "log" | "log2":
                return 0 if self.at_least(arguments[0], 1) else None
            case _:
                return None

    def positive(self, node: NodeId) -> bool:
        """Whether a node is proved to be above 0."""
        low = self.lower(node)
        return low is not None and low > 0

    def never_zero(self, node: NodeId) -> bool:
        """Whether a node is proved to be above 0 everywhere, or below."""
        low, high = self.lower(node), self.upper(node)
        if (low is not None and low > 0) or (high is not None and high < 0):
            return True
        match self.store.nodes[node]:
            case Mul(factors):
                return all(self.never_zero(n) for n, _ in factors)
            case Call("pow", (base, _)):
                return self.never_zero(base)
            case _:
                return False

    def at_least(self, node: NodeId, bound: Rational) -> bool:
        """Whether a node is proved never to be below a number."""
        low = self.lower(node)
        return low is not None and low >= bound
