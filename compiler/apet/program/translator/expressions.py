"""Expressions: which operations they are, of which type, and what is known of their value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, as_value, too_long
from apet.program.ir import Access
from apet.program.translator import members, operations
from apet.program.translator.arithmetic import combine, converted, in_range
from apet.program.translator.conditions import logical
from apet.program.translator.facts import NOTHING, Evaluated, Fact, Lengths
from apet.program.translator.literals import character_value, decimal_value, integer_value
from apet.program.translator.members import text_of_target
from apet.program.translator.variables import assign_variable, is_variable, symbol_of
from apet.program.translator.visits import place_of_element, visit_box

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

UNFOLLOWED = ("stmtexpr", "longjmp")
"""Terms of C that hold statements or jump out of a function."""
LONGEST_FRACTION = 10**30
"""Literals with a greater numerator or denominator are not followed: formulas of them say nothing to a reader."""


def literal(e: s.Literal) -> Evaluated:
    kind = types.Type(e.kind)
    if e.kind in ("int", "long"):
        number = integer_value(e.text)
        return Evaluated(kind, None if number is None else as_value(number))
    if e.kind in types.UNSIGNED:
        return Evaluated(kind, as_value(int(e.text)))
    if e.kind in ("float", "double"):
        fraction = decimal_value(e.text)
        short = fraction is not None and max(abs(fraction.numerator), fraction.denominator) < LONGEST_FRACTION
        return Evaluated(kind, as_value(fraction) if short else None)
    if e.kind == "boolean":
        return Evaluated(kind, as_value(int(e.text == "true")))

    if e.kind == "char":
        code = character_value(e.text)
        return Evaluated(kind, None if code is None else as_value(code))
    return Evaluated(kind)


def element(t: Translator, e: s.ArrayAccess) -> tuple[Evaluated, Access, tuple[int, ...]]:
    """The array and subscript of an element: the array's result, what is accessed, and the values needed."""
    array = t.evaluate(e.array)
    index = t.evaluate(e.subscript)
    base, before, gathered = text_of_target(e.array), list[Value | None](), index.loaded
    inner = e.array
    while isinstance(inner, s.ArrayAccess):
        before.insert(0, symbol_of(t, inner.subscript))
        inner = inner.array
    access = Access(base, (*before, index.number), gathered, _extent(array, len(before)))
    return array, access, tuple(v for v in (array.value, index.value) if v >= 0)


def _extent(array: Evaluated, rows: int) -> Value | None:
    """Bytes of an array; of one row where only a row is at hand."""
    if not isinstance(array.fact, Lengths) or rows:
        return None
    total = as_value(types.size(types.Type(array.type.name)))
    for length in array.fact.lengths:
        if length is None:
            return None
        total = total * length
    return None if too_long(total) else total


def index(t: Translator, e: s.ArrayAccess) -> Evaluated:
    array, access, needed = element(t, e)
    kind = types.element(array.type)
    fact = array.fact.element() if isinstance(array.fact, Lengths) else None
    if e.in_place:
        return Evaluated(kind, fact, t.op("sum", types.LONG, *needed))
    value = t.op("array_access", None, *needed, memory=access, variable=kind.name + "[]" * kind.dimensions)
    loaded = Evaluated(kind, fact, value, True)
    visit_box(t, loaded, e.at)
    return loaded


def address(t: Translator, e: s.AddressOf) -> Evaluated:
    """An address of C: that of an element is computed, any other is known to the compiler."""
    operand = e.operand
    if not isinstance(operand, s.ArrayAccess):
        kind = t.types.get(operand.name, types.UNKNOWN) if isinstance(operand, s.Identifier) else types.UNKNOWN
        if isinstance(operand, s.FieldAccess):
            t.evaluate(operand.target)
        return Evaluated(types.Type(kind.name, kind.dimensions + 1), Lengths((None,) * (kind.dimensions + 1)))
    array, _, needed = element(t, operand)
    return Evaluated(array.type, Lengths((None,) * array.type.dimensions), t.op("sum", types.LONG, *needed))


def comma(t: Translator, e: s.Comma) -> Evaluated:
    """Two expressions in order."""
    t.evaluate(e.left)
    return t.evaluate(e.right)


def unary(t: Translator, e: s.UnaryOp) -> Evaluated:
    """A sign or a negation."""
    operand = t.evaluate(e.operand)
    kind = t.conversions.unary_promoted(operand.type)
    if e.operator == "!":
        number = operand.number
        return Evaluated(types.BOOLEAN, None if number is None else 1 - number, operand.value, operand.loaded)
    if e.operator == "+":
        return Evaluated(kind, operand.fact, operand.value, operand.loaded)

    number = operand.number
    fact: Fact = None if number is None else (-number if e.operator == "-" else -number - 1)
    if kind.name in types.UNSIGNED and isinstance(fact, Value):
        fact = in_range(t.state, fact, kind.name)
    if operand.value < 0 and fact is not None:
        return Evaluated(kind, fact)
    name = "neg" if e.operator == "-" else "not"
    return Evaluated(kind, fact, t.op(name, kind, operand), operand.loaded)


