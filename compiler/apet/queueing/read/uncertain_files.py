"""Times and rates given as [lower, upper]: the same file twice, once with all lower ends, once with all upper ends."""

from __future__ import annotations

from typing import Any

from apet.ground.documents.document import Document
from apet.ground.documents.document_errors import DocumentErrors
from apet.ground.documents.key_paths import KeyPath
from apet.ground.documents.table import Table


def ends(document: Document) -> tuple[Document, Document, DocumentErrors] | None:
    """The document at its lower and at its upper ends, and what is wrong with its intervals; None if it has none."""
    notes = DocumentErrors(document.locator)
    walk = _RangeSplitter(Table({}, (), notes))
    low, high = walk.split(document.content, ())
    if not walk.intervals:
        return None
    return document._replace(content=low), document._replace(content=high), notes


class _RangeSplitter:
    """Splits values into their lower and upper ends, and counts the intervals."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.intervals = 0

    def split(self, value: Any, path: KeyPath) -> tuple[Any, Any]:
        """A value with lower ends, and with upper ends."""
        if isinstance(value, list) and _may_be_interval(path):
            self.intervals += 1
            return self._pair(path, value)
        if isinstance(value, dict):
            both = {k: self.split(v, (*path, k)) for k, v in value.items()}
            return {k: v[0] for k, v in both.items()}, {k: v[1] for k, v in both.items()}
        if isinstance(value, list):
            pairs = [self.split(v, (*path, i)) for i, v in enumerate(value)]
            return [p[0] for p in pairs], [p[1] for p in pairs]

        return value, value

    def _pair(self, path: KeyPath, value: list[Any]) -> tuple[float, float]:
        return self.table.pair(path, value, "", above=path[-1] == "demand") or (1.0, 1.0)


def _may_be_interval(path: KeyPath) -> bool:
    """Whether a time or rate belongs here."""
    match path:
        case ("service" | "visits", int(), int()) | ("service_means", int()) | ("arrival_rate",):
            return True
        case ("classes", int(), "service" | "visits", str()) | ("classes", int(), "think" | "arrival_rate"):
            return True
        case _:
            return bool(path) and path[-1] == "demand"
