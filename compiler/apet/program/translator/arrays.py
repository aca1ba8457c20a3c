"""Arrays: their allocation, per object and per byte, and the elements of those that are written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, as_value
from apet.program.ir import LineColumn, Op, ParameterKind, Repeat
from apet.program.translator.facts import Evaluated, Fact, Lengths, shown

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

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
            many(t, number, "new_row" if by_runtime else "new")
        kind = types.element(kind)
        many(t, elements * types.size(kind), "new_byte")
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


def many(t: Translator, times: Value, operation: str) -> None:
    t.out.append(Repeat(times, (Op(operation, None, (), t.value()),)))


def literal_array(t: Translator, kind: types.Type, e: s.ArrayLiteral, operation: str = "new") -> Evaluated:
    inner = types.element(kind)
    length = as_value(len(e.items))
    if operation:
        t.op("new", None)
        many(t, length * types.size(inner), "new_byte")

    row: Fact = None
    for item in e.items:
        nested = isinstance(item, s.ArrayLiteral)
        element = literal_array(t, inner, item) if isinstance(item, s.ArrayLiteral) else t.evaluate(item)
        row = element.fact if nested or isinstance(element.fact, Lengths) else None
        t.op("array_access", None, store=True)
        t.op("assign", inner, element, store=True)
    rows = row.lengths if isinstance(row, Lengths) else (None,) * (kind.dimensions - 1)
    return Evaluated(kind, Lengths((length, *rows)), t.value())
