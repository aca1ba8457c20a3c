"""Which loops a compiler runs on vectors: no branch, no call, no recurrence, one element type, one offset."""

from __future__ import annotations

from collections.abc import Mapping

from apet.java.levels.memory import element_size
from apet.java.levels.paths import LatencyPath
from apet.java.parse.types import BYTES
from apet.java.translator.ir import CodeLoop, Op

ALLOWED = ("sum", "sub", "mpy", "div", "and", "or", "xor", "shift", "neg", "not", "abs", "sqrt", "max", "min")


def vector_element(loop: CodeLoop, chains: Mapping[str, LatencyPath]) -> int | None:
    """Bytes of the elements that a vectorised loop works on; None for a loop that stays scalar."""
    if not loop.counted or loop.further or loop.step != 1 or loop.leaves.terms:
        return None
    stores, loads = list[Op](), list[Op]()
    for item in loop.body:
        if not isinstance(item, Op):
            return None
        if item.memory is not None:
            (stores if item.store else loads).append(item)
        elif item.name not in (*ALLOWED, "access", "assign", "field_access", "compare", "either") or (
            item.name == "div" and item.type is not None and item.type.name in ("int", "long")
        ):
            return None

    kinds = {op.variable for op in (*stores, *loads)}
    if len(kinds) != 1 or not kinds <= BYTES.keys() or not (stores or _integer_sums(loop, chains)):
        return None
    if chains and not _integer_sums(loop, chains):
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


def _integer_sums(loop: CodeLoop, chains: Mapping[str, LatencyPath]) -> bool:
    """Whether every recurrence is one sum of int: partial sums may be added in any order."""
    return bool(chains) and all(
        len(path.weights) == 1 and path.weights[0][0] == "lat_sum_int" and path.weights[0][1].constant == 1
        for path in chains.values()
    )
