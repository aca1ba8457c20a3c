"""A call of a method that has a source: its cost, and what its result is known to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator.algebra import Value
from apet.java.translator.facts import HIDDEN, Functional, Known, Lengths, Result, put, shown
from apet.java.translator.frame import Frame
from apet.java.translator.ir import Callee

MOST_GIVEN = 500
"""Equations made for lambdas that are given; of further calls the lambdas are unknown."""
Convert = Callable[[Frame, Result, s.Type], Result]


def invoke(
    f: Frame, method: s.Method, given: Sequence[Result], target: Result, convert: Convert, at: s.Place
) -> Result:
    """Write a call: the operation `call`, the method's equation, and `return`."""
    given = _packed(f, method, given)
    method = _given_functions(f, method, given)
    values = [convert(f, g, formal.type) for g, formal in zip(given, method.formals, strict=True)]
    numbers = tuple(v.value for v in (target, *values) if v.value >= 0)
    f.op("call", None, *numbers)
    result = f.value()
    if method in f.job.stack:
        callee = Callee(method.title, (), at, numbers, result, True, tuple(shown(v.known) for v in values))
        f.out.append(callee)
        f.job.recursed.add(method.title)
        f.op("return", None)
        return Result(method.result, None, result)
    body = f.job.body(method)
    named = _formals(f, method, values)
    arguments: list[Value] = []
    for formal in body.formals:
        value = named.get(formal)
        if value is None:
            value = f.note(f"{formal}_{at.line}", f"{formal} of this call of {method.name}, on average", at)
        arguments.append(value)
    f.out.append(Callee(body.name, tuple(arguments), at, numbers, result))
    f.op("return", None)
    forget_fields(f, method)
    kind = f.job.results[method].type if method.result == types.UNKNOWN else method.result
    return Result(kind, _returned(f, method, named), result)


def _given_functions(f: Frame, method: s.Method, given: Sequence[Result]) -> s.Method:
    """A method that is given lambdas has an equation for those lambdas."""
    functions = tuple(g.known if isinstance(g.known, Functional) else None for g in given)
    if not any(functions) or len(f.job.given) > MOST_GIVEN:
        return method
    for running in f.job.stack:
        if running.read is method.read and f.job.functions.get(running) is not None:
            return running
    key = (method, functions)
    if key not in f.job.given:
        made = f.job.given[key] = replace(method)
        f.job.functions[made] = functions
    return f.job.given[key]


def formal_symbols(name: str, kind: s.Type) -> tuple[str, ...]:
    """The symbols that a formal may bring: its number, or its lengths by dimension."""
    if kind.dimensions:
        return tuple(f"{name}_length" if k == 0 else f"{name}_length{k + 1}" for k in range(kind.dimensions))
    return (name,) if types.is_numeric(kind) else ()


def _formals(f: Frame, method: s.Method, values: Sequence[Result]) -> dict[str, Value | None]:
    found: dict[str, Value | None] = {}
    for formal, value in zip(method.formals, values, strict=True):
        symbols = tuple(f.job.local(n) for n in formal_symbols(formal.name, formal.type))
        if formal.type.dimensions:
            lengths = value.known.lengths if isinstance(value.known, Lengths) else ()
            known: Sequence[Value | None] = (*lengths, *[None] * (len(symbols) - len(lengths)))
            found.update((n, shown(v)) for n, v in zip(symbols, known, strict=False))
        elif symbols:
            found[symbols[0]] = shown(value.known)
    return found


def _packed(f: Frame, method: s.Method, given: Sequence[Result]) -> list[Result]:
    """Arguments as formals take them: the last ones of a variadic method travel in an array."""
    count = len(method.formals)
    if not method.variadic or (len(given) == count and given[-1].type.dimensions >= method.formals[-1].type.dimensions):
        return list(given[:count])
    extra = given[count - 1 :]
    f.op("new", None, *extra)
    for g in extra:
        f.op("array_access", None, store=True)
        f.op("assign", g.type, g, store=True)
    from apet.java.translator.algebra import as_value

    packed = Result(method.formals[-1].type, Lengths((as_value(len(extra)),)), f.value())
    return [*given[: count - 1], packed]


def _returned(f: Frame, method: s.Method, named: dict[str, Value | None]) -> Known:
    """What is known of a method's result, in terms of this call's arguments."""
    result = f.job.results.get(method)
    if result is None or result.known is None:
        return None
    given = {n: v for n, v in named.items() if v is not None}
    needed = result.known.names if isinstance(result.known, Value) else set[str]()
    if isinstance(result.known, Lengths):
        lengths = tuple(
            v if v is not None and not any(n in named and n not in given for n in v.names) else None
            for v in result.known.lengths
        )
        return put(Lengths(lengths), given)
    if any(n in named and n not in given for n in needed) or any(HIDDEN in n for n in needed):
        return None
    return put(result.known, given)


def forget_fields(f: Frame, method: s.Method) -> None:
    """What this method knew of fields by its own assignments, and a call may have changed, is gone."""
    changed = f.job.changed_by(method)
    f.known = {k: v for k, v in f.known.items() if k.removeprefix("this.") not in changed or not k.startswith("this.")}
