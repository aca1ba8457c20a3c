"""Numbers of servers and threads that have a name: `servers = "replicas"`, and `[parameters.replicas]` with its
values."""

from __future__ import annotations

import re
from typing import Any

from apet.ground.diagnostics import nearest
from apet.ground.documents.document import Document
from apet.ground.documents.table import Table
from apet.queueing.data.jobs import NamedCount
from apet.queueing.read.distributions import note

COUNTED = {"stations": "servers", "pools": "size"}
"""What may have a name, by the table that it is in."""
RESERVED = re.compile(r"(D_.*|Z(_.*)?|N|rate(_.*)?)")
"""Symbols of formulas."""
USUAL_MOST, MOST = 64, 1_000


def named_counts(document: Document, top: Table) -> tuple[Document, tuple[NamedCount, ...]]:
    """The document with numbers in the places of names, and what has them; errors are noted."""
    uses = _uses(document.content)
    declared = top.table("parameters")
    names = list(declared.content) if declared else []
    if not declared and not uses:
        return document, ()

    counts = {name: _declared(declared, document, name) for name in names} if declared else {}
    for (key, i), name in uses.items():
        if name not in names:
            advice = f"declare it: [parameters.{name}] with value = 4, range = [1, 16]"
            path = (key, i, COUNTED[key])
            problem = f"there is no parameter '{name}'{nearest(name, names)}"
            top.notes.diagnostics.append(document.wrong(path, problem, advice))
    for name in names:
        if name not in uses.values() and declared:
            note(declared, document, name, f"'{name}' is nowhere used", f'write servers = "{name}" at a station')

    content = dict(document.content)
    content.pop("parameters", None)
    for key, inner in COUNTED.items():
        if isinstance(content.get(key), list):
            content[key] = [
                {**row, inner: counts[uses[key, i]].value if uses[key, i] in counts else 1} if (key, i) in uses else row
                for i, row in enumerate(content[key])
            ]
    placed = [counts[name]._replace(places=_places(content, uses, name)) for name in names]
    return document._replace(content=content), tuple(placed)


def _uses(content: dict[str, Any]) -> dict[tuple[str, int], str]:
    """By table and row the name that stands for a number."""
    uses = {}
    for key, inner in COUNTED.items():
        rows = content.get(key)
        for i, row in enumerate(rows if isinstance(rows, list) else []):
            if isinstance(row, dict) and isinstance(row.get(inner), str):
                uses[key, i] = row[inner]
    return uses


def _places(content: dict[str, Any], uses: dict[tuple[str, int], str], name: str) -> tuple[tuple[str, int], ...]:
    return tuple((COUNTED[key], i) for (key, i), used in uses.items() if used == name and key in content)


def _declared(table: Table, document: Document, name: str) -> NamedCount:
    """The value of a parameter and its range."""
    if not name.isidentifier() or RESERVED.fullmatch(name):
        note(table, document, name, f"'{name}' cannot be the name of a parameter", "take another, as in replicas")
    inner = table.table(name)
    if inner is None:
        return NamedCount(name, 1, 1, USUAL_MOST)
    inner.allow(("value", "range", "note"))
    if "value" not in inner:
        inner.notes.missing_key(inner.at("value"), "how many: value = 4")

    value = inner.count("value")
    limits = inner.content.get("range", [1, max(USUAL_MOST, value)])
    low, high = limits if isinstance(limits, list) and len(limits) == 2 else (1, 0)
    whole = all(isinstance(n, int) and not isinstance(n, bool) for n in (low, high))
    if not whole or not 1 <= low <= value <= high <= MOST:
        advice = f"two whole numbers around the value, from 1 to {MOST:,}: range = [1, 16]"
        note(inner, document, "range" if "range" in inner else "value", "is no range of this parameter", advice)
        return NamedCount(name, 1, 1, USUAL_MOST)
    return NamedCount(name, value, low, high)
