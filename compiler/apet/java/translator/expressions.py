"""Expressions: which operations they are, of which type, and what is known of their value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator import calls, lambdas, operations
from apet.java.translator.algebra import Value, apply, as_value, quotient, too_long
from apet.java.translator.conditions import choose
from apet.java.translator.facts import HIDDEN, NOTHING, Known, Lengths, Result
from apet.java.translator.frame import Frame
from apet.java.translator.ir import Access
from apet.java.translator.variables import assign_variable, is_variable, read_name, symbol_of

LARGEST_SHIFT = 62


def evaluate(f: Frame, e: s.Expression) -> Result:
    """Write the operations of an expression; its type and what is known of its value."""
    return _READERS[type(e)](f, e)


def _literal(f: Frame, e: s.Literal) -> Result:
    kind = s.Type(e.kind)
    if e.kind in ("int", "long"):
        return Result(kind, as_value(_integer(e.text)))
    if e.kind in ("float", "double"):
        return Result(kind, _decimal(e.text))
    if e.kind == "boolean":
        return Result(kind, as_value(int(e.text == "true")))
    return Result(kind)


def _integer(text: str) -> int:
    digits = text.rstrip("lL").replace("_", "").lower()
    if digits.startswith(("0x", "0b")):
        return int(digits, 0)
    return int(digits, 8) if digits.startswith("0") and digits.isdigit() and len(digits) > 1 else int(digits)


def _decimal(text: str) -> Value | None:
    digits = text.rstrip("dDfF").replace("_", "")
    try:
        value = Fraction(digits)
    except (ValueError, ZeroDivisionError):
        return None
    return as_value(value) if abs(value.numerator) < 10**30 and value.denominator < 10**30 else None


def _name(f: Frame, e: s.Name) -> Result:
    return read_name(f, e)


def _member(f: Frame, e: s.Member) -> Result:
    if isinstance(e.target, s.Name) and e.target.name == "this":
        return read_name(f, s.Name(e.name, e.at), True)
    owner = calls.class_named(f, e.target)
    if owner is not None:
        return calls.static_field(f, owner, e)
    target = evaluate(f, e.target)
    if e.name == "length" and target.type.dimensions:
        value = f.op("field_access", None, target, variable="length")
        lengths = target.known.lengths if isinstance(target.known, Lengths) else ()
        return Result(types.INT, lengths[0] if lengths else None, value)
    found = f.job.program.field(target.type.name, e.name)
    kind = found[1].type if found is not None else types.UNKNOWN
    return Result(kind, None, f.op("field_access", None, target, variable=f"{_text(e.target)}.{e.name}"), True)


def _text(e: s.Expression) -> str:
    """A name for what an array or object expression denotes, within a method."""
    match e:
        case s.Name(name, _):
            return name
        case s.Member(target, name, _):
            return f"{_text(target)}.{name}"
        case s.Index(array, _, _):
            return f"{_text(array)}[]"
        case _:
            return f"{HIDDEN}{e.at.line}:{e.at.column}"


def element(f: Frame, e: s.Index) -> tuple[Result, Access, tuple[int, ...]]:
    """The array and subscript of an element: the array's result, what is accessed, and the values needed."""
    array = evaluate(f, e.array)
    index = evaluate(f, e.subscript)
    base, before, gathered = _text(e.array), list[Value | None](), index.loaded
    inner = e.array
    while isinstance(inner, s.Index):
        before.insert(0, symbol_of(f, inner.subscript))
        inner = inner.array
    access = Access(base, (*before, index.number), gathered, _extent(array, len(before)))
    return array, access, tuple(v for v in (array.value, index.value) if v >= 0)


def _extent(array: Result, rows: int) -> Value | None:
    """Bytes of an array; of one row where only a row is at hand."""
    if not isinstance(array.known, Lengths) or rows:
        return None
    total = as_value(types.size(s.Type(array.type.name)))
    for length in array.known.lengths:
        if length is None:
            return None
        total = total * length
    return None if too_long(total) else total


def _index(f: Frame, e: s.Index) -> Result:
    array, access, needed = element(f, e)
    kind = types.element(array.type)
    value = f.op("array_access", None, *needed, memory=access, variable=kind.name + "[]" * kind.dimensions)
    known = array.known.element() if isinstance(array.known, Lengths) else None
    return Result(kind, known, value, True)


