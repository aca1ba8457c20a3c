"""Fields: what holds of them wherever the entry may read them.

A field that nothing reachable from the entry assigns keeps the value that its initialiser, the constructor or another
method (`setup`) gives it. Such a value becomes a parameter of the field's own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program.algebra import Value, as_value
from apet.program.ir import ParameterKind, SourceNote
from apet.program.model_names import RESERVED
from apet.program.symbols import Symbol
from apet.program.syntax.declarations import Class, Field, Method
from apet.program.translator.arithmetic import converted
from apet.program.translator.facts import (
    Fact,
    Functional,
    Instance,
    Lengths,
    names_of,
    put,
    shown,
    without_symbols,
)
from apet.program.translator.invocation import of_formal
from apet.program.translator.methods import formal_fact
from apet.program.translator.statements import run_all

if TYPE_CHECKING:
    from apet.program.translator.state import TranslationState
    from apet.program.translator.translator import Translator


def field_fact(t: Translator, owner: str, field: Field) -> Fact:
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
    elif t.conversions.is_integral(field.type) or (t.conversions.is_numeric(field.type) and shown(initial) is not None):
        fact = _declared(state, _number(state, owner, field, initial))
    state.fields[key] = fact
    return fact


def _changes(state: TranslationState, owner: str, field: Field, of_all: bool = True) -> bool:
    """Whether anything reachable assigns it; arrays that are only exchanged for each other keep the lengths of all."""
    for m in state.program.reachable(state.entry):
        if field.name in m.facts.elsewhere:
            return True  # of whatever class: the types of objects are not known here
        if m is not state.entry and m.name == m.owner:
            continue
        declaration = state.program.field(m.owner, field.name)
        if declaration is not None and declaration[0].name != owner:
            continue  # it assigns a field of its own class, of the same name
        for value in m.facts.assigned.get(field.name, ()):
            if not (of_all and field.type.dimensions and isinstance(value, s.Identifier)):
                return True
    return False


def _number(state: TranslationState, owner: str, field: Field, initial: Fact) -> Value:
    """The parameter that a field is."""
    key = (owner, field.name)
    if key not in state.field_parameters:
        plain = f"{field.name}_" if field.name in RESERVED else field.name
        name = plain if plain not in state.parameters else state.fresh(f"{owner}_{field.name}")
        value = shown(initial)
        text = f"{state.where(owner, field.at)}: field {field.name}{_of_class(state, owner)}"
        number = None if value is None else value.constant
        # A parameter without a range is never negative.
        low, high = (as_value(number), as_value(-number)) if number is not None and number < 0 else (None, None)
        site = state.site(owner, field.at, owner=owner, member=field.name)
        note = SourceNote(name, text, field.at, value, low, high, ParameterKind.FIELD, site)
        state.field_parameters[key] = state.parameter(note, exact=True)
    return state.field_parameters[key]


def _declared(state: TranslationState, parameter: Value) -> Value:
    """A parameter, which from now on stands behind those that have been declared before."""
    name = next(iter(parameter.names))
    state.parameters[name] = state.parameters.pop(name)
    return parameter


def _of_class(state: TranslationState, owner: str) -> str:
    """The class of a field that is not one of the task itself: there may be many objects of it."""
    return "" if any(c.name == owner for c in state.program.line(state.entry.owner)) else f" of {owner}"


def _array(state: TranslationState, owner: str, field: Field, initial: Fact) -> Lengths:
    initial_lengths = initial.lengths if isinstance(initial, Lengths) else ()
    lengths: list[Value | None] = []
    for k, name in enumerate(state.symbols_of(field.name, field.type)):
        fact = shown(initial_lengths[k]) if k < len(initial_lengths) else None
        if fact is None:
            what = "length" if k == 0 else f"length in dimension {k + 1}"
            text = f"{state.where(owner, field.at)}: {what} of field {field.name}{_of_class(state, owner)}"
            site = state.site(owner, field.at, owner=owner, member=field.name, dimension=k + 1)
            fact = state.parameter(SourceNote(name, text, field.at, kind=ParameterKind.FIELD_LENGTH, site=site))
        lengths.append(fact)
    return Lengths(tuple(lengths))


def _initial(t: Translator, owner: str, field: Field) -> Fact:
    """What the initialiser or the only method that assigns the field gives it."""
    declaring = t.state.program.get(owner)
    assert declaring is not None
    before = {m for first in t.state.given_methods() for m in t.state.program.reachable(first)}
    if any(field.name in m.facts.elsewhere for m in before):
        return None
    methods = (*declaring.constructors, *declaring.methods, *declaring.blocks)
    setters = [m for m in methods if m is not t.state.entry and m.assigns(field.name)]
    if field.initial is not None and not setters:
        return _first_value(t, owner, field)
    return _set_by(t, setters[0]).get(field.name) if len(setters) == 1 else None


def of_object(t: Translator, instance: Instance, declaring: Class, field: Field) -> Fact:
    """What a field of an object holds of which the constructor is known, where nothing else assigns it."""
    is_own = declaring.name == instance.type.name and not field.static
    if instance.given is None or not is_own or _changes(t.state, declaring.name, field, False):
        return None
    given, fact = dict(instance.given), None
    setters = [m for m in (*declaring.constructors, *declaring.initialisers) if m.assigns(field.name)]
    if instance.constructor in setters and instance.constructor is not None:
        fact = _left_by(t, instance.constructor).get(field.name)
    elif not setters and field.initial is not None:
        fact = _first_value(t, declaring.name, field)
    known = without_symbols(fact, names_of(fact) - given.keys())
    return put(known, given) if isinstance(known, Value | Lengths) else None


def _first_value(t: Translator, owner: str, field: Field) -> Fact:
    assert field.initial is not None
    around = t.begin(Method(owner, field.name, (), field.type, True, False, lambda: None, field.at))
    return converted(around, around.evaluate(field.initial), field.type).fact


def _left_by(caller: Translator, setter: Method) -> dict[str, Fact]:
    """The fields as a method leaves them, in terms of its formals, which are not negative, and other fields."""
    state = caller.state
    if setter in state.left:
        return state.left[setter]
    state.left[setter] = {}
    if setter.body is None or setter in state.stack:
        return {}

    t = caller.begin(setter)
    for formal, names in zip(setter.formals, state.formals(setter), strict=True):
        t.types[formal.name] = formal.type
        t.facts[formal.name] = formal_fact(formal, names)
        for symbol in names:
            if isinstance(symbol, Symbol):
                symbol.signed = False  # it becomes a parameter of the model
    state.stack.append(setter)
    run_all(t, setter.body.statements)
    state.stack.pop()

    state.left[setter] = {k.removeprefix("this."): v for k, v in t.facts.items() if k.startswith("this.")}
    return state.left[setter]


def _set_by(caller: Translator, setter: Method) -> dict[str, Fact]:
    """The fields as a method leaves them, where its formals are parameters."""
    state = caller.state
    if setter in state.setters:
        return state.setters[setter]
    state.setters[setter] = {}
    facts = _left_by(caller, setter)
    used = frozenset(n for v in facts.values() for n in names_of(v))
    outside = dict[str, Value]()
    for symbol in (symbol for symbols in state.formals(setter) for symbol in symbols):
        if isinstance(symbol, Symbol) and symbol in used:
            outside[symbol] = _outside(state, setter, symbol, facts)
    state.setters[setter] = {k: without_symbols(put(v, outside)) for k, v in facts.items()}
    return state.setters[setter]


def _outside(state: TranslationState, setter: Method, symbol: Symbol, facts: Mapping[str, Fact]) -> Value:
    """A parameter for what a formal of a setter is, over all its calls; `this.n = n` in a constructor: the formal and
    the field are one parameter, that of the field."""
    declaration = state.program.field(setter.owner, symbol.wanted)
    is_field = declaration is not None and facts.get(symbol.wanted) == as_value(symbol)
    if declaration is not None and is_field and not _changes(state, declaration[0].name, declaration[1]):
        parameter = _number(state, declaration[0].name, declaration[1], None)
    else:
        text = f"{state.where(setter.owner, setter.at)}: formal {symbol.wanted} of {setter.name}"
        site = state.site(setter.owner, setter.at, **of_formal(setter, symbol))
        name = symbol.wanted if symbol.wanted not in state.parameters else state.fresh(symbol.wanted)
        note = SourceNote(name, text, setter.at, kind=ParameterKind.ARGUMENT, site=site)
        parameter = state.parameter(note, exact=True)
    state.awaiting[next(iter(parameter.names))] = (setter, symbol)
    return parameter


def settle(state: TranslationState) -> None:
    """Give the formals of setters the values that all their calls agree on, as far as these are values of the model."""
    for name, (setter, symbol) in state.awaiting.items():
        values = {named.get(symbol) for named in state.arguments.get(setter, ())}
        value = values.pop() if len(values) == 1 else None
        note = state.parameters[name]
        if note.value is None and value is not None and name not in _needed(state, value):
            note.value, number = value, value.constant
            if number is not None and number < 0:
                note.low, note.high = as_value(number), as_value(-number)


def _needed(state: TranslationState, value: Value) -> set[str]:
    """The parameters that a value needs, itself or by way of others; with a name that is none, all there are."""
    needed, waiting = set[str](), [*value.names]
    while waiting:
        name = waiting.pop()
        if name not in state.parameters:
            return set(state.parameters)
        own = state.parameters[name].value
        waiting += [] if own is None or name in needed else own.names
        needed.add(name)
    return needed
