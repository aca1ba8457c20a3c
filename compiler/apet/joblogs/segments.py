"""Segments: where all earlier units end before any later one begins, bounds add.

Cores that idle in one segment do not help the next, so bounds of segments are sharper than those of the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from apet.joblogs.rules.work import WorkUnit


def segments(units: Sequence[WorkUnit]) -> list[list[int]]:
    """Numbers of units by segment, in order.

    All of one set come before all of another only if their levels do (the number of units on the longest way to each),
    and if each unit without a successor in the first comes right before each one without a predecessor in the second.
    """
    needed = [set(unit.before) for unit in units]
    levels = list[int]()
    for before in needed:
        levels.append(max((levels[p] for p in before), default=-1) + 1)

    parts, part = list[list[int]](), list[int]()
    cut = _cuts(needed, levels)
    for level, members in enumerate(_by_level(levels)):
        part += members
        if level in cut:
            parts.append(sorted(part))
            part = []
    return [*parts, sorted(part)] if part else parts


def _cuts(needed: Sequence[set[int]], levels: Sequence[int]) -> set[int]:
    """Levels after which a segment ends."""
    followed = [max(levels, default=0) + 1] * len(levels)  # the level of the first that waits for a unit
    for k, before in enumerate(needed):
        for p in before:
            followed[p] = min(followed[p], levels[k])

    begun, ended = Counter(levels), Counter(followed)
    edges = Counter(levels[k] for k, before in enumerate(needed) for p in before if followed[p] == levels[k])
    cuts, open_ends = set[int](), 0
    for level in range(max(levels, default=0)):
        open_ends += begun[level] - ended[level]  # units so far that none so far waits for
        if edges[level + 1] == open_ends * begun[level + 1]:
            cuts.add(level)
    return cuts


def _by_level(levels: Sequence[int]) -> list[list[int]]:
    members: list[list[int]] = [[] for _ in range(max(levels, default=-1) + 1)]
    for k, level in enumerate(levels):
        members[level].append(k)
    return members
