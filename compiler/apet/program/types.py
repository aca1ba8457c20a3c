"""Types of values as far as costs depend on them: what they hold and how many bytes they take."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Type:
    """A type by its simple name ("" where it is inferred) and array dimensions; `arguments` do not make it another."""

    name: str
    dimensions: int = 0
    arguments: tuple[Type, ...] = field(default=(), compare=False)


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
"""The types that arithmetic results in: narrower ones are promoted (5.6)."""
WRAPPING = ("byte", "short", "char", *UNSIGNED)
"""The types whose numbers ordinary programs make wrap around: those of few bits, and those without a sign."""
NARROW = ("byte", "short", "char", "uchar", "ushort")


def differ_in_sign(one: Type, other: Type) -> bool:
    """Whether two whole types have the same bits, read with a sign and without."""
    unsigned = one.name in UNSIGNED, other.name in UNSIGNED
    return any(unsigned) and not all(unsigned) and BYTES.get(one.name) == BYTES.get(other.name)


def has_smaller_numbers(one: Type, other: Type) -> bool:
    """Whether the greatest number of a whole type is below that of another."""
    return one.name in INTEGRAL and LIMITS[one.name]["MAX_VALUE"] < LIMITS[other.name]["MAX_VALUE"]


def is_held(number: Fraction | int, kind: str) -> bool:
    """Whether a whole type holds a number."""
    return LIMITS[kind]["MIN_VALUE"] <= number <= LIMITS[kind]["MAX_VALUE"]


REFERENCE_BYTES = 4
"""A compressed reference, as on every 64-bit machine with less than 32 GB of heap."""


def is_primitive(kind: Type) -> bool:
    """Whether a type is one of the eight that are no references."""
    return kind.name in BYTES and not kind.dimensions


def is_string(kind: Type) -> bool:
    """Whether a type is `String`."""
    return kind == STRING


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
