"""How objects lie in the memory of a 64-bit HotSpot with compressed references, and which of them code visits."""

from __future__ import annotations

from apet.java.translator.facts import Evaluated
from apet.java.translator.frame import MethodFrame
from apet.java.translator.program import JavaProgram
from apet.program import types
from apet.program.ir import BOX, ELEMENT, OBJECT, LineColumn, Op

HEADER, ALIGNED = 12, 8
"""Bytes in front of an object's fields, and what its size is a multiple of (Lindenmaier and others: JOL's layouts)."""

BOXES = {**dict.fromkeys(("Integer", "Float", "Character", "Short", "Byte", "Boolean"), 16), "Long": 24, "Double": 24}
"""Bytes of a box."""
ENDS = ("First", "Last")
READERS = frozenset(
    (
        *("get", "getOrDefault", "getKey", "getValue", "next", "poll", "pop", "peek", "first", "last", "remove"),
        *(f"{verb}{end}" for verb in ("get", "poll", "peek", "remove") for end in ENDS),
    )
)
"""Methods of collections that return an element."""


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
    declared = t.state.program.get(kind.name) if target.value >= 0 and not kind.dimensions else None
    if declared is not None and declared.kind != "struct":
        size = object_size(t.state.program, kind.name)
        _visit(t, target, size, f"{t.where(at)}: {OBJECT} {at.column}")


def visit_box(t: MethodFrame, value: Evaluated, method: str, at: LineColumn) -> None:
    """A box that a collection returns is opened, as a rule."""
    if method in READERS and not value.type.dimensions and value.type.name in BOXES:
        _visit(t, value, BOXES[value.type.name], f"{t.where(at)}: {BOX} {at.column}")


def visit_boxed_element(t: MethodFrame, value: Evaluated, at: LineColumn) -> None:
    """A box that an array holds is opened, as a rule."""
    if not value.type.dimensions and value.type.name in BOXES:
        _visit(t, value, BOXES[value.type.name], f"{t.where(at)}: {BOX} {at.column}")


def place_of_element(t: MethodFrame, at: LineColumn) -> str:
    """Where an element is stored: what a run counts there has the place in its comment."""
    return f"{t.where(at)}: {ELEMENT} {at.column}"


def _visit(t: MethodFrame, target: Evaluated, size: int, place: str) -> None:
    t.out.append(Op("visit", None, (target.value,), t.value(), str(size), place=place))
