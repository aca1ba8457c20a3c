"""The functions and globals of a C program by name: C has one of each."""

from __future__ import annotations

from collections.abc import Sequence

from apet.program.syntax.declarations import Class, Field, Method
from apet.program.translator.classes import Program


class CProgram(Program):
    """Files as classes; a name that is not the file's own is that of any other file."""

    def __init__(self, classes: Sequence[Class]) -> None:
        super().__init__(classes)
        self._files = [c for c in classes if c.kind == "file"]

    def field(self, owner: str, name: str, near: bool = False) -> tuple[Class, Field] | None:
        """A member of a structure; a global."""
        declared = self.get(owner)
        if declared is not None and declared.kind == "struct":
            return (declared, declared.fields[name]) if name in declared.fields else None
        return next(((c, c.fields[name]) for c in self._nearest(owner) if name in c.fields), None)

    def function(self, owner: str, name: str) -> Method | None:
        """The function of a name, whatever it is given: C converts that."""
        return next((m for c in self._nearest(owner) for m in c.named.get(name, ())), None)

    def _nearest(self, owner: str) -> Sequence[Class]:
        return sorted(self._files, key=lambda c: c.name != owner)
