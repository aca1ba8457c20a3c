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
from apet.java.translator.facts import Fact, Functional, Instance, Lengths, put, shown
from apet.java.translator.invocation import formal_symbols
from apet.java.translator.ir import Note
from apet.java.translator.methods import formal_fact
from apet.java.translator.state import RESERVED
from apet.java.translator.statements import run_all

if TYPE_CHECKING:
    from apet.java.translator.state import TranslationState
    from apet.java.translator.translator import Translator


def field_fact(t: Translator, owner: str, field: JavaField) -> Fact:
    """A parameter for a whole number, lengths for an array; None for what changes while the entry runs."""
    state, key = t.state, (owner, field.name)
    if key in state.fields:
        return state.fields[key]

    state.fields[key] = None  # a field whose initialiser reads the field itself
    if _changes(state, owner, field):
        return None
    initial = _initial(t, owner, field)
    fact: Fact = None
    if isinstance(initial, Functional | Instance) and field.final:
        fact = initial
    elif field.type.dimensions:
        fact = _array(state, owner, field, initial)
    elif types.is_integral(field.type) or (types.is_numeric(field.type) and shown(initial) is not None):
        fact = _number(state, owner, field, initial)
    state.fields[key] = fact
    return fact


def _changes(state: TranslationState, owner: str, field: JavaField) -> bool:
    """Whether anything reachable assigns it; arrays that are only exchanged for each other keep their lengths."""
    for m in state.program.reachable(state.entry):
        if m is not state.entry and m.name == m.owner:
            continue
        declaration = state.program.field(m.owner, field.name)
        if declaration is not None and declaration[0].name != owner:
            continue  # it assigns a field of its own class, of the same name
        for value in m.facts.assigned.get(field.name, ()):
            if not field.type.dimensions or not isinstance(value, s.Identifier):
                return True
    return False


def _number(state: TranslationState, owner: str, field: JavaField, initial: Fact) -> Value:
    plain = _symbol(field.name)
    name = plain if plain not in state.parameters else state.fresh(f"{owner}_{field.name}")
    value = shown(initial)
    if value is not None and value == as_value(plain):
        value = None
    text = f"{state.where(owner, field.at)}: field {field.name}{_of_class(state, owner)}"
    number = None if value is None else value.constant
    # A parameter without a range is never negative.
    ends = (as_value(number), as_value(-number)) if number is not None and number < 0 else (None, None)
    return state.parameter(Note(name, text, field.at, value, *ends), exact=True)


def _symbol(name: str) -> str:
    """The symbol of a field: its own name, unless the modelling language has that name."""
    return f"{name}_" if name in RESERVED else name


def _of_class(state: TranslationState, owner: str) -> str:
    """The class of a field that is not one of the task itself: there may be many objects of it."""
    return "" if any(c.name == owner for c in state.program.line(state.entry.owner)) else f" of {owner}"


def _array(state: TranslationState, owner: str, field: JavaField, initial: Fact) -> Lengths:
    initial_lengths = initial.lengths if isinstance(initial, Lengths) else ()
    lengths: list[Value | None] = []
    for k, name in enumerate(formal_symbols(field.name, field.type)):
        fact = shown(initial_lengths[k]) if k < len(initial_lengths) else None
        if fact is None:
            what = "length" if k == 0 else f"length in dimension {k + 1}"
            text = f"{state.where(owner, field.at)}: {what} of field {field.name}{_of_class(state, owner)}"
            fact = state.parameter(Note(name, text, field.at))
        lengths.append(fact)
    return Lengths(tuple(lengths))


def _initial(t: Translator, owner: str, field: JavaField) -> Fact:
    """What the initialiser or the only method that assigns the field gives it."""
    declaring = t.state.program.get(owner)
    assert declaring is not None
    methods = (*declaring.constructors, *declaring.methods, *declaring.blocks)
    setters = [m for m in methods if m is not t.state.entry and m.assigns(field.name)]
    if field.initial is not None and not setters:
        around = t.begin(JavaMethod(owner, field.name, (), field.type, True, False, lambda: None, field.at))
        return converted(around, around.evaluate(field.initial), field.type).fact
    return _set_by(t, setters[0]).get(field.name) if len(setters) == 1 else None


def _set_by(caller: Translator, setter: JavaMethod) -> dict[str, Fact]:
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
        fact, names = formal_fact(state, formal)
        t.facts[formal.name] = fact
        own.update(zip(formal_symbols(formal.name, formal.type), names, strict=True))
    state.stack.append(setter)
    run_all(t, setter.body.statements)
    state.stack.pop()

    # `this.n = n` in a constructor: the formal and the field are one parameter, that of the field.
    fields = {k.removeprefix("this."): v for k, v in t.facts.items() if k.startswith("this.")}
    same = {symbol: as_value(_symbol(name)) for name, symbol in own.items() if fields.get(name) == as_value(symbol)}
    for symbol in own.values():
        if symbol not in same:
            text = f"{state.where(setter.owner, setter.at)}: formal {symbol} of {setter.name}"
            state.parameter(Note(symbol, text, setter.at), exact=True)
    state.setters[setter] = {k: put(v, same) for k, v in fields.items()}
    return state.setters[setter]