def _unary(f: Frame, e: s.Unary) -> Result:
    operand = evaluate(f, e.operand)
    kind = types.unary_promoted(operand.type)
    if e.operator == "!":
        number = operand.number
        return Result(types.BOOLEAN, None if number is None else 1 - number, operand.value, operand.loaded)
    if e.operator == "+":
        return Result(kind, operand.known, operand.value, operand.loaded)
    number = operand.number
    known: Known = None if number is None else (-number if e.operator == "-" else -number - 1)
    if operand.value < 0 and known is not None:
        return Result(kind, known)
    name = "neg" if e.operator == "-" else "not"
    return Result(kind, known, f.op(name, kind, operand), operand.loaded)


def converted(f: Frame, given: Result, wanted: s.Type) -> Result:
    """A value in another type; a conversion of what is no literal takes an operation."""
    source, target = types.unboxed(given.type), types.unboxed(wanted)
    if not types.is_numeric(source) or not types.is_numeric(target):
        return given._replace(type=wanted if wanted != types.UNKNOWN else given.type)
    known = given.known
    if types.is_integral(target) and not types.is_integral(source) and isinstance(known, Value):
        known = apply("floor", known)
    narrow = target.name in ("byte", "short", "char") and target.name != source.name
    if given.value < 0 or (types.unary_promoted(source) == types.unary_promoted(target) and not narrow):
        return Result(wanted, known, given.value, given.loaded)
    return Result(wanted, known, f.op(f"cast_{source.name}", target, given), given.loaded)


def _binary(f: Frame, e: s.Binary) -> Result:
    """A chain of operators to the left is walked without recursion: sums of a thousand terms are no depth."""
    chain: list[s.Binary] = []
    first: s.Expression = e
    while isinstance(first, s.Binary):
        if first.operator in ("&&", "||"):
            break
        chain.append(first)
        first = first.left
    if not chain:
        return choose(f, e, evaluate)
    left = evaluate(f, first)
    for one in reversed(chain):
        left = combine(f, one.operator, left, evaluate(f, one.right))
    return left


def combine(f: Frame, operator: str, left: Result, right: Result) -> Result:
    """An operator of two operands that are both evaluated."""
    loaded = left.loaded or right.loaded
    if operator in operations.COMPARISONS:
        kind = types.promoted(left.type, right.type)
        a, b = converted(f, left, kind), converted(f, right, kind)
        known = None
        if left.number is not None and right.number is not None:
            known = apply(operator, left.number, right.number)
        if left.value < 0 and right.value < 0 and known is not None and known.constant is not None:
            return Result(types.BOOLEAN, known)
        return Result(types.BOOLEAN, known, f.op("compare", kind, a, b), loaded)
    if operator == "+" and (types.is_string(left.type) or types.is_string(right.type)):
        return Result(types.STRING, None, f.op("concat", types.STRING, left, right))
    if operator in operations.SHIFTS:
        kind, a, b = types.unary_promoted(left.type), left, right
    else:
        kind = types.promoted(left.type, right.type)
        a, b = converted(f, left, kind), converted(f, right, kind)
    known = _computed(operator, left.number, right.number, types.is_integral(kind))
    if left.value < 0 and right.value < 0 and left.number is not None and right.number is not None:
        return Result(kind, known)
    name = operations.arithmetic(operator)
    if right.value < 0 and name in ("div", "mod") and kind in (types.INT, types.LONG):
        return Result(kind, known, f.op(name, kind, a, variable=_divisor(right)), loaded)
    return Result(kind, known, f.op(name, kind, a, b), loaded)


def _divisor(right: Result) -> str:
    """Whether a constant divisor is a power of two: a compiler makes a shift of such a division."""
    divisor = None if right.number is None else right.number.integer
    if divisor is None or divisor <= 0:
        return "constant"
    return "power" if divisor & (divisor - 1) == 0 else "constant"


def _computed(operator: str, a: Value | None, b: Value | None, whole: bool) -> Value | None:
    if a is None or b is None:
        return None
    found = _arithmetic(operator, a, b, whole)
    return None if found is None or too_long(found) else found


def _arithmetic(operator: str, a: Value, b: Value, whole: bool) -> Value | None:
    places = b.integer
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            if b.constant == 0:
                return None
            return apply("floor", quotient(a, b)) if whole else quotient(a, b)
        case "%":
            return None if b.constant == 0 else apply("%", a, b)
        case "<<" if places is not None and 0 <= places <= LARGEST_SHIFT:
            return a * (1 << places)
        case "<<" if a.integer is not None:
            return a * apply("^", 2, b)
        case ">>" | ">>>" if places is not None and 0 <= places <= LARGEST_SHIFT:
            return apply("floor", quotient(a, 1 << places))
        case "&" if places is not None and places > 0 and (places + 1) & places == 0:
            return apply("%", a, places + 1)
        case _:
            return None


