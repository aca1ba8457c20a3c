"""Where the parser stopped, and the token that it refused: what diagnostics and advice are made of."""

from __future__ import annotations

from apet.ground.records import NamedTuple
from apet.ground.source import Source, Span

CLOSING = {"(": ")", "[": "]", "{": "}"}
BRACKETS = frozenset("()[]{}")
LOOKED_BACK = 400
"""Characters before an error that are searched for its cause; a line may be very long."""


class Grammar(NamedTuple):
    """The parser's tables: actions by state and symbol, rules as (left side, length), and the keywords."""

    actions: list[dict[str, int]]
    rules: list[tuple[str, int]]
    keywords: frozenset[str]


class Stop(NamedTuple):
    """Where reading stopped: the parser's stacks. A value is the text of a terminal, None for a nonterminal."""

    grammar: Grammar
    source: Source
    states: list[int]
    values: list[str | None]
    starts: list[int]
    ends: list[int]

    def before(self, at: int) -> str:
        """A little of the text before an offset."""
        return self.source.text[max(0, at - LOOKED_BACK) : at]

    @property
    def opened(self) -> tuple[str, str, int] | None:
        """The innermost bracket that is still open, the keyword before it, and the bracket's offset."""
        closed = 0
        for k in range(len(self.values) - 1, -1, -1):
            mark = self.values[k]
            if not isinstance(mark, str) or mark not in BRACKETS:
                continue
            if mark not in CLOSING:
                closed += 1
            elif closed:
                closed -= 1
            else:
                word = self.values[k - 1] if k else ""
                return mark, word if isinstance(word, str) else "", self.starts[k]

        return None

    @property
    def item(self) -> str:
        """`param`, `resource`, `def` or nothing: what kind of item is being read."""
        keywords = [v for v in self.values[:3] if isinstance(v, str) and v in ("param", "resource", "def")]
        return keywords[0] if keywords else ""

    def where(self, at: int) -> str:
        """An offset as a line and column, in words."""
        line, column = self.source.position(at)
        return f"line {line}, column {column}"


class RefusedToken(NamedTuple):
    """The token that cannot stand where it does, and those that could."""

    symbol: str
    word: str
    span: Span
    expected: list[str]
