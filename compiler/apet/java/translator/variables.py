"""Local variables and unqualified fields: reading, assigning, and their symbols in the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from apet.java.translator.facts import Evaluated, Instance
from apet.java.translator.program import JavaProgram
from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value
from apet.program.syntax.declarations import Method

if TYPE_CHECKING:
    from apet.java.translator.state import TranslationState
    from apet.java.translator.translator import Translator


def is_variable(t: Translator, e: s.Expression) -> bool:
    """Whether an expression is a local variable or a formal."""
    return isinstance(e, s.Identifier) and e.name in t.types


def read_name(t: Translator, e: s.Identifier, field_only: bool = False) -> Evaluated:
    """A local variable, else a field of this class or of one around it."""
    if e.name in t.types and not field_only:
        kind = t.types[e.name]
        return Evaluated(kind, t.facts.get(e.name), t.op("access", kind, variable=e.name))
    if e.name in ("this", "super"):
        return Evaluated(types.Type(t.owner), this(t), t.op("access", types.OBJECT, variable="this"))
    declaration = t.state.program.field(t.owner, e.name, near=True)
    if declaration is None:
        return Evaluated(types.UNKNOWN, None, t.op("field_access", None, variable=f"this.{e.name}"), True)

    owner, field = declaration
    fact = t.field_fact(owner.name, field)
    if field.static and field.final and isinstance(field.initial, s.Literal):
        return Evaluated(field.type, fact)
    return Evaluated(field.type, fact, t.op("field_access", None, variable=f"this.{e.name}"))


def assign_variable(t: Translator, name: str, value: Evaluated) -> Evaluated:
    """Assign a local variable."""
    t.facts[name] = value.fact
    t.op("assign", t.types[name] if t.types[name] != types.UNKNOWN else value.type, value, variable=name, store=True)
    return value


def declare(t: Translator, name: str, kind: types.Type) -> None:
    """A local variable comes into scope."""
    t.types[name] = kind
    t.facts.pop(name, None)


def symbol_of(t: Translator, e: s.Expression) -> Value | None:
    """What is known of an expression that changes nothing, without writing its operations again."""
    if not t.method.scan.pure(e):
        return None
    with t.writing():
        fact = t.evaluate(e).fact
    return fact if isinstance(fact, Value) else None


def this(t: Translator, name: str = "") -> Instance | None:
    """The class that `this` is made of, where it is not that of the method; with a name, only if it has a method so."""
    own: Instance | None = t.state.own_classes.get(t.method)
    if own is None or (name and not any(name in c.named for c in t.state.program.line(own.type.name))):
        return None
    return own


def on_object(state: TranslationState, method: Method, target: Evaluated) -> Method:
    """The method as it runs on an object: a copy where the object's class overrides what the method calls."""
    kind = target.fact.type if isinstance(target.fact, Instance) else target.type
    if method.static or kind.name == method.owner or kind.dimensions:
        return method
    key = (method, kind.name)
    if key not in state.inherited:
        state.inherited[key] = method
        if _calls_overridden(state.program, method, kind.name):
            state.inherited[key] = copy = replace(method)
            state.own_classes[copy] = Instance(kind)
            if method in state.given:
                state.given[copy] = state.given[method]
    return state.inherited[key]


def _calls_overridden(program: JavaProgram, method: Method, owner: str) -> bool:
    """Whether a method that a class inherits calls, itself or through others of the class, one that a class below the
    method's own declares again. Calls count by name: more than there are, never fewer."""
    line = list(program.line(owner))
    depths: Mapping[str, int] = {c.name: depth for depth, c in enumerate(line)}
    seen, waiting = {method}, [method]
    while waiting:
        one = waiting.pop()
        if one.owner not in depths:
            continue
        for name in one.called:
            named = [m for c in line for m in c.named.get(name, ()) if m.has_body and not m.static]
            if any(depths[m.owner] < depths[method.owner] for m in named) and method.owner in depths:
                return True
            waiting += [m for m in named if m not in seen]
            seen.update(named)
    return False
