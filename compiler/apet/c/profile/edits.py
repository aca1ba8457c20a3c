"""Edits of a source: what is put before and behind terms of it, however they nest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from apet.c.parse.libclang import children_of


class Edit(NamedTuple):
    """A text at an offset in bytes. Of those at one place, what closes comes first, the inner one before the outer;
    then what opens, the outer one before the inner."""

    offset: int
    order: tuple[int, int]
    text: str


class Edits:
    """The edits of one source; none goes into what a macro brings, where the source has nothing to edit."""

    def __init__(self, text: str, macros: Sequence[tuple[int, int]]) -> None:
        self.content = text.encode()
        self._macros = macros
        self._edits: list[Edit] = []

    def around(self, cursor: Any, before: str, behind: str, statement: bool = False) -> bool:
        """Put texts around a term, of a statement with its semicolon; False where it is a macro's."""
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        if statement:
            end = self._with_semicolon(end)
        if end <= start or any(a < end and start < b and not (start <= a and b <= end) for a, b in self._macros):
            return False
        self._edits.append(Edit(start, (1, -(end - start)), before))
        self._edits.append(Edit(end, (0, end - start), behind))
        return True

    def inside(self, block: Any, text: str) -> bool:
        """Put a text at the beginning of a block."""
        start = block.extent.start.offset
        if self.content[start : start + 1] != b"{":
            return False
        self._edits.append(Edit(start + 1, (1, -len(self.content)), text))
        return True

    def _with_semicolon(self, end: int) -> int:
        """The end of a statement, behind its semicolon where it has one of its own."""
        if self.content[end - 1 : end] in (b"}", b";"):
            return end
        semicolon = self.content.find(b";", end)
        return end if semicolon < 0 else semicolon + 1

    def text(self) -> str:
        """The source with all edits."""
        parts, at = list[bytes](), 0
        for edit in sorted(self._edits):
            parts += [self.content[at : edit.offset], edit.text.encode()]
            at = edit.offset
        return b"".join([*parts, self.content[at:]]).decode()


def macro_extents(tree: Any, name: str) -> list[tuple[int, int]]:
    """Where a file uses macros, in bytes."""
    used = (c for c in children_of(tree.cursor) if c.kind.name == "MACRO_INSTANTIATION")
    return [
        (c.extent.start.offset, c.extent.end.offset) for c in used if c.location.file and c.location.file.name == name
    ]
