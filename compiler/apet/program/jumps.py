"""The jumps that a statement may make, and those out of a loop."""

from __future__ import annotations

from fractions import Fraction

from apet.program.algebra import SELDOM, ZERO, Value, apply, quotient, substituted
from apet.program.ir import CodeLoop


class Jumps(dict[str, Value]):
    """Where a statement may jump instead of falling through: kind of jump to its probability."""

    @property
    def total(self) -> Value:
        """The probability of any jump."""
        total = ZERO
        for v in self.values():
            total = total + v
        return total

    def scaled(self, weight: Value) -> Jumps:
        """The same jumps with a probability in front."""
        return Jumps({k: weight * v for k, v in self.items()})

    def joined(self, other: Jumps) -> Jumps:
        """The jumps of two ways together."""
        return Jumps({k: self.get(k, ZERO) + other.get(k, ZERO) for k in (*self, *(k for k in other if k not in self))})

    def without(self, *kinds: str) -> Jumps:
        """All but some kinds of jumps."""
        return Jumps({k: v for k, v in self.items() if k not in kinds})


def leaving(jumps: Jumps, label: str) -> tuple[Value, Jumps]:
    """The probability of leaving the loop in one round, and the jumps that lead further out, per round."""
    own = ("continue", f"continue:{label}")
    leaving = jumps.without(*own)
    return leaving.total, leaving.without("break", f"break:{label}")


def outside(away: Jumps, leaves: Value, loop: CodeLoop) -> tuple[Jumps, Value]:
    """Probabilities per round as they are written behind the loop: with its index at the middle of its range."""
    if loop.low is None or loop.high is None or loop.index not in leaves.names:
        return away, leaves
    middle = {loop.index: (loop.low + loop.high) * Fraction(1, 2)}
    return Jumps({k: substituted(v, middle) for k, v in away.items()}), substituted(leaves, middle)


def after(away: Jumps, leaves: Value, many: Value) -> Jumps:
    """Jumps out of several rounds: with probability q in each of N rounds, 1 - (1 - q)^N in all."""
    if not away.total.terms:
        return Jumps()
    if leaves.constant == 1:
        return away
    ever = 1 - apply("^", 1 - leaves, many)
    # Of a loop that no round leaves, neither does any of its jumps.
    divisor = leaves if leaves.constant is not None else apply("max", leaves, SELDOM)
    return Jumps({k: (ever if v == leaves else quotient(v, divisor) * ever) for k, v in away.items()})
