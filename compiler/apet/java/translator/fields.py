"""Fields: what holds of them wherever the entry may read them.

A field that nothing reachable from the entry assigns keeps the value that its initialiser, the constructor or another
method (`setup`) gives it. Such a value becomes a parameter of the field's own name.
"""

from __future__ import annotations

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator import expressions
from apet.java.translator.algebra import Value, as_value
from apet.java.translator.facts import Functional, Instance, Known, Lengths, put, shown
from apet.java.translator.frame import Frame, Job
from apet.java.translator.invocation import formal_symbols
from apet.java.translator.ir import Note
from apet.java.translator.methods import formal_known
from apet.java.translator.statements import run_all


def field_known(job: Job, owner: str, field: s.Field) -> Known:
    """A parameter for a whole number, lengths for an array; None for what changes while the entry runs."""
    key = (owner, field.name)
    if key in job.fields:
        return job.fields[key]
    job.fields[key] = None
    if _changes(job, owner, field):
        return None
    given = _given(job, owner, field)
    found: Known = None
    if isinstance(given, Functional | Instance) and field.final:
        found = given
    elif field.type.dimensions:
        found = _array(job, owner, field, given)
    elif types.is_integral(field.type) or (types.is_numeric(field.type) and shown(given) is not None):
        found = _number(job, owner, field, given)
    job.fields[key] = found
    return found


def _changes(job: Job, owner: str, field: s.Field) -> bool:
    """Whether anything reachable assigns it; arrays that are only exchanged for each other keep their lengths."""
    entry = job.entry
    for m in job.reachable:
        if m is not entry and m.name == m.owner:
            continue
        for value in m.facts.assigned.get(field.name, ()):
            if not field.type.dimensions or not isinstance(value, s.Name):
                return True
    return False


def _number(job: Job, owner: str, field: s.Field, given: Known) -> Value:
    name = field.name if field.name not in job.parameters else job.fresh(f"{owner}_{field.name}")
    value = shown(given)
    if value is not None and value == as_value(field.name):
        value = None
    return job.parameter(Note(name, f"{_where(job, owner, field)}: field {field.name}", field.at, value), exact=True)


def _array(job: Job, owner: str, field: s.Field, given: Known) -> Lengths:
    lengths = given.lengths if isinstance(given, Lengths) else ()
    found: list[Value | None] = []
    for k, name in enumerate(formal_symbols(field.name, field.type)):
        known = shown(lengths[k]) if k < len(lengths) else None
        if known is None:
            what = "length" if k == 0 else f"length in dimension {k + 1}"
            known = job.parameter(Note(name, f"{_where(job, owner, field)}: {what} of field {field.name}", field.at))
        found.append(known)
    return Lengths(tuple(found))


def _where(job: Job, owner: str, field: s.Field) -> str:
    from os.path import basename

    return f"{basename(job.source_of(owner).name)}:{field.at.line}"


def _given(job: Job, owner: str, field: s.Field) -> Known:
    """What the initialiser or the only method that assigns the field gives it."""
    found = job.program.get(owner)
    assert found is not None
    setters = [
        m for m in (*found.constructors, *found.methods, *found.blocks) if m is not job.entry and m.assigns(field.name)
    ]
    if field.initial is not None and not setters:
        f = Frame(job, s.Method(owner, field.name, (), field.type, True, False, lambda: None, field.at))
        return expressions.converted(f, expressions.evaluate(f, field.initial), field.type).known
    return _set_by(job, setters[0]).get(field.name) if len(setters) == 1 else None


def _set_by(job: Job, setter: s.Method) -> dict[str, Known]:
    """The fields as a method leaves them, in terms of its formals and other fields."""
    if setter in job.setters:
        return job.setters[setter]
    job.setters[setter] = {}
    if setter.body is None or setter in job.stack:
        return {}
    f = Frame(job, setter)
    own: dict[str, str] = {}
    for formal in setter.formals:
        f.types[formal.name] = formal.type
        known, names = formal_known(job, formal)
        f.known[formal.name] = known
        own.update(zip(formal_symbols(formal.name, formal.type), names, strict=True))
    job.stack.append(setter)
    run_all(f, setter.body.statements)
    job.stack.pop()
    found = {k.removeprefix("this."): v for k, v in f.known.items() if k.startswith("this.")}
    same = {symbol: as_value(name) for name, symbol in own.items() if found.get(name) == as_value(symbol)}
    found = {k: put(v, same) for k, v in found.items()}
    for symbol in own.values():
        if symbol not in same:
            text = f"{_line(job, setter)}: formal {symbol} of {setter.name}"
            job.parameter(Note(symbol, text, setter.at), exact=True)
    job.setters[setter] = found
    return found


def _line(job: Job, method: s.Method) -> str:
    from os.path import basename

    return f"{basename(job.source_of(method.owner).name)}:{method.at.line}"
