"""Several such jobs on shared cores: begun together, or in streams, each run of which waits for the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apet.joblogs.rules.work import WorkGraph, WorkUnit


def several(work: WorkGraph, jobs: int, fair: bool = False) -> WorkGraph:
    """So many copies of a work graph, begun together."""
    return work if jobs == 1 else streams(work, [[0]] * jobs, fair)


def streams(work: WorkGraph, pauses: Sequence[Sequence[int]], fair: bool = False) -> WorkGraph:
    """A run of the job for each pause in microseconds before it, by stream and round.

    Runs are served in the order of their rounds, or with `fair` the stream with the fewest running tasks first.
    """
    units, lean = _streams(work.units, pauses), _streams(work.lean, pauses)
    return replace(work, units=units, lean=lean, order="fair" if fair else "fifo", profile=())


def _streams(units: Sequence[WorkUnit], pauses: Sequence[Sequence[int]]) -> tuple[WorkUnit, ...]:
    followed = {place for unit in units for place in unit.before}
    ends = [place for place in range(len(units)) if place not in followed]

    result = list[WorkUnit]()
    for stream, before in enumerate(pauses):
        for place, pause in enumerate(before):
            first = len(result)
            last = tuple(first - len(units) + end for end in ends) if place else ()
            for unit in units:
                waits = tuple(p + first for p in unit.before) or last
                delay = unit.delay if unit.before else unit.delay + pause
                order = (place, stream, *unit.order)
                result.append(replace(unit, before=waits, delay=delay, order=order, pool=f"{stream:06}"))
    return tuple(result)


def end_times(ended: Sequence[int], runs: int) -> list[int]:
    """When each run ended, in microseconds, from the ends of all units."""
    count = len(ended) // runs
    return [max(ended[run * count : (run + 1) * count], default=0) for run in range(runs)]