def binary(t: Translator, e: s.BinaryOp) -> Evaluated:
    """A chain of operators to the left is walked without recursion: sums of a thousand terms are no depth."""
    chain: list[s.BinaryOp] = []
    first: s.Expression = e
    while isinstance(first, s.BinaryOp):
        if first.operator in ("&&", "||"):
            break
        chain.append(first)
        first = first.left

    if not chain:
        return logical(t, e)
    left = t.evaluate(first)
    for one in reversed(chain):
        left = combine(t, one.operator, left, t.evaluate(one.right))
    return left


def assign(t: Translator, e: s.Assign) -> Evaluated:
    if isinstance(e.target, s.ArrayAccess):
        return _assign_element(t, e.target, e)
    old = NOTHING
    if e.operator:
        old = t.evaluate(e.target)
    value = t.evaluate(e.value)
    if e.operator:
        value = combine(t, e.operator, old, value)
    return store(t, e.target, value)


def store(t: Translator, target: s.Expression, value: Evaluated) -> Evaluated:
    """An assignment to a variable or field."""
    if is_variable(t, target):
        assert isinstance(target, s.Identifier)
        kind = t.types[target.name]
        stored = converted(t, value, kind if kind != types.UNKNOWN else value.type)
        return assign_variable(t, target.name, stored)
    if isinstance(target, s.ArrayAccess):
        array, access, needed = element(t, target)
        return _put_element(t, target, array, access, needed, value)
    return members.assign_field(t, target, value)


def _assign_element(t: Translator, target: s.ArrayAccess, e: s.Assign) -> Evaluated:
    array, access, needed = element(t, target)
    kind = types.element(array.type)
    if e.operator:
        old = Evaluated(kind, None, t.op("array_access", None, *needed, memory=access, variable=kind.name), True)
        value = combine(t, e.operator, old, t.evaluate(e.value))
    else:
        value = t.evaluate(e.value)
    return _put_element(t, target, array, access, needed, value)


def _put_element(
    t: Translator, target: s.ArrayAccess, array: Evaluated, access: Access, needed: tuple[int, ...], value: Evaluated
) -> Evaluated:
    kind = types.element(array.type)
    stored = converted(t, value, kind if kind != types.UNKNOWN else value.type)
    inputs = (*needed, *([stored.value] if stored.value >= 0 else []))
    written, place = kind.name + "[]" * kind.dimensions, place_of_element(t, target.at)
    t.op("array_access", None, *inputs, memory=access, store=True, variable=written, place=place)
    t.op("assign", stored.type, stored, store=True)

    if isinstance(value.fact, Lengths) and isinstance(target.array, s.Identifier):
        members.learn_rows(t, target.array.name, value.fact)
    return stored


def step(t: Translator, e: s.Increment) -> Evaluated:
    """`++` and `--`: written as published, the assignment before what it assigns."""
    operator = e.operator[0]
    # `a[i]++` is `a[i] += 1`: the element is found once, loaded and stored.
    if not is_variable(t, e.operand):
        return assign(t, s.Assign(operator, e.operand, s.Literal("int", "1", e.at), e.at))

    assert isinstance(e.operand, s.Identifier)
    old = t.evaluate(e.operand)
    is_pointer = old.type.dimensions > 0  # of C
    kind = types.LONG if is_pointer else t.conversions.unary_promoted(old.type)
    number = old.number
    fact = None if number is None else number + (1 if operator == "+" else -1)
    new = Evaluated(old.type, fact, t.op(operations.arithmetic(operator), kind, old), old.loaded)
    assign_variable(t, e.operand.name, new)
    return new if e.prefix else old


def opaque(t: Translator, e: s.Opaque) -> Evaluated:
    if e.kind == "pattern":
        return Evaluated(types.BOOLEAN)
    if e.kind == "class_literal":
        return Evaluated(types.Type("Class"))  # a constant
    if e.kind.endswith("_stmt") or e.kind in UNFOLLOWED:  # of C: a jump, or assembler, which may hold one
        t.state.unfollowed.add((t.owner, e.at))
    t.unsupported(f"{e.kind.replace('_', ' ')} is counted as one operation; its body is not followed", e.at)
    return t.library(e.kind, e.at, ())
