"""What C has beyond the expressions of Java."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apet.program.ir import LineColumn

if TYPE_CHECKING:
    from apet.java.parse.syntax import Expression


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of an element, a member or a variable, as C computes it."""

    operand: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Comma:
    """Two expressions in order, with the value of the second."""

    left: Expression
    right: Expression
    at: LineColumn
