"""Errors of javalang as diagnostics, worded as javac words them."""

from __future__ import annotations

import re
from typing import Any

from apet.ground.source import Source, Span
from apet.java import errors

_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\"{3}(?:\\.|[^\\])*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<open>/\*|["'])""",
    re.DOTALL,
)
"""Comments and literals, else what one begins with that does not end."""


def lexical_error(source: Source, reported: str) -> errors.JavaSyntax:
    """A text that is not made of tokens."""
    match = re.search(r"line (\d+)", reported)
    line = min(int(match[1]), source.text.count("\n") + 1) if match else 1
    start = source.offset(line)
    if "nterminated" not in reported:
        return errors.JavaSyntax(source, Span(start, start + 1), "unexpected character")

    for token in _TOKEN.finditer(source.text):
        if token["open"]:
            what = "unclosed comment" if token["open"] == "/*" else "unclosed string or character literal"
            return errors.JavaSyntax(source, Span(token.start("open"), token.start("open") + 1), what)
    return errors.JavaSyntax(source, Span(start, start + 1), "unclosed string or character literal")


def syntax_error(source: Source, error: Any) -> errors.JavaSyntax:
    """A token that cannot stand where it does; a missing semicolon is placed behind what it should end."""
    token, reported = error.at, str(error.description or "illegal start of expression")
    value, place = str(getattr(token, "value", "") or ""), token_span(source, token)
    if getattr(token, "position", None) is None:
        return errors.JavaSyntax(source, place, "reached end of file while parsing", "a '}' may be missing")

    wanted = reported.removeprefix("Expected ").strip("'\"") if reported.startswith("Expected ") else ""
    reason = f"'{wanted}' expected" if len(wanted) <= 2 and wanted else reported[:1].lower() + reported[1:]
    advice = f"found '{value}' instead" if wanted and value else ""
    if wanted == ";":
        before = len(source.text[: place.start].rstrip())
        return errors.JavaSyntax(source, Span(max(before - 1, 0), before), "';' expected after this")
    return errors.JavaSyntax(source, place, reason, advice)


def token_span(source: Source, token: Any) -> Span:
    """The place of a token; the end of the text where there is none."""
    position = getattr(token, "position", None)
    if position is None:
        end = max(len(source.text.rstrip()) - 1, 0)
        return Span(end, end + 1)
    start = source.offset(position[0], position[1])
    return Span(start, start + max(len(str(token.value or "")), 1))
