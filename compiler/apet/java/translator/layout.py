"""How objects lie in the memory of a 64-bit HotSpot with compressed references, and which of them code visits."""

from __future__ import annotations

from apet.java.parse import types
from apet.java.parse.syntax import LineColumn
from apet.java.translator.facts import Evaluated
from apet.java.translator.frame import MethodFrame
from apet.java.translator.ir import Op
from apet.java.translator.program import JavaProgram

HEADER, ALIGNED = 12, 8
"""Bytes in front of an object's fields, and what its size is a multiple of (Lindenmaier and others: JOL's layouts)."""


def object_size(program: JavaProgram, name: str) -> int:
    """Bytes of an object of a class: its header, the fields of the class and of its parents, and what fills it up."""
    sizes = [types.size(f.type) for c in program.line(name) for f in c.fields.values() if not f.static]
    small = sum(size for size in sizes if size < ALIGNED)
    # A long or a double begins at a multiple of 8, behind the header and smaller fields that fit in between.
    gap = ALIGNED - HEADER % ALIGNED if len(sizes) > 0 and ALIGNED in sizes and small == 0 else 0
    return -(-(HEADER + gap + sum(sizes)) // ALIGNED) * ALIGNED


def visit(t: MethodFrame, target: Evaluated, at: LineColumn) -> None:
    """Whoever uses a field of an object of a class of the program needs a line of its own."""
    kind = target.type
    if target.value >= 0 and not kind.dimensions and t.state.program.get(kind.name) is not None:
        size = object_size(t.state.program, kind.name)
        t.out.append(Op("visit", None, (target.value,), t.value(), str(size), place=f"{t.where(at)}:{at.column}"))
