"""Conversions of Java's types as far as costs depend on them: boxes and promotion (chapter 5 of the specification)."""

from __future__ import annotations

from apet.program.types import BOOLEAN, INTEGRAL, OBJECT, PROMOTED, RANKS, Type

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


def is_numeric(kind: Type) -> bool:
    """Whether arithmetic is defined on a type."""
    return not kind.dimensions and unboxed(kind).name in RANKS


def is_integral(kind: Type) -> bool:
    """Whether a type holds whole numbers."""
    return not kind.dimensions and unboxed(kind).name in INTEGRAL


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
