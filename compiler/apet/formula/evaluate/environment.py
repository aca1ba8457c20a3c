"""What supplies values to a formula, and the one made of plain mappings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from apet.ground.interval import Number

Items = Callable[[str, tuple[Number, ...], tuple[Number, ...]], Number]


class Environment(Protocol):
    """What supplies values while a formula is evaluated."""

    def symbol(self, name: str) -> Number:
        """The value of a parameter; `LookupError` if there is none."""
        ...

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """The value of a quantity of the machine model; `LookupError` if there is none."""
        ...


class EvaluationError(ArithmeticError):
    """A formula has no value here: division by zero, a logarithm of zero, a loop too long to run."""


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
        key = name
        if subscripts:
            key += f"[{', '.join(map(str, subscripts))}]"
        if arguments:
            key += f"({', '.join(map(str, arguments))})"
        return self.values[key]
