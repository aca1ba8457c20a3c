"""Fields of objects and structures, and lengths of arrays: reading and assigning them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.symbols import HIDDEN
from apet.program.translator import fields
from apet.program.translator.arithmetic import converted
from apet.program.translator.classes import put_in
from apet.program.translator.facts import Evaluated, Instance, Lengths
from apet.program.translator.variables import read_name
from apet.program.translator.visits import visit

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


def member(t: Translator, e: s.FieldAccess) -> Evaluated:
    if isinstance(e.target, s.Identifier) and e.target.name == "this":
        return read_name(t, s.Identifier(e.name, e.at), True)
    owner = t.class_named(e.target)
    if owner is not None:
        return t.static_field(owner, e)

    target = t.evaluate(e.target)
    if e.name == "length" and target.type.dimensions:
        value = t.op("field_access", None, target, variable="length")
        lengths = target.fact.lengths if isinstance(target.fact, Lengths) else ()
        return Evaluated(types.INT, lengths[0] if lengths else None, value)
    visit(t, target, e.at)
    declaration = t.state.program.field(target.type.name, e.name)
    kind = types.UNKNOWN if declaration is None else put_in(declaration[1].type, declaration[0], target.type)
    name = f"{text_of_target(e.target)}.{e.name}"
    fact = None
    if declaration is not None and isinstance(target.fact, Instance):
        fact = fields.of_object(t, target.fact, *declaration)
    return Evaluated(kind, fact, t.op("field_access", None, target, variable=name), True)


def text_of_target(e: s.Expression) -> str:
    """A name for what an array or object expression denotes, within a method."""
    match e:
        case s.Identifier(name, _):
            return name
        case s.FieldAccess(target, name, _):
            return f"{text_of_target(target)}.{name}"
        case s.ArrayAccess(array, _, _):
            return f"{text_of_target(array)}[]"
        case _:
            return f"{HIDDEN}{e.at.line}:{e.at.column}"


def assign_field(t: Translator, target: s.Expression, value: Evaluated) -> Evaluated:
    """An assignment to a field; the object it belongs to is evaluated first."""
    name, owner, mine = "", Evaluated(types.UNKNOWN), False
    if isinstance(target, s.Identifier):
        name, mine = target.name, True
    elif isinstance(target, s.FieldAccess):
        name = target.name
        mine = isinstance(target.target, s.Identifier) and target.target.name == "this"
        if not mine and t.class_named(target.target) is None:
            owner = t.evaluate(target.target)
            visit(t, owner, target.at)

    declaration = t.state.program.field(t.owner if mine else owner.type.name, name, near=mine)
    wanted = declaration[1].type if declaration is not None else value.type
    stored = converted(t, value, wanted)
    if mine:
        t.facts[f"this.{name}"] = stored.fact
    elif f"this.{name}" in t.facts:
        t.facts[f"this.{name}"] = None  # the other object may be this one
    t.op("field_access", None, owner, variable=f"this.{name}" if mine else name, store=True)
    t.op("assign", stored.type, stored, store=True, variable=f"this.{name}" if mine else name)
    return stored


def learn_rows(t: Translator, array: str, row: Lengths) -> None:
    """Rows of one length that are put into an array of arrays tell its second dimension."""
    key = array if array in t.types else f"this.{array}"
    fact = t.facts.get(key)
    if isinstance(fact, Lengths) and len(fact.lengths) > 1 and fact.lengths[1] is None:
        t.facts[key] = Lengths((fact.lengths[0], *row.lengths))
