"""Declarations of local variables: arrays without an allocation, structures by their members, `static` as a global."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apet.c.parse.kinds import is_array, kind_of, rounded_kind
from apet.c.parse.libclang import children_of
from apet.c.parse.memory import allocation, initialiser, member_name
from apet.c.parse.walks import subscript_of
from apet.program import syntax as s
from apet.program import types

if TYPE_CHECKING:
    from apet.c.parse.functions import FunctionReader

NO_ALLOCATION = ""
WRITTEN_OUT = 16
"""Items of an initialiser up to which they are stored one by one; a compiler copies or clears more as a block."""


HOLDING = ("RECORD", "CONSTANTARRAY")
"""Kinds of members that have parts, which a list may say without braces."""


def declared(f: FunctionReader, cursor: Any) -> s.Statement:
    """The variables of a declaration; types and functions that it declares take nothing."""
    statements: list[s.Statement] = []
    for child in children_of(cursor):
        if child.kind.name == "VAR_DECL":
            statements += _variable(f, child)
    at = f.at(cursor)
    declarators = [d for one in statements if isinstance(one, s.LocalVariables) for d in one.declarators]
    if not statements:
        return s.EmptyStatement(at)
    if len(statements) == 1:
        return statements[0]
    # Declarations live as long as the block around them, so that these are no block of their own.
    return s.LocalVariables(tuple(declarators), at)


def _variable(f: FunctionReader, cursor: Any) -> list[s.Statement]:
    at, kind = f.at(cursor), kind_of(cursor.type)
    if cursor.storage_class.name in ("STATIC", "EXTERN"):
        f.file.local_static(f, cursor)
        return []
    if rounded_kind(cursor.type):
        f.note(f"'{cursor.type.spelling}' is counted as {kind.name or 'one operation each'}", cursor)
    initial = initialiser(cursor)
    if cursor.hash in f.scopes.split:
        return [s.LocalVariables(_members(f, cursor, initial, at), at)]
    if f.scopes.is_addressed(cursor):
        name = f.scopes.declare(cursor)
        first = f.whole(initial) if initial is not None else None
        items = s.ArrayLiteral((first,), at) if first is not None else None
        sizes = () if items is not None else (s.Literal("int", "1", at),)
        array = types.Type(kind.name, kind.dimensions + 1)
        made = s.NewArray(array, sizes, items, at, NO_ALLOCATION)
        return [s.LocalVariables((s.Declarator(array, name, made, at),), at)]
    if cursor.hash in f.scopes.walks:
        subscript = None if initial is None else subscript_of(f, cursor, initial)
        return [s.LocalVariables((s.Declarator(types.LONG, f.scopes.declare(cursor), subscript, at),), at)]
    value = _value(f, cursor, initial, kind, at)
    if initial is not None:
        f.counted("local", at, initial)
    return [s.LocalVariables((s.Declarator(kind, f.scopes.declare(cursor), value, at),), at)]


def _value(f: FunctionReader, cursor: Any, initial: Any, kind: types.Type, at: s.LineColumn) -> s.Expression | None:
    if is_array(cursor):
        return array(f, cursor, initial, kind, at)
    if initial is None:
        return None
    made = allocation(f, initial, cursor.type)
    return made if made is not None else f.whole(initial)


def array(f: FunctionReader, cursor: Any, initial: Any, kind: types.Type, at: s.LineColumn) -> s.Expression:
    """An array in the function's frame: its sizes are known, and making it takes nothing but its items."""
    own = None if initial is None else initial.hash
    written = [c for c in children_of(cursor) if c.kind.is_expression() and c.hash != own]
    sizes, declared_type = list[s.Expression](), cursor.type.get_canonical()
    while declared_type.kind.name.endswith("ARRAY"):
        if declared_type.kind.name == "CONSTANTARRAY":
            sizes.append(s.Literal("int", str(declared_type.element_count), at))
        else:
            # clang has the sizes that are written from the innermost one out.
            place = len(written) - 1 - len(sizes)
            sizes.append(f.whole(written[place]) if place >= 0 else s.Opaque("size", at))
        declared_type = declared_type.element_type.get_canonical()
    items = [] if initial is None else [c for c in children_of(initial) if c.kind.is_expression()]
    is_list = initial is not None and initial.kind.name == "INIT_LIST_EXPR"
    is_list = is_list and not any(map(_is_designated, items))
    if is_list and 0 < len(items) <= WRITTEN_OUT and kind.dimensions == 1:
        whole = s.ArrayLiteral(tuple(f.whole(c) for c in items), at)
        if sizes and isinstance(sizes[0], s.Literal) and sizes[0].text == str(len(items)):
            return s.NewArray(kind, (), whole, at, NO_ALLOCATION)
    made = s.NewArray(kind, tuple(sizes), None, at, NO_ALLOCATION if initial is None else "cleared")
    return made


def _members(f: FunctionReader, cursor: Any, initial: Any, at: s.LineColumn) -> tuple[s.Declarator, ...]:
    """The members of a structure as variables."""
    name = f.scopes.declare(cursor)
    members = f.file.members(cursor.type)
    items = None if initial is None else _items_of(initial, members)
    declarators: list[s.Declarator] = []
    for member, kind in members:
        value: s.Expression | None = None
        if items is not None:
            value = f.whole(items[member]) if member in items else s.Literal("int", "0", at)
        own = f.scopes.split[cursor.hash][member] = f.scopes.unused(f"{name}_{member}")
        declarators.append(s.Declarator(kind_of(kind), own, value, at))
    return tuple(declarators)


def _items_of(initial: Any, members: Sequence[tuple[str, Any]]) -> dict[str, Any] | None:
    """What a list says of each member; None where braces are left out, or a designator is of a part of a member."""
    items: dict[str, Any] = {}
    names, place = [name for name, _ in members], 0
    for item in children_of(initial):
        value = item
        if _is_designated(item):
            named, *further, value = children_of(item)
            if further or named.kind.name != "MEMBER_REF":
                return None
            place = names.index(member_name(named.spelling))
        if place >= len(members):
            return None
        name, kind = members[place]
        if kind.get_canonical().kind.name in HOLDING and value.kind.name != "INIT_LIST_EXPR":
            return None
        items[name] = value
        place += 1
    return items


def _is_designated(item: Any) -> bool:
    """Whether an item of a list says which element or member it is of."""
    return item.kind.name == "UNEXPOSED_EXPR" and len(children_of(item)) > 1
