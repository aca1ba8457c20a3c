"""Calls of libraries whose cost grows with a size: one more operation for each element that they work on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, apply, as_value
from apet.program.ir import Op, ParameterKind, Repeat
from apet.program.translator.facts import Evaluated, Lengths, shown

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

TARGET = -1
"""Stands for the target of a call in place of the number of an argument."""


class SizedCall(NamedTuple):
    """What the cost of a call grows with: the length of an argument (or the target), or the number that it is, less
    another; n log2 n times where it sorts. `block` is the array that is moved as a block: elements of 8 bytes count
    twice there, since those of 4 were measured."""

    of: int
    is_length: bool = True
    less: int | None = None
    sorts: bool = False
    block: int | None = None


PER_ELEMENT = "each_"
"""What the operation of one element begins with."""


def for_each_element(
    t: Translator,
    e: s.MethodCall,
    operation: str,
    sized: SizedCall,
    target: Evaluated,
    arguments: Sequence[Evaluated],
) -> None:
    """Write the operations of the elements of a call, whose own operation is `call_...`."""
    if max(sized.of, TARGET if sized.less is None else sized.less) >= len(arguments):
        return
    many = size_of(sized, target, arguments)
    if many is None:
        text = f"elements that this call of {e.name} works on, on average"
        many = t.note(f"size_{e.at.line}", text, e.at, kind=ParameterKind.ELEMENTS, member=e.name)
    if sized.sorts:
        many = many * apply("log2", apply("max", 2, many))
    if sized.block is not None:
        moved = (target if sized.block == TARGET else arguments[sized.block]).type
        words = Fraction(types.size(types.element(moved)), 4) if moved.dimensions else Fraction(1)
        many = many * words if words >= 1 else apply("ceil", many * words)
    t.out.append(Repeat(many, (Op(operation.replace("call_", PER_ELEMENT, 1), None, (), t.value()),)))


def size_of(sized: SizedCall, target: Evaluated, arguments: Sequence[Evaluated]) -> Value | None:
    """The size that the cost of a call grows with, where it is known."""
    one = target if sized.of == TARGET else arguments[sized.of]
    if sized.is_length:
        return shown(one.fact.lengths[0]) if isinstance(one.fact, Lengths) and one.fact.lengths else None
    last = shown(one.fact)
    first = as_value(0) if sized.less is None else shown(arguments[sized.less].fact)
    return None if last is None or first is None else last - first
