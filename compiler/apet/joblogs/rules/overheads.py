"""What tasks cost beside their own run: on fewer cores than the log's less of it.

Bursts of launches on many cores keep the driver busy, and tasks wait for it while they hold their core; on few cores
they do not. So for fewer cores the overhead of each task (its hold without its run) is at most the lower quartile of
all. Inputs of a task of Dask come from one worker, at the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apet.joblogs.rules.work import WorkUnit


def lean_units(units: Sequence[WorkUnit], runs: Sequence[Sequence[int]]) -> tuple[WorkUnit, ...]:
    """The units with overheads capped; `runs` has, by unit, what of each hold is the task's own."""
    overheads = sorted(
        h - r for unit, run in zip(units, runs, strict=True) for h, r in zip(unit.holds, run, strict=True)
    )
    if not overheads:
        return tuple(units)

    cap = overheads[len(overheads) // 4]
    units = [replace(unit, delay=unit.delay // unit.holders, holders=1) if unit.holders > 1 else unit for unit in units]
    return tuple(_capped(unit, run, cap) for unit, run in zip(units, runs, strict=True))


def _capped(unit: WorkUnit, runs: Sequence[int], cap: int) -> WorkUnit:
    holds = [h - max(0, h - r - cap) for h, r in zip(unit.holds, runs, strict=True)]
    return unit if holds == list(unit.holds) else unit.with_holds(holds)
