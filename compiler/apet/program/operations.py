"""What operations are called in models and machine files."""

from __future__ import annotations

from apet.program import types
from apet.program.ir import Op

SQUARE = "2"
"""A power whose exponent is 2: compilers multiply."""
ALLOCATIONS = ("new", "new_byte", "new_matrix", "new_row")
"""An object; a byte of an array; an array of arrays whose lengths only the run knows, and each array in it; a byte
that a collection copies."""
VALUE = "value"
"""The field of a box that holds its number."""
OBJECT, BOX, ELEMENT = "the object of column", "the box of column", "the element of column"
"""What the place of a visit says is visited there."""


def operation_name(op: Op) -> str:
    """An operation as models write it: its name, then its type where it has one."""
    return op.name if op.type is None else f"{op.name}_{types.word(op.type)}"
