"""A machine as one task sees it: one short run of the task scales what the core does, and narrows its band.

What a compiler makes of a task is the same at every size; which level of the memory it works in and what the branch
predictor remembers are not. So the run at a small size scales the operations of the core only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from apet.ground.interval import Interval
from apet.java.measure.bands import ErrorBand, is_far, read
from apet.java.measure.statistics import quantile
from apet.machine import Machines
from apet.machine.machines import MachineGroup

TAIL = 0.25
Change = Callable[[str, Interval], Interval]


def plain(machines: Machines) -> Machines:
    """The machines without bands: of a file that `apet benchmark` wrote, the figures that were measured."""
    seconds = machines.provenance.get("measured_s")
    measured = seconds if isinstance(seconds, dict) else {}

    def figure(name: str, seconds: Interval) -> Interval:
        if not measured.get(name):
            return seconds
        return Interval(quantile(measured[name], TAIL), quantile(measured[name], 1 - TAIL))

    return _changed(machines, figure)


def calibrated(
    machines: Machines, factor: float, own: ErrorBand | None = None, far: ErrorBand | None = None
) -> Machines:
    """The machines as a task sees them that took `factor` times what the plain figures say, in the bands `own` of
    what the core does and `far` of the rest (those of `bands.toml`)."""
    own, far = own or read("calibrated"), far or read("far")

    def scaled(name: str, seconds: Interval) -> Interval:
        return _within(seconds, far, 1.0) if is_far(name) else _within(seconds, own, factor)

    return _changed(plain(machines), scaled)


def factor(measured_s: float, predicted: Interval) -> float:
    """How many times the geometric middle of a prediction a run took; 1 where nothing was predicted."""
    middle = math.sqrt(float(predicted.lo) * float(predicted.hi))
    return measured_s / middle if middle > 0 and measured_s > 0 else 1.0


def _within(seconds: Interval, band: ErrorBand, factor: float) -> Interval:
    return Interval(float(seconds.lo) * factor / band.low, float(seconds.hi) * factor * band.high)


def _changed(machines: Machines, change: Change) -> Machines:
    def group(one: MachineGroup) -> MachineGroup:
        times = {name: change(name, seconds) for name, seconds in one.op_s.items()}
        return replace(one, op_s=times, classes={name: change(name, seconds) for name, seconds in one.classes.items()})

    groups = tuple(group(one) for one in machines.groups)
    return replace(machines, groups=groups, coordinator=group(machines.coordinator))
