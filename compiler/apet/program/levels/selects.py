"""Which branches a compiler turns into conditional moves, which no predictor has to foresee.

HotSpot does so where a branch only chooses the value of one int; not where the variable goes on from round to round
and its new value comes from its old one: a conditional move would put the comparison into that chain. Counts and sums
under a comparison with a constant, with nothing otherwise, are moves all the same. Found with 22 loops on Granite
Rapids, each with outcomes at random and in order: what is a move here took the same time with either, the rest 3 to 14
times as long.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.program import types
from apet.program.algebra import Value
from apet.program.free_names import walk
from apet.program.ir import CodeBranch, CodeLoop, Op
from apet.program.levels.units import FLOATING, is_library

ADDING = ("sum", "sub", "access", "assign")


def selects(branch: CodeBranch, around: Sequence[CodeLoop]) -> bool:
    """Whether a branch within some loops may become a conditional move, if both of its sides happen."""
    sides = (*branch.then, *branch.otherwise)
    if branch.condition is not None and not branch.condition.relation:
        return False
    ops = [i for i in sides if isinstance(i, Op)]
    # What calls, allocates or touches memory may do more than give a value, unless the round has it already.
    there = _loaded(branch, around)
    touches = any(i.memory is not None and (i.store or _element(i) not in there) for i in ops)
    does_more = touches or any(i.name.startswith(("call", "new")) or is_library(i) for i in ops)
    is_floating = any(i.type is not None and types.word(i.type) in FLOATING for i in ops)
    if len(ops) < len(sides) or does_more or is_floating:
        return False

    stored = {i.variable for i in ops if i.store}
    if len(stored) > 1 or not all(i.type == types.INT for i in ops if i.store):
        return False
    used = {i.variable for i in ops if i.name == "access"} & (stored or {i.variable for i in ops})
    if not used & _carried(branch, around):
        return True
    condition = branch.condition
    compared = () if condition is None else (condition.left, condition.right)
    with_constant = any(v is not None and v.constant is not None for v in compared)
    return with_constant and not (branch.then and branch.otherwise) and all(i.name in ADDING for i in ops)


def _loaded(branch: CodeBranch, around: Sequence[CodeLoop]) -> set[tuple[str, tuple[Value | None, ...]]]:
    """The elements that a round has loaded before a branch, without a store in between."""
    found: set[tuple[str, tuple[Value | None, ...]]] = set()
    for item in around[-1].body if around else ():
        if item is branch:
            return found
        if not isinstance(item, Op) or (item.memory is not None and item.store):
            found.clear()
        elif item.memory is not None and None not in item.memory.subscripts:
            found.add(_element(item))
    return set()


def _element(op: Op) -> tuple[str, tuple[Value | None, ...]]:
    assert op.memory is not None
    return op.memory.array, op.memory.subscripts


def _carried(branch: CodeBranch, around: Sequence[CodeLoop]) -> set[str]:
    """Variables whose values a branch meets as the round before has left them; counters are none."""
    if not around:
        return set()
    body = around[-1].body
    place = next((k for k, item in enumerate(body) if item is branch), len(body))
    fresh = {i.variable for i in body[:place] if isinstance(i, Op) and i.name == "assign"}
    changed = {i.variable for i in walk(body) if isinstance(i, Op) and i.name == "assign" and not i.control}
    return changed - fresh - {around[-1].counter}
