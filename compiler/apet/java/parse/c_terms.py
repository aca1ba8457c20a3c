"""What C has beyond the expressions of Java."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from apet.program.ir import LineColumn

if TYPE_CHECKING:
    from apet.java.parse.syntax import Expression


class Team(NamedTuple):
    """Threads that share the rounds of a loop: `chunk` rounds in turn, 0 for equal parts; `next_free` where a chunk is
    that of whoever is free. `reduced` are the variables that each has for itself, with their operators."""

    chunk: int
    next_free: bool
    reduced: tuple[tuple[str, str], ...]


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
