"""A call of a method that has a source: its cost, and what its result is known to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from apet.program import types
from apet.program.algebra import Value, as_value
from apet.program.ir import Callee, LineColumn, ParameterKind
from apet.program.symbols import HIDDEN, Symbol, wanted_name
from apet.program.syntax.declarations import Method
from apet.program.translator.arithmetic import converted, in_range
from apet.program.translator.classes import put_in
from apet.program.translator.exceptions import thrown_by
from apet.program.translator.facts import (
    Evaluated,
    Fact,
    Functional,
    Given,
    Instance,
    Lengths,
    names_of,
    put,
    shown,
    without_symbols,
)
from apet.program.translator.frame import MethodFrame
from apet.program.translator.operations import library_name

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

MOST_COPIES = 500
"""Equations made for lambdas and objects that are given; of further calls they are unknown."""


def invoke(
    t: Translator, method: Method, arguments_given: Sequence[Evaluated], target: Evaluated, at: LineColumn
) -> Evaluated:
    """Write a call: the operation `call`, the method's equation, and `return`."""
    arguments_given = _packed(t, method, arguments_given)
    method = t.on_object(_copy_for(t, method, arguments_given), target)
    values = [converted(t, g, formal.type) for g, formal in zip(arguments_given, method.formals, strict=True)]
    numbers = tuple(v.value for v in (target, *values))
    t.op("call", None, *numbers)
    result = t.value()
    if method in t.state.stack:
        # A recursive call has no equation yet: `unfold` counts such calls when the method is complete.
        callee = Callee(method.title, (), at, numbers, result, True, tuple(shown(v.fact) for v in values))
        t.state.arguments.setdefault(method, []).append(formals_given(t, method, values))
        t.out.append(callee)
        t.state.recursed.add(method.title)
        t.op("return", None)
        return Evaluated(put_in(method.result, t.state.program.get(method.owner), target.type), None, result)

    body = t.body(method)
    named = formals_given(t, method, values)
    t.state.arguments.setdefault(method, []).append(named)
    arguments: list[Value] = []
    for formal in body.formals:
        value = named.get(formal)
        if value is None:
            value = argument(t, method, formal, at)
        arguments.append(value)

    t.out.append(Callee(body.name, tuple(arguments), at, numbers, result))
    t.op("return", None)
    thrown_by(t, method, at)
    forget_fields(t, method)
    kind = t.state.results[method].type if method.result == types.UNKNOWN else method.result
    kind = put_in(kind, t.state.program.get(method.owner), target.type)
    return Evaluated(kind, _returned(t, method, named), result)


def is_small_enough(t: Translator, method: Method, at: LineColumn) -> bool:
    """Whether a further method may be opened: a model ends somewhere."""
    state, most = t.state, t.state.extent
    if library_name(method.owner, method.name) in most.closed:
        return False
    if method in state.bodies or method in state.stack:
        return True
    if state.operations_written <= most.operations and len(state.stack) < most.depth:
        return True
    text = f"the model has {most.operations:,} operations already: {method.title} is one of its own, not opened"
    t.unsupported(text, at)
    return False


def _copy_for(t: Translator, method: Method, arguments: Sequence[Evaluated]) -> Method:
    """A method that is given lambdas, or objects of a known class, has an equation for those."""
    given = tuple(_given(t, method, f.type, g.fact) for f, g in zip(method.formals, arguments, strict=True))
    # Each is another cost, so that sort(a, f) and sort(a, g) are two equations, up to a limit.
    if not any(given) or len(t.state.copies) > MOST_COPIES:
        return method
    for running in t.state.stack:
        if running.read is method.read:
            before = t.state.given.get(running)
            has_objects = any(isinstance(g, Instance) for g in (*(before or ()), *given))
            if before == given or (before is not None and not has_objects):
                return running
            if has_objects:
                return method

    key = (method, given)
    if key not in t.state.copies:
        copy = t.state.copies[key] = replace(method)
        t.state.given[copy] = given
        if method in t.state.own_classes:
            t.state.own_classes[copy] = t.state.own_classes[method]
    return t.state.copies[key]


