"""The loop of a sweep: chunks from an engine to the store, and what is kept of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import IO, NamedTuple, Protocol

from apet.ground.activity import Activity
from apet.questions.sweep.evaluator import SweepRows
from apet.questions.sweep.front import NOTHING, Digest, FrontPoints, digest, merged
from apet.questions.sweep.store import Assembler, Store
from apet.questions.sweep.summary import SweepPoint, SweepSummary
from apet.questions.sweep.task import CSV, PARQUET, RowEvaluator, TableTask

FEWER = "sweep fewer points"


class Result(NamedTuple):
    """A chunk: its number, its encoded rows, its digest."""

    chunk: int
    payload: bytes
    digest: Digest


class SweepEngine(Protocol):
    """Computes chunks, in any order."""

    def __call__(self, task: TableTask, chunks: Iterable[int]) -> Iterator[Result]:
        """The results of these chunks as they come."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: how many chunks of how many are kept, and in which folder."""

    def __init__(self, finished: int, chunks: int, folder: str) -> None:
        super().__init__(f"{finished} of {chunks}")
        self.finished, self.chunks, self.folder = finished, chunks, folder


def encoder(form: str) -> Callable[[TableTask, SweepRows], bytes]:
    """What turns rows into the bytes of a part."""
    if form == CSV:
        from apet.questions.sweep import csv_table

        return csv_table.encode
    if form == PARQUET:
        from apet.questions.sweep import parquet_table

        return parquet_table.encode
    return lambda task, rows: b""


def assembler(form: str) -> Callable[[TableTask, IO[bytes]], Assembler]:
    """What joins parts to a file."""
    if form == CSV:
        from apet.questions.sweep.csv_table import CsvAssembler

        return CsvAssembler
    from apet.questions.sweep.parquet_table import ParquetAssembler

    return ParquetAssembler


def compute(task: TableTask, evaluator: RowEvaluator, chunk: int) -> Result:
    """One chunk: nothing but the task and the number decides its bytes."""
    rows = evaluator.rows(*task.space.bounds(chunk))
    return Result(chunk, encoder(task.form)(task, rows), digest(rows, task.target))


class Local:
    """This process alone. `evaluator` is the task's if there is one, else it is made from the task."""

    def __init__(self, evaluator: RowEvaluator | None = None) -> None:
        self.evaluator = evaluator

    def __call__(self, task: TableTask, chunks: Iterable[int]) -> Iterator[Result]:
        """The chunks in order."""
        evaluator = self.evaluator or task.evaluator()
        return (compute(task, evaluator, chunk) for chunk in chunks)


def sweep_to(task: TableTask, engine: SweepEngine, path: str, resume: bool = False) -> SweepSummary:
    """Sweep into a file, which appears when it is complete.

    Raises `ApetError`, and `Interrupted` on Ctrl-C; either way finished chunks are kept for `resume`.
    """
    begun = time.monotonic()
    store = Store(task, path)
    chunks, finished = task.space.chunks, set[int]()

    try:
        finished, digest_so_far = store.open(resume)
        reused = len(finished)
        with Activity("sweeping", "points", lambda: digest_so_far.rows, whole=task.space.size, advice=FEWER):
            for result in engine(task, (k for k in range(chunks) if k not in finished)):
                store.put(*result)
                finished.add(result.chunk)
                digest_so_far = merged(digest_so_far, result.digest)
        store.join(assembler(task.form))
    except KeyboardInterrupt:
        raise Interrupted(len(finished), chunks, store.shown) from None
    finally:
        store.close()
    return replace(summary(task, digest_so_far), path=path, seconds=time.monotonic() - begun, reused=reused)


def sweep_all(task: TableTask, engine: SweepEngine) -> SweepSummary:
    """Sweep without a file: only what is found is kept."""
    begun, digest_so_far = time.monotonic(), NOTHING
    with Activity("sweeping", "points", lambda: digest_so_far.rows, whole=task.space.size, advice=FEWER):
        for result in engine(task, range(task.space.chunks)):
            digest_so_far = merged(digest_so_far, result.digest)
    return replace(summary(task, digest_so_far), seconds=time.monotonic() - begun)


def sweep_few(task: TableTask, evaluator: RowEvaluator) -> SweepSummary:
    """Sweep few points in this process and keep them all."""
    begun = time.monotonic()
    rows = evaluator.rows(0, task.space.size)
    points = tuple(_point(task, rows, place) for place in range(len(rows.cost)))
    digested = digest(rows, task.target)
    return replace(summary(task, digested), rows=points, seconds=time.monotonic() - begun)


def summary(task: TableTask, digest: Digest) -> SweepSummary:
    """What was found, with the values of the points."""

    def at(f: FrontPoints) -> SweepPoint:
        return SweepPoint(f.row, task.named(f.row), dict(zip(task.times, f.times, strict=True)), f.dominant, f.cost)

    best, worst = (None if f is None else at(f) for f in (digest.best, digest.worst))
    front = tuple(map(at, digest.front))
    return SweepSummary(
        names=task.names,
        points=digest.rows,
        undefined=digest.undefined,
        best=best,
        worst=worst,
        front=front,
        objective=task.objective,
        against=task.against,
    )


def _point(task: TableTask, rows: SweepRows, place: int) -> SweepPoint:
    number, times, dominant = rows.first + place, dict[str, float](), ""
    if not rows.undefined[place]:
        times = {name: float(column[place]) for name, column in rows.times.items()}
        dominant = rows.dominants[rows.dominant[place]]
    return SweepPoint(number, task.named(number), times, dominant, float(rows.cost[place]))
