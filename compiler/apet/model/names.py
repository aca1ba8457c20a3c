"""What a name means where the grammar leaves it open."""

from __future__ import annotations

from collections.abc import Container

from apet.model.terms import BUILTINS, FUNCTIONS, Delay, Invoke, Name, Process, Use


def held_process(use: Use, values: Container[str]) -> Process:
    """The process that a use holds its resource for.

    `use(r, x)` with a lone name or call is read as a process; where x is a value in force (`values` holds the names of
    parameters, indices and formals), a function or a built-in, it is a time: `use(r, delay(x))`.
    """
    body = use.body
    if not isinstance(body, Invoke):
        return body
    if body.subscripts is None and body.arguments is None:
        return Delay(Name(body.name, body.span), body.span) if body.name in values else body
    is_function = body.subscripts is None and body.name in FUNCTIONS
    is_builtin = body.subscripts is not None and body.name in BUILTINS
    return Delay(body, body.span) if is_function or is_builtin else body
