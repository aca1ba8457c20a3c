"""How long calls of a library took inside a run, and machines with these times.

A call is timed with the clock around it, so its time contains the clock's own, which is measured beside it and taken
off. What is left errs by a part of the spread of the clock, and by what a core loses that waits for it. A call that is
timed cannot overlap with what follows it, as it may without a clock: the least is two fifths of what was measured, of
long calls nearly all of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from apet.ground.interval import Interval
from apet.machine import Machines
from apet.machine.machines import MachineGroup

NANOSECOND = 1e-9
DOUBT_NS = 1.0
"""By how much a clock's own time may be wrong, beside its spread."""
DRAINED_NS = 4.0
"""By how much longer a call takes between two clocks: each waits until the core has finished what came before."""
OVERLAPPED = 0.4
"""What a call that overlaps with what follows it takes of what was timed: clocks keep calls from overlapping."""
LONG_PART, LONG_NS = 0.85, 60.0
"""The least of a long call: a core looks ahead by a few hundred operations, which is little beside it."""
LEAST_PART, SLOWER = 0.5, 1.25
"""What all calls take at least, where clocks show more than the run, and what they take at most: parts of the fastest
run without clocks, beside which there is other work, and slower runs."""
LEFT = 0.75
"""What all calls take at least of what the run without clocks leaves for them."""
LEAST_NS = 0.1
ADDITION = "lat_sum_int"
TIMED = "timed in the run"
"""Stands for the class of an operation that a run has timed."""


class CallTimes(NamedTuple):
    """Seconds of calls by operation on the machine of the run, and of an addition there (0 where it is not known); how
    often the run makes each call, and the seconds of the fastest run without clocks (0 where there was none)."""

    seconds: Mapping[str, Interval] = {}
    addition_s: float = 0.0
    calls: Mapping[str, float] = {}
    run_s: float = 0.0

    def scale(self, group: MachineGroup) -> float:
        """How many times as long things take on a machine as on that of the run."""
        addition = addition_s(group)
        return addition / self.addition_s if addition and self.addition_s else 1.0

    def beside(self, others: Interval) -> CallTimes:
        """The times where everything else in the run takes `others` seconds: together calls take what the run without
        clocks leaves for them, as far as the clocks allow it."""
        known = [(self.calls[name], time) for name, time in self.seconds.items() if name in self.calls]
        least = sum(many * float(time.lo) for many, time in known)
        most = sum(many * float(time.hi) for many, time in known)
        left = LEFT * (self.run_s - float(others.hi))
        # Where clocks show that calls take less, it is the rest that is not known.
        if not self.run_s or most <= least or most < left:
            return self
        first = max(least, left)
        last = max(first, min(most, SLOWER * self.run_s - float(others.lo)))
        low, high = ((end - least) / (most - least) for end in (first, last))

        def between(time: Interval) -> Interval:
            width = float(time.hi - time.lo)
            return Interval(float(time.lo) + low * width, float(time.lo) + high * width)

        return self._replace(seconds={name: between(time) for name, time in self.seconds.items()})


class TimedSite(NamedTuple):
    """Calls in one repetition of the run; quartiles of the mean time of a call in a repetition, in nanoseconds; how
    often a call does the operation; how often a call runs code that it was handed, for which its clock stops."""

    operation: str
    calls: float
    quartiles: Sequence[float]
    steps: float = 1.0
    handed: float = 0.0


def call_times(
    sites: Sequence[TimedSite],
    clock: Sequence[float],
    addition_ns: float,
    nested: Sequence[str] = (),
    plain_ns: float = math.inf,
) -> CallTimes:
    """The time of each operation, all its calls together; `clock` are the quartiles of a clock by itself, `plain_ns`
    what one repetition takes without clocks: its calls take no longer together.

    Operations that are only `nested` in timed calls take no time of their own. A clock that stops for code handed to a
    call reads once more each time, which may take longer than the call itself.
    """
    seconds: dict[str, Interval] = {}
    calls: dict[str, float] = {}
    for operation in dict.fromkeys(s.operation for s in sites):
        own = [s for s in sites if s.operation == operation]
        many = sum(s.calls for s in own)
        lower, upper = (sum(s.calls * s.quartiles[k] for s in own) / many for k in (0, 2))
        handed = sum(s.calls * s.handed for s in own) / many
        clocks = clock[1] * (1 + handed)
        doubt = (DOUBT_NS + (clock[2] - clock[0]) / 2) * (1 + handed)
        overlapped = OVERLAPPED * (lower - clocks - doubt - DRAINED_NS * (1 + handed))
        whole = 0.0 if handed else LONG_PART * (lower - clocks) - LONG_NS
        least = max(LEAST_NS, overlapped, whole)
        most = max(LEAST_NS, upper - clocks + doubt)
        steps = sum(s.calls * s.steps for s in own) / many
        calls[operation] = many * steps
        seconds[operation] = Interval(least * NANOSECOND / steps, max(least, most) * NANOSECOND / steps)

    of_nested = dict.fromkeys(nested, Interval(0.0, LEAST_NS * NANOSECOND))
    within = of_nested | _within(seconds, calls, plain_ns * NANOSECOND)
    run_s = plain_ns * NANOSECOND if math.isfinite(plain_ns) else 0.0
    return CallTimes(within, addition_ns * NANOSECOND, calls, run_s)


