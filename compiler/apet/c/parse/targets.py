"""What a call through a pointer may call, where the source shows it: every function that the pointer is set to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.c.parse import libclang
from apet.c.parse.libclang import children_of, walk
from apet.c.parse.memory import bare, initialiser

MOST = 8
"""More functions than these are one call that is not known."""


def pointed_functions(declared: Sequence[Any], addressed: frozenset[int]) -> dict[int, tuple[str, ...]]:
    """The functions that variables and elements of tables are set to, by the declarations of these; none of those that
    may be set to something else."""
    values: dict[int, list[Any]] = {}
    for c in (inside for one in declared for inside in walk(one)):
        if c.kind.name == "VAR_DECL" and _is_of_functions(c):
            first = initialiser(c)
            values.setdefault(c.hash, []).extend([] if first is None else [first])
        elif c.kind.name == "BINARY_OPERATOR" and libclang.binary_operator(c) == "=":
            left, right = children_of(c)
            changed = _variable(left)
            if changed is not None and _is_of_functions(changed):
                values.setdefault(changed.hash, []).append(right)
    found = {own: [f for v in many for f in _functions(v)] for own, many in values.items() if own not in addressed}
    known = {own: [f for f in some if f is not None] for own, some in found.items() if None not in some}
    return {own: tuple(dict.fromkeys(some)) for own, some in known.items() if 0 < len(some) <= MOST}


def _is_of_functions(variable: Any) -> bool:
    """Whether a variable points to a function, or is a table of such pointers."""
    kind = variable.type.get_canonical()
    while kind.kind.name.endswith("ARRAY"):
        kind = kind.element_type.get_canonical()
    if variable.linkage.name == "EXTERNAL" and not kind.is_const_qualified():
        return False  # another file may set it
    pointee = kind.get_pointee().get_canonical() if kind.kind.name == "POINTER" else None
    return pointee is not None and str(pointee.kind.name).startswith("FUNCTION")


def _variable(cursor: Any) -> Any:
    """The variable that an expression reads: itself, through a pointer, or an element of it."""
    c = bare(cursor)
    while c.kind.name == "ARRAY_SUBSCRIPT_EXPR" or (
        c.kind.name == "UNARY_OPERATOR" and libclang.unary_operator(c) in ("*", "&")
    ):
        c = bare(children_of(c)[0])
    is_variable = c.kind.name == "DECL_REF_EXPR" and c.referenced.kind.name == "VAR_DECL"
    return c.referenced if is_variable else None


def _functions(value: Any) -> list[str | None]:
    """The functions that a value may be; None for anything else."""
    c = bare(value)
    if c.kind.name == "INIT_LIST_EXPR":
        return [f for item in children_of(c) for f in _functions(item)]
    if c.kind.name == "CONDITIONAL_OPERATOR":
        return [f for side in children_of(c)[1:] for f in _functions(side)]
    if c.kind.name == "UNARY_OPERATOR" and libclang.unary_operator(c) == "&":
        return _functions(children_of(c)[0])
    is_function = c.kind.name == "DECL_REF_EXPR" and c.referenced.kind.name == "FUNCTION_DECL"
    return [str(c.referenced.spelling) if is_function else None]


def called(callee: Any, pointed: dict[int, tuple[str, ...]]) -> tuple[str, ...]:
    """The functions that a call through a pointer may be of; none where that is not known."""
    variable = _variable(callee)
    return pointed.get(variable.hash, ()) if variable is not None else ()
