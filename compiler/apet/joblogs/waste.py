"""Core time that nobody uses, by its cause at each moment."""

from __future__ import annotations

from dataclasses import dataclass

from apet.joblogs.job_log import US
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.what_if import on_cores


@dataclass(frozen=True, slots=True)
class WastedCores:
    """Core seconds that no task took: while only the driver worked, while stages with fewer tasks than cores ran, and
    while the last tasks of others did. `lost` are those of attempts that failed or came second."""

    driver: float
    few: float
    skew: float
    lost: float

    @property
    def total(self) -> float:
        """All that cores idle."""
        return self.driver + self.few + self.skew


def waste(work: WorkGraph) -> WastedCores:
    """The idle core time of the replay on the log's own cores."""
    cores = work.cores
    track, units = on_cores(work, cores), work.units_on(cores)
    changes = list[tuple[int, int, int]]()
    for begin, end, k in track.intervals:
        changes += [(begin, 1, k), (end, -1, k)]
    changes.sort(key=lambda change: change[0])

    few = [len(unit.holds) < cores for unit in units]
    idle = {"driver": 0, "few": 0, "skew": 0}
    running = running_few = time = 0
    for at, change, k in [*changes, (track.makespan, 0, 0)]:
        cause = "driver" if not running else "few" if running == running_few else "skew"
        idle[cause] += (cores - running) * (at - time)
        running += change
        running_few += change if few and few[k] else 0
        time = at

    seconds = {cause: max(0, value) / US for cause, value in idle.items()}
    return WastedCores(seconds["driver"], seconds["few"], seconds["skew"], work.lost / US)
