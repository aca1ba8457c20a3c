"""Diagnostics: errors and warnings as data with a place, and their text.

Every error is a small frozen class whose wording is a template filled from its own fields. The exception
`ApetError` only carries one or more of them. `render` turns one into `file:line:column: error: …` with the line and a
caret under the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from string import Formatter
from typing import Any, ClassVar

from apet.ground.records import Frozen
from apet.ground.source import Source, Span

LONGEST_LINE = 160
MOST_SHOWN = 50
"""Diagnostics of one kind that are shown; thousands of them have one cause."""
MOST_NAMES, LONGEST_NAME = 5_000, 100
"""Names among which a misspelt one is looked for, and how long they may be: each takes its length squared."""


class Diagnostic(Frozen):
    """One error or warning with its place: a frozen record, whose wording is a template filled from its fields.

    A subclass writes `message` and `hint`, which are format strings, and so declares its fields: `source` and `span`,
    then those that it annotates, then what else stands in braces, in the order of the text. `source` is None where no
    file is concerned (a wrong call); `span` is None, or begins below 0, where the file as a whole is.
    """

    severity: ClassVar[str] = "error"
    public_kind: ClassVar[str] = ""
    """What programs know it by (`apet check --json`, editors), which stays as it is; the name of the class if empty."""
    message: ClassVar[str] = ""
    hint: ClassVar[str] = ""

    source: Source | None
    span: Span | None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        in_templates = [name for _, name, _, _ in Formatter().parse(cls.message + cls.hint) if name]
        cls._fields = tuple(dict.fromkeys((*cls._fields, *in_templates)))

    def __init__(self, source: Source | None, span: Span | None, *values: Any, **named: Any) -> None:
        """A place in a text that is joined of several files is one in its own file."""
        if source is not None and span is not None:
            part, start = source.place(span.start)
            if part is not source:
                source, span = part, Span(start, start + span.end - span.start)
        super().__init__(source, span, *values, **named)

    @property
    def text(self) -> str:
        """What is wrong, in one sentence without a full stop."""
        return self.message.format_map(self._fields_by_name())

    @property
    def advice(self) -> str:
        """What to do about it; may be empty."""
        return self.hint.format_map(self._fields_by_name())


class Advisory(Diagnostic):
    """A diagnostic that does not stop anything."""

    severity: ClassVar[str] = "warning"


class ApetError(Exception):
    """The user's input is wrong: carries at least one diagnostic. The command line exits with 2 on it."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        self.diagnostics = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        super().__init__(render_all(self.diagnostics))


def raise_all(diagnostics: Sequence[Diagnostic]) -> None:
    """Raise one `ApetError` with every error among the diagnostics; return if there is none."""
    errors = [d for d in diagnostics if d.severity == "error"]
    if errors:
        raise ApetError(errors)


def render(diagnostic: Diagnostic) -> str:
    """The text of one diagnostic: place, severity, message, the line with a caret, and the hint.

    Names and lines of files are shown so that they cannot steer a terminal.
    """
    parts = [visible(f"{_place(diagnostic)}{diagnostic.severity}: {diagnostic.text}")]
    if diagnostic.source is not None and diagnostic.span is not None and diagnostic.span.start >= 0:
        parts += _excerpt(diagnostic.source, diagnostic.span)
    if diagnostic.advice:
        parts.append(visible(f"  hint: {diagnostic.advice}"))
    return "\n".join(parts)


def render_all(diagnostics: Sequence[Diagnostic]) -> str:
    """The texts of several diagnostics, of each kind the first `MOST_SHOWN`, then how many more there are."""
    counts, texts = Counter[type[Diagnostic]](), []
    for diagnostic in diagnostics:
        counts[type(diagnostic)] += 1
        if counts[type(diagnostic)] <= MOST_SHOWN:
            texts.append(render(diagnostic))

    for kind, count in counts.items():
        if count > MOST_SHOWN:
            example = next(d for d in diagnostics if isinstance(d, kind))
            texts.append(f"{count - MOST_SHOWN:,} more like this: {visible(example.text)}")
    return "\n".join(texts)


def visible(text: str, allowed: str = "\n") -> str:
    """The text with escapes in place of characters that steer a terminal, or that nobody sees: `\\x1b`, `\\u202e`.

    Bytes of file names that are no UTF-8 appear as `\\xff`.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in allowed else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # how Python keeps such bytes
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()


def _place(diagnostic: Diagnostic) -> str:
    if diagnostic.source is None:
        return ""
    if diagnostic.span is None or diagnostic.span.start < 0:
        return f"{diagnostic.source.name}: "
    line, column = diagnostic.source.position(diagnostic.span.start)
    return f"{diagnostic.source.name}:{line}:{column}: "


def _excerpt(source: Source, span: Span) -> list[str]:
    number, column = source.position(span.start)
    text = source.line(number).replace("\t", " ")
    width = max(1, min(span.end, span.start + len(text) - column + 1) - span.start)
    first = 0
    if column > LONGEST_LINE - 20:
        first = column - LONGEST_LINE // 2
    excerpt = text[first : first + LONGEST_LINE]
    before, marked, after = (visible(excerpt[part]) for part in _parts(column - 1 - first, width))
    left = str(number)
    caret = " " * len(before) + "^" * max(1, len(marked))
    return [f"  {left} | {before}{marked}{after}".rstrip(), f"  {' ' * len(left)} | {caret}"]


def _parts(start: int, length: int) -> tuple[slice, slice, slice]:
    """Before a place, the place, and after it."""
    return slice(start), slice(start, start + length), slice(start + length, None)


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known name nearest to a misspelt one, or nothing."""
    from difflib import get_close_matches

    likely = [n for n in islice(names, MOST_NAMES) if len(n) <= LONGEST_NAME]
    close = get_close_matches(name, likely, n=1) if len(name) <= LONGEST_NAME else []
    return f"; did you mean '{close[0]}'?" if close else ""
