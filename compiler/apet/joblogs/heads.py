"""The least times before and after the tasks of units with precedence, however many cores there are; microseconds."""

from __future__ import annotations

from collections.abc import Sequence

from apet.joblogs.rules.work import WorkUnit


def heads(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> list[int]:
    """By unit, the least time before its tasks."""
    ahead, ends = list[int](), list[int]()
    for unit, needed in zip(units, before, strict=True):
        ahead.append(max((ends[p] for p in needed), default=0) + unit.delay)
        ends.append(ahead[-1] + unit.longest + unit.tail)
    return ahead


def tails(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> list[int]:
    """By unit, the least time after its last result."""
    after = [unit.tail for unit in units]
    for k in range(len(units) - 1, -1, -1):
        behind = units[k].delay + units[k].longest + after[k]
        for p in before[k]:
            after[p] = max(after[p], units[p].tail + behind)
    return after
