"""How long a sweep would take and how large it would be, by computing a few rows of it."""

from __future__ import annotations

import time
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.questions.sweep.errors import TooManyPoints
from apet.questions.sweep.loop import encoder
from apet.questions.sweep.task import CSV, RowEvaluator, TableTask

PIECES, PATIENCE = (1, 256, 16_384), 1.0


class SweepEstimate(NamedTuple):
    """Seconds on one core, and bytes of the output."""

    seconds: float
    bytes: float


def estimate(task: TableTask, evaluator: RowEvaluator | None = None) -> SweepEstimate:
    """Extrapolated from pieces in the middle of the space, larger ones as long as they are quick, at most a chunk."""
    evaluator, size = evaluator or task.evaluator(), task.space.size
    encode, measured = encoder(task.form or CSV), SweepEstimate(0.0, 0.0)
    for piece in PIECES:
        rows = min(piece, task.space.chunk_rows, size)
        first = (size - rows) // 2
        begun = time.perf_counter()
        length = len(encode(task, evaluator.rows(first, first + rows)))
        spent = time.perf_counter() - begun
        measured = SweepEstimate(spent / rows * size, length / rows * size)
        if spent > PATIENCE or rows < piece:
            break

    return measured


def check_size(task: TableTask, limit: int, evaluator: RowEvaluator | None = None) -> None:
    """`ApetError` with an estimate where a space has more points than `limit`."""
    size = task.space.size
    if size <= limit:
        return
    expected = estimate(task, evaluator)
    expense = duration(expected.seconds), amount(expected.bytes)
    raise ApetError(TooManyPoints(None, None, f"{size:,}", f"{limit:,}", *expense, str(size)))


def duration(seconds: float) -> str:
    """A time in the unit that suits it, to two digits."""
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{float(f'{seconds / length:.2g}'):,g} {unit}"
    return f"{float(f'{seconds:.2g}'):g} seconds"


def amount(size: float) -> str:
    """Bytes in the unit that suits them, to two digits."""
    for unit, length in (("EB", 1e18), ("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= length:
            return f"{float(f'{size / length:.2g}'):g} {unit}"
    return f"{size:.0f} bytes"
