"""`include "network.pam";`: a model and the models that it names, joined to one text.

The joined text is a model itself: each `include` is blanked out, and what it names is appended, once. So every offset
into the first file stays what it was, and whoever reads the text again needs no other file. The same is done where the
user gives a table in place of that of the model.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.records import NamedTuple
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.ground.units import QUANTITIES
from apet.model.literals import literal_unit
from apet.model.pamela import errors
from apet.model.pamela.items import ContinuationItem, IncludeItem, ParameterItem, TableItem
from apet.model.pamela.reader import machine, read_items

MOST_BYTES = 16 * 1024 * 1024
DEEPEST, MOST_FILES = 16, 100
INCLUDE = re.compile(r"(?<![\w$])include[ \t]*\"")


class JoinedSource(Source):
    """A text of several files; it is called by the first one."""

    __slots__ = ("_begins", "_parts")

    def __init__(self, parts: Sequence[Source]) -> None:
        super().__init__(parts[0].name, "\n".join(p.text for p in parts))
        self._parts = parts
        self._begins = [0]
        for part in parts[:-1]:
            self._begins.append(self._begins[-1] + len(part.text) + 1)

    def place(self, offset: int) -> tuple[Source, int]:
        k = max(bisect_right(self._begins, offset) - 1, 0)
        return self._parts[k], offset - self._begins[k]

    def line_of(self, offset: int, beside: int = 0) -> str:
        part, inside = self.place(offset)
        line = part.position(inside)[0]
        return str(line) if part is self.place(beside)[0] else f"{line} of {part.name}"


def joined(source: Source, tables: Mapping[str, Source] | None = None) -> Source:
    """A model with all that it includes, and with tables in place of its own; `ApetError` where one is missing.

    `tables` are declarations by the name of what they declare.
    """
    if not tables and not INCLUDE.search(source.text):
        return source
    joining = _Joining()
    joining.add(source, ())
    if joining.diagnostics:
        raise ApetError(joining.diagnostics)

    if not tables:
        return JoinedSource(joining.parts)
    declared = {unit.name: unit for part in joining.parts for unit in _declared_units(part)}
    mistakes: list[Diagnostic] = []
    for name, given in tables.items():
        if name not in declared:
            mistakes.append(errors.NoSuchTable(source, None, name, nearest(name, declared)))
        mistakes += _other_units(declared, given)
    if mistakes:
        raise ApetError(mistakes)

    return JoinedSource([*(_without(part, tables) for part in joining.parts), *tables.values()])


class _DeclaredUnit(NamedTuple):
    """The basic unit of a parameter's own value, or of a table's first entry; "" where it has none."""

    name: str
    unit: str
    span: Span


def _declared_units(source: Source) -> Iterator[_DeclaredUnit]:
    for item in read_items(source):
        if isinstance(item, ParameterItem | TableItem):
            value = item.value if isinstance(item, ParameterItem) else item.entries[0]
            yield _DeclaredUnit(item.name, literal_unit(value), item.span)


def _other_units(declared: Mapping[str, _DeclaredUnit], given: Source) -> Iterator[Diagnostic]:
    """Where the entries of a table that is given have another unit than those of the model's own."""
    for name, unit, span in _declared_units(given):
        own = declared[name].unit if name in declared else ""
        if own and unit and unit != own:
            yield errors.OtherUnitOfTable(given, span, name, QUANTITIES[unit], QUANTITIES[own])


def alone(source: Source) -> Source:
    """A model without what it includes, of which only the form is asked."""
    if not INCLUDE.search(source.text):
        return source
    items = [_item(source.text, i.span) for i in read_items(source) if isinstance(i, IncludeItem)]
    return Source(source.name, _blanked(source.text, items))


class _Joining:
    def __init__(self) -> None:
        self.parts: list[Source] = []
        self.diagnostics: list[Diagnostic] = []
        self.files: set[str] = set()

    def add(self, source: Source, path: tuple[str, ...]) -> None:
        """A file and, after it, what it includes and was not read before; `path` leads to it."""
        here = os.path.realpath(source.name)
        self.files.add(here)
        everything = read_items(source)
        items = [i for i in everything if isinstance(i, IncludeItem)]

        first = next((i for i in everything if not isinstance(i, IncludeItem)), None)
        if isinstance(first, ContinuationItem):  # it would go on with the last equation of the file before
            self.diagnostics.append(errors.LooseProcess(source, first.span))
        self.parts.append(Source(source.name, _blanked(source.text, [_item(source.text, i.span) for i in items])))

        for item in items:
            reason, advice = self._refusal(source, item, (*path, here))
            if reason:
                self.diagnostics.append(errors.BadInclude(source, item.span, item.path, reason, advice))
            else:
                self._include(source, item, (*path, here))

    def _refusal(self, source: Source, item: IncludeItem, path: tuple[str, ...]) -> tuple[str, str]:
        """Why a file is not included, and what to do."""
        if os.path.isabs(item.path) or not item.path.endswith(".pam"):
            return "it is no relative path of a .pam file", 'write include "network.pam"; or include "parts/disk.pam";'
        place = _beside(source, item.path)
        if place in path:
            names = [os.path.basename(p) for p in (*path[path.index(place) :], place)]
            return "it includes itself", f"the circle is {' -> '.join(names)}"
        if len(path) >= DEEPEST:
            return f"files are included more than {DEEPEST} deep", "let one file include the others"
        if len(self.files) >= MOST_FILES and place not in self.files:
            return f"more than {MOST_FILES} files are included", "join some of them"
        return "", ""

    def _include(self, source: Source, item: IncludeItem, path: tuple[str, ...]) -> None:
        if _beside(source, item.path) in self.files:
            return
        name = os.path.join(os.path.dirname(source.name), item.path)
        try:
            self.add(read_source(name, MOST_BYTES), path)
        except ApetError as error:
            unread = [d for d in error.diagnostics if d.source is None]
            placed = (errors.BadInclude(source, item.span, item.path, d.text, d.advice) for d in unread)
            self.diagnostics += [*placed, *(d for d in error.diagnostics if d.source is not None)]


def _beside(source: Source, path: str) -> str:
    return os.path.realpath(os.path.join(os.path.dirname(source.name), path))


def _without(source: Source, names: Mapping[str, object]) -> Source:
    """A text without its declarations of parameters of these names."""
    spans = []
    for item in read_items(source):
        if isinstance(item, ParameterItem | TableItem) and item.name in names:
            spans.append(_item(source.text, Span(source.text.rindex("param", 0, item.span.start), item.span.end)))
    return Source(source.name, _blanked(source.text, spans))


def _item(text: str, span: Span) -> Span:
    """The range to the end of an item: behind the next `;` that stands in no comment."""
    return Span(span.start, next(m.end() for m in machine().tokens.finditer(text, span.end) if m[1] == ";"))


def _blanked(text: str, spans: Sequence[Span]) -> str:
    """A text with blanks in place of some ranges."""
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text
