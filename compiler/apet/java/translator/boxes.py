"""Boxes: the objects that hold a number where a reference is wanted (Java 5.1.7 and 5.1.8)."""

from __future__ import annotations

from apet.java.parse import conversions
from apet.java.translator.facts import Evaluated
from apet.java.translator.frame import MethodFrame
from apet.java.translator.layout import BOXES
from apet.program.operations import VALUE
from apet.program.types import Type

CACHED = ("boolean", "byte", "char")
"""What has all its boxes beforehand, or those that are usual: of `char` the letters of ASCII."""
SMALL = range(-128, 128)
"""Whole numbers whose boxes are there beforehand."""


def is_box(kind: Type) -> bool:
    """Whether a type is that of boxes."""
    return kind.name in BOXES and not kind.dimensions


def boxed(frame: MethodFrame, value: Evaluated, wanted: Type) -> Evaluated:
    """A number in a new object, or in one of those that are there beforehand."""
    kind = next((box for box, plain in conversions.BOXES.items() if plain == value.type.name), "")
    number = value.number.integer if value.number is not None else None
    is_there = conversions.is_integral(value.type) and number in SMALL
    if kind not in BOXES or value.type.name in CACHED or is_there:
        return value._replace(type=wanted)
    return Evaluated(wanted, value.fact, frame.op("new", None, value, variable=str(BOXES[kind])))


def opened(frame: MethodFrame, value: Evaluated) -> Evaluated:
    """The number in a box."""
    plain = conversions.unboxed(value.type)
    if value.value < 0:
        return value._replace(type=plain)
    return Evaluated(plain, value.fact, frame.op("field_access", None, value, variable=VALUE), True)
