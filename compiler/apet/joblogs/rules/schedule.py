"""What a replay finds: when each unit was ready, began and ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class ScheduleTrack:
    """What happened to each unit: when it was ready for tasks, when its first and last one began, when it ended; in
    microseconds. `intervals` are the launches and releases of tasks in turn, with their units, where they were kept.
    `waited` is whether a task was ready at a time when all cores were taken."""

    ready: Sequence[int]
    first: Sequence[int]
    last: Sequence[int]
    ended: Sequence[int]
    intervals: Sequence[tuple[int, int, int]]
    waited: bool = True

    @cached_property
    def makespan(self) -> int:
        """When the last unit ended."""
        return max(self.ended, default=0)
