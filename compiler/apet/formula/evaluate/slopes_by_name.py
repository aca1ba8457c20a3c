"""Derivatives by name as a pass leaves them: a list beside the names, and a dictionary only where one looks into it.

For a sum of 1,000 products the dictionary takes as long as the value.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence

from apet.ground.interval import Number


class SlopesByName(Mapping[str, Number]):
    """A read-only dictionary of the derivatives that are not 0; `names` and `numbers` hold all of them in one order."""

    __slots__ = ("_found", "names", "numbers")

    def __init__(self, names: Sequence[str], numbers: Sequence[Number]) -> None:
        self.names = names
        self.numbers = numbers
        self._found: dict[str, Number] | None = None

    def by_name(self) -> dict[str, Number]:
        """The dictionary itself, made once."""
        if self._found is None:
            found = dict(zip(self.names, self.numbers, strict=True))
            self._found = found if all(self.numbers) else {name: slope for name, slope in found.items() if slope}
        return self._found

    def __getitem__(self, name: str) -> Number:
        return self.by_name()[name]

    def items(self) -> ItemsView[str, Number]:
        """Names with derivatives."""
        return self.by_name().items()

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name())

    def __len__(self) -> int:
        return len(self.by_name())

    def __repr__(self) -> str:
        return repr(self.by_name())
