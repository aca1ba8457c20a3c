"""Calls, fields of objects, and allocation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator import lambdas, operations
from apet.java.translator.algebra import Value, apply, as_value
from apet.java.translator.facts import Functional, Instance, Known, Lengths, Result, shown
from apet.java.translator.frame import Frame
from apet.java.translator.invocation import invoke
from apet.java.translator.ir import Note, Op, Repeat
from apet.java.translator.variables import field_known, is_variable

Evaluate = Callable[[Frame, s.Expression], Result]
Convert = Callable[[Frame, Result, s.Type], Result]
OBJECT_HEADER = 16
MOST_OPERATIONS = 200_000
"""Operations in a model after which no further method is opened: its call is an operation of its own."""


def class_named(f: Frame, e: s.Expression) -> str | None:
    """The simple name of the class that an expression names; None where it is a value."""
    if isinstance(e, s.Name):
        if is_variable(f, e) or e.name in ("this", "super") or f.job.program.field(f.owner, e.name, near=True):
            return None
        return e.name if f.job.program.get(e.name) is not None or e.name[:1].isupper() else None
    if isinstance(e, s.Member) and e.name[:1].isupper() and (e.name.upper() != e.name or len(e.name) == 1):
        root = e.target
        while isinstance(root, s.Member):
            root = root.target
        if isinstance(root, s.Name) and not is_variable(f, root) and root.name != "this":
            return e.name
    return None


def static_field(f: Frame, owner: str, e: s.Member) -> Result:
    """A field of a class."""
    found = f.job.program.field(owner, e.name)
    if found is None:
        limits = {"MAX_VALUE", "MIN_VALUE", "PI", "E"}
        if e.name in limits:
            return Result(types.unboxed(s.Type(owner)) if owner != "Math" else types.DOUBLE)
        return Result(types.UNKNOWN, None, f.op("field_access", None, variable=f"{owner}.{e.name}"), True)
    declaring, field = found
    known = field_known(f, declaring.name, field)
    if field.final and isinstance(field.initial, s.Literal):
        return Result(field.type, known)
    return Result(field.type, known, f.op("field_access", None, variable=f"{owner}.{e.name}"))


def assign_field(f: Frame, target: s.Expression, value: Result, evaluate: Evaluate, convert: Convert) -> Result:
    """An assignment to a field; the object it belongs to is evaluated first."""
    name, kind, mine = "", types.UNKNOWN, False
    if isinstance(target, s.Name):
        name, mine = target.name, True
    elif isinstance(target, s.Member):
        name = target.name
        mine = isinstance(target.target, s.Name) and target.target.name == "this"
        if not mine and class_named(f, target.target) is None:
            kind = evaluate(f, target.target).type
    found = f.job.program.field(f.owner if mine else kind.name, name, near=mine)
    wanted = found[1].type if found is not None else value.type
    given = convert(f, value, wanted)
    if mine:
        f.known[f"this.{name}"] = given.known
    f.op("field_access", None, variable=f"this.{name}" if mine else name, store=True)
    f.op("assign", given.type, given, store=True, variable=f"this.{name}" if mine else name)
    return given


def learn_rows(f: Frame, array: str, row: Lengths) -> None:
    """Rows of one length that are put into an array of arrays tell its second dimension."""
    key = array if array in f.types else f"this.{array}"
    known = f.known.get(key)
    if isinstance(known, Lengths) and len(known.lengths) > 1 and known.lengths[1] is None:
        f.known[key] = Lengths((known.lengths[0], *row.lengths))


def call(f: Frame, e: s.Call, evaluate: Evaluate, convert: Convert) -> Result:
    """Any call: of Math, of a random generator, of a string, of a method with a source, of a library."""
    owner = None if e.target is None else class_named(f, e.target)
    if owner in ("Math", "StrictMath"):
        return _math(f, e, [evaluate(f, a) for a in e.arguments], convert)
    super_call = isinstance(e.target, s.Name) and e.target.name == "super"
    target = Result(s.Type(f.owner))
    if e.target is not None and owner is None and not super_call:
        target = evaluate(f, e.target)
    given = [evaluate(f, a) for a in e.arguments]
    kind = target.type if owner is None else s.Type(owner)
    if e.target is None and e.name in ("this", "super"):
        return _constructor_call(f, e, given, convert)
    if kind.name in operations.RANDOM_CLASSES and e.name in operations.RANDOM and not kind.dimensions:
        name, result = operations.RANDOM[e.name]
        return Result(result, None, f.op(name, None, *given, variable="random"))
    if types.is_string(kind) or (types.is_string(s.Type(kind.name)) and owner is not None):
        result = operations.STRING_RESULTS.get(e.name, types.UNKNOWN)
        return Result(result, None, f.op(e.name, types.STRING, target, *given), True)
    method = None
    if not kind.dimensions:
        start = kind.name
        if super_call:
            mine = f.job.program.get(f.owner)
            start = mine.parents[0] if mine is not None and mine.parents else ""
        if isinstance(target.known, Instance) and not super_call:
            start = target.known.type.name
        method = f.job.program.method(start, e.name, [g.type for g in given], near=e.target is None)
    if isinstance(target.known, Functional) and (method is None or not method.has_body):
        formals = lambdas.formals_of(kind.name, len(given)) if method is None else [x.type for x in method.formals]
        given = [convert(f, g, k) for g, k in zip(given, formals, strict=False)]
        return lambdas.call_function(f, target.known, given, convert, e.at)
    if method is not None and not method.has_body:
        method = f.job.program.overriding(method) or method
    if method is not None and method.has_body and _small_enough(f, method, e.at):
        return invoke(f, method, given, target, convert, e.at)
    named = kind.name if kind != types.UNKNOWN and not kind.dimensions else ""
    if e.target is None:
        named = "" if method is None else method.owner
    elif not named and isinstance(e.target, s.Member):
        named = e.target.name
    found = lambdas.stream(e.name, owner or kind.name, target, given)
    if found is not None and named == "" and owner is None:
        named = kind.name
    name = operations.library_name(named, e.name)
    done = library(f, name, e.at, (target, *given), _result(named, e, method, given))
    lambdas.handed_over(f, e.name, target, given, convert, e.at)
    lambdas.element_work(f, e.name, target, e.at)
    return done if found is None else found._replace(value=done.value)


def _small_enough(f: Frame, method: s.Method, at: s.Place) -> bool:
    """Whether a further method may be opened: a model ends somewhere."""
    if f.job.operations_written <= MOST_OPERATIONS or method in f.job.bodies or method in f.job.stack:
        return True
    text = f"the model has {MOST_OPERATIONS:,} operations already: {method.title} is one of its own, not opened"
    f.unsupported(text, at)
    return False


def _result(owner: str, e: s.Call, method: s.Method | None, given: Sequence[Result]) -> s.Type:
    if method is not None:
        return method.result
    if e.name in operations.PARSERS:
        return operations.PARSERS[e.name]
    if e.name == "nanoTime" or e.name == "currentTimeMillis":
        return types.LONG
    if owner == "Arrays" and e.name == "copyOf" and given:
        return given[0].type
    return types.STRING if e.name == "toString" or (owner == "String") else types.UNKNOWN


def library(
    f: Frame, name: str, at: s.Place, given: Sequence[Result], kind: s.Type = types.UNKNOWN, known: Known = None
) -> Result:
    """A call without a source: an operation of its own, which the machine file must know."""
    name = name if name.startswith("call_") else f"call_{name}"
    f.job.operations.setdefault(name, Note(name, f.where(at), at))
    return Result(kind, known, f.op(name, None, *given), True)


def _math(f: Frame, e: s.Call, given: list[Result], convert: Convert) -> Result:
    if e.name == "random":
        return Result(types.DOUBLE, None, f.op("call_random", None, variable="random"))
    numbers = [g.number for g in given]
    if e.name in operations.MATH_OF_OPERANDS and given:
        kind = types.unary_promoted(given[0].type)
        for g in given[1:]:
            kind = types.promoted(kind, g.type)
        result = kind
    else:
        kind, result = types.DOUBLE, operations.MATH_RESULTS.get(e.name, types.DOUBLE)
    values = [convert(f, g, kind) for g in given]
    known = _math_known(e.name, [n for n in numbers if n is not None]) if all(n is not None for n in numbers) else None
    if given and all(v.value < 0 for v in values) and known is not None and known.constant is not None:
        return Result(result, known)
    return Result(result, known, f.op(e.name, kind, *values), any(v.loaded for v in values))


def _math_known(name: str, numbers: list[Value]) -> Value | None:
    if name in ("max", "min", "abs", "floor", "ceil", "sqrt") and numbers:
        return apply(name, *numbers)
    if name == "pow" and len(numbers) == 2:
        return apply("^", *numbers)
    return None


def _constructor_call(f: Frame, e: s.Call, given: list[Result], convert: Convert) -> Result:
    mine = f.job.program.get(f.owner)
    owner = f.owner if e.name == "this" else (mine.parents[0] if mine is not None and mine.parents else "Object")
    method = f.job.program.constructor(owner, [g.type for g in given])
    if method is not None and method.has_body:
        return invoke(f, method, given, Result(s.Type(owner)), convert, e.at)
    return Result(types.VOID)


def new(f: Frame, e: s.New, evaluate: Evaluate, convert: Convert) -> Result:
    """An object: its allocation, the initialisers of its fields, its constructor."""
    given = [evaluate(f, a) for a in e.arguments]
    value = f.op("new", None, variable=str(_object_size(f, e.type.name)))
    found = f.job.program.get(e.type.name)
    if found is None:
        if e.type.name not in ("Object", *operations.RANDOM_CLASSES) and given:
            library(f, operations.library_name("new", e.type.name), e.at, given)
            lambdas.handed_over(f, f"new {e.type.name}", Result(e.type), given, convert, e.at)
        return Result(e.type, _object_known(f, e), value)
    for field in found.fields.values():
        if not field.static and field.initial is not None and e.type.name != f.owner:
            f.op("assign", convert(f, evaluate(f, field.initial), field.type).type, store=True)
    method = f.job.program.constructor(e.type.name, [g.type for g in given])
    if method is not None and method.has_body:
        invoke(f, method, given, Result(e.type, None, value), convert, e.at)
    elif given:
        for g in given:
            f.op("assign", g.type, g, store=True)
    return Result(e.type, _object_known(f, e), value)


def _object_known(f: Frame, e: s.New) -> Known:
    """The class of a new object; what it does where that is a single method."""
    if e.body is None:
        return Instance(e.type) if f.job.program.get(e.type.name) is not None else None
    declare_class(f, e.body)
    single = [m for m in e.body.methods if m.has_body]
    if f.job.program.get(e.type.name) is None and len(single) == 1:
        return Functional(single[0])
    return Instance(s.Type(e.body.name))


def declare_class(f: Frame, declared: s.Class) -> None:
    """A class inside a method: its methods see the variables around it."""
    f.job.add_class(declared, f.owner)
    for m in (*declared.methods, *declared.constructors):
        lambdas.capture(f, m)


def _object_size(f: Frame, name: str) -> int:
    total = OBJECT_HEADER
    for c in f.job.program.line(name):
        total += sum(types.size(x.type) for x in c.fields.values() if not x.static)
    return total


def new_array(f: Frame, e: s.NewArray, evaluate: Evaluate) -> Result:
    """An array: its allocation per object and per byte; the elements of a literal are assigned one by one."""
    if e.initial is not None:
        assert isinstance(e.initial, s.ArrayLiteral)
        return _literal_array(f, e.type, e.initial, evaluate)
    sizes = [evaluate(f, one) for one in e.sizes]
    lengths: list[Value | None] = []
    objects: Value = as_value(1)
    kind = e.type
    for size in sizes:
        f.op("new", None, size) if not lengths else _many(f, objects, "new")
        length = size_of(f, size, e.at)
        objects = objects * length
        kind = types.element(kind)
        _many(f, objects * types.size(kind), "new_byte")
        lengths.append(shown(size.known))
    lengths += [None] * (e.type.dimensions - len(sizes))
    return Result(e.type, Lengths(tuple(lengths)), f.value())


def size_of(f: Frame, size: Result, at: s.Place) -> Value:
    """The length of a new array: known, or a parameter."""
    known = shown(size.known)
    if known is not None:
        return known
    return f.note(f"length_{at.line}", "length of the new array, on average", at)


def _many(f: Frame, times: Value, operation: str) -> None:
    f.out.append(Repeat(times, (Op(operation, None, (), f.value()),)))


def _literal_array(f: Frame, kind: s.Type, e: s.ArrayLiteral, evaluate: Evaluate) -> Result:
    inner = types.element(kind)
    f.op("new", None)
    length = as_value(len(e.items))
    _many(f, length * types.size(inner), "new_byte")
    row: Known = None
    for item in e.items:
        nested = isinstance(item, s.ArrayLiteral)
        found = _literal_array(f, inner, item, evaluate) if isinstance(item, s.ArrayLiteral) else evaluate(f, item)
        row = found.known if nested or isinstance(found.known, Lengths) else None
        f.op("array_access", None, store=True)
        f.op("assign", inner, found, store=True)
    rows = row.lengths if isinstance(row, Lengths) else (None,) * (kind.dimensions - 1)
    return Result(kind, Lengths((length, *rows)), f.value())
