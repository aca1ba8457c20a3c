"""Text to items: a scanner and a shift-reduce loop over the tables that Lark makes from the grammar.

The loop is written out because it is several times as fast as Lark's own tree and visitor; what it accepts is the
grammar's. It only tells that a text is wrong; what is wrong is found by `refusal`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.records import NamedTuple
from apet.ground.source import Source
from apet.model.pamela import errors, tables
from apet.model.pamela.actions import COMPOSED, action
from apet.model.pamela.literals import UnreasonableLiteral
from apet.model.pamela.rows import ALONE, EMPTY, SEVERAL, SHIFT, Entry, ParserRow, Refused, Rows, Rule

MOST_ERRORS = 10


class Machine(NamedTuple):
    """What the loop runs on: the row to begin with, the pattern of tokens, and the keywords."""

    begin: ParserRow
    tokens: re.Pattern[str]
    keywords: frozenset[str]


@cache
def machine() -> Machine:
    """The tables with the actions bound, made once per process."""
    t = tables.load()
    rules = [Rule(left, length, action(left, length, alias)) for left, length, alias in t.rules]
    tokens = re.compile(rf"(?:{t.ignored})?(?:({t.marks})|({t.includes})|({t.names})|({t.numbers})|([\s\S])|\Z)")
    return Machine(Rows(t, rules, COMPOSED).row(0, 0), tokens, t.keywords)


def read_items(source: Source) -> list[Any]:
    """The items of a model text, each with its place; `ApetError` with up to ten syntax errors."""
    diagnostics: list[Diagnostic] = []
    items: list[Any] = []
    at = 0
    while at <= len(source.text):
        try:
            items += _run(source.text, at)
            break
        except (Refused, UnreasonableLiteral):
            from apet.model.pamela.refusal import first_error

            diagnostics.append(first_error(source, at))
        span = diagnostics[-1].span
        assert span is not None
        at = _next_item(source.text, max(span.start, at))
        if len(diagnostics) >= MOST_ERRORS or at < 0 or isinstance(diagnostics[-1], errors.UnclosedComment):
            break
    if diagnostics:
        raise ApetError(diagnostics)
    return items


def _next_item(text: str, at: int) -> int:
    """Where reading can go on after an error: a line that begins like an item, or -1."""
    m = re.compile(r"^(?=param\b|resource\b|[^\W\d][\w$]*\s*(?:\[[^\]\n]*\])?\s*(?:\([^)\n]*\))?\s*=[^=])", re.M)
    hit = m.search(text, at + 1)
    return hit.start() if hit else -1


def _run(text: str, at: int) -> list[Any]:
    """The shift-reduce loop from an offset to the end of the text; `Refused` or `UnreasonableLiteral` if it is wrong.

    Equal names are one string, so that a name's hash is found once.
    """
    row, tokens, keywords = machine()
    words = {k: (k, k) for k in keywords}
    stack: Entry = (row, None, (at, at), None)  # type: ignore[assignment]  # nothing is below the bottom
    for m in tokens.finditer(text, at):
        which = m.lastindex
        if which == 1:
            value = symbol = m[1]
        elif which == 3:
            name = m[3]
            word = words.get(name)
            if word is None:
                word = words[name] = (name, "NAME")
            value, symbol = word
        elif which == 4:
            value, symbol = m[4], "NUMBER"
        elif which == 2:
            value, symbol = m[2], "INCLUDE"
        elif which is None:
            which, value, symbol = 0, "", "END"
        else:
            raise Refused
        while True:
            kind, target, act = row[symbol]
            if kind == SHIFT:
                row = target
                stack = (row, value, m.span(which), stack)
                break
            if kind == SEVERAL:
                result, place, stack = act(stack)
                row = stack[0][target]
                stack = (row, result, place, stack)
            elif kind == ALONE:
                row = target
                _, result, place, stack = stack
                stack = (row, result if act is None else act(result, place), place, stack)
            elif kind == EMPTY:
                row = target
                start = m.start(which) if which else m.end()
                stack = (row, act(start), (start, start), stack)
            else:
                items: list[Any] = stack[1]
                return items

    raise AssertionError("the pattern of tokens matches at the end of every text")
