"""The jumps that a statement may make."""

from __future__ import annotations

from apet.program.algebra import ZERO, Value


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
