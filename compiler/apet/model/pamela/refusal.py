"""A text that cannot be read is read once more, symbol by symbol, for the parser's stacks where it stops.

The reader takes steps together and keeps no stack of states; the diagnostic of an error needs both. Nothing is made
of what is read.
"""

from __future__ import annotations

import re

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source, Span
from apet.model.pamela import errors
from apet.model.pamela.literals import MOST_DIGITS, UnreasonableLiteral, literal
from apet.model.pamela.stop import Grammar, Stop
from apet.model.pamela.syntax_diagnostics import bad_character, bad_token
from apet.model.pamela.tables import ACCEPT, load


def first_error(source: Source, at: int) -> Diagnostic:
    """The first error from an offset on, in a text that has one."""
    tables = load()
    grammar = Grammar(tables.actions, [(left, length) for left, length, _ in tables.rules], tables.keywords)
    scan = re.compile(f"({tables.ignored})|({tables.includes})|({tables.marks})|({tables.names})|({tables.numbers})")
    stop = Stop(grammar, source, [0], [], [], [])
    text, size = source.text, len(source.text)

    while True:
        if at < size:
            m = scan.match(text, at)
            if m is None:
                return bad_character(stop, at)
            start, at, which, value = at, m.end(), m.lastindex, m.group()
            if which == 1:
                continue
            kinds = {2: "INCLUDE", 4: value if value in tables.keywords else "NAME", 5: "NUMBER"}
            symbol = kinds.get(which or 0, value)
        else:
            start, symbol, value = at, "END", ""
        error = _read(stop, symbol, value, Span(start, at))
        if error is not None:
            return error


def _read(stop: Stop, symbol: str, value: str, span: Span) -> Diagnostic | None:
    """Go on by one symbol; the error if it cannot stand here, or the literal before it is unreasonable."""
    table = stop.grammar.actions
    while (code := table[stop.states[-1]].get(symbol)) is not None:
        if code >= 0:
            assert code != ACCEPT, "a text without errors was refused"
            stop.states.append(code)
            stop.values.append(value)
            stop.starts.append(span.start)
            stop.ends.append(span.end)
            return None
        left, length = stop.grammar.rules[-1 - code]
        first, last = (stop.starts[-length], stop.ends[-1]) if length else (span.start, span.start)
        if length == 1 and stop.values[-1] is not None and stop.values[-1][0] in "0123456789.":
            try:
                literal(stop.values[-1], Span(first, last))
            except UnreasonableLiteral as error:
                return errors.UnreasonableNumber(stop.source, error.span, MOST_DIGITS)
        if length:
            del stop.values[-length:], stop.starts[-length:], stop.ends[-length:], stop.states[-length:]
        stop.values.append(None)
        stop.starts.append(first)
        stop.ends.append(last)
        stop.states.append(table[stop.states[-1]][left])

    return bad_token(stop, symbol, Span(span.start, max(span.end, span.start + 1)))
