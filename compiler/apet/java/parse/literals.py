"""Literals of numbers: an error where they are malformed or too large (JLS 3.10.1 and 3.10.2)."""

from __future__ import annotations

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.java import errors
from apet.program import syntax as s
from apet.program.ir import LineColumn
from apet.program.translator.literals import float_value, integer_value

_SHOWN = 24
_ADVICE = {
    "int": "an int is below 2^31, a long has an L behind it; octal digits, behind a 0, are 0 to 7",
    "long": "a long is below 2^63; octal digits, behind a 0, are 0 to 7",
    "float": "is it too large, or too close to 0?",
    "double": "is it too large, or too close to 0?",
}


def checked_literal(source: Source, kind: str, text: str, at: LineColumn) -> s.Literal:
    """A literal of one of Java's primitive types; `ApetError` where Java has no such number."""
    number = integer_value(text) if kind in ("int", "long") else float_value(text) if kind in ("float", "double") else 0
    if number is None:
        start = source.offset(*at)
        short = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
        place, reason = Span(start, start + len(text)), f"'{short}' is no {kind} of Java"
        raise ApetError(errors.JavaSyntax(source, place, reason, _ADVICE[kind]))
    return s.Literal(kind, text, at)
