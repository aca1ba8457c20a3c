"""Pointers, members of structures, and memory from `malloc`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apet.c.parse import libclang
from apet.c.parse.kinds import is_array, is_pointer, kind_of
from apet.c.parse.libclang import children_of
from apet.program import syntax as s
from apet.program import types

if TYPE_CHECKING:
    from apet.c.parse.functions import FunctionReader

ALLOCATING = {"malloc": 0, "calloc": 1, "aligned_alloc": 1, "alloca": 0, "valloc": 0}
"""Functions that return new memory, with the argument that its size stands in."""
TRANSPARENT = ("UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR")
LENGTH = "length"
"""The name that the length of an array has in the translator: a member of that name has another."""


def bare(cursor: Any) -> Any:
    """What brackets and conversions hold."""
    while cursor.kind.name in TRANSPARENT:
        inside = [c for c in children_of(cursor) if c.kind.is_expression()]
        if len(inside) != 1:
            return cursor
        cursor = inside[0]
    return cursor


def initialiser(cursor: Any) -> Any:
    """The initialiser of a variable, which stands behind the sizes in its type; None where there is none."""
    inside = [c for c in children_of(cursor) if c.kind.is_expression()]
    return next((c for c in inside if _behind_equals(cursor, c)), None)


def _behind_equals(cursor: Any, child: Any) -> bool:
    """Whether an expression of a declaration stands behind its `=`."""
    depth = 0
    for token in cursor.get_tokens():
        depth += (token.spelling in "([{") - (token.spelling in ")]}")
        if token.spelling == "=" and depth == 0:
            return bool(
                child.extent.start.offset > token.extent.start.offset or child.extent.start == token.extent.start
            )
    return not is_array(cursor)  # of a macro: a scalar has nothing but its initialiser


def member_name(name: str) -> str:
    """A member as the translator knows it."""
    return f"{name}_" if name == LENGTH else name or "unnamed"


def member(f: FunctionReader, cursor: Any) -> s.Expression:
    """`s.x` and `p->x`; of a structure that is split, a variable."""
    at, name = f.at(cursor), member_name(cursor.spelling)
    inside = [c for c in children_of(cursor) if c.kind.is_expression()]
    if not inside:
        return f.opaque(cursor)
    base = bare(inside[0])
    if base.kind.name == "DECL_REF_EXPR" and base.referenced.hash in f.scopes.split:
        return s.Identifier(f.scopes.split[base.referenced.hash].get(name, name), at)
    return s.FieldAccess(f.expression(inside[0]), name, at)


def offset(f: FunctionReader, operator: str, left: Any, right: Any, at: s.LineColumn) -> s.Expression:
    """`p + i` is the address of an element, `p - q` a number of elements."""
    if is_pointer(kind_of(left.type)) and is_pointer(kind_of(right.type)):
        return s.Cast(types.LONG, s.BinaryOp(operator, f.expression(left), f.expression(right), at), at)
    array, index = (left, right) if is_pointer(kind_of(left.type)) else (right, left)
    places = f.whole(index)
    return s.AddressOf(
        s.ArrayAccess(f.expression(array), s.UnaryOp("-", places, at) if operator == "-" else places, at), at
    )


def allocation(f: FunctionReader, cursor: Any, wanted: Any) -> s.Expression | None:
    """New memory as an array of what the pointer that takes it points to; None for anything else."""
    call = bare(cursor)
    kind = kind_of(wanted)
    if call.kind.name != "CALL_EXPR" or not is_pointer(kind) or call.spelling not in ALLOCATING:
        return None
    if f.file.is_defined(call.spelling):
        return None
    at = f.at(call)
    pointee = wanted.get_canonical().get_pointee()
    size, inner = pointee.get_size(), list[s.Expression]()
    element = pointee.get_canonical()
    while element.kind.name == "CONSTANTARRAY":
        inner.append(s.Literal("int", str(element.element_count), at))
        element = element.element_type.get_canonical()
    _, *given = children_of(call)
    if size <= 0 or not given:
        return None
    count = _elements(f, given, ALLOCATING[call.spelling], size, call.spelling == "calloc")
    return s.NewArray(kind, (count, *inner), None, at, call.spelling)


def _elements(f: FunctionReader, given: list[Any], position: int, size: int, is_product: bool) -> s.Expression:
    """How many elements of a size an allocation has room for."""
    at = f.at(given[0])
    if is_product:
        bytes_of_one = libclang.constant(given[1])
        count = f.whole(given[0])
        return count if bytes_of_one == size else _divided(s.BinaryOp("*", count, f.whole(given[1]), at), size, at)
    asked = bare(given[position])
    if asked.kind.name == "BINARY_OPERATOR" and libclang.binary_operator(asked) == "*":
        for one, other in ([*children_of(asked)], [*children_of(asked)][::-1]):
            factor = libclang.constant(one)
            if isinstance(factor, int) and factor > 0 and factor % size == 0:
                many = f.whole(other)
                by = s.Literal("int", str(factor // size), at)
                return many if factor == size else s.BinaryOp("*", many, by, at)
    return _divided(f.whole(given[position]), size, at)


def _divided(value: s.Expression, size: int, at: s.LineColumn) -> s.Expression:
    return value if size == 1 else s.BinaryOp("/", value, s.Literal("long", f"{size}L", at), at)
