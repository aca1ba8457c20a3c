"""Which loops a compiler runs on vectors: no branch, no call, no recurrence, one element type, one offset."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from apet.java.levels.memory import element_size
from apet.java.levels.paths import LatencyPath
from apet.java.levels.reductions import ARITHMETIC, on_vectors
from apet.java.parse.types import BYTES
from apet.java.translator.ir import CodeLoop, Op


def vector_element(loop: CodeLoop, chains: Mapping[str, LatencyPath], free: Collection[int]) -> int | None:
    """Bytes of the elements that a vectorised loop works on; None for a loop that stays scalar. `free` are the results
    that cost nothing."""
    if not loop.counted or loop.further or loop.step != 1 or loop.leaves.terms:
        return None
    stores, loads = list[Op](), list[Op]()
    for item in loop.body:
        if not isinstance(item, Op):
            return None
        if _is_row(item, loop):
            continue
        if item.memory is not None:
            (stores if item.store else loads).append(item)
        elif item.name not in (*ARITHMETIC, "access", "assign", "field_access", "compare", "either") or (
            item.name == "div" and item.type is not None and item.type.name in ("int", "long")
        ):
            return None

    kinds = {op.variable for op in (*stores, *loads)}
    if len(kinds) != 1 or not kinds <= BYTES.keys() or not (stores or chains):
        return None
    if chains and not on_vectors(loop, chains, free):
        return None

    offsets = set()
    for op in (*stores, *loads):
        assert op.memory is not None
        last = op.memory.subscripts[-1]
        slope = None if last is None or op.memory.gathered else last.slope(loop.index)
        if last is None or slope is None or slope.integer not in (0, 1):
            return None
        if any(v is None or loop.index in v.names for v in op.memory.subscripts[:-1]):
            return None
        if slope.integer == 1:
            offsets.add(last)
        elif op.store:
            return None
    return element_size((*stores, *loads)[0]) if len(offsets) == 1 else None


def _is_row(op: Op, loop: CodeLoop) -> bool:
    """Whether an access is the same row of an array of arrays in every round, which no store of numbers changes."""
    if op.memory is None or op.store or not op.variable.endswith("[]"):
        return False
    return all(v is not None and loop.index not in v.names for v in op.memory.subscripts)
