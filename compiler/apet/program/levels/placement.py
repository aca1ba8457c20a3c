"""Where operations run: invariants leave their loop, addresses of elements cost nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from apet.program import types
from apet.program.free_names import changed_inside, walk
from apet.program.ir import Callee, CodeBranch, CodeLoop, Item, Items, Op, Repeat, Weighted
from apet.program.levels.escape import NEW

PURE = ("sum", "sub", "mpy", "div", "mod", "neg", "not", "and", "or", "xor", "shift", "sqrt", "abs", "max", "min")

OF_CONSTANTS = ("call_String_length", "call_String_isEmpty")
"""Calls of what never changes: of one string, they give the same in each round."""


def hoisted(loop: CodeLoop) -> tuple[Items, CodeLoop]:
    """The operations that a compiler moves out of a loop, and the loop without them; inner loops first."""
    body: list[Item] = []
    for item in loop.body:
        body += _opened(item)

    inside = list(walk(tuple(body)))
    assigned = {i.variable for i in inside if isinstance(i, Op) and i.store and i.variable}
    assigned.add(loop.counter)
    assigned |= {v.rpartition(".")[2] for v in assigned if not v.startswith(NEW)}
    stores = any(isinstance(i, Op) and i.store and i.memory is not None for i in inside)
    calls = any(isinstance(i, Callee) for i in inside)
    moved: list[Op] = []
    fixed: set[int] = set()
    remaining = _sift(tuple(body), assigned, stores, calls, fixed, moved)
    return tuple(moved), replace(loop, body=remaining)


def _opened(item: Item) -> Items:
    """An item with the invariants of its inner loops in front of it."""
    if isinstance(item, CodeLoop):
        moved, loop = hoisted(item)
        return (*moved, loop)
    return (changed_inside(item, lambda inside: tuple(i for one in inside for i in _opened(one))),)


def _sift(items: Items, assigned: set[str], stores: bool, calls: bool, fixed: set[int], moved: list[Op]) -> Items:
    remaining: list[Item] = []
    for item in items:
        if isinstance(item, Op):
            if _invariant(item, assigned, stores, calls, fixed):
                fixed.add(item.result)
                moved.append(item)
            else:
                remaining.append(item)
        elif isinstance(item, CodeBranch | Weighted):
            # Inner loops have been through this already.
            remaining.append(changed_inside(item, lambda s: _sift(s, assigned, stores, calls, fixed, moved)))
        else:
            remaining.append(item)

    return tuple(remaining)


def _invariant(op: Op, assigned: set[str], stores: bool, calls: bool, fixed: set[int]) -> bool:
    if op.store or op.control or not all(i in fixed for i in op.inputs):
        return False
    if op.name == "access":
        return op.variable not in assigned
    if op.name == "field_access":
        unchanged = op.variable not in assigned and op.variable.rpartition(".")[2] not in assigned
        return unchanged and not (calls and op.variable != "length")
    if op.name == "array_access":
        rows = op.variable.endswith("[]")
        return (rows or not stores) and not calls

    return (op.name in (*PURE, *OF_CONSTANTS) or op.name.startswith("cast_")) and bool(op.inputs)


def addresses(items: Items) -> frozenset[int]:
    """Results that only serve as subscripts, or as parts of them: addressing modes compute those for nothing."""
    ops = [i for i in walk(items) if isinstance(i, Op)]
    uses: dict[int, list[Op]] = {}
    for op in ops:
        for v in op.inputs:
            uses.setdefault(v, []).append(op)

    results: set[int] = set()
    for op in reversed(ops):
        users = uses.get(op.result, [])
        affine = op.name in ("sum", "sub", "access", "field_access")
        if affine and users and all(u.result in results or _as_subscript(u, op.result) for u in users):
            results.add(op.result)
    return frozenset(results)


def reassociated(loop: CodeLoop) -> dict[int, str]:
    """Sums of a variable and what no round changes, as in `total += step`, with that variable: of the rounds that a
    compiler makes one, it adds all that is added at once (C2's reassociation of invariants)."""
    inside = [i for i in walk(loop.body) if isinstance(i, Op)]
    results = {op.result: op for op in inside}
    assigned = Counter(op.variable for op in inside if op.name == "assign")
    found: dict[int, str] = {}
    for op in loop.body if loop.counted else ():
        if not isinstance(op, Op) or op.name != "assign" or len(op.inputs) != 1 or assigned[op.variable] != 1:
            continue
        total = results.get(op.inputs[0])
        if total is not None and total.name in ("sum", "sub") and total.type in (types.INT, types.LONG):
            moving = [results[i] for i in total.inputs if i in results]
            if len(moving) == 1 and moving[0].name == "access" and moving[0].variable == op.variable:
                found[total.result] = op.variable
    return found


def _as_subscript(user: Op, value: int) -> bool:
    if user.name != "array_access" or user.memory is None:
        return False
    has_place = user.memory.subscripts[-1] is not None
    return has_place and not (user.store and user.inputs and user.inputs[-1] == value)


def is_straight(item: Item) -> bool:
    """Whether an item has no loop, no call and no lock inside."""
    inside = walk((item,))
    return not any(isinstance(i, CodeLoop | Callee | Repeat) or (isinstance(i, Weighted) and i.lock) for i in inside)
