"""Conversions of types as far as costs depend on them: which are numbers, and what operands are promoted to.

A language whose numbers may lie in objects of their own (boxes) says so in a class below `Conversions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program.types import BOOLEAN, INTEGRAL, OBJECT, PROMOTED, RANKS, Type

if TYPE_CHECKING:
    from apet.program.translator.facts import Evaluated
    from apet.program.translator.frame import MethodFrame


class Conversions:
    """Those of a language without boxes; promotion as Java (5.6) and C (6.3.1) have it."""

    def unboxed(self, kind: Type) -> Type:
        """The primitive type of a box; any other type as it is."""
        return kind

    def is_numeric(self, kind: Type) -> bool:
        """Whether arithmetic is defined on a type."""
        return not kind.dimensions and self.unboxed(kind).name in RANKS

    def is_integral(self, kind: Type) -> bool:
        """Whether a type holds whole numbers."""
        return not kind.dimensions and self.unboxed(kind).name in INTEGRAL

    def unary_promoted(self, kind: Type) -> Type:
        """What one operand is promoted to: byte, short and char to int."""
        plain = self.unboxed(kind)
        return PROMOTED[RANKS[plain.name]] if self.is_numeric(plain) else plain

    def promoted(self, left: Type, right: Type) -> Type:
        """What two operands are promoted to: the wider of the two, at least int. Of unknown types, the known one."""
        left, right = self.unboxed(left), self.unboxed(right)
        if self.is_numeric(left) and self.is_numeric(right):
            return PROMOTED[max(RANKS[left.name], RANKS[right.name])]
        if left == right == BOOLEAN:
            return BOOLEAN
        known = left if self.is_numeric(left) else right
        return self.unary_promoted(known) if self.is_numeric(known) else OBJECT

    def box_bytes(self, kind: Type) -> int:
        """Bytes of a box of a type; 0 of what is no box."""
        return 0

    def boxed(self, frame: MethodFrame, value: Evaluated, wanted: Type) -> Evaluated:
        """A number in a new box."""
        return value._replace(type=wanted)

    def opened(self, frame: MethodFrame, value: Evaluated) -> Evaluated:
        """The number in a box."""
        return value
