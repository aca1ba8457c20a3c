"""Segments: where one unit has all earlier ones behind it and all later ones before it, bounds add.

Cores that idle in one segment do not help the next, so bounds of segments are sharper than those of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.joblogs.rules.work import WorkUnit

MOST_REDUCED = 5_000
"""Units up to which edges are left out that longer paths imply."""


def segments(units: Sequence[WorkUnit]) -> list[list[int]]:
    """Numbers of units by segment, in order: a unit that all others are before or after is one of its own."""
    edges = _edges(units)
    passed = [0] * (len(units) + 1)  # how many edges begin to bypass a place, and end to
    for start, end in edges:
        if end - start > 1:
            passed[start + 1] += 1
            passed[end] -= 1

    parts, open_part, bypassing = list[list[int]](), list[int](), 0
    for k in range(len(units)):
        bypassing += passed[k]
        if bypassing:
            open_part.append(k)
            continue
        if open_part:
            parts.append(open_part)
            open_part = []
        parts.append([k])
    return [*parts, open_part] if open_part else parts


def _edges(units: Sequence[WorkUnit]) -> list[tuple[int, int]]:
    """From unit to unit, with a source at -1 and a sink behind the last."""
    edges = list[tuple[int, int]]()
    behind = list[int]()  # sets of units as bits
    followed = set[int]()
    for k, unit in enumerate(units):
        needed = set(unit.before)
        if len(units) <= MOST_REDUCED:
            reached = 0
            for p in needed:
                reached |= behind[p]
            needed = {p for p in needed if not reached >> p & 1}
            for p in needed:
                reached |= 1 << p
            behind.append(reached)
        followed |= needed
        edges += [(p, k) for p in needed] or [(-1, k)]

    return edges + [(k, len(units)) for k in range(len(units)) if k not in followed]