def _within(seconds: Mapping[str, Interval], calls: Mapping[str, float], run_s: float) -> dict[str, Interval]:
    """Times of calls that take no longer together than the run in which they were timed takes without clocks.

    A clock keeps a core from running ahead, so the sum of what clocks show may be several times the run. Upper ends
    come down in proportion to what is unsure of each; where even the least is nearly the whole run, so does that.
    """
    least = sum(calls[name] * float(time.lo) for name, time in seconds.items())
    most = sum(calls[name] * float(time.hi) for name, time in seconds.items())
    allowed = SLOWER * run_s
    if most <= allowed:
        return dict(seconds)

    lowered = min(1.0, LEAST_PART * run_s / least)
    part = (allowed - lowered * least) / (most - lowered * least)
    return {
        name: Interval(lowered * float(time.lo), lowered * float(time.lo) * (1 - part) + part * float(time.hi))
        for name, time in seconds.items()
    }


def with_times(machines: Machines, times: CallTimes) -> Machines:
    """The machines with times of calls as a run showed them, scaled by how long an addition takes.

    Where an operation has a time, the narrower of both holds if they agree; where they contradict each other, the run:
    its calls are those of the program. A time of machines without an addition stays: nothing says how far they are
    from the machine of the run.
    """
    if not times.seconds:
        return machines

    def group(one: MachineGroup) -> MachineGroup:
        addition, scale = addition_s(one), times.scale(one)
        scaled = {name: Interval(float(t.lo) * scale, float(t.hi) * scale) for name, t in times.seconds.items()}
        # What is only assumed says nothing against a run.
        own = {name: time for name, time in one.op_s.items() if name not in machines.assumed}
        if times.addition_s and not addition:
            return one.replace(op_s={**one.op_s, **scaled, **own})
        return one.replace(op_s={**one.op_s, **{name: narrower(own.get(name), t) for name, t in scaled.items()}})

    groups = tuple(group(one) for one in machines.groups)
    lacking = [name for name in times.seconds if machines.missing(name) or name in machines.assumed]
    assumed = {**machines.assumed, **dict.fromkeys(lacking, TIMED)}
    measured = machines.provenance.get("measured_s")
    provenance = machines.provenance
    if isinstance(measured, dict):
        # What was measured of a call by itself says nothing of it in this run.
        own = {name: some for name, some in measured.items() if name not in times.seconds}
        provenance = {**provenance, "measured_s": own}
    coordinator = group(machines.coordinator)
    return machines.replace(groups=groups, coordinator=coordinator, assumed=assumed, provenance=provenance)


def with_run(machines: Machines, times: CallTimes, predict: Callable[[Machines], Interval]) -> Machines:
    """The machines with times of calls that take together what the run without clocks leaves beside the rest, as far as
    that can be predicted; `predict` is the time of the run on machines."""
    if not times.run_s or not times.seconds:
        return with_times(machines, times)
    nothing = times._replace(seconds=dict.fromkeys(times.seconds, Interval(0.0, 0.0)))
    others, scale = predict(with_times(machines, nothing)), times.scale(machines.groups[0])
    return with_times(machines, times.beside(Interval(float(others.lo) / scale, float(others.hi) / scale)))


def addition_s(group: MachineGroup) -> float:
    """Seconds of an addition, 0 where the group has none: the geometric middle, since bands are factors."""
    own = group.op_s.get(ADDITION)
    return 0.0 if own is None else math.sqrt(float(own.lo) * float(own.hi))


def narrower(own: Interval | None, timed: Interval) -> Interval:
    """The narrower of two intervals that agree, one within the other; else the second.

    What two intervals share that contradict each other in part may be as narrow as one likes, and says nothing.
    """
    if own is not None and timed.lo <= own.lo and own.hi <= timed.hi:
        return own
    return timed
