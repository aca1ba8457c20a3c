"""Objects and arrays: allocation, constructors, anonymous and local classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.translator import lambdas, library_types
from apet.java.translator.layout import object_bytes
from apet.java.translator.resolved import constructor_called
from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, as_value
from apet.program.ir import Callee, LineColumn, Op, Weighted
from apet.program.measured import EXACT
from apet.program.signs import is_nonnegative
from apet.program.syntax.declarations import Class, Method
from apet.program.translator import operations
from apet.program.translator.arithmetic import converted
from apet.program.translator.arrays import many
from apet.program.translator.facts import Evaluated, Fact, Functional, Instance, Lengths
from apet.program.translator.invocation import formals_given, invoke
from apet.program.translator.variables import assign_variable, declare

if TYPE_CHECKING:
    from apet.java.translator.translator import JavaTranslator


def new(t: JavaTranslator, e: s.New) -> Evaluated:
    """An object: its allocation, the initialisers of its fields, its constructor."""
    arguments = [t.evaluate(a) for a in e.arguments]
    value = t.op("new", None, size=object_bytes(t.program.line(e.type.name)))
    declared = t.program.get(e.type.name)
    if declared is None:
        if e.type.name not in ("Object", *library_types.RANDOM_CLASSES) and arguments:
            t.library(operations.library_name("new", e.type.name), e.at, arguments)
            lambdas.handed_over(t, f"new {e.type.name}", Evaluated(e.type), arguments, e.at)
        return Evaluated(e.type, _object_known(t, e, None, ()), value)
    method = constructor_called(t, e, arguments)
    construct(t, declared, method, arguments, Evaluated(e.type, None, value), e.at)
    if method is None or not method.has_body:
        # A record's own constructor.
        for name, g in zip((f.name for f in declared.fields.values() if not f.static), arguments, strict=False):
            t.op("field_access", None, value, variable=name, store=True)
            t.op("assign", g.type, g, variable=name, store=True)
    return Evaluated(e.type, _object_known(t, e, method, arguments), value)


def construct(
    t: JavaTranslator,
    declared: Class,
    method: Method | None,
    arguments: Sequence[Evaluated],
    target: Evaluated,
    at: LineColumn,
) -> None:
    """What a constructor runs (12.5): unless it calls another one of its class, what its super class runs, where it
    does not call a constructor of that itself, and the initialisers of its own class; then its body."""
    has_body = method is not None and method.has_body
    first = _first_call(method) if method is not None and has_body else ""
    if first != "this":
        above = t.program.get(declared.parents[0]) if declared.parents and not first else None
        if above is not None and above.kind == "class":
            construct(t, above, t.program.constructor(above.name, ()), (), target, at)
        _initialise(t, declared)
    if method is not None and has_body:
        invoke(t, method, arguments, target, at)


def _first_call(method: Method) -> str:
    """`this` or `super` where a constructor begins with a call of another one, else nothing."""
    first = method.body.statements[0] if method.body is not None and method.body.statements else None
    called = first.expression if isinstance(first, s.Do) else None
    return called.name if isinstance(called, s.MethodCall) and called.name in ("this", "super") else ""


def _initialise(t: JavaTranslator, declared: Class) -> None:
    """The fields of a new object take their first values, and the blocks of its class run."""
    # In the class's own names: those of the variables around `new` mean something else there.
    inside = t.begin(Method(declared.name, "init", (), types.VOID, False, False, lambda: None, declared.at))
    inside.values = t.values
    for field in declared.fields.values():
        if not field.static and field.initial is not None and declared.name not in t.state.initialised:
            t.state.initialised.append(declared.name)
            value = converted(inside, inside.evaluate(field.initial), field.type)
            inside.op("assign", value.type, store=True)
            t.state.initialised.pop()
    t.values = inside.values
    t.out += inside.out
    for block in declared.initialisers:
        if block not in t.state.stack:
            t.out.append(Callee(t.body(block).name, (), block.at))


def _object_known(t: JavaTranslator, e: s.New, made: Method | None, arguments: Sequence[Evaluated]) -> Fact:
    """The class of a new object and what its constructor was given; what it does where that is a single method."""
    if e.body is None:
        named = {} if made is None or len(made.formals) != len(arguments) else formals_given(t, made, arguments)
        known = tuple((n, v) for n, v in named.items() if v is not None and is_nonnegative(v) and _is_each(t, v))
        return Instance(e.type, known, made) if t.program.get(e.type.name) is not None else None
    declare_class(t, e.body)
    single = [m for m in e.body.methods if m.has_body]
    if t.program.get(e.type.name) is None and len(single) == 1:
        return Functional(single[0])
    return Instance(types.Type(e.body.name))


def _is_each(t: JavaTranslator, value: Value) -> bool:
    """Whether a value is known each time, and not as a mean of many."""
    notes = (t.state.parameters.get(name) for name in value.names)
    return all(note is None or note.kind in EXACT for note in notes)


def declare_class(t: JavaTranslator, declared: Class) -> None:
    """A class inside a method: its methods see the variables around it."""
    t.state.add_class(declared, t.owner)
    for m in (*declared.methods, *declared.constructors):
        lambdas.capture(t, m)


def constants(t: JavaTranslator, e: s.MethodCall, kind: types.Type, method: Method | None) -> Evaluated | None:
    """`values()` of an enum with a source: a new array of its constants; None for any other call."""
    declared = t.program.get(kind.name) if e.name == "values" and not e.arguments and method is None else None
    if declared is None or declared.kind != "enum" or declared.constants is None:
        return None
    array, length = types.Type(kind.name, 1), as_value(declared.constants)
    t.op("new", None)
    many(t, length * types.size(types.element(array)), "new_byte")
    return Evaluated(array, Lengths((length,)), t.value())


def instance_of(t: JavaTranslator, e: s.InstanceOf) -> Evaluated:
    operand = t.evaluate(e.operand)
    tested = t.op("instanceof", None, operand)
    for kind, name in e.bindings:
        declare(t, name, kind)
        assign_variable(t, name, operand._replace(type=kind, fact=None))
    return Evaluated(types.BOOLEAN, None, tested)


def not_instance(t: JavaTranslator, e: s.InstanceOf, share: Value) -> None:
    """A test that fails in a share of its runs: only a list of all that a class implements tells that an interface is
    not among it."""
    declared = t.program.get(e.type.name)
    if e.type.name in library_types.INTERFACES if declared is None else declared.kind == "interface":
        t.out.append(Weighted(share, (Op("instanceof_absent", None, (), t.value()),), e.at))
