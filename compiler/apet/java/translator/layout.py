"""How objects lie in the memory of a 64-bit HotSpot with compressed references."""

from __future__ import annotations

from collections.abc import Iterable

from apet.program import types
from apet.program.syntax.declarations import Class

HEADER, ALIGNED = 12, 8
"""Bytes in front of an object's fields, and what its size is a multiple of (Lindenmaier and others: JOL's layouts)."""

ENDS = ("First", "Last")
READERS = frozenset(
    (
        *("get", "getOrDefault", "getKey", "getValue", "next", "poll", "pop", "peek", "first", "last", "remove"),
        *(f"{verb}{end}" for verb in ("get", "poll", "peek", "remove") for end in ENDS),
    )
)
"""Methods of collections that return an element."""


def object_bytes(line: Iterable[Class]) -> int:
    """Bytes of an object of a class with its ancestors: its header, their fields, what fills it up."""
    sizes = [types.size(f.type) for c in line for f in c.fields.values() if not f.static]
    small = sum(size for size in sizes if size < ALIGNED)
    # A long or a double begins at a multiple of 8, behind the header and smaller fields that fit in between.
    gap = ALIGNED - HEADER % ALIGNED if len(sizes) > 0 and ALIGNED in sizes and small == 0 else 0
    return -(-(HEADER + gap + sum(sizes)) // ALIGNED) * ALIGNED
