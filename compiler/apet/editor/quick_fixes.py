"""What a diagnostic's hint says, as changes of the text that an editor can make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from apet.editor.layout import CLOSING, OPENING, TOKEN
from apet.editor.occurrences import WORD
from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source, Span
from apet.model.errors import NoTasks, RoundedEnd, UnboundName, UnknownName, UnusedEquation, UnusedParameter
from apet.model.pamela.errors import MissingModelSemicolon

MEANT = re.compile(r"did you mean '([^']+)'\?")
KEYWORD = re.compile(r"(?:param|resource|def)\s+$")


class QuickFix(NamedTuple):
    """A title, and what to write in place of which spans."""

    title: str
    edits: tuple[tuple[Span, str], ...]


def quick_fixes(diagnostic: Diagnostic, source: Source) -> list[QuickFix]:
    """The changes that remove a diagnostic of this text; none where its hint leaves something to decide."""
    if diagnostic.source is not source or diagnostic.span is None or diagnostic.span.start < 0:
        return []
    return [*_spelling(diagnostic, diagnostic.span, source.text), *_by_kind(diagnostic, diagnostic.span, source.text)]


def _spelling(diagnostic: Diagnostic, span: Span, text: str) -> Iterator[QuickFix]:
    """The name that is nearest to a misspelt one, in the place of that one."""
    meant = MEANT.search(f"{diagnostic.text} {diagnostic.advice}")
    misspelt = getattr(diagnostic, "name", "") or getattr(diagnostic, "unit", "")
    if meant is None or not misspelt:
        return
    at = text.find(misspelt, span.start, max(span.end, span.start + len(misspelt)))
    if at >= 0:
        yield QuickFix(f"Replace by '{meant[1]}'", ((Span(at, at + len(misspelt)), meant[1]),))


def _by_kind(diagnostic: Diagnostic, span: Span, text: str) -> Iterator[QuickFix]:
    match diagnostic:
        case UnknownName() | UnboundName():
            yield QuickFix(f"Declare param {diagnostic.name}", ((_first(text), f"param {diagnostic.name};\n"),))
        case NoTasks():
            yield QuickFix("Declare param tasks", ((_first(text), "param tasks;\n"),))
        case MissingModelSemicolon():
            yield QuickFix("Insert ';'", ((Span(span.end, span.end), ";"),))
        case RoundedEnd():
            for function, what in (("ceil", "Drop no work"), ("floor", "Drop the rest")):
                yield QuickFix(f"{what}: {function}(…)", ((span, f"{function}({text[span.start : span.end]})"),))
        case UnusedEquation() | UnusedParameter():
            yield QuickFix(f"Remove '{diagnostic.name}'", ((_declaration(text, span), ""),))


def _first(text: str) -> Span:
    """Where a declaration may be written: before the first token that is no comment."""
    for token in TOKEN.finditer(text):
        if token.lastgroup not in ("space", "line", "comment"):
            return Span(token.start(), token.start())
    return Span(len(text), len(text))


def _declaration(text: str, name: Span) -> Span:
    """A declaration from its keyword to its semicolon, with the rest of its line if that is blank."""
    word = WORD.match(text, name.start)
    keyword = KEYWORD.search(text, 0, name.start)
    start = name.start if keyword is None or word is None else keyword.start()
    depth = 0
    for token in TOKEN.finditer(text, name.start):
        depth += (token.group() in OPENING) - (token.group() in CLOSING)
        if token.group() == ";" and depth == 0:
            blank = re.compile(r"[ \t]*\n?").match(text, token.end())
            return Span(start, blank.end() if blank else token.end())

    return Span(start, len(text))
