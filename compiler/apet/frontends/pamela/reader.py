"""Text to items: a scanner and a shift-reduce loop over the tables that Lark makes from the grammar.

The loop is written out because it is twice as fast as Lark's own tree and visitor; what it accepts is the grammar's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from apet.diagnostics import ApetError, Diagnostic
from apet.frontends.pamela import errors, tables
from apet.frontends.pamela.actions import ACTIONS, MOST_DIGITS, UnreasonableLiteral
from apet.source import Source, Span

MOST_ERRORS = 10

Action = Callable[[list[Any], list[int], list[int]], Any]


class Machine(NamedTuple):
    """The tables with the actions bound: what the loop runs on."""

    actions: list[dict[str, int]]
    rules: list[tuple[str, int, Action | None]]
    scan: re.Pattern[str]
    keywords: frozenset[str]
    start_of_item: int


@cache
def machine() -> Machine:
    """The bound tables, made once per process."""
    t = tables.load()
    symbols = {s for row in t.actions for s in row}
    words = {s for s in symbols if s.isalpha() and s.islower()} - {left for left, _, _ in t.rules}
    marks = sorted((s for s in symbols if not s[0].isalnum() and s[0] not in "_$"), key=len, reverse=True)
    scan = re.compile(f"({t.ignored})|({t.names})|({t.numbers})|({'|'.join(map(re.escape, marks))})")
    kept = [(left, length, alias == "first" and length == 1, alias) for left, length, alias in t.rules]
    rules = [(left, length, None if same else ACTIONS[alias]) for left, length, same, alias in kept]
    return Machine(t.actions, rules, scan, frozenset(words), t.actions[0]["items"])


def read_items(source: Source) -> list[Any]:
    """The items of a model text, each with its place; `ApetError` with up to ten syntax errors."""
    found: list[Diagnostic] = []
    items: list[Any] = []
    at = 0
    while at <= len(source.text):
        try:
            items += _run(source, at)
            break
        except UnreasonableLiteral as error:
            found.append(errors.UnreasonableNumber(source, error.span, MOST_DIGITS))
        except ApetError as error:
            found += error.diagnostics
        span = found[-1].span
        assert span is not None
        at = _next_item(source.text, max(span.start, at))
        if len(found) >= MOST_ERRORS or at < 0 or isinstance(found[-1], errors.UnclosedComment):
            break
    if found:
        raise ApetError(found)
    return items


def _next_item(text: str, at: int) -> int:
    """Where reading can go on after a mistake: a line that begins like an item, or -1."""
    m = re.compile(r"^(?=param\b|resource\b|[^\W\d][\w$]*\s*(?:\[[^\]\n]*\])?\s*(?:\([^)\n]*\))?\s*=[^=])", re.M)
    hit = m.search(text, at + 1)
    return hit.start() if hit else -1


def _run(source: Source, at: int) -> list[Any]:
    """The shift-reduce loop from an offset to the end of the text."""
    table, rules, scan, keywords, _ = machine()
    text = source.text
    states, starts, ends = [0], list[int](), list[int]()
    values: list[Any] = []
    match, size, state = scan.match, len(text), 0
    while True:
        if at < size:
            m = match(text, at)
            if m is None:
                raise _refused(source, states, values, starts, ends, at)
            start, at = at, m.end()
            which = m.lastindex
            if which == 1:
                continue
            value = m.group()
            if which == 2:
                symbol = value if value in keywords else "NAME"
            else:
                symbol = "NUMBER" if which == 3 else value
        else:
            start, symbol, value = at, "END", ""
        while True:
            row = table[state]
            code = row.get(symbol)
            if code is None:
                raise _refused(source, states, values, starts, ends, start, symbol, max(at, start + 1))
            if code >= 0:
                if code == tables.ACCEPT:
                    items: list[Any] = values[0]
                    return items
                states.append(code)
                values.append(value)
                starts.append(start)
                ends.append(at)
                state = code
                break
            left, length, act = rules[-1 - code]
            if act is not None:
                if length:
                    result = act(values[-length:], starts[-length:], ends[-length:])
                    first, last = starts[-length], ends[-1]
                    del values[-length:], starts[-length:], ends[-length:], states[-length:]
                else:
                    result = act([], [start], [start])
                    first = last = start
                values.append(result)
                starts.append(first)
                ends.append(last)
            else:
                states.pop()
            state = table[states[-1]][left]
            states.append(state)


def _refused(
    source: Source,
    states: list[int],
    values: list[Any],
    starts: list[int],
    ends: list[int],
    at: int,
    symbol: str = "",
    end: int = 0,
) -> ApetError:
    """The mistake at an offset: of a token, or of a character that begins none where no symbol is given."""
    from apet.frontends.pamela.complaints import Stop, bad_character, bad_token

    stop = Stop(machine(), source, states, values, starts, ends)
    return ApetError(bad_token(stop, symbol, Span(at, end)) if symbol else bad_character(stop, at))
