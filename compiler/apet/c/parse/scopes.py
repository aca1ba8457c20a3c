"""Names of one function's variables: what hides another gets a name of its own, and what has an address is memory."""

from __future__ import annotations

from typing import Any


class Scopes:
    """The names of locals by their declaration, in scopes that open and close."""

    def __init__(self, outside: dict[int, str], addressed: frozenset[int]) -> None:
        self._names = dict(outside)
        self._open: list[set[str]] = [set()]
        self.addressed = addressed
        """The variables whose address is taken: they are arrays of one element."""
        self.walks: dict[int, Any] = {}
        """Pointers that are subscripts of the array that they walk, by their declaration."""
        self.split: dict[int, dict[str, str]] = {}
        """Structures that are only used by their members, with the variables that these are."""

    def enter(self) -> None:
        """A scope opens."""
        self._open.append(set())

    def leave(self) -> None:
        """The innermost scope closes."""
        self._open.pop()

    def declare(self, cursor: Any) -> str:
        """The name of a new variable: its own, unless one around it has that name."""
        name = self._names[cursor.hash] = self.unused(cursor.spelling or "unnamed")
        return name

    def unused(self, wanted: str) -> str:
        """A name in the innermost scope that no other one around has."""
        taken = {name for scope in self._open for name in scope}
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted}_{number}"
        self._open[-1].add(name)
        return name

    def name(self, cursor: Any) -> str:
        """The name of what is referred to."""
        return self._names.get(cursor.hash, str(cursor.spelling))

    def is_addressed(self, cursor: Any) -> bool:
        """Whether the address of a variable is taken."""
        return cursor.hash in self.addressed

    def outlive(self, cursor: Any, name: str) -> None:
        """A variable of the function that is a global by another name."""
        self._names[cursor.hash] = name
