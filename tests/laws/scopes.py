"""What may be named at a place of a model that is being drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Callee:
    """An equation that may be called: the production of its left side, and its names."""

    form: str
    subscripts: tuple[str, ...]
    formals: tuple[str, ...]

    def written(self, name: str, subscripts: tuple[str, ...], arguments: tuple[str, ...]) -> str:
        """A call, or the left side of the equation."""
        text = f"{name}[{', '.join(subscripts)}]" if self.subscripts else name
        return text if self.form in ("plain_call", "subscripted_call") else f"{text}({', '.join(arguments)})"


@dataclass(frozen=True)
class Scope:
    """`whole`: names of whole numbers, an inner one hides an outer one; `numbers`: of others, fractions among them.

    In a graph, `parts` are the names of the parts so far with their indices; in a part of one, `part` are the indices
    of its members so far.
    """

    whole: tuple[str, ...]
    numbers: tuple[str, ...]
    depth: int = 0
    tables: bool = True
    parts: list[tuple[str, list[str]]] | None = None
    part: list[str] | None = None

    def known(self) -> tuple[str, ...]:
        """Names of whole numbers."""
        return (*self.whole, *(self.part or ()))

    def inside(self) -> Scope:
        """One level deeper."""
        return replace(self, whole=self.known(), part=None, depth=self.depth + 1)

    def with_index(self, index: str, whole: bool) -> Scope:
        """Inside a loop over an index, which may hide a name."""
        inner = self.inside()
        numbers = tuple(n for n in inner.numbers if n != index)
        others = tuple(n for n in inner.whole if n != index)
        return (
            replace(inner, whole=(*others, index), numbers=numbers)
            if whole
            else replace(inner, numbers=(*numbers, index), whole=others)
        )
