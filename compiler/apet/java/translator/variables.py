"""Local variables and unqualified fields: reading, assigning, and their symbols in the model."""

from __future__ import annotations

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator.algebra import Value
from apet.java.translator.facts import Known, Result
from apet.java.translator.frame import Frame


def is_variable(f: Frame, e: s.Expression) -> bool:
    """Whether an expression is a local variable or a formal."""
    return isinstance(e, s.Name) and e.name in f.types


def read_name(f: Frame, e: s.Name, field_only: bool = False) -> Result:
    """A local variable, else a field of this class or of one around it."""
    if e.name in f.types and not field_only:
        kind = f.types[e.name]
        return Result(kind, f.known.get(e.name), f.op("access", kind, variable=e.name))
    if e.name in ("this", "super"):
        return Result(s.Type(f.owner), None, f.op("access", types.OBJECT, variable="this"))
    found = f.job.program.field(f.owner, e.name, near=True)
    if found is None:
        return Result(types.UNKNOWN, None, f.op("field_access", None, variable=f"this.{e.name}"), True)
    owner, field = found
    known = field_known(f, owner.name, field)
    if field.static and field.final and isinstance(field.initial, s.Literal):
        return Result(field.type, known)
    return Result(field.type, known, f.op("field_access", None, variable=f"this.{e.name}"))


def field_known(f: Frame, owner: str, field: s.Field) -> Known:
    """What is known of a field here: what this method assigned last, else what holds everywhere."""
    key = f"this.{field.name}"
    return f.known[key] if key in f.known else f.job.field(owner, field)


def assign_variable(f: Frame, name: str, value: Result) -> Result:
    """Assign a local variable."""
    f.known[name] = value.known
    f.op("assign", f.types[name] if f.types[name] != types.UNKNOWN else value.type, value, variable=name, store=True)
    return value


def declare(f: Frame, name: str, kind: s.Type) -> None:
    """A local variable comes into scope."""
    f.types[name] = kind
    f.known.pop(name, None)


def symbol_of(f: Frame, e: s.Expression) -> Value | None:
    """What is known of an expression that changes nothing, without writing its operations again."""
    if not f.method.scan.pure(e):
        return None
    with f.writing():
        known = f.job.evaluate(f, e).known
    return known if isinstance(known, Value) else None
