"""Tables that the user gives in place of those of a model: lists, or the names of CSV and TOML files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Number
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.ground.values import NotANumber, in_digits, number

Table = Sequence[Number | str] | str | os.PathLike[str]
"""Numbers, with units as text (`"4 kB"`); or the name of a file, whose column or key has the name of the table."""
MOST_BYTES = 1024 * 1024
ENDINGS = (".csv", ".toml")


class NoColumn(Diagnostic):
    """A file of tables without the one that is set."""

    message = "{path} has no column or list '{name}'"
    hint = "it has: {names}; a CSV of one column needs no heading"


def is_table(text: str) -> bool:
    """Whether a value on the command line is a table: `[4, 8, 15]`, or a file."""
    return text.startswith("[") or text.lower().endswith(ENDINGS)


def declarations_of(tables: Mapping[str, Table] | None) -> dict[str, Source]:
    """What a model would say of each table; `ApetError` with everything that is wrong."""
    sources: dict[str, Source] = {}
    mistakes: list[ApetError] = []
    for name, table in (tables or {}).items():
        try:
            place, entries = _entries(name, table)
            where = "" if place == f"table {name}" else f" of {place}"
            text = ", ".join(_literal(f"{name}[{k}]{where}", entry) for k, entry in enumerate(entries, 1))
            sources[name] = Source(place, f"param {name} = [{text}];")
        except ApetError as error:
            mistakes.append(error)

    if mistakes:
        raise ApetError([d for error in mistakes for d in error.diagnostics])
    return sources


def _entries(name: str, table: Table) -> tuple[str, Sequence[object]]:
    """Where a table comes from, and its entries as they stand there."""
    if not isinstance(table, str | os.PathLike):
        return f"table {name}", table
    text = os.fspath(table).strip()
    if text.startswith("["):
        return f"table {name}", [e.strip() for e in text.removeprefix("[").removesuffix("]").split(",")]
    if text.lower().endswith(".csv"):
        return text, _column(name, read_source(text, MOST_BYTES))
    return text, _key(name, text)


def _column(name: str, source: Source) -> list[str]:
    """The column of that name, or the only one, checked to be numbers; a first row of words is a heading."""
    from apet.ground.tables import place, table_rows  # a prediction seldom reads one

    rows = [*table_rows(source)]
    heading = rows[0].cells if rows else []
    if name in heading:
        at, rows = heading.index(name), rows[1:]
    elif len(heading) == 1:
        at, rows = 0, rows if heading[0][:1] in "+-.0123456789" else rows[1:]
    else:
        at_heading = place(source, rows[0], 0) if rows else None
        raise ApetError(NoColumn(source, at_heading, source.name, name, ", ".join(heading) or "none"))

    entries: list[str] = []
    for row in rows:
        entry = row.cells[at] if at < len(row.cells) else ""
        try:
            entries.append(_literal(f"{name}[{len(entries) + 1}]", entry))
        except ApetError as error:
            at_cell = place(source, row, at)
            raise ApetError([d.replace(source=source, span=at_cell) for d in error.diagnostics]) from None
    return entries


def _key(name: str, path: str) -> list[object]:
    from apet.ground.documents.document import read_document

    content = read_document(path).content
    entries = content.get(name) if isinstance(content, dict) else None
    if not isinstance(entries, list):
        lists = [k for k, v in content.items() if isinstance(v, list)] if isinstance(content, dict) else []
        raise ApetError(NoColumn(None, None, path, name, ", ".join(lists) or "none"))
    return entries


def _literal(name: str, entry: object) -> str:
    """An entry as a literal of the language, checked to be a number."""
    text = in_digits(str(entry)) if not isinstance(entry, bool) else "a truth value"
    number(name, text)
    if "/" in text or "_" in text:
        raise ApetError(NotANumber(None, None, name, text))
    return text