def _given(t: Translator, method: Method, formal: types.Type, fact: Fact) -> Given:
    """What an argument tells of what a method calls: a lambda, or the class of an object that has one of its methods.
    A run counts all objects together."""
    if isinstance(fact, Functional):
        return fact
    if t.state.counted or not isinstance(fact, Instance) or fact.type.name == formal.name or formal.dimensions:
        return None
    declared = {name for c in t.state.program.line(fact.type.name) for name in c.named}
    return None if declared.isdisjoint(method.called) else Instance(fact.type)


def argument(f: MethodFrame, method: Method, symbol: str, at: LineColumn) -> Value:
    """A parameter for the mean of a formal at a call that does not tell it."""
    name = wanted_name(symbol)
    text = f"{name} of this call of {method.name}, on average"
    return f.note(f"{name}_{at.line}", text, at, kind=ParameterKind.ARGUMENT, **of_formal(method, symbol))


def of_formal(method: Method, symbol: str) -> dict[str, Any]:
    """What a site says of a formal of a method."""
    formal = symbol.formal if isinstance(symbol, Symbol) else -1
    variable = method.formals[formal].name if formal >= 0 else wanted_name(symbol)
    dimension = symbol.dimension if isinstance(symbol, Symbol) else 0
    return {"owner": method.owner, "member": method.name, "variable": variable, "dimension": dimension}


def formals_given(t: Translator, method: Method, values: Sequence[Evaluated]) -> dict[str, Value | None]:
    """What a call gives the symbols of a method's formals."""
    symbol_values: dict[str, Value | None] = {}
    for formal, symbols, value in zip(method.formals, t.state.formals(method), values, strict=True):
        if formal.type.dimensions:
            lengths = value.fact.lengths if isinstance(value.fact, Lengths) else ()
            padded: Sequence[Value | None] = (*lengths, *[None] * (len(symbols) - len(lengths)))
            symbol_values.update((n, shown(v)) for n, v in zip(symbols, padded, strict=False))
        elif symbols:
            symbol_values[symbols[0]] = shown(value.fact)
    return symbol_values


def _packed(t: Translator, method: Method, arguments: Sequence[Evaluated]) -> list[Evaluated]:
    """Arguments as formals take them: the last ones of a variadic method travel in an array."""
    count = len(method.formals)
    if not method.variadic or (
        len(arguments) == count and arguments[-1].type.dimensions >= method.formals[-1].type.dimensions
    ):
        return list(arguments[:count])

    extra = arguments[count - 1 :]
    t.op("new", None, *extra)
    for g in extra:
        t.op("array_access", None, store=True)
        t.op("assign", g.type, g, store=True)
    packed = Evaluated(method.formals[-1].type, Lengths((as_value(len(extra)),)), t.value())
    return [*arguments[: count - 1], packed]


def _returned(t: Translator, method: Method, named: dict[str, Value | None]) -> Fact:
    """What is known of a method's result, in terms of this call's arguments."""
    result = t.state.results.get(method)
    if result is None or result.fact is None:
        return None
    known = {n: v for n, v in named.items() if v is not None}
    names = names_of(result.fact)
    inside = {n for n in names if HIDDEN in n or ((n in named or isinstance(n, Symbol)) and n not in known)}
    fact = put(without_symbols(result.fact, inside), known)
    return in_range(t.state, fact, method.result.name) if isinstance(fact, Value) else fact


def forget_fields(t: Translator, method: Method) -> None:
    """What this method knew of fields by its own assignments, and a call may have changed, is gone."""
    changed = t.state.changed_by(method)
    t.facts = {k: v for k, v in t.facts.items() if k.removeprefix("this.") not in changed or not k.startswith("this.")}
