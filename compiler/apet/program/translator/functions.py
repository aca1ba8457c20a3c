"""Functions as values: those referred to and those that are written in place, and what calls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, as_value
from apet.program.ir import NO_VALUE, CodeLoop, Items, LineColumn, ParameterKind
from apet.program.symbols import HIDDEN
from apet.program.syntax.declarations import Method
from apet.program.translator.facts import Evaluated, Functional
from apet.program.translator.invocation import invoke

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


def reference(t: Translator, e: s.Reference) -> Evaluated:
    """`X::name`: the method of that name, if there is one and it has a source."""
    owner = e.target.name if isinstance(e.target, s.Identifier | s.FieldAccess) else t.owner
    owner = t.owner if owner in ("this", "super") else t.types.get(owner, types.Type(owner)).name
    declaring = t.state.program.get(owner)
    named = declaring.constructors if declaring is not None and e.name == "new" else ()
    if declaring is not None and e.name != "new":
        named = tuple(m for c in t.state.program.line(owner) for m in c.named.get(e.name, ()))

    bodies = [m for m in named if m.has_body]
    fact = Functional(bodies[0]) if len(bodies) == 1 else None
    if fact is None:
        t.unsupported("a method reference without one source is counted where it is made, not where it is called", e.at)
    made = t.op("new", None) if t.state.program.makes_functions else NO_VALUE
    return Evaluated(types.Type("lambda"), fact, made)


def call_function(t: Translator, fact: Functional, arguments: Sequence[Evaluated], at: LineColumn) -> Evaluated:
    """A call of a method of a functional interface whose lambda is known."""
    method, arguments = fact.method, list(arguments)
    if len(arguments) == len(method.formals) + 1 and not method.static:
        arguments = arguments[1:]
    typed = _typed(t, method, arguments) if len(arguments) == len(method.formals) else None
    if typed is None:
        return Evaluated(types.UNKNOWN)
    return invoke(t, typed, arguments, Evaluated(types.UNKNOWN), at)


def _typed(t: Translator, method: Method, arguments: Sequence[Evaluated]) -> Method:
    """A lambda whose formals have no types takes those of the arguments."""
    if all(x.type != types.UNKNOWN for x in method.formals):
        return method
    kinds = tuple(x.type if x.type != types.UNKNOWN else g.type for x, g in zip(method.formals, arguments, strict=True))
    key = (method, kinds)
    if key not in t.state.typed:
        formals = tuple(s.Formal(k, x.name) for k, x in zip(kinds, method.formals, strict=True))
        typed = Method(method.owner, method.name, formals, method.result, True, False, lambda: method.body, method.at)
        t.state.typed[key] = typed

    typed = t.state.typed[key]
    if method in t.state.captured:
        t.state.captured[typed] = t.state.captured[method]
    return typed


def handed_over(
    t: Translator, name: str, passed: Sequence[Evaluated], at: LineColumn, length: Value | None, kind: types.Type
) -> None:
    """Functions given to a library call run as often as it has elements, else so often as a parameter says."""
    for one in passed:
        if not isinstance(one.fact, Functional):
            continue
        method, many = one.fact.method, length
        if many is None or many.names <= t.state.parameters.keys():
            text = f"calls of {method.name} by {name}, on average"
            many = t.note(f"calls_{at.line}", text, method.at, many, kind=ParameterKind.LAMBDA, member=name)
        with t.writing() as items:
            arguments = [
                Evaluated(k if k != types.UNKNOWN else kind, None, t.value()) for k in (x.type for x in method.formals)
            ]
            call_function(t, one.fact, arguments, at)
        t.out.append(repeated(many, tuple(items), at))


def repeated(many: Value, body: Items, at: LineColumn) -> CodeLoop:
    """As many rounds as a stream has elements, or as a parameter says on average."""
    is_counted = many.is_whole() and not any(n.startswith(("calls_", "elements_")) for n in many.names)
    low, high = (as_value(1), many) if is_counted else (None, None)
    return CodeLoop(f"k{HIDDEN}{at.line}", low, high, many, body, False, 1, "", as_value(0), at)
