"""A machine as one task sees it: one run of the task scales what operations cost, and narrows their band.

What a compiler makes of a task is the same at every size; which level of the memory it works in and what the branch
predictor remembers are the same at sizes nearby. So a run up to `NEAR` times smaller scales every operation, one at a
smaller size what the core does only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from apet.ground.interval import Interval
from apet.java.measure.bands import FAR, ErrorBand, is_far, read
from apet.java.measure.statistics import quantile
from apet.machine import Machines
from apet.machine.machines import MachineGroup

TAIL = 0.25
NEAR = 4
"""Times the size of the run: so far, bands are those of near sizes."""
MOST_GROWN = 256
"""Times the work of a run: a task with so much more to do is not near any more, however near its size is."""
SMALLEST, NEARBY = 0, -1
"""Stand for the smallest size of a kernel, and for one near each size, where the size of the run is asked for."""
PARTS = {"the memory beyond the first level of caches": FAR, "mispredicted branches": ("mispredict",)}
"""What changes with the size in jumps, and the beginnings of its operations."""
CROSSED = 0.25
"""A part that grows or shrinks by so much of the whole time between two sizes has crossed a level."""
_LIBRARY = re.compile("call_(new_)?[A-Z]")
Change = Callable[[str, Interval], Interval]


def near(size: int) -> int:
    """The size of the run that calibrates a size."""
    return max(1, size // NEAR)


def nearest(size: int, work: Callable[[int], float]) -> int:
    """The size of the run that calibrates a size: a quarter of it, or as far from there on as its `work`, seconds by
    size, grows too fast: that of a search over all subsets is a thousand times less at ten elements fewer."""
    run, most = near(size), work(size)
    while run < size - 1 and work(run) * MOST_GROWN < most:
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


def crossed(small: Mapping[str, float], large: Mapping[str, float]) -> Iterator[str]:
    """The `PARTS` that cross a level between two sizes, each with its share of the time from 0 to 1 at either."""
    for part in PARTS:
        if abs(small[part] - large[part]) > CROSSED:
            yield f"{part}: {small[part]:.0%} of the time there, {large[part]:.0%} here"


def calibrated(
    machines: Machines, factor: float, own: ErrorBand | None = None, far: ErrorBand | None = None
) -> Machines:
    """The machines as a task sees them that took `factor` times what the plain figures say, in the bands `own` of
    what the core does and `far` of the rest (those of `bands.toml`)."""
    own, far = own or read("calibrated"), far or read("far")

    def scaled(name: str, seconds: Interval) -> Interval:
        return _within(seconds, far, 1.0) if is_far(name) else _within(seconds, own, factor)

    return _changed(plain(machines), scaled)


def calibrated_near(machines: Machines, factor: float, band: ErrorBand) -> Machines:
    """Plain machines as a task sees them that took `factor` times what they say at a size nearby: the run has decided
    between what several JVMs showed, so that the middle counts, in a band (`near_band`)."""
    return _changed(machines, lambda _, seconds: _within(_middle(seconds), band, factor))


def near_band(operations: Iterable[str]) -> ErrorBand:
    """The band of a run nearby for a program with these operations: wider where it calls a library, whose tables and
    queues grow with the size."""
    return read("near_calls" if any(map(_LIBRARY.match, operations)) else "near")


def factor(measured_s: float, predicted: Interval) -> float:
    """How many times the geometric middle of a prediction a run took; 1 where nothing was predicted."""
    middle = math.sqrt(float(predicted.lo) * float(predicted.hi))
    return measured_s / middle if middle > 0 and measured_s > 0 else 1.0


def _middle(seconds: Interval) -> Interval:
    """The geometric middle of an interval; an interval from 0 as it is."""
    if seconds.lo <= 0:
        return seconds
    middle = math.sqrt(float(seconds.lo) * float(seconds.hi))
    return Interval(middle, middle)


def _within(seconds: Interval, band: ErrorBand, factor: float) -> Interval:
    return Interval(float(seconds.lo) * factor / band.low, float(seconds.hi) * factor * band.high)


def _changed(machines: Machines, change: Change) -> Machines:
    def group(one: MachineGroup) -> MachineGroup:
        times = {name: change(name, seconds) for name, seconds in one.op_s.items()}
        return replace(one, op_s=times, classes={name: change(name, seconds) for name, seconds in one.classes.items()})

    groups = tuple(group(one) for one in machines.groups)
    return replace(machines, groups=groups, coordinator=group(machines.coordinator))