def _assign(f: Frame, e: s.Assign) -> Result:
    if isinstance(e.target, s.Index):
        return _assign_element(f, e.target, e)
    old = NOTHING
    if e.operator:
        old = evaluate(f, e.target)
    value = evaluate(f, e.value)
    if e.operator:
        value = combine(f, e.operator, old, value)
    return store(f, e.target, value)


def store(f: Frame, target: s.Expression, value: Result) -> Result:
    """An assignment to a variable or field."""
    if is_variable(f, target):
        assert isinstance(target, s.Name)
        kind = f.types[target.name]
        given = converted(f, value, kind if kind != types.UNKNOWN else value.type)
        return assign_variable(f, target.name, given)
    if isinstance(target, s.Index):
        array, access, needed = element(f, target)
        return _put_element(f, target, array, access, needed, value)
    return calls.assign_field(f, target, value, evaluate, converted)


def _assign_element(f: Frame, target: s.Index, e: s.Assign) -> Result:
    array, access, needed = element(f, target)
    kind = types.element(array.type)
    if e.operator:
        old = Result(kind, None, f.op("array_access", None, *needed, memory=access, variable=kind.name), True)
        value = combine(f, e.operator, old, evaluate(f, e.value))
    else:
        value = evaluate(f, e.value)
    return _put_element(f, target, array, access, needed, value)


def _put_element(
    f: Frame, target: s.Index, array: Result, access: Access, needed: tuple[int, ...], value: Result
) -> Result:
    kind = types.element(array.type)
    given = converted(f, value, kind if kind != types.UNKNOWN else value.type)
    inputs = (*needed, *([given.value] if given.value >= 0 else []))
    f.op("array_access", None, *inputs, memory=access, store=True, variable=kind.name + "[]" * kind.dimensions)
    f.op("assign", given.type, given, store=True)
    if isinstance(value.known, Lengths) and isinstance(target.array, s.Name):
        calls.learn_rows(f, target.array.name, value.known)
    return given


def _step(f: Frame, e: s.Step) -> Result:
    """`++` and `--`: written as published, the assignment before what it assigns."""
    operator = e.operator[0]
    if not is_variable(f, e.operand):
        return _assign(f, s.Assign(operator, e.operand, s.Literal("int", "1", e.at), e.at))
    assert isinstance(e.operand, s.Name)
    old = evaluate(f, e.operand)
    kind = types.unary_promoted(old.type)
    number = old.number
    known = None if number is None else number + (1 if operator == "+" else -1)
    new = Result(old.type, known, f.op(operations.arithmetic(operator), kind, old), old.loaded)
    assign_variable(f, e.operand.name, new)
    return new if e.prefix else old


def _conditional(f: Frame, e: s.Conditional) -> Result:
    return choose(f, e, evaluate)


def _cast(f: Frame, e: s.Cast) -> Result:
    return converted(f, evaluate(f, e.operand), e.type)


def _instance_of(f: Frame, e: s.InstanceOf) -> Result:
    operand = evaluate(f, e.operand)
    for kind, name in e.bindings:
        f.types[name] = kind
    return Result(types.BOOLEAN, None, f.op("instanceof", None, operand))


def _call(f: Frame, e: s.Call) -> Result:
    return calls.call(f, e, evaluate, converted)


def _new(f: Frame, e: s.New) -> Result:
    return calls.new(f, e, evaluate, converted)


def _new_array(f: Frame, e: s.NewArray) -> Result:
    return calls.new_array(f, e, evaluate)


def _array_literal(f: Frame, e: s.ArrayLiteral) -> Result:
    return calls.new_array(f, s.NewArray(s.Type("Object", 1), (), e, e.at), evaluate)


def _opaque(f: Frame, e: s.Opaque) -> Result:
    if e.kind == "pattern":
        return Result(types.BOOLEAN)
    f.unsupported(f"{e.kind.replace('_', ' ')} is counted as one operation; its body is not followed", e.at)
    return calls.library(f, e.kind, e.at, ())


def _switch(f: Frame, e: s.Switch) -> Result:
    return f.job.switch(f, e)


_READERS: dict[type, Callable[[Frame, Any], Result]] = {
    s.Literal: _literal,
    s.Name: _name,
    s.Member: _member,
    s.Index: _index,
    s.Unary: _unary,
    s.Step: _step,
    s.Binary: _binary,
    s.Assign: _assign,
    s.Conditional: _conditional,
    s.Cast: _cast,
    s.InstanceOf: _instance_of,
    s.Call: _call,
    s.New: _new,
    s.NewArray: _new_array,
    s.ArrayLiteral: _array_literal,
    s.Opaque: _opaque,
    s.Lambda: lambdas.lambda_value,
    s.Reference: lambdas.reference,
    s.Switch: _switch,
}
