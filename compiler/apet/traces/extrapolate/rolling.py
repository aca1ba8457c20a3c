"""Equal blocks in a row whose number depends on the number of ranks become a loop: exchanges with one partner after
the other have no other trace of being one, since the partners do not advance by equal steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from apet.traces.extrapolate.nodes import Node, ObservedLoop, ObservedSlot, Rank, rules_of, within
from apet.traces.extrapolate.programs import TAGS

LONGEST = 12
"""Slots of a block."""


def rolled(nodes: list[Node], everybody: set[Rank], depth: int = 0) -> list[Node]:
    """The nodes of a program, which is `depth` loops deep, with such loops; of the ranks that execute it."""
    for node in nodes:
        if isinstance(node, ObservedLoop):
            node.body = rolled(node.body, node.present(), depth + 1)

    result, at = list[Node](), 0
    while at < len(nodes):
        blocks = _blocks(nodes, at, everybody)
        if blocks:
            result.append(_loop(blocks, depth))
            at += len(blocks) * len(blocks[0])
        else:
            result.append(nodes[at])
            at += 1
    return result


def _blocks(nodes: Sequence[Node], at: int, everybody: set[Rank]) -> list[list[ObservedSlot]]:
    """The blocks from a node on that are iterations of one loop; none if there are none."""
    for length in range(1, LONGEST + 1):
        blocks = list[list[ObservedSlot]]()
        for start in range(at, len(nodes) - length + 1, length):
            block = [node for node in nodes[start : start + length] if isinstance(node, ObservedSlot)]
            if len(block) < length or (blocks and _forms(block) != _forms(blocks[0])):
                break
            blocks.append(block)
        while len(blocks) > 1:
            if _counted_by_trace(blocks, everybody) and _explained(blocks):
                return blocks
            blocks.pop()
    return []


def _forms(block: Sequence[ObservedSlot]) -> list[tuple[tuple[str, ...], str]]:
    return [(untagged(slot.form, slot.kinds), slot.kinds) for slot in block]


def untagged(form: tuple[str, ...], kinds: str) -> tuple[str, ...]:
    """A form without the tag, which may depend on the iteration; it is the first of the words that cannot vary."""
    tag = TAGS.get(form[0], len(kinds))
    return (form[0], *form[2:]) if kinds[tag : tag + 1] == "d" and "d" not in kinds[:tag] else form


def _counted_by_trace(blocks: Sequence[Sequence[ObservedSlot]], everybody: set[Rank]) -> bool:
    """Whether all ranks of a trace execute the same of the blocks, and not as many in each trace."""
    present = [[slot.present() for slot in block] for block in blocks]
    if any(slots != block[0] for block in present for slots in block):
        return False
    patterns: dict[int, set[tuple[bool, ...]]] = {}
    for rank in everybody:
        patterns.setdefault(rank.trace, set()).add(tuple(rank in block[0] for block in present))
    counts = {sum(pattern) for each in patterns.values() for pattern in each}
    return all(len(each) == 1 for each in patterns.values()) and len(counts) > 1


def _numbers(blocks: Sequence[Sequence[ObservedSlot]]) -> list[Callable[[Rank], int]]:
    """By block, how many of those before it a rank executes."""
    earlier: dict[Rank, int] = {}
    numbers = list[Callable[[Rank], int]]()
    for block in blocks:
        numbers.append(_looked_up(dict(earlier)))
        for rank in block[0].present():
            earlier[rank] = earlier.get(rank, 0) + 1
    return numbers


def _looked_up(numbers: dict[Rank, int]) -> Callable[[Rank], int]:
    return lambda rank: numbers.get(rank, 0)


def _explained(blocks: Sequence[Sequence[ObservedSlot]]) -> bool:
    """Whether one rule makes the partners of all blocks."""
    numbers = _numbers(blocks)
    for slots in zip(*blocks, strict=True):
        rows = [
            row._replace(indices=(number(row.rank),))
            for number, slot in zip(numbers, slots, strict=True)
            for row in slot.rows
        ]
        if not all(rules_of(rows, at) for at in slots[0].partners):
            return False
    return True


def _loop(blocks: Sequence[Sequence[ObservedSlot]], depth: int) -> ObservedLoop:
    times = dict(Counter(rank for block in blocks for rank in block[0].present()))
    for number, block in zip(_numbers(blocks), blocks, strict=True):
        within(block, depth, number)
    for slots in zip(*blocks, strict=True):
        first = slots[0]
        for other in slots[1:]:
            first.rows += other.rows
            first.computed += other.computed
        if len({slot.form for slot in slots}) > 1:
            tag = TAGS[first.form[0]]
            first.form = untagged(first.form, first.kinds)
            first.kinds = f"{first.kinds[:tag]}n{first.kinds[tag + 1 :]}"
        first.explain()

    return ObservedLoop(times, list(blocks[0]))
