"""Calls, fields of objects, and allocation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.translator import lambdas, library_types, objects, resolved
from apet.java.translator.dispatch import dispatched, this
from apet.java.translator.library_calls import library_call
from apet.java.translator.short_methods import of_short_method
from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import ZERO, as_value
from apet.program.syntax.declarations import Method
from apet.program.translator import functions, operations
from apet.program.translator.arithmetic import converted
from apet.program.translator.classes import put_in
from apet.program.translator.facts import Evaluated, Functional, Instance
from apet.program.translator.invocation import invoke, is_small_enough
from apet.program.translator.mathematics import of_math
from apet.program.translator.variables import is_variable
from apet.program.translator.visits import visit

if TYPE_CHECKING:
    from apet.java.translator.translator import JavaTranslator

MOST_OVERRIDERS = 6
"""Methods that override one, up to which a call of it is a branch between them."""


def class_named(t: JavaTranslator, e: s.Expression) -> str | None:
    """The simple name of the class that an expression names; None where it is a value."""
    if isinstance(e, s.Identifier):
        if is_variable(t, e) or e.name in ("this", "super") or t.program.field(t.owner, e.name, near=True):
            return None
        return e.name if t.program.get(e.name) is not None or e.name[:1].isupper() else None

    if isinstance(e, s.FieldAccess) and e.name[:1].isupper() and (e.name.upper() != e.name or len(e.name) == 1):
        root = e.target
        while isinstance(root, s.FieldAccess):
            root = root.target
        if isinstance(root, s.Identifier) and not is_variable(t, root) and root.name != "this":
            return e.name
    return None


def static_field(t: JavaTranslator, owner: str, e: s.FieldAccess) -> Evaluated:
    """A field of a class."""
    declaration = t.program.field(owner, e.name)
    if declaration is None:
        if e.name in ("MAX_VALUE", "MIN_VALUE", "PI", "E"):
            kind = t.conversions.unboxed(types.Type(owner)) if owner != "Math" else types.DOUBLE
            limits = types.LIMITS.get(kind.name, {})
            return Evaluated(kind, as_value(limits[e.name]) if e.name in limits else None)
        return Evaluated(types.UNKNOWN, None, t.op("field_access", None, variable=f"{owner}.{e.name}"), True)

    declaring, field = declaration
    fact = t.field_fact(declaring.name, field)
    if field.final and isinstance(field.initial, s.Literal):
        return Evaluated(field.type, fact)
    return Evaluated(field.type, fact, t.op("field_access", None, variable=f"{owner}.{e.name}"))


def call(t: JavaTranslator, e: s.MethodCall) -> Evaluated:
    """Any call: of Math, of a random generator, of a string, of a method with a source, of a library."""
    owner = resolved.library_owner(t, e) if e.target is None else class_named(t, e.target)
    if owner in ("Math", "StrictMath"):
        return of_math(t, e, [t.evaluate(a) for a in e.arguments])

    if owner == "System" and e.name == "exit":
        return t.end()

    super_call = isinstance(e.target, s.Identifier) and e.target.name == "super"
    target = Evaluated(types.Type(t.owner), this(t, e.name))
    if e.target is not None and owner is None and not super_call:
        target = t.evaluate(e.target)
    arguments = [t.evaluate(a) for a in e.arguments]
    target = target._replace(type=resolved.target_type(t, e, target.type))
    kind = target.type if owner is None else types.Type(owner)

    known = _known(t, e, owner, kind, target, arguments)
    if known is not None:
        return known
    method = None if kind.dimensions else resolved.method_called(t, e, kind, target, arguments, super_call)
    component = _component(t, e, kind) if method is None else None
    if component is not None:
        visit(t, target, e.at)
        return Evaluated(component, None, t.op("field_access", None, target, variable=f"{kind.name}.{e.name}"), True)
    if (constants := objects.constants(t, e, kind, method)) is not None:
        return constants
    if isinstance(target.fact, Functional) and lambdas.is_call(e.name) and (method is None or not method.has_body):
        formals = lambdas.formals_of(kind.name, len(arguments)) if method is None else [x.type for x in method.formals]
        arguments = [converted(t, g, k) for g, k in zip(arguments, formals, strict=False)]
        return functions.call_function(t, target.fact, arguments, e.at)
    # An abstract method that a single class overrides is that class's.
    if method is not None and not method.has_body:
        overriders = t.program.overriding(method)
        if 1 < len(overriders) <= MOST_OVERRIDERS and all(is_small_enough(t, m, e.at) for m in overriders):
            return dispatched(t, overriders, arguments, target, e.at)
        method = overriders[0] if len(overriders) == 1 else method
    rivals = _overridden(t, e, method, target, super_call) if method is not None and method.has_body else []
    if 1 < len(rivals) <= MOST_OVERRIDERS and all(is_small_enough(t, m, e.at) for m in rivals):
        return dispatched(t, rivals, arguments, target, e.at)
    if method is not None and method.has_body and is_small_enough(t, method, e.at):
        if e.target is not None and not super_call and not method.static:
            visit(t, target, e.at)
        return invoke(t, method, arguments, target, e.at)
    return library_call(t, e, owner, target, arguments, method)


def _known(
    t: JavaTranslator,
    e: s.MethodCall,
    owner: str | None,
    kind: types.Type,
    target: Evaluated,
    arguments: list[Evaluated],
) -> Evaluated | None:
    """A call of what the translator knows by name: a one-liner, a constructor, a random number, a text's method."""
    if owner is not None and t.program.get(owner) is None:
        short = of_short_method(t, e, owner, arguments)
        if short is not None:
            return short
    if e.target is None and e.name in ("this", "super"):
        return _constructor_call(t, e, arguments)
    if kind.name in library_types.RANDOM_CLASSES and e.name in library_types.RANDOM and not kind.dimensions:
        name, result = library_types.RANDOM[e.name]
        return Evaluated(result, None, t.op(name, None, *arguments, variable="random"))
    is_text = types.is_string(kind) or (types.is_string(types.Type(kind.name)) and owner is not None)
    if is_text and (e.name == "charAt" or t.program.get("String") is None):
        return _of_string(t, e, target, arguments)
    return None


