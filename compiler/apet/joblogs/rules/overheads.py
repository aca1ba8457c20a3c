"""What tasks cost beside their own run: on fewer cores than the log's less of it.

Bursts of launches on many cores keep the driver busy, and tasks wait for it while they hold their core; on few cores
they do not. So for fewer cores the overhead of each task (its hold without its run) is at most the lower quartile of
all tasks that have others beside them in their stage; a task alone is no burst, and keeps its own. Inputs of a task of
Dask come from one worker, at the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apet.joblogs.rules.work import WorkUnit


def lean_units(units: Sequence[WorkUnit]) -> tuple[WorkUnit, ...]:
    """The units with overheads capped."""
    overheads = sorted(
        hold - run for unit in units if _bursts(unit) for hold, run in zip(unit.holds, unit.runs, strict=True)
    )
    near = [replace(unit, delay=unit.delay // unit.holders, holders=1) if unit.holders > 1 else unit for unit in units]
    if not overheads:
        return tuple(near)
    cap = overheads[len(overheads) // 4]
    return tuple(_capped(unit, cap) if _bursts(unit) else unit for unit in near)


def _bursts(unit: WorkUnit) -> bool:
    return len(unit.holds) > 1 and len(unit.runs) == len(unit.holds)


def _capped(unit: WorkUnit, cap: int) -> WorkUnit:
    holds = [hold - max(0, hold - run - cap) for hold, run in zip(unit.holds, unit.runs, strict=True)]
    return unit if holds == list(unit.holds) else replace(unit.with_holds(holds), runs=unit.runs)
