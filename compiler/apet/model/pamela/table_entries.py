"""The entries of a table: literals, with one unit."""

from __future__ import annotations

from fractions import Fraction

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Source
from apet.model.literals import signed
from apet.model.pamela import errors
from apet.model.pamela.items import TableItem

MOST_ENTRIES = 500
"""Each entry is a term of the formulas."""

Entry = tuple[int | Fraction, str]
"""A value and its unit."""


def table_entries(source: Source, item: TableItem) -> tuple[list[Entry], list[Diagnostic]]:
    """The entries of a table, and what is wrong with them."""
    name, number = item.name, len(item.entries)
    if number > MOST_ENTRIES:
        return [], [errors.TableTooLong(source, item.span, name, number, MOST_ENTRIES)]
    entries: list[Entry] = []
    diagnostics: list[Diagnostic] = []
    for k, expression in enumerate(item.entries, 1):
        entry = signed(expression)
        if entry is None:
            diagnostics.append(errors.BadTableEntry(source, expression.span, name, k, "is no plain number"))
        elif entries and entry.unit != entries[0][1]:
            diagnostics.append(
                errors.BadTableEntry(source, expression.span, name, k, "has another unit than the first")
            )
        else:
            entries.append((entry.value, entry.unit))

    return entries, diagnostics