def _overridden(
    t: JavaTranslator, e: s.MethodCall, method: Method, target: Evaluated, super_call: bool
) -> list[Method]:
    """A method and those that override it, for a call on an object of which only the class it is declared as is known;
    of the classes below that, those of which the program makes objects count."""
    if e.target is None or super_call or method.static or isinstance(target.fact, Instance):
        return []
    made = {name for m in t.program.reachable(t.state.entry) for name in m.facts.created}
    below = [m for m in t.program.overriding(method) if m is not method and m.owner in made]
    return [method, *below]


def _component(t: JavaTranslator, e: s.MethodCall, kind: types.Type) -> types.Type | None:
    """The type of a record's component that an accessor without a source returns; None for any other call."""
    declared = t.program.get(kind.name) if not e.arguments and e.target is not None else None
    if declared is None or declared.kind != "record" or e.name not in declared.fields:
        return None
    return put_in(declared.fields[e.name].type, declared, kind)


def _of_string(t: JavaTranslator, e: s.MethodCall, target: Evaluated, arguments: Sequence[Evaluated]) -> Evaluated:
    """A method of a string: one character of it is an operation of a core, everything else a call."""
    result = library_types.STRING_RESULTS.get(e.name, types.UNKNOWN)
    if e.name == "charAt":
        text = e.target.name if isinstance(e.target, s.Identifier) else ""
        return Evaluated(result, None, t.op(e.name, types.STRING, target, *arguments, variable=text), True)
    named = t.library(operations.library_name("String", e.name), e.at, (target, *arguments), result)
    lambdas.handed_over(t, e.name, target, arguments, e.at)
    return named


def _constructor_call(t: JavaTranslator, e: s.MethodCall, arguments: list[Evaluated]) -> Evaluated:
    mine = t.program.get(t.owner)
    owner = t.owner if e.name == "this" else (mine.parents[0] if mine is not None and mine.parents else "Object")
    method = t.program.constructor(owner, [g.type for g in arguments])
    declared = t.program.get(owner)
    if declared is not None:
        objects.construct(t, declared, method, arguments, Evaluated(types.Type(owner)), e.at)
        return Evaluated(types.VOID)
    # Throwable(message, cause, enableSuppression, writableStackTrace)
    if e.name == "super" and len(arguments) == 4 and arguments[3].number == ZERO:
        t.program.untraced.add(t.owner)
    return Evaluated(types.VOID)
