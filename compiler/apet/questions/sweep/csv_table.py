"""Sweeps as comma-separated values: a line for each row, numbers in full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from apet.questions.sweep.evaluator import SweepRows
from apet.questions.sweep.ranges import Cells
from apet.questions.sweep.task import TableTask


def encode(task: TableTask, rows: SweepRows) -> bytes:
    """The lines of a chunk in UTF-8."""
    columns: list[Iterable[str]] = []
    for name, cells in rows.cells.items():
        columns.append(_labels(task.labels, cells) if name == task.labelled else map(repr, cells.tolist()))
    defined = (~rows.undefined).tolist()
    whole = all(defined)

    for times in rows.times.values():
        texts = map(repr, times.tolist())
        columns.append(texts if whole else [t if d else "" for t, d in zip(texts, defined, strict=True)])

    names = list(map(quoted, rows.dominants))
    limits = rows.dominant.tolist()
    columns.append([names[k] if d else "" for k, d in zip(limits, defined, strict=True)])
    lines = map(",".join, zip(*columns, strict=True))
    return ("\n".join(lines) + "\n").encode()


def quoted(text: str) -> str:
    """A cell, in quotes where it needs them."""
    if any(c in text for c in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _labels(labels: tuple[str, ...], cells: Cells) -> list[str]:
    texts = list(map(quoted, labels))
    return [texts[k] for k in cells.tolist()]


class CsvAssembler:
    """Joins encoded chunks to a file."""

    def __init__(self, task: TableTask, file: IO[bytes]) -> None:
        self.file = file
        file.write((",".join(map(quoted, task.header)) + "\n").encode())

    def add(self, payload: bytes) -> None:
        """The next chunk."""
        self.file.write(payload)

    def close(self) -> None:
        """After the last chunk."""


def versions() -> dict[str, Any]:
    """What else the bytes depend on: nothing."""
    return {}
