"""Numbers in objects (chapter 5 of the specification): which types are boxes, and what it takes to make or open one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program.ir import VALUE
from apet.program.translator.conversions import Conversions
from apet.program.translator.facts import Evaluated
from apet.program.types import Type

if TYPE_CHECKING:
    from apet.program.translator.frame import MethodFrame

BOXES = {
    **{"Byte": "byte", "Short": "short", "Character": "char", "Integer": "int"},
    **{"Long": "long", "Float": "float", "Double": "double", "Boolean": "boolean"},
}
"""The primitive types in boxes."""
BYTES = {**dict.fromkeys(BOXES, 16), "Long": 24, "Double": 24}
"""Bytes of a box in a 64-bit HotSpot with compressed references."""
CACHED = ("boolean", "byte", "char")
"""What has all its boxes beforehand, or those that are usual: of `char` the letters of ASCII (5.1.7)."""
SMALL = range(-128, 128)
"""Whole numbers whose boxes are there beforehand (5.1.7)."""


class JavaConversions(Conversions):
    """Conversions with boxes."""

    def unboxed(self, kind: Type) -> Type:
        """The primitive type of a box (5.1.8); any other type as it is."""
        return Type(BOXES[kind.name]) if kind.name in BOXES and not kind.dimensions else kind

    def box_bytes(self, kind: Type) -> int:
        """Bytes of a box of a type; 0 of what is no box."""
        return 0 if kind.dimensions else BYTES.get(kind.name, 0)

    def boxed(self, frame: MethodFrame, value: Evaluated, wanted: Type) -> Evaluated:
        """A number in a new object, or in one of those that are there beforehand."""
        kind = next((box for box, plain in BOXES.items() if plain == value.type.name), "")
        number = value.number.integer if value.number is not None else None
        is_there = self.is_integral(value.type) and number in SMALL
        if not kind or value.type.name in CACHED or is_there:
            return value._replace(type=wanted)
        return Evaluated(wanted, value.fact, frame.op("new", None, value, size=BYTES[kind]))

    def opened(self, frame: MethodFrame, value: Evaluated) -> Evaluated:
        """The number in a box."""
        plain = self.unboxed(value.type)
        if value.value < 0:
            return value._replace(type=plain)
        return Evaluated(plain, value.fact, frame.op("field_access", None, value, variable=VALUE), True)


JAVA = JavaConversions()
