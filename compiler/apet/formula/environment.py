"""Values for a formula from plain mappings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apet.interval import Number

Items = Callable[[str, tuple[Number, ...], tuple[Number, ...]], Number]


class MappingEnvironment:
    """Parameters from a mapping; machine quantities from a function, or from the mapping by their printed form."""

    def __init__(self, values: Mapping[str, Number], items: Items | None = None) -> None:
        self.values = values
        self.items = items

    def symbol(self, name: str) -> Number:
        """The value of a parameter; `KeyError` names a missing one."""
        return self.values[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """The value of a machine quantity; `KeyError` names a missing one."""
        if self.items is not None:
            return self.items(name, subscripts, arguments)
        shown = name
        if subscripts:
            shown += f"[{', '.join(map(str, subscripts))}]"
        if arguments:
            shown += f"({', '.join(map(str, arguments))})"
        return self.values[shown]
