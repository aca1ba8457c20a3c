"""Several such jobs at once, all begun together on shared cores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apet.joblogs.rules.work import WorkGraph, WorkUnit


def several(work: WorkGraph, jobs: int, fair: bool = False) -> WorkGraph:
    """So many copies of a work graph: served in turn, or the one with the fewest running tasks first."""
    if jobs == 1:
        return work
    return replace(
        work,
        units=_copies(work.units, jobs),
        lean=_copies(work.lean, jobs),
        order="fair" if fair else "fifo",
        profile=(),
    )


def _copies(units: tuple[WorkUnit, ...], jobs: int) -> tuple[WorkUnit, ...]:
    return tuple(
        replace(
            unit,
            before=tuple(p + copy * len(units) for p in unit.before),
            order=(copy, *unit.order),
            pool=f"{copy:06}",
        )
        for copy in range(jobs)
        for unit in units
    )


def response_times(ended: Sequence[int], jobs: int) -> list[int]:
    """When each copy ended, in microseconds, from the ends of all units."""
    count = len(ended) // jobs
    return [max(ended[copy * count : (copy + 1) * count], default=0) for copy in range(jobs)]
