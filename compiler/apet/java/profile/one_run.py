"""A machine as one task sees it: one run of the task scales what operations cost, and narrows their band.

What a compiler makes of a task is the same at every size; which level of the memory it works in and what the branch
predictor remembers are the same at sizes nearby. So a run up to `NEAR` times smaller scales every operation, one at a
smaller size what the core does only. A run is one size in several virtual machines: each may compile a task otherwise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from apet.ground.interval import Interval, Number
from apet.java.measure.bands import FAR, ErrorBand, is_far, read
from apet.java.measure.statistics import median, quantile
from apet.machine import Machines
from apet.machine.machines import MachineGroup

TAIL = 0.25
NEAR = 4
"""Times the size of the run: so far, bands are those of near sizes."""
MOST_GROWN = 5
"""Times the work of a run: a task with more to do is not near any more, however near its size is."""
CLOSE = 0.8
"""A run at so much of the size is not moved nearer for a level that is crossed in between."""
SMALLEST, NEARBY = 0, -1
"""Stand for the smallest size of a kernel, and for one near each size, where the size of the run is asked for."""
PARTS = {"the memory beyond the first level of caches": FAR, "mispredicted branches": ("mispredict",)}
"""What changes with the size in jumps, and the beginnings of its operations."""
OFF_CORE = tuple(beginning for part in PARTS.values() for beginning in part)
CROSSED = 0.15
"""A part that grows or shrinks by so much of the whole time between two sizes has crossed a level."""
_LIBRARY = re.compile("call_(new_)?[A-Z]")
Change = Callable[[str, Interval], Interval]
SecondsWithout = Callable[[tuple[str, ...]], float]
"""The time of a task on machines without operations, by the beginnings of their names."""
Join = Callable[[str, Interval, Interval], Interval]


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


def calibrated_between(
    small: Machines, large: Machines, factor_of: Callable[[Machines], float], band: ErrorBand
) -> Machines:
    """Plain machines with times of calls as runs showed them at the size of the run (`small`) and at a size nearby
    (`large`), as the task sees them there; `factor_of` machines the run takes so many times what they say.

    Times of calls differ between two runs by chance, or because calls take longer at the larger size: the intervals
    hold both, each run with its own times and both with the geometric means.
    """
    means = _joined(small, large, lambda _, one, other: Interval(_mean(one.lo, other.lo), _mean(one.hi, other.hi)))
    own = calibrated_near(_joined(small, large, lambda _, __, other: other), factor_of(small), band)
    shared = calibrated_near(means, factor_of(means), band)
    return _joined(own, shared, lambda _, one, other: Interval(min(one.lo, other.lo), max(one.hi, other.hi)))


def spread(band: ErrorBand, seconds: Sequence[float]) -> ErrorBand:
    """A band around the median, wider by what several virtual machines differ."""
    usual = median(seconds)
    return ErrorBand(band.low * usual / min(seconds), band.high * max(seconds) / usual) if min(seconds) > 0 else band


def undecided(band: ErrorBand, seconds: float, small: SecondsWithout, large: SecondsWithout) -> ErrorBand:
    """A band wider by what it matters which operations take other times than the plain figures: a run that took
    `seconds` does not tell whether all of them do, only those of the core, or only the memory and mispredictions.

    Where both parts grow alike between the two sizes, it does not matter. A part of less than `CROSSED` of the run
    is never alone the reason.
    """
    core = small(OFF_CORE), large(OFF_CORE)
    rest = small(()) - core[0], large(()) - core[1]
    whole = seconds / small(()) * large(()) if small(()) > 0 else 0.0
    middles = [whole]
    for part, other in ((core, rest), (rest, core)):
        if part[0] > CROSSED * small(()) and seconds > other[0]:
            middles.append((seconds - other[0]) / part[0] * part[1] + other[1])
    return ErrorBand(band.low * whole / min(middles), band.high * max(middles) / whole) if whole > 0 else band


def near_band(operations: Iterable[str]) -> ErrorBand:
    """The band of a run nearby for a program with these operations: wider where it calls a library, whose tables and
    queues grow with the size."""
    return read("near_calls" if any(map(_LIBRARY.match, operations)) else "near")


def factor(measured_s: float, predicted: Interval) -> float:
    """How many times the geometric middle of a prediction a run took; 1 where nothing was predicted."""
    middle = _mean(predicted.lo, predicted.hi)
    return measured_s / middle if middle > 0 and measured_s > 0 else 1.0


def _middle(seconds: Interval) -> Interval:
    """The geometric middle of an interval; an interval from 0 as it is."""
    if seconds.lo <= 0:
        return seconds
    middle = _mean(seconds.lo, seconds.hi)
    return Interval(middle, middle)


def _mean(one: Number, other: Number) -> float:
    return math.sqrt(float(one) * float(other))


def _within(seconds: Interval, band: ErrorBand, factor: float) -> Interval:
    return Interval(float(seconds.lo) * factor / band.low, float(seconds.hi) * factor * band.high)


def _changed(machines: Machines, change: Change) -> Machines:
    return _joined(machines, machines, lambda name, seconds, _: change(name, seconds))


def _joined(machines: Machines, others: Machines, join: Join) -> Machines:
    """The machines with the times that `join` makes of theirs and of those of others of the same groups."""

    def times(one: Mapping[str, Interval], other: Mapping[str, Interval]) -> dict[str, Interval]:
        return {name: join(name, seconds, other.get(name, seconds)) for name, seconds in one.items()}

    def group(one: MachineGroup, other: MachineGroup) -> MachineGroup:
        return replace(one, op_s=times(one.op_s, other.op_s), classes=times(one.classes, other.classes))

    groups = tuple(group(*pair) for pair in zip(machines.groups, others.groups, strict=True))
    return replace(machines, groups=groups, coordinator=group(machines.coordinator, others.coordinator))
