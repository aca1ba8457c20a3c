"""Types of Java expressions as far as costs depend on them: promotion after chapter 5 of the language specification."""

from __future__ import annotations

from fractions import Fraction

from apet.java.parse.syntax import Type

INT, LONG, FLOAT, DOUBLE = Type("int"), Type("long"), Type("float"), Type("double")
BOOLEAN, CHAR, VOID, STRING, NULL, OBJECT = (Type(n) for n in ("boolean", "char", "void", "String", "null", "Object"))
UNKNOWN = Type("")

UNSIGNED = {"uchar": 1, "ushort": 2, "uint": 4, "ulong": 8}
"""Whole types of C without a sign, with their bytes."""
INTEGRAL = ("byte", "short", "char", "int", "long", *UNSIGNED)
RANKS = {"byte": 1, "short": 1, "char": 1, "int": 1, "long": 3, "float": 5, "double": 6}
RANKS |= {"uchar": 1, "ushort": 1, "uint": 2, "ulong": 4}
PROMOTED = {1: INT, 2: Type("uint"), 3: LONG, 4: Type("ulong"), 5: FLOAT, 6: DOUBLE}
BYTES = {"boolean": 1, "byte": 1, "short": 2, "char": 2, "int": 4, "float": 4, "long": 8, "double": 8, **UNSIGNED}
LIMITS: dict[str, dict[str, int]] = {
    **{
        name: {"MIN_VALUE": -(2 ** (8 * BYTES[name] - 1)), "MAX_VALUE": 2 ** (8 * BYTES[name] - 1) - 1}
        for name in INTEGRAL
    },
    "char": {"MIN_VALUE": 0, "MAX_VALUE": 2**16 - 1},
    **{name: {"MIN_VALUE": 0, "MAX_VALUE": 2 ** (8 * size) - 1} for name, size in UNSIGNED.items()},
    **{f"{name} <<": {"MIN_VALUE": 0, "MAX_VALUE": 8 * BYTES[name] - 1} for name in ("int", "long", "uint", "ulong")},
}
"""The least and the greatest number of the whole types, and of the distances that they are shifted by."""
COMPUTED = ("int", "long", "uint", "ulong", "int <<", "long <<", "uint <<", "ulong <<")
NARROW = ("byte", "short", "char", "uchar", "ushort")
"""The types that arithmetic results in: narrower ones are promoted (5.6)."""


def is_held(number: Fraction | int, kind: str) -> bool:
    """Whether a whole type holds a number."""
    return LIMITS[kind]["MIN_VALUE"] <= number <= LIMITS[kind]["MAX_VALUE"]


REFERENCE_BYTES = 4
"""A compressed reference, as on every 64-bit machine with less than 32 GB of heap."""
BOXES = {
    "Byte": "byte",
    "Short": "short",
    "Character": "char",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "Boolean": "boolean",
}


def unboxed(kind: Type) -> Type:
    """The primitive type of a box (5.1.8); any other type as it is."""
    return Type(BOXES[kind.name]) if kind.name in BOXES and not kind.dimensions else kind


def is_primitive(kind: Type) -> bool:
    """Whether a type is one of the eight that are no references."""
    return kind.name in BYTES and not kind.dimensions


def is_numeric(kind: Type) -> bool:
    """Whether arithmetic is defined on a type."""
    return not kind.dimensions and unboxed(kind).name in RANKS


def is_integral(kind: Type) -> bool:
    """Whether a type holds whole numbers."""
    return not kind.dimensions and unboxed(kind).name in INTEGRAL


def is_string(kind: Type) -> bool:
    """Whether a type is `String`."""
    return kind == STRING


def unary_promoted(kind: Type) -> Type:
    """Unary numeric promotion (5.6.1): byte, short and char become int."""
    plain = unboxed(kind)
    return PROMOTED[RANKS[plain.name]] if is_numeric(plain) else plain


def promoted(left: Type, right: Type) -> Type:
    """Binary numeric promotion (5.6.2): the wider of the two, at least int. Of unknown types, the one that is known."""
    left, right = unboxed(left), unboxed(right)
    if is_numeric(left) and is_numeric(right):
        return PROMOTED[max(RANKS[left.name], RANKS[right.name])]
    if left == right == BOOLEAN:
        return BOOLEAN
    return unary_promoted(left if is_numeric(left) else right) if is_numeric(left) or is_numeric(right) else OBJECT


def element(kind: Type) -> Type:
    """The type of an array's elements; unknown for what is no array."""
    return Type(kind.name, kind.dimensions - 1, kind.arguments) if kind.dimensions else UNKNOWN


def word(kind: Type) -> str:
    """A type in the name of an operation: a primitive type, `string` or `reference`."""
    if is_string(kind):
        return "string"
    return kind.name if not kind.dimensions and kind.name in BYTES else "reference"


def size(kind: Type) -> int:
    """Bytes of one value of a type in memory."""
    return REFERENCE_BYTES if kind.dimensions else BYTES.get(kind.name, REFERENCE_BYTES)
