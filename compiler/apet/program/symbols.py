"""Symbols: what an equation binds itself, its formals and the indices of its loops; each is one thing.

Two methods with a formal `n`, or two loops over `i`, have two symbols each. Texts are given once, when a translation is
complete (`naming`): until then no two symbols are mixed up, and one that a value has carried beyond what binds it is
seen to be free.
"""

from __future__ import annotations

from functools import cached_property
from itertools import count

HIDDEN = "@"
"""Marks a symbol for what changes at run time: it tells two subscripts apart, and is never written into a model."""


class Symbol(str):
    """A symbol of its own; as a string it is the wanted name with a number that no other symbol has.

    `formal` is the position of a formal among those of its method, -1 for what is none; `dimension` is that of a
    length, from 1, and 0 for a number.
    """

    wanted: str
    formal: int
    dimension: int
    signed: bool
    """Whether it may be negative."""

    @cached_property
    def key(self) -> str:
        """Where it stands among others in a sum."""
        return repr(self)


class SymbolTable:
    """Makes the symbols of one translation."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self, wanted: str, formal: int = -1, dimension: int = 0) -> Symbol:
        """A symbol that is to be called `wanted`."""
        symbol = Symbol(f"{wanted}#{next(self._numbers)}")
        symbol.wanted, symbol.formal, symbol.dimension = wanted, formal, dimension
        symbol.signed = formal >= 0 and not dimension
        return symbol


def wanted_name(name: str) -> str:
    """What a name or symbol is to be called."""
    return name.wanted if isinstance(name, Symbol) else name
