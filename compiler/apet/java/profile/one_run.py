"""A machine as one task sees it: one run of the task scales what operations cost, and narrows their band.

What a compiler makes of a task is the same at every size: a run scales the operations of the level "counted" by one
factor. Which level of the memory another size works in and what a branch predictor remembers there, the model says.
A run is one size in several virtual machines: each may compile a task otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from apet.ground.interval import Interval
from apet.machine import Machines
from apet.machine.machines import MachineGroup
from apet.program.levels.memory import FAR, MISSED, is_far
from apet.program.measure.bands import ErrorBand, read
from apet.program.measure.samples import median, quantile

TAIL = 0.25
NEAR = 4
"""Times the size of the run: so far, bands are those of near sizes."""
MOST_GROWN = 5
"""Times the work of a run: a task with more to do is not near any more, however near its size is."""
CLOSE = 0.8
"""A run at so much of the size is not moved nearer for a level that is crossed in between."""
SMALLEST, NEARBY = 0, -1
"""Stand for the smallest size of a kernel, and for one near each size, where the size of the run is asked for."""
PARTS = {"the memory beyond the first level of caches": FAR, "mispredicted branches": MISSED}
"""What changes with the size in jumps, and the beginnings of its operations."""
OFF_CORE = (*FAR, *MISSED)
CROSSED = 0.15
"""A part that grows or shrinks by so much of the whole time between two sizes has crossed a level."""
LEAST_LEFT = 0.1
"""The least part of a run that its operations take, where the memory and mispredictions alone should take longer."""
_LIBRARY = re.compile("call_(new_)?[A-Z]")
Change = Callable[[str, Interval], Interval]
SecondsWithout = Callable[[tuple[str, ...]], float]
"""The time of a task on machines without operations, by the beginnings of their names."""


def near(size: int) -> int:
    """The size of the run that calibrates a size."""
    return max(1, size // NEAR)


def is_far_off(run: int, size: int, grown: float, crossings: Sequence[str]) -> bool:
    """Whether a run says too little of a size, and one halfway between them more: a task at the size has `grown` times
    the work of the run, that of a search over all subsets a thousand times at ten elements more."""
    return run < size - 1 and (grown > MOST_GROWN or (bool(crossings) and run < CLOSE * size))


def nearest(size: int, work: Callable[[int], float], crossings: Callable[[int], Sequence[str]]) -> int:
    """The size of the run that calibrates a size: a quarter of it, or nearer while the `work`, seconds by size, grows
    too fast or levels are crossed between the two."""
    run, most = near(size), work(size)
    while is_far_off(run, size, most / (work(run) or most), crossings(run)):
        run = (run + size) // 2
    return run


def plain(machines: Machines) -> Machines:
    """The machines without bands: of a file that `apet benchmark` wrote, the figures that were measured."""
    seconds = machines.provenance.get("measured_s")
    measured = seconds if isinstance(seconds, dict) else {}

    def figure(name: str, seconds: Interval) -> Interval:
        if not measured.get(name):
            return seconds
        return Interval(quantile(measured[name], TAIL), quantile(measured[name], 1 - TAIL))

    return _changed(machines, figure)


def without(machines: Machines, beginnings: tuple[str, ...]) -> Machines:
    """The machines with operations that cost nothing, by the beginnings of their names."""
    return _changed(machines, lambda name, s: Interval(0.0, 0.0) if name.startswith(beginnings) else s)


def crossings(small: SecondsWithout, large: SecondsWithout) -> list[str]:
    """The `PARTS` that cross a level between two sizes, each with its share of the time at either."""
    there, here = _shares(small), _shares(large)
    crossed = [part for part in PARTS if abs(there[part] - here[part]) > CROSSED]
    return [f"{part}: {there[part]:.0%} of the time there, {here[part]:.0%} here" for part in crossed]


def _shares(seconds: SecondsWithout) -> dict[str, float]:
    """The share of the time that each part takes, from 0 to 1."""
    whole = seconds(())
    return {part: 1 - seconds(names) / whole if whole else 0.0 for part, names in PARTS.items()}


class Factors(NamedTuple):
    """How many times what plain figures say a task takes: of its operations, and of the memory and mispredictions."""

    core: float
    far: float


def factors_of_run(measured_s: float, task: SecondsWithout) -> Factors:
    """What a run says of plain figures: memory and mispredictions take what they take, operations what is left of the
    run, whatever a compiler makes of them; a tenth of it where nothing is left."""
    core = task(OFF_CORE)
    far = max(task(()) - core, 0.0)
    left = max(measured_s - far, LEAST_LEFT * measured_s) if core > 0 else 0.0
    return Factors(left / core if left > 0 else 1.0, min(1.0, (measured_s - left) / far) if far > 0 else 1.0)


def calibrated(machines: Machines, times: Factors, band: ErrorBand) -> Machines:
    """Plain machines as a task sees them: the run has decided between what an operation takes at least and at most, so
    that the middle counts, in a band."""

    def scaled(name: str, seconds: Interval) -> Interval:
        middle = float(seconds.middle) * (times.far if is_far(name) else times.core)
        return Interval(middle / band.low, middle * band.high)

    return _changed(machines, scaled)


def spread(band: ErrorBand, seconds: Sequence[float]) -> ErrorBand:
    """A band around the median, wider by what several virtual machines differ."""
    usual = median(seconds)
    return ErrorBand(band.low * usual / min(seconds), band.high * max(seconds) / usual) if min(seconds) > 0 else band


def band_of(operations: Iterable[str], run: int, size: int) -> ErrorBand:
    """The band of a prediction after a run of a program with these operations: wider where it calls a library, whose
    tables and queues grow with the size, and where the size is more than `NEAR` times that of the run."""
    if size > NEAR * run:
        return read("calibrated")
    return read("near_calls" if any(map(_LIBRARY.match, operations)) else "near")


def _changed(machines: Machines, change: Change) -> Machines:
    def group(one: MachineGroup) -> MachineGroup:
        def times(seconds: Mapping[str, Interval]) -> dict[str, Interval]:
            return {name: change(name, time) for name, time in seconds.items()}

        return one.replace(op_s=times(one.op_s), classes=times(one.classes))

    return machines.replace(groups=tuple(map(group, machines.groups)), coordinator=group(machines.coordinator))
