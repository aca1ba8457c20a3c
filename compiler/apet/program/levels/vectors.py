"""Which loops a compiler runs on vectors: no branch, no call, one element type, one offset.

The rules are those that C2 of OpenJDK 17 was seen to follow on one-line loops, not those of its source.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from apet.program.ir import CodeLoop, Op
from apet.program.levels.memory import element_size
from apet.program.levels.paths import LatencyPath, advance
from apet.program.types import BYTES

NARROW = frozenset(("byte", "short", "char"))
"""Elements that are computed with as `int`, and cut off again when they are stored: in vectors they are not widened."""
ARITHMETIC = ("sum", "sub", "mpy", "div", "and", "or", "xor", "shift", "neg", "not", "abs", "sqrt", "max", "min")
"""What vectors have operations for."""
PLAIN = (*ARITHMETIC, "access", "assign", "field_access", "compare", "either")


def vector_element(loop: CodeLoop, chains: Mapping[str, LatencyPath], free: Collection[int]) -> int | None:
    """Bytes of the elements that a vectorised loop works on; None for a loop that stays scalar. `free` are the results
    that cost nothing."""
    if not loop.counted or loop.further or abs(loop.step or 0) != 1 or loop.leaves.terms:
        return None
    stores, loads = list[Op](), list[Op]()
    for item in loop.body:
        if not isinstance(item, Op):
            return None
        if item.memory is not None and not _is_row(item, loop):
            (stores if item.store else loads).append(item)

    kinds = {op.variable for op in (*stores, *loads)}
    if len(kinds) != 1 or not kinds <= BYTES.keys() or not stores or chains:
        return None
    # What is computed from the counter has no vectors (before JDK 20).
    if _uses_counter(loop, free) or not all(_has_vectors(op, kinds <= NARROW) for op in _computing(loop)):
        return None
    return element_size((*stores, *loads)[0]) if _side_by_side((*stores, *loads), loop) else None


def _side_by_side(accesses: Collection[Op], loop: CodeLoop) -> bool:
    """Whether all elements of a round have one place in their arrays, or one element is loaded in every round."""
    places = set()
    for op in accesses:
        assert op.memory is not None
        last = op.memory.subscripts[-1]
        moves = None if last is None or op.memory.gathered else advance(last, loop)
        if moves is None or abs(moves) > 1:
            return False
        if any(v is None or advance(v, loop) != 0 for v in op.memory.subscripts[:-1]):
            return False

        if moves:
            places.add(last)
        elif op.store:
            return False
    return len(places) == 1


def _computing(loop: CodeLoop) -> Iterator[Op]:
    return (i for i in loop.body if isinstance(i, Op) and i.memory is None)


def _has_vectors(op: Op, narrow: bool) -> bool:
    """Whether a vector can have an operation: no division or extreme of whole numbers, no shift by what differs."""
    whole = op.type is None or op.type.name not in ("float", "double")
    if op.name.startswith("cast_"):
        return narrow and op.type is not None and op.type.name in NARROW
    if op.name in ("div", "max", "min") and whole:
        return False
    return op.name in PLAIN and not (op.name == "shift" and len(op.inputs) > 1)


def _uses_counter(loop: CodeLoop, free: Collection[int]) -> bool:
    """Whether the counter is more than a subscript, what is counted, and what the end is compared with."""
    stepped = {i for op in _computing(loop) if op.name == "assign" and op.variable == loop.counter for i in op.inputs}
    used: set[int] = set()
    for op in loop.body:
        if isinstance(op, Op) and not (op.control or op.name == "compare" or op.result in stepped):
            used.update(op.inputs if op.memory is None else op.inputs[2:])  # without the array and its subscript
    reads = (op for op in _computing(loop) if op.name == "access" and op.variable == loop.counter)
    return any(op.result in used and op.result not in free for op in reads)


def _is_row(op: Op, loop: CodeLoop) -> bool:
    """Whether an access is the same row of an array of arrays in every round, which no store of numbers changes."""
    if op.memory is None or op.store or not op.variable.endswith("[]"):
        return False
    return all(v is not None and advance(v, loop) == 0 for v in op.memory.subscripts)
