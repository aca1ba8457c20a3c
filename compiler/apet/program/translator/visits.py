"""Objects and boxes that code visits: whoever uses one needs a line of memory of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program.ir import BOX, ELEMENT, OBJECT, LineColumn, Op

if TYPE_CHECKING:
    from apet.program.translator.facts import Evaluated
    from apet.program.translator.frame import MethodFrame


def visit(t: MethodFrame, target: Evaluated, at: LineColumn) -> None:
    """The object that a field is one of, if its class has objects of their own."""
    size = t.state.program.object_bytes(target.type) if target.value >= 0 and not target.type.dimensions else 0
    if size:
        _visit(t, target, size, f"{t.where(at)}: {OBJECT} {at.column}")


def visit_box(t: MethodFrame, value: Evaluated, at: LineColumn) -> None:
    """A box that an array holds or a collection returns is opened, as a rule."""
    size = t.conversions.box_bytes(value.type)
    if size:
        _visit(t, value, size, f"{t.where(at)}: {BOX} {at.column}")


def place_of_element(t: MethodFrame, at: LineColumn) -> str:
    """Where an element is stored: what a run counts there has the place in its comment."""
    return f"{t.where(at)}: {ELEMENT} {at.column}"


def _visit(t: MethodFrame, target: Evaluated, size: int, place: str) -> None:
    t.out.append(Op("visit", None, (target.value,), t.value(), bytes=size, place=place))
