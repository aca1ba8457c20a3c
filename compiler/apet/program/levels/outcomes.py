"""Which branches look at data that the program only reads: their outcomes have no pattern but that of the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apet.program.free_names import walk
from apet.program.ir import CodeBranch, CodeLoop, Items, Op, Weighted

DATA, CARRIED, PLAIN = "data", "carried", "plain"


def branches_on_data(items: Items, around: Sequence[CodeLoop]) -> frozenset[int]:
    """The identities of branches that compare elements which the loops around do not store with each other or with
    what does not change there. A comparison with what an earlier round left (a greatest value so far, neighbours
    that are being sorted) has patterns, and is none of them."""
    if not around or not any(isinstance(i, CodeBranch | Weighted) for i in items):
        return frozenset()
    inside = list(walk(around[0].body))
    stored = {i.memory.array for i in inside if isinstance(i, Op) and i.store and i.memory is not None}
    assigned = {i.variable for i in inside if isinstance(i, Op) and i.name == "assign" and i.variable}
    return frozenset(_found(items, {}, {}, stored, assigned))


def _found(
    items: Items, values: dict[int, str], variables: dict[str, str], stored: set[str], assigned: set[str]
) -> Iterator[int]:
    for item in items:
        if isinstance(item, Op):
            kind = _kind(item, values, variables, stored, assigned)
            values[item.result] = kind
            if item.name == "assign" and item.variable:
                variables[item.variable] = kind
        elif isinstance(item, CodeBranch):
            if item.condition is not None and any(values.get(i) == DATA for i in item.condition.inputs):
                yield id(item)
            yield from _found(item.then, values, variables, stored, assigned)
            yield from _found(item.otherwise, values, variables, stored, assigned)
        elif isinstance(item, Weighted):
            yield from _found(item.body, values, variables, stored, assigned)


def _kind(op: Op, values: dict[int, str], variables: dict[str, str], stored: set[str], assigned: set[str]) -> str:
    if op.name == "access" or (op.name == "field_access" and not op.store):
        return variables.get(op.variable, CARRIED if op.variable in assigned else PLAIN)
    if op.memory is not None:
        return CARRIED if op.memory.array in stored else DATA
    if op.name == "charAt" or op.name.startswith("call_random"):
        return DATA
    kinds = {values.get(i, PLAIN) for i in op.inputs}
    return next((k for k in (CARRIED, DATA) if k in kinds), PLAIN)
