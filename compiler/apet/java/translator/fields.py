"""Fields: what holds of them wherever the entry may read them.

A field that nothing reachable from the entry assigns keeps the value that its initialiser, the constructor or another
method (`setup`) gives it. Such a value becomes a parameter of the field's own name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.parse.declarations import JavaField, JavaMethod
from apet.java.translator.algebra import Value, as_value
from apet.java.translator.arithmetic import converted
from apet.java.translator.facts import Functional, Instance, Known, Lengths, put, shown
from apet.java.translator.invocation import formal_symbols
from apet.java.translator.ir import Note
from apet.java.translator.methods import formal_known
from apet.java.translator.statements import run_all

if TYPE_CHECKING:
    from apet.java.translator.state import TranslationState
    from apet.java.translator.translator import Translator


def field_known(t: Translator, owner: str, field: JavaField) -> Known:
    """A parameter for a whole number, lengths for an array; None for what changes while the entry runs."""
    state, key = t.state, (owner, field.name)
    if key in state.fields:
        return state.fields[key]

    state.fields[key] = None  # a field whose initialiser reads the field itself
    if _changes(state, field):
        return None
    initial = _initial(t, owner, field)
    known: Known = None
    if isinstance(initial, Functional | Instance) and field.final:
        known = initial
    elif field.type.dimensions:
        known = _array(state, owner, field, initial)
    elif types.is_integral(field.type) or (types.is_numeric(field.type) and shown(initial) is not None):
        known = _number(state, owner, field, initial)
    state.fields[key] = known
    return known


def _changes(state: TranslationState, field: JavaField) -> bool:
    """Whether anything reachable assigns it; arrays that are only exchanged for each other keep their lengths."""
    for m in state.reachable:
        if m is not state.entry and m.name == m.owner:
            continue
        for value in m.facts.assigned.get(field.name, ()):
            if not field.type.dimensions or not isinstance(value, s.Identifier):
                return True
    return False


def _number(state: TranslationState, owner: str, field: JavaField, initial: Known) -> Value:
    name = field.name if field.name not in state.parameters else state.fresh(f"{owner}_{field.name}")
    value = shown(initial)
    if value is not None and value == as_value(field.name):
        value = None
    text = f"{state.where(owner, field.at)}: field {field.name}"
    return state.parameter(Note(name, text, field.at, value), exact=True)


def _array(state: TranslationState, owner: str, field: JavaField, initial: Known) -> Lengths:
    initial_lengths = initial.lengths if isinstance(initial, Lengths) else ()
    lengths: list[Value | None] = []
    for k, name in enumerate(formal_symbols(field.name, field.type)):
        known = shown(initial_lengths[k]) if k < len(initial_lengths) else None
        if known is None:
            what = "length" if k == 0 else f"length in dimension {k + 1}"
            text = f"{state.where(owner, field.at)}: {what} of field {field.name}"
            known = state.parameter(Note(name, text, field.at))
        lengths.append(known)
    return Lengths(tuple(lengths))


def _initial(t: Translator, owner: str, field: JavaField) -> Known:
    """What the initialiser or the only method that assigns the field gives it."""
    declaring = t.state.program.get(owner)
    assert declaring is not None
    methods = (*declaring.constructors, *declaring.methods, *declaring.blocks)
    setters = [m for m in methods if m is not t.state.entry and m.assigns(field.name)]
    if field.initial is not None and not setters:
        around = t.begin(JavaMethod(owner, field.name, (), field.type, True, False, lambda: None, field.at))
        return converted(around, around.evaluate(field.initial), field.type).known
    return _set_by(t, setters[0]).get(field.name) if len(setters) == 1 else None


def _set_by(caller: Translator, setter: JavaMethod) -> dict[str, Known]:
    """The fields as a method leaves them, in terms of its formals and other fields."""
    state = caller.state
    if setter in state.setters:
        return state.setters[setter]
    state.setters[setter] = {}
    if setter.body is None or setter in state.stack:
        return {}

    t = caller.begin(setter)
    own: dict[str, str] = {}
    for formal in setter.formals:
        t.types[formal.name] = formal.type
        known, names = formal_known(state, formal)
        t.known[formal.name] = known
        own.update(zip(formal_symbols(formal.name, formal.type), names, strict=True))
    state.stack.append(setter)
    run_all(t, setter.body.statements)
    state.stack.pop()

    # `this.n = n` in a constructor: the formal and the field are one parameter, that of the field.
    fields = {k.removeprefix("this."): v for k, v in t.known.items() if k.startswith("this.")}
    same = {symbol: as_value(name) for name, symbol in own.items() if fields.get(name) == as_value(symbol)}
    for symbol in own.values():
        if symbol not in same:
            text = f"{state.where(setter.owner, setter.at)}: formal {symbol} of {setter.name}"
            state.parameter(Note(symbol, text, setter.at), exact=True)
    state.setters[setter] = {k: put(v, same) for k, v in fields.items()}
    return state.setters[setter]
