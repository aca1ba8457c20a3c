"""Local variables and unqualified fields: reading, assigning, and their symbols in the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value
from apet.program.translator.facts import Evaluated

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


def is_variable(t: Translator, e: s.Expression) -> bool:
    """Whether an expression is a local variable or a formal."""
    return isinstance(e, s.Identifier) and e.name in t.types


def read_name(t: Translator, e: s.Identifier, field_only: bool = False) -> Evaluated:
    """A local variable, else a field of this class or of one around it."""
    if e.name in t.types and not field_only:
        kind = t.types[e.name]
        return Evaluated(kind, t.facts.get(e.name), t.op("access", kind, variable=e.name))
    if e.name in ("this", "super"):
        return Evaluated(types.Type(t.owner), t.this(), t.op("access", types.OBJECT, variable="this"))
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
