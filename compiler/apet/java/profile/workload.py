"""An application to run for real: batches with numbers in place of names, their order, and who gets which task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

Group = tuple[str, tuple["str | Group", ...]]
"""Batches and groups of them, one after the other (";") or at once ("|")."""


class MessageSizes(NamedTuple):
    """Bytes to and from each task, to and from each worker; None where there is no message."""

    to_task: int | None
    from_task: int | None
    to_worker: int | None
    from_worker: int | None


class BatchWork(NamedTuple):
    """A batch: the method that its tasks run, and the values of its formals and of its constructor's by name.

    `rows` has one row of values, or one for each of the `tasks`. `static` are the tasks, from 0, of each worker;
    `dynamic` those that go to whoever is free first. `here`: the coordinator runs them.
    """

    name: str
    file: str
    type: str
    method: str
    tasks: int
    here: bool
    messages: MessageSizes
    replicas: int
    formals: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    static: tuple[tuple[int, ...], ...]
    dynamic: tuple[int, ...]


class Workload(NamedTuple):
    """All batches in their order, for a number of workers."""

    name: str
    workers: int
    batches: tuple[BatchWork, ...]
    order: Group

    @property
    def plan(self) -> str:
        """What the coordinator reads: see ApetCoordinator.java."""
        lines: list[str] = []
        for b in self.batches:
            sizes = (-1 if size is None else size for size in b.messages)
            words = ["batch", b.name, b.type, b.method, b.tasks, int(b.here), *sizes, b.replicas, *b.formals]
            lines.append(_line(words))
            lines += [_line(["values", b.name, *(repr(float(v)) for v in row)]) for row in b.rows]
            lines += [_line(["static", b.name, w, *own]) for w, own in enumerate(b.static)]
            lines += [_line(["dynamic", b.name, *b.dynamic])] if b.dynamic else []
        return "\n".join([*lines, f"order {_order(self.order)}"]) + "\n"


def _line(words: Sequence[object]) -> str:
    return " ".join(map(str, words))


def _order(group: str | Group) -> str:
    if isinstance(group, str):
        return group
    kind, parts = group
    return f"({kind} {' '.join(map(_order, parts))} )"


def dealt_in_turn(shares: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Tasks 0, 1, … dealt so that each worker's are spread evenly over all of them.

    The k-th of s tasks of a worker comes at the place (k - 1/2) / s, ties to the earlier worker (Webster's order).
    """
    places = [(Fraction(2 * k + 1, 2 * s), w) for w, s in enumerate(shares) for k in range(s)]
    shares_dealt: list[list[int]] = [[] for _ in shares]
    for task, (_, worker) in enumerate(sorted(places)):
        shares_dealt[worker].append(task)
    return tuple(map(tuple, shares_dealt))


class TimedWorkload(NamedTuple):
    """Seconds of each run: wall time, and CPU time of all tasks; and what the tasks of each batch returned, summed."""

    wall_s: tuple[float, ...]
    cpu_s: tuple[float, ...]
    results: Mapping[str, float]
