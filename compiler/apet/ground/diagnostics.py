"""Diagnostics: errors and warnings as data with a place, and their text.

Every error is a small frozen class whose wording is a template filled from its own fields. The exception
`ApetError` only carries one or more of them. `render` turns one into `file:line:column: error: …` with the line and a
caret under the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, ClassVar, Self, dataclass_transform

from apet.ground.source import Source, Span

LONGEST_LINE = 160
MOST_SHOWN = 50
"""Diagnostics of one kind that are shown; thousands of them have one cause."""
MOST_NAMES, LONGEST_NAME = 5_000, 100
"""Names among which a misspelt one is looked for, and how long they may be: each takes its length squared."""


@dataclass_transform(frozen_default=True)
class Record:
    """A frozen data class whose methods are inherited instead of generated.

    A prediction loads 90 kinds of diagnostics. As data classes each costs 0.3 ms and more, which would add a third to
    the time that it takes; as a record, 0.02 ms. The fields of a subclass are its annotated names that are no
    `ClassVar`, after those of its bases.
    """

    field_names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        kinds = cls.__dict__.get("__annotations__", {})  # noqa: RUF063  # inspect takes 10 ms to import
        cls.field_names = (*cls.field_names, *(n for n, k in kinds.items() if not str(k).startswith("ClassVar")))

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = dict(zip(self.field_names, values, strict=False)) | named
        unknown = fields.keys() - set(self.field_names)
        missing = [n for n in self.field_names if n not in fields and not hasattr(type(self), n)]
        if unknown or missing or len(values) > len(self.field_names):
            raise TypeError(f"{type(self).__name__}: unknown {sorted(unknown)}, missing {missing}")

        self._fill(fields)

    def _fill(self, fields: dict[str, Any]) -> None:
        for name in self.field_names:  # a default is an attribute of the class
            object.__setattr__(self, name, fields[name] if name in fields else getattr(type(self), name))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, n) for n in self.field_names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other._values() == self._values()

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self.field_names)})"

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        return type(self)(**dict(zip(self.field_names, self._values(), strict=True)) | changes)


class Diagnostic(Record):
    """One error or warning with its place.

    A subclass adds annotated fields and fills `message` and `hint`, which are format strings over all fields.
    `source` is None where no file is concerned (a wrong call); `span` is None, or begins below 0, where the file as a
    whole is.
    """

    severity: ClassVar[str] = "error"
    public_kind: ClassVar[str] = ""
    """What programs know it by (`apet check --json`, editors), which stays as it is; the name of the class if empty."""
    message: ClassVar[str] = ""
    hint: ClassVar[str] = ""

    source: Source | None
    span: Span | None

    def _fill(self, fields: dict[str, Any]) -> None:
        """A place in a text that is joined of several files is one in its own file."""
        source, span = fields.get("source"), fields.get("span")
        if source is not None and span is not None:
            part, start = source.place(span.start)
            if part is not source:
                fields |= {"source": part, "span": Span(start, start + span.end - span.start)}
        super()._fill(fields)

    def _filled(self, template: str) -> str:
        return template.format_map({n: getattr(self, n) for n in self.field_names})

    @property
    def text(self) -> str:
        """What is wrong, in one sentence without a full stop."""
        return self._filled(self.message)

    @property
    def advice(self) -> str:
        """What to do about it; may be empty."""
        return self._filled(self.hint)


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
