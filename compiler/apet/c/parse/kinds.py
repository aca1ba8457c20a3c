"""Types of C as the translator knows them: whole numbers by width and sign, pointers and arrays by dimensions."""

from __future__ import annotations

from typing import Any

from apet.program import types
from apet.program.types import Type

FUNCTION = Type("function")
POINTED = ("POINTER", "CONSTANTARRAY", "VARIABLEARRAY", "INCOMPLETEARRAY", "DEPENDENTSIZEDARRAY")
PLAIN = {
    **{"VOID": types.VOID, "BOOL": types.BOOLEAN, "FLOAT": types.FLOAT, "DOUBLE": types.DOUBLE},
    **{"LONGDOUBLE": types.DOUBLE, "HALF": types.FLOAT, "FLOAT128": types.DOUBLE},
    **{"FUNCTIONPROTO": FUNCTION, "FUNCTIONNOPROTO": FUNCTION},
}
SIGNED = {1: "byte", 2: "short", 4: "int", 8: "long", 16: "long"}
UNSIGNED = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong", 16: "ulong"}
WHOLE = {
    **dict.fromkeys(("CHAR_S", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128", "WCHAR"), SIGNED),
    **dict.fromkeys(("CHAR_U", "UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128"), UNSIGNED),
    **dict.fromkeys(("CHAR16", "CHAR32"), UNSIGNED),
}
ROUNDED = ("LONGDOUBLE", "FLOAT128", "INT128", "UINT128", "COMPLEX", "VECTOR")
"""Kinds that are taken as ones of fewer bits or elements, which is said where they are declared."""


def kind_of(declared: Any) -> Type:
    """A type of clang as the translator's; "" for one that it knows nothing of."""
    plain, dimensions = declared.get_canonical(), 0
    while plain.kind.name in POINTED:
        plain = (plain.get_pointee() if plain.kind.name == "POINTER" else plain.element_type).get_canonical()
        dimensions += 1
    name = plain.kind.name
    if name in PLAIN:
        return Type(PLAIN[name].name, dimensions if PLAIN[name] != FUNCTION else 0)
    if name in WHOLE:
        return Type(WHOLE[name].get(plain.get_size(), "int"), dimensions)
    if name == "ENUM":
        whole = kind_of(plain.get_declaration().enum_type)
        return Type(whole.name, dimensions)
    if name == "RECORD":
        return Type(record_name(plain), dimensions)
    if name in ("COMPLEX", "VECTOR"):
        return Type(kind_of(plain.element_type).name, dimensions)
    return Type("", dimensions)


def record_name(plain: Any) -> str:
    """The name of a structure or union; one without a name is called by its place."""
    declaration = plain.get_declaration()
    name = declaration.spelling
    plain_name = name.split(" ")[-1] if name.isidentifier() else ""
    return plain_name or f"struct_{declaration.location.line}_{declaration.location.column}"


def is_array(cursor: Any) -> bool:
    """Whether a variable or an element is an array itself, whose address is that of its first element."""
    return str(cursor.type.get_canonical().kind.name).endswith("ARRAY")


def is_pointer(kind: Type) -> bool:
    """Whether a value is a pointer or an array."""
    return kind.dimensions > 0


def rounded_kind(declared: Any) -> str:
    """The kind of a type that is taken as a smaller one; "" for any other."""
    name = declared.get_canonical().kind.name
    return name if name in ROUNDED else ""
