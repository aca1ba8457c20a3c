"""The parser's tables as rows of ready steps, each made when it is first needed.

What a state does with a symbol is found from the state and the one below it on the stack. That is enough to know where
the reduction of a single symbol leads, so that a chain of those (name, call, atom, power, …, expression) is one step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeAlias

from apet.ground.records import NamedTuple
from apet.model.pamela.tables import ACCEPT, Tables

Entry: TypeAlias = "tuple[ParserRow, Any, tuple[int, int], Entry]"
"""The parser's stack: the row in force, the value and the place of the symbol on top, and the stack below it."""

Alone = Callable[[Any, tuple[int, int]], Any]
"""Makes a value of the value and place of a single symbol."""
Empty = Callable[[int], Any]
"""Makes a value of nothing, at an offset."""
Taking = Callable[[Entry], tuple[Any, tuple[int, int], Entry]]
"""Takes the symbols of a rule from the stack: the value made of them, its place, the stack below."""

SHIFT, ALONE, EMPTY, SEVERAL, DONE = range(5)

Step = tuple[int, Any, Any]
"""(SHIFT, row, None), (ALONE, row, Alone or None), (EMPTY, row, Empty), (SEVERAL, left side, Taking), (DONE, None,
None)."""


class Refused(Exception):
    """A symbol that cannot stand where it does."""


class Rule(NamedTuple):
    """A rule with its action: an `Alone` or None for one symbol on the right, `Empty` for none, else `Taking`."""

    left: str
    length: int
    action: Any


class Rows:
    """All rows of a grammar, by the two states on top of the stack."""

    def __init__(self, tables: Tables, rules: list[Rule], composed: dict[tuple[Alone, Alone], Alone]) -> None:
        self.actions = tables.actions
        self.rules = rules
        self.composed = composed
        self.nonterminals = frozenset(r.left for r in rules)
        self._rows: dict[tuple[int, int], ParserRow] = {}

    def row(self, below: int, top: int) -> ParserRow:
        """The row of two states, new or known."""
        row = self._rows.get((below, top))
        if row is None:
            row = self._rows[below, top] = ParserRow(self, below, top)
        return row


class ParserRow(dict[str, Any]):
    """What to do by symbol: a `Step` for a terminal, the row that follows for a nonterminal."""

    __slots__ = ("below", "rows", "top")

    def __init__(self, rows: Rows, below: int, top: int) -> None:
        super().__init__()
        self.rows = rows
        self.below = below
        self.top = top

    def __missing__(self, symbol: str) -> Any:
        """The step, which is entered for the next time; `Refused` if the symbol cannot stand here."""
        code = self.rows.actions[self.top].get(symbol)
        if code is None:
            raise Refused
        step = self[symbol] = self._step(symbol, code)
        return step

    def _step(self, symbol: str, code: int) -> Any:
        rows = self.rows
        if code == ACCEPT:
            return DONE, None, None
        if code >= 0:
            row = rows.row(self.top, code)
            return row if symbol in rows.nonterminals else (SHIFT, row, None)
        left, length, action = rows.rules[-1 - code]
        if length == 0:
            return EMPTY, rows.row(self.top, rows.actions[self.top][left]), action
        return (SEVERAL, left, action) if length > 1 else self._chained(symbol, code)

    def _chained(self, symbol: str, code: int | None) -> Step:
        """The reduction of a single symbol, with those of its result that follow."""
        rows, top, chain = self.rows, self.top, list[Alone]()
        while code is not None and code < 0 and rows.rules[-1 - code].length == 1:
            left, _, action = rows.rules[-1 - code]
            top = rows.actions[self.below][left]
            code = rows.actions[top].get(symbol)
            if action is not None:
                chain.append(action)
                if tuple(chain[-2:]) in rows.composed:
                    chain[-2:] = [rows.composed[chain[-2], chain[-1]]]
        return ALONE, rows.row(self.below, top), reduce(_both, chain) if chain else None


def _both(first: Alone, second: Alone) -> Alone:
    return lambda value, place: second(first(value, place), place)
