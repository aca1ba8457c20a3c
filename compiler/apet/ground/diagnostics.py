"""Diagnostics: errors and warnings as data with a place, and their text.

Every error is a small frozen class whose wording is a template filled from its own fields. The exception
`ApetError` only carries one or more of them. `render` turns one into `file:line:column: error: …` with the line and a
caret under the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self, dataclass_transform

from apet.ground.source import Source, Span

LONGEST_LINE = 160


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
        super().__init__("\n".join(map(render, self.diagnostics)))


def raise_all(diagnostics: Sequence[Diagnostic]) -> None:
    """Raise one `ApetError` with every error among the diagnostics; return if there is none."""
    errors = [d for d in diagnostics if d.severity == "error"]
    if errors:
        raise ApetError(errors)


def render(diagnostic: Diagnostic) -> str:
    """The text of one diagnostic: place, severity, message, the line with a caret, and the hint."""
    parts = [f"{_place(diagnostic)}{diagnostic.severity}: {diagnostic.text}"]
    if diagnostic.source is not None and diagnostic.span is not None and diagnostic.span.start >= 0:
        parts += _excerpt(diagnostic.source, diagnostic.span)
    if diagnostic.advice:
        parts.append(f"  hint: {diagnostic.advice}")
    return "\n".join(parts)


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
    left = str(number)
    caret = " " * (column - 1 - first) + "^" * max(1, min(width, len(excerpt) - (column - 1 - first)))
    return [f"  {left} | {excerpt}".rstrip(), f"  {' ' * len(left)} | {caret}"]


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known name nearest to a misspelt one, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(names), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
