"""What grows with the input: stages that read it, and those that read what these wrote.

A stage that reads input has a task for each part of it, so more input makes more tasks. A stage behind it has as many
as before, which take longer. Where no stage is logged as reading, all those without parents read, in tasks whose number
the program fixes. That work is proportional to the input is an assumption: one log does not show it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from apet.joblogs.job_log import JobLog


class StageGrowth(NamedTuple):
    """Which share of a stage's work is proportional to the input, and whether its tasks become more, not longer."""

    share: int
    splits: bool


def growing(log: JobLog, counts: Mapping[int, Collection[int]], following: bool) -> dict[int, StageGrowth]:
    """By number of a stage; `counts` has the tasks of each, whose numbers may be `following` the cores."""
    readers = {stage.number for stage in log.stages if stage.reads}
    children: dict[int, list[int]] = {}
    for stage in log.stages:
        for parent in stage.parents:
            children.setdefault(parent, []).append(stage.number)

    reached = list(readers or (stage.number for stage in log.stages if not stage.parents))
    grown = set(reached)
    for number in reached:  # which grows
        fresh = [child for child in children.get(number, ()) if child not in grown]
        grown |= set(fresh)
        reached += fresh

    def splits(number: int) -> bool:
        return number in readers and not following and len(counts.get(number, ())) not in log.partitions

    return {stage.number: StageGrowth(stage.number in grown, splits(stage.number)) for stage in log.stages}
