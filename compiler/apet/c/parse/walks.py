"""Pointers that walk one array, as in `for (p = a; p < a + n; p++)`: each is the array and a subscript that counts.

A local pointer walks where all that it is ever set to is a place in one array that no assignment moves. Then `*p` is
`a[p]`, and what compares or subtracts two such pointers compares or subtracts subscripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from apet.c.parse import libclang
from apet.c.parse.kinds import is_array, is_pointer, kind_of
from apet.c.parse.libclang import children_of, walk
from apet.c.parse.memory import TRANSPARENT, bare, initialiser
from apet.program import syntax as s
from apet.program import types

if TYPE_CHECKING:
    from apet.c.parse.functions import FunctionReader

COMPARED = ("<", "<=", ">", ">=", "==", "!=", "-")
LOOPS = ("FOR_STMT", "WHILE_STMT", "DO_STMT")
STEPS = ("x++", "x--", "++x", "--x")


class Place(NamedTuple):
    """An element of an array, by its name and subscript."""

    array: str
    subscript: s.Expression


def walkers(function: Any, addressed: frozenset[int]) -> dict[int, Any]:
    """The arrays that local pointers of a function walk, by the declarations of the pointers."""
    declared = [c for c in walk(function) if c.kind.name == "VAR_DECL"]
    pointers = {c.hash: kind_of(c.type) for c in declared if _may_walk(c) and c.hash not in addressed}
    if not pointers:
        return {}
    values: dict[int, list[Any]] = {own: [] for own in pointers}
    looped: set[int] = set()
    for c in declared:
        if c.hash in pointers and (first := initialiser(c)) is not None:
            values[c.hash].append(first)
    for c in walk(function):
        for changed, value in _changes(c):
            values.setdefault(changed.hash, []).append(value)
        if c.kind.name in LOOPS:
            looped |= {v.hash for inside in walk(c) for v, _ in _changes(inside)}
            looped |= {inside.hash for inside in walk(c) if inside.kind.name == "VAR_DECL"}

    arrays = _resolved(pointers, values)
    while lost := [p for p in arrays if not (_is_one(p, arrays, values) and kind_of(arrays[p].type) == pointers[p])]:
        for own in lost:
            del arrays[own]
    moved = {own for own, changes in values.items() if len(changes) > (own in pointers)} | looped | addressed
    return {p: a for p, a in arrays.items() if is_array(a) or (a.hash not in moved and _is_of(function, a))}


def _resolved(pointers: Mapping[int, types.Type], values: Mapping[int, Sequence[Any]]) -> dict[int, Any]:
    """The first array that each pointer is set to a place of; a pointer that has none may be one itself."""
    arrays: dict[int, Any] = {}
    for unknown in (frozenset(pointers), frozenset[int]()):
        while True:
            before = len(arrays)
            for own in pointers.keys() - arrays.keys():
                known = [a for v in values[own] if v is not None and (a := _array(v, arrays)) is not None]
                first = next((a for a in known if a.hash not in unknown and a.hash != own), None)
                if first is not None and first.hash not in arrays:
                    arrays[own] = first
            if len(arrays) == before:
                break
    return arrays


def _is_one(own: int, arrays: Mapping[int, Any], values: Mapping[int, Sequence[Any]]) -> bool:
    """Whether all that a pointer is set to is in its array."""
    found = [_array(v, arrays) for v in values[own] if v is not None]
    return arrays[own].hash not in arrays and all(a is not None and a.hash in (arrays[own].hash, own) for a in found)


def _is_of(function: Any, declared: Any) -> bool:
    return bool(declared.kind.name == "PARM_DECL" or declared.semantic_parent == function)


def _may_walk(c: Any) -> bool:
    kind = kind_of(c.type)
    is_local = c.storage_class.name == "NONE"
    return is_local and not is_array(c) and kind.dimensions == 1 and kind.name in types.BYTES


def _changes(c: Any) -> Iterator[tuple[Any, Any]]:
    """Variables that a term changes, with what they become; None where that is another place of the same array."""
    if c.kind.name in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
        operator = libclang.binary_operator(c)
        left, right = (bare(x) for x in children_of(c))
        if left.kind.name == "DECL_REF_EXPR" and operator in ("=", "+=", "-="):
            yield left.referenced, right if operator == "=" else None
    elif c.kind.name == "UNARY_OPERATOR" and libclang.unary_operator(c) in STEPS:
        inside = bare(next(iter(children_of(c))))
        if inside.kind.name == "DECL_REF_EXPR":
            yield inside.referenced, None


def _place_of(cursor: Any) -> Any:
    """What brackets and conversions hold, up to one to a pointer to elements of another type."""
    kind = kind_of(cursor.type)
    while cursor.kind.name in TRANSPARENT:
        inside = [c for c in children_of(cursor) if c.kind.is_expression()]
        if len(inside) != 1 or kind_of(inside[0].type) != kind:
            return cursor
        cursor = inside[0]
    return cursor


def _array(value: Any, arrays: Mapping[int, Any]) -> Any:
    """The array that a pointer is a place in, as far as that is known; None for any other value."""
    c = _place_of(value)
    parts = [*children_of(c)]
    match c.kind.name:
        case "DECL_REF_EXPR":
            meant = c.referenced
            return arrays.get(meant.hash, meant) if is_pointer(kind_of(meant.type)) else None
        case "BINARY_OPERATOR" if libclang.binary_operator(c) in ("+", "-", "="):
            sides = [p for p in parts if is_pointer(kind_of(p.type))]
            return _array(sides[-1], arrays) if sides and is_pointer(kind_of(c.type)) else None
        case "UNARY_OPERATOR" if libclang.unary_operator(c) in STEPS:
            return _array(parts[0], arrays)
        case "UNARY_OPERATOR" if libclang.unary_operator(c) == "&":
            element = bare(parts[0])
            is_subscript = element.kind.name == "ARRAY_SUBSCRIPT_EXPR"
            return _array(next(iter(children_of(element))), arrays) if is_subscript else None
        case _:
            return None


def place(f: FunctionReader, cursor: Any, array: Any = None) -> Place | None:
    """The place that a pointer has in the array that it walks; with an `array`, also of that array itself."""
    c, at = _place_of(cursor), f.at(cursor)
    parts = [*children_of(c)]
    if c.kind.name == "DECL_REF_EXPR":
        return _of_name(f, c, array, at)
    if c.kind.name == "BINARY_OPERATOR" and (operator := libclang.binary_operator(c)) in ("+", "-"):
        pointer, other = parts if is_pointer(kind_of(parts[0].type)) else parts[::-1]
        found = place(f, pointer, array)
        return None if found is None else Place(found.array, _moved(found.subscript, operator, f.whole(other), at))
    if c.kind.name == "UNARY_OPERATOR" and libclang.unary_operator(c) == "&":
        element = bare(parts[0])
        if element.kind.name == "ARRAY_SUBSCRIPT_EXPR":
            pointer, other = children_of(element)
            found = place(f, pointer, array)
            return None if found is None else Place(found.array, _moved(found.subscript, "+", f.whole(other), at))
    changed = next((v for v, _ in _changes(c)), None)
    if changed is None or changed.hash not in f.scopes.walks:
        return None
    return Place(f.scopes.name(f.scopes.walks[changed.hash]), f.expression(c))


def _of_name(f: FunctionReader, c: Any, array: Any, at: s.LineColumn) -> Place | None:
    walked = f.scopes.walks.get(c.referenced.hash)
    if walked is not None:
        return Place(f.scopes.name(walked), s.Identifier(f.scopes.name(c.referenced), at))
    is_itself = array is not None and c.referenced.hash == array.hash
    return Place(f.scopes.name(array), s.Literal("int", "0", at)) if is_itself else None


def _moved(subscript: s.Expression, operator: str, by: s.Expression, at: s.LineColumn) -> s.Expression:
    is_first = isinstance(subscript, s.Literal) and subscript.text == "0" and operator == "+"
    return by if is_first else s.BinaryOp(operator, subscript, by, at)


def subscript_of(f: FunctionReader, pointer: Any, value: Any) -> s.Expression:
    """What a pointer that walks is set to, as a subscript."""
    found = place(f, value, f.scopes.walks[pointer.hash])
    assert found is not None  # or it would not walk
    return found.subscript


def compared(f: FunctionReader, operator: str, left: Any, right: Any, at: s.LineColumn) -> s.Expression | None:
    """A comparison or distance of two places of one array; None of any others."""
    array = _walked(f, left) or _walked(f, right)
    if operator not in COMPARED or array is None:
        return None
    one, other = (place(f, side, array) for side in (left, right))
    if one is None or other is None or one.array != other.array:
        return None
    return s.BinaryOp(operator, one.subscript, other.subscript, at)


def _walked(f: FunctionReader, cursor: Any) -> Any:
    """The array that a pointer in an expression walks."""
    names = (c.referenced for c in walk(bare(cursor)) if c.kind.name == "DECL_REF_EXPR")
    return next((f.scopes.walks[n.hash] for n in names if n is not None and n.hash in f.scopes.walks), None)


def element(f: FunctionReader, pointer: Any, at: s.LineColumn, further: Any = None) -> s.Expression | None:
    """`*p` and `p[i]` of a pointer that walks; None of any other."""
    found = place(f, pointer) if f.scopes.walks else None
    if found is None:
        return None
    subscript = found.subscript if further is None else _moved(found.subscript, "+", f.whole(further), at)
    return s.ArrayAccess(s.Identifier(found.array, at), subscript, at)
