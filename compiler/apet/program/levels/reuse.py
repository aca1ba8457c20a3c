"""Which bytes are touched between two uses of a cache line: the line comes from the level that holds them.

A loop around that touches a line again in each of its rounds finds it where one round's bytes fit; a line that no loop
around touches again comes from where the whole working set lies. These are the layer conditions of Stengel, Treibig,
Hager and Wellein (2015, section 3), for any affine subscripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.program.algebra import ZERO, Value, as_value, too_long
from apet.program.free_names import inner
from apet.program.ir import CodeLoop, Items, Op
from apet.program.levels.memory import LINE, at_least, element_size, most_rounds, stride_of
from apet.program.symbols import HIDDEN


class Reuse(NamedTuple):
    """A part of an access's lines, and the bytes touched since their last use; None where all that is touched was."""

    part: Fraction
    distance: Value | None


def reuses(op: Op, around: Sequence[CodeLoop]) -> list[Reuse]:
    """Where the lines of an access in the innermost loop come from; `around` are the loops around that one."""
    assert op.memory is not None
    if not _is_affine(op):
        return [Reuse(Fraction(1), None)]

    parts, rest = list[Reuse](), Fraction(1)
    for loop in reversed(around):
        if not _moves(op, loop):
            return [*parts, Reuse(rest, touched_in_a_round(loop))]
        # The next round is on the same line, but for one in so many.
        onward = None if _assigned(op, loop) else _bytes_onward(op, loop)
        if onward is not None and onward < LINE:
            parts.append(Reuse(rest * (1 - Fraction(onward, LINE)), touched_in_a_round(loop)))
            rest *= Fraction(onward, LINE)
    return [*parts, Reuse(rest, None)]


def _bytes_onward(op: Op, loop: CodeLoop) -> int | None:
    stride = stride_of(op, loop)
    return None if stride is None else abs(stride) * element_size(op)


def touched_in_a_round(loop: CodeLoop) -> Value | None:
    """Bytes of the lines that one round of a loop touches; None where they cannot be told."""
    of_arrays: dict[str, Value] = {}
    for op, inside in _accesses(loop.body, ()):
        assert op.memory is not None
        touched = _touched(op, inside)
        if touched is None:
            return None
        largest = of_arrays.get(op.memory.array)
        if largest is None or touched.names > largest.names or at_least(touched, largest):
            of_arrays[op.memory.array] = touched

    total = ZERO
    for touched in of_arrays.values():
        total = total + touched
    return None if too_long(total) else total


def _accesses(items: Items, inside: tuple[CodeLoop, ...]) -> Iterator[tuple[Op, tuple[CodeLoop, ...]]]:
    for item in items:
        if isinstance(item, Op) and item.memory is not None:
            yield item, inside
        deeper = (*inside, item) if isinstance(item, CodeLoop) else inside
        for body in inner(item):
            yield from _accesses(body, deeper)


def _touched(op: Op, inside: Sequence[CodeLoop]) -> Value | None:
    """Bytes of the lines that an access touches in all rounds of some loops."""
    if not _is_affine(op):
        return None

    moving = [loop for loop in inside if _moves(op, loop)]
    along = [_bytes_onward(op, loop) for loop in moving if not _assigned(op, loop)]
    shared_lines = any(b is not None and b < LINE for b in along)
    total = as_value(element_size(op) if shared_lines else LINE)
    for loop in moving:
        total = total * most_rounds(loop.rounds, inside)
    return None if any(HIDDEN in n for n in total.names) else total


def _is_affine(op: Op) -> bool:
    assert op.memory is not None
    subscripts = op.memory.subscripts
    return all(v is not None and not any(HIDDEN in n for n in v.names) for v in subscripts)


def _moves(op: Op, loop: CodeLoop) -> bool:
    """Whether an access is elsewhere in the next round of a loop."""
    assert op.memory is not None
    return any(v is not None and loop.index in v.names for v in op.memory.subscripts) or _assigned(op, loop)


def _assigned(op: Op, loop: CodeLoop) -> bool:
    """Whether each round of a loop gives the array's variable another array, such as a row."""
    assert op.memory is not None
    return op.memory.array in _assigned_directly(loop.body)


def _assigned_directly(items: Items) -> Iterator[str]:
    for item in items:
        if isinstance(item, Op) and item.name == "assign" and item.variable:
            yield item.variable
        elif not isinstance(item, CodeLoop):
            for body in inner(item):
                yield from _assigned_directly(body)
