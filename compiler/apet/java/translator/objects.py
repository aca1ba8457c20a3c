"""Objects and arrays: allocation, constructors, anonymous and local classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.translator import lambdas, operations
from apet.java.translator.arithmetic import converted
from apet.java.translator.facts import Evaluated, Fact, Functional, Instance, Lengths, shown
from apet.java.translator.invocation import invoke
from apet.java.translator.layout import object_size
from apet.java.translator.resolved import constructor_called
from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, as_value
from apet.program.ir import Callee, LineColumn, Op, ParameterKind, Repeat
from apet.program.syntax.declarations import Class, Method

if TYPE_CHECKING:
    from apet.java.translator.translator import Translator


def new(t: Translator, e: s.New) -> Evaluated:
    """An object: its allocation, the initialisers of its fields, its constructor."""
    arguments = [t.evaluate(a) for a in e.arguments]
    value = t.op("new", None, variable=str(object_size(t.state.program, e.type.name)))
    declared = t.state.program.get(e.type.name)
    if declared is None:
        if e.type.name not in ("Object", *operations.RANDOM_CLASSES) and arguments:
            t.library(operations.library_name("new", e.type.name), e.at, arguments)
            lambdas.handed_over(t, f"new {e.type.name}", Evaluated(e.type), arguments, e.at)
        return Evaluated(e.type, _object_known(t, e), value)
    method = constructor_called(t, e, arguments)
    construct(t, declared, method, arguments, Evaluated(e.type, None, value), e.at)
    if method is None or not method.has_body:
        # A record's own constructor.
        for name, g in zip((f.name for f in declared.fields.values() if not f.static), arguments, strict=False):
            t.op("field_access", None, value, variable=name, store=True)
            t.op("assign", g.type, g, variable=name, store=True)
    return Evaluated(e.type, _object_known(t, e), value)


def construct(
    t: Translator,
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
        above = t.state.program.get(declared.parents[0]) if declared.parents and not first else None
        if above is not None and above.kind == "class":
            construct(t, above, t.state.program.constructor(above.name, ()), (), target, at)
        _initialise(t, declared)
    if method is not None and has_body:
        invoke(t, method, arguments, target, at)


def _first_call(method: Method) -> str:
    """`this` or `super` where a constructor begins with a call of another one, else nothing."""
    first = method.body.statements[0] if method.body is not None and method.body.statements else None
    called = first.expression if isinstance(first, s.Do) else None
    return called.name if isinstance(called, s.MethodCall) and called.name in ("this", "super") else ""


def _initialise(t: Translator, declared: Class) -> None:
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


def _object_known(t: Translator, e: s.New) -> Fact:
    """The class of a new object; what it does where that is a single method."""
    if e.body is None:
        return Instance(e.type) if t.state.program.get(e.type.name) is not None else None
    declare_class(t, e.body)
    single = [m for m in e.body.methods if m.has_body]
    if t.state.program.get(e.type.name) is None and len(single) == 1:
        return Functional(single[0])
    return Instance(types.Type(e.body.name))


def declare_class(t: Translator, declared: Class) -> None:
    """A class inside a method: its methods see the variables around it."""
    t.state.add_class(declared, t.owner)
    for m in (*declared.methods, *declared.constructors):
        lambdas.capture(t, m)


MOST_UNROLLED = 6
"""Arrays that one expression makes in compiled code; what makes more, or as many as only the run knows, is a call of
the virtual machine (HotSpot's MultiArrayExpandLimit)."""


def new_array(t: Translator, e: s.NewArray) -> Evaluated:
    """An array: its allocation per object and per byte; the elements of a literal are assigned one by one."""
    if e.initial is not None:
        assert isinstance(e.initial, s.ArrayLiteral)
        return literal_array(t, e.type, e.initial, e.operation)

    sizes = [t.evaluate(one) for one in e.sizes]
    if e.operation != "new":
        known = [shown(size.fact) for size in sizes] + [None] * (e.type.dimensions - len(sizes))
        made = t.library(e.operation, e.at, sizes).value if e.operation else t.value()
        return Evaluated(e.type, Lengths(tuple(known)), made)
    arrays, all_arrays, numbers = as_value(1), as_value(0), list[Value]()
    for size in sizes:
        numbers.append(arrays)
        all_arrays = all_arrays + arrays
        arrays = arrays * size_of(t, size, e.at, len(numbers))

    unrolled = all_arrays.constant
    by_runtime = len(sizes) > 1 and (unrolled is None or unrolled > MOST_UNROLLED)
    t.op("new_matrix" if by_runtime else "new", None, sizes[0])
    kind = e.type
    for number, elements in zip(numbers, [*numbers[1:], arrays], strict=True):
        if number is not numbers[0]:
            _many(t, number, "new_row" if by_runtime else "new")
        kind = types.element(kind)
        _many(t, elements * types.size(kind), "new_byte")
    lengths = [shown(size.fact) for size in sizes] + [None] * (e.type.dimensions - len(sizes))
    return Evaluated(e.type, Lengths(tuple(lengths)), t.value())


def size_of(t: Translator, size: Evaluated, at: LineColumn, dimension: int) -> Value:
    """The length of a new array in a dimension, from 1: known, or a parameter."""
    fact = shown(size.fact)
    if fact is not None:
        return fact
    return t.note(
        f"length_{at.line}", "length of the new array, on average", at, kind=ParameterKind.LENGTH, dimension=dimension
    )


def _many(t: Translator, times: Value, operation: str) -> None:
    t.out.append(Repeat(times, (Op(operation, None, (), t.value()),)))


def literal_array(t: Translator, kind: types.Type, e: s.ArrayLiteral, operation: str = "new") -> Evaluated:
    inner = types.element(kind)
    length = as_value(len(e.items))
    if operation:
        t.op("new", None)
        _many(t, length * types.size(inner), "new_byte")

    row: Fact = None
    for item in e.items:
        nested = isinstance(item, s.ArrayLiteral)
        element = literal_array(t, inner, item) if isinstance(item, s.ArrayLiteral) else t.evaluate(item)
        row = element.fact if nested or isinstance(element.fact, Lengths) else None
        t.op("array_access", None, store=True)
        t.op("assign", inner, element, store=True)
    rows = row.lengths if isinstance(row, Lengths) else (None,) * (kind.dimensions - 1)
    return Evaluated(kind, Lengths((length, *rows)), t.value())


def constants(t: Translator, e: s.MethodCall, kind: types.Type, method: Method | None) -> Evaluated | None:
    """`values()` of an enum with a source: a new array of its constants; None for any other call."""
    declared = t.state.program.get(kind.name) if e.name == "values" and not e.arguments and method is None else None
    if declared is None or declared.kind != "enum" or declared.constants is None:
        return None
    array, length = types.Type(kind.name, 1), as_value(declared.constants)
    t.op("new", None)
    _many(t, length * types.size(types.element(array)), "new_byte")
    return Evaluated(array, Lengths((length,)), t.value())
