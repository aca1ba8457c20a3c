"""Units of work with precedence: what replay and bounds know of a log."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from apet.formula.graph.nodes import Rational
from apet.joblogs.allocation import Allocation
from apet.joblogs.rules.schedule import ScheduleTrack

DRIVER = -1
"""The stage of units without tasks."""


@dataclass(frozen=True)
class WorkUnit:
    """Tasks that may begin `delay` after all units `before` it have ended; it ends `tail` after its last task.

    Of task k, in the order of launches, `holds[k]` is how long its core is taken and `results[k]` how long until its
    result is there, which is not less but of attempts that nobody waits for. All times are whole microseconds. `stage`
    is its number in the log, or `DRIVER` for a delay of the driver. `order` decides who is served first, the least, and
    `pool` shares with other pools; `began` is when its first task was launched, `group` names the tasks that Dask takes
    to be alike, and `holders` are how many workers its inputs came from, which its delay is in proportion to. `runs`
    are, of each hold, what the task itself took; the rest is the engine's, for each task anew.

    Of `data` times the input, task times or their number are 1 + growth (data - 1) times those of the log: their number
    where it `splits` and the input grows, else their times. The delay is longer by `delay_growth` (data - 1).
    """

    name: str
    job: int
    stage: int
    before: tuple[int, ...]
    delay: int
    tail: int
    holds: Sequence[int]
    results: Sequence[int]
    order: tuple[int, ...]
    pool: str = ""
    began: int = 0
    growth: Rational = 0
    delay_growth: int = 0
    splits: bool = False
    group: str = ""
    holders: int = 1
    runs: Sequence[int] = ()

    @cached_property
    def work(self) -> int:
        """Core time of all tasks."""
        return sum(self.holds)

    @cached_property
    def longest_hold(self) -> int:
        """The longest time that a task holds its core."""
        return max(self.holds, default=0)

    @cached_property
    def longest(self) -> int:
        """The longest time until a result."""
        return max(self.results, default=0)

    @cached_property
    def hold_of_longest(self) -> int:
        """The time that the task with the longest time until its result holds its core."""
        return max(zip(self.results, self.holds, strict=True), default=(0, 0))[1]

    @cached_property
    def late(self) -> int:
        """The most that a result comes after its core is free."""
        return max((r - h for h, r in zip(self.holds, self.results, strict=True)), default=0)

    def with_tasks(self, holds: Sequence[int], results: Sequence[int], runs: Sequence[int]) -> WorkUnit:
        """The same unit with other tasks."""
        return replace(self, holds=array("q", holds), results=array("q", results), runs=array("q", runs))

    def with_holds(self, holds: Sequence[int]) -> WorkUnit:
        """The same unit with other times of its tasks, whose results come as late after them as they did."""
        results = (new + r - old for new, old, r in zip(holds, self.holds, self.results, strict=True))
        runs = (
            run * new // max(1, old) for new, old, run in zip(holds, self.holds, self.runs or self.holds, strict=True)
        )
        return self.with_tasks(holds, list(results), list(runs))


@dataclass(frozen=True)
class WorkGraph:
    """Units in an order in which none comes before what it waits for, and the cores that they were observed on.

    `turnaround` is how long a core takes from one task to one that waits. `lean` are the same units with the overheads
    of fewer cores (R12); they equal `units` where the log does not tell. `profile` is how many cores there were, from a
    time on, where that changed. `measured` is the time that the application took. `sure` is whether its bounds are
    guaranteed: nothing is missing, and nothing assumed but what the bounds name.
    """

    units: tuple[WorkUnit, ...]
    lean: tuple[WorkUnit, ...]
    cores: int
    turnaround: int
    measured: int
    order: str
    profile: tuple[tuple[int, int], ...] = ()
    following: bool = False  #: whether the numbers of tasks follow the cores
    per_executor: int = 1  #: slots of an executor
    lost: int = 0  #: core time of attempts that failed or came second
    size: Rational = 1  #: of the input, of which that of the log is 1 if there is only one
    fitted: bool = False  #: whether growth was fitted to logs of several sizes
    sure: bool = True
    elastic: Allocation | None = None  #: the rules by which executors of the log came and went
    allocation: Allocation | None = None  #: those to go by; without, all cores are there from the start
    #: replays that were asked for, by cores and whether they are the log's own run
    tracks: dict[tuple[int, bool], ScheduleTrack] = field(default_factory=dict, init=False, compare=False, repr=False)

    def units_on(self, cores: int) -> tuple[WorkUnit, ...]:
        """The units on so many cores: of fewer than the log's, those with more tasks than cores are lean."""
        if cores >= self.cores or self.lean == self.units:
            return self.units
        return tuple(
            lean if len(unit.holds) > cores or unit.holders > 1 else unit
            for unit, lean in zip(self.units, self.lean, strict=True)
        )

    @cached_property
    def work(self) -> int:
        """Core time of all tasks that succeeded first."""
        return sum(unit.work for unit in self.units)

    @cached_property
    def after(self) -> list[list[int]]:
        """By place of a unit, those of the units that wait for it."""
        after: list[list[int]] = [[] for _ in self.units]
        for k, unit in enumerate(self.units):
            for previous in dict.fromkeys(unit.before):
                after[previous].append(k)
        return after

    @cached_property
    def waits(self) -> list[int]:
        """By place of a unit, for how many others it waits."""
        return [len(unit.before) if len(unit.before) < 2 else len(set(unit.before)) for unit in self.units]

    @cached_property
    def served(self) -> list[int]:
        """Places of units in the order in which they are served."""
        return sorted(range(len(self.units)), key=lambda k: (self.units[k].order, k))

    @cached_property
    def tasks(self) -> int:
        """How many tasks there are."""
        return sum(len(unit.holds) for unit in self.units)
