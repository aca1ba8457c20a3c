"""How far latency may rise, or bandwidth fall, until a trace takes longer than a limit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apet.traces.bounds.curve import LEAST, MOST, Kink, TimeCurve, time_curve
from apet.traces.platform.platform import Platform
from apet.traces.replay.program import LoweredTrace
from apet.traces.replay.run import replay_programs

SHARES = 0.01, 0.02, 0.05
"""Beyond the time on the platform itself, of which it is said what they come to."""
CLOSE = 1.001
"""Ratio of multiples that replays do not part further."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A time, and the multiples with which a trace keeps to it.

    `sure` is the last that does by the upper curve, beyond `possible` none does by the lower one; `replayed` is the
    last that does by replays (None: there was nothing left to be replayed). Of bandwidth the last is the least one.
    """

    seconds: float
    sure: float
    possible: float
    replayed: float | None = None

    @property
    def last(self) -> float:
        """As it is known best."""
        return self.sure if self.replayed is None else self.replayed


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What a trace tolerates of "latency" or "bandwidth"; multiples are within a range."""

    trace: str
    platform: str
    factor: str
    ends: tuple[float, float]
    best_s: float  #: seconds by replay at the better end
    here_s: float  #: seconds by replay on the platform itself
    limit: Limit
    near_best: float | None  #: the share beyond the best that the limit is
    shares: tuple[tuple[float, Limit], ...]  #: beyond the time here
    curve: TimeCurve
    kinks: tuple[Kink, ...]  #: within the range


def tolerance(
    flat: LoweredTrace,
    platform: Platform,
    hosts: Sequence[int],
    factor: str,
    *,
    deadline: float | None = None,
    near_best: float | None = None,
    ends: tuple[float, float] = (LEAST, MOST),
) -> Tolerance:
    """For a deadline in seconds, or a share beyond the best time in the range. `ApetError`."""
    curve = time_curve(flat, platform, hosts, factor)
    search = _Search(flat, platform, hosts, curve, ends)
    best, here = search.seconds(search.better), search.seconds(1.0)
    limit = search.limit(best * (1 + near_best) if deadline is None and near_best is not None else deadline or 0.0)
    shares = tuple((share, search.limit(here * (1 + share))) for share in SHARES)

    kinks = tuple(_within(curve, ends))
    return Tolerance(flat.name, platform.name, factor, ends, best, here, limit, near_best, shares, curve, kinks)


def _within(curve: TimeCurve, ends: tuple[float, float]) -> Iterator[Kink]:
    """The kinks of a curve in a range, and the better end of it."""
    better = ends[0 if curve.factor == "latency" else 1]
    every = list(curve.kinks())
    inside = [kink for kink in every if ends[0] < kink.multiple < ends[1]]
    before = every.index(inside[0]) - 1 if inside else sum(curve.is_before(k.multiple, better) for k in every) - 1
    yield Kink(better, curve.bounds(better)[0], every[max(before, 0)].in_proportion)
    yield from inside


class _Search:
    """Replays of a trace at multiples of one figure."""

    def __init__(
        self,
        flat: LoweredTrace,
        platform: Platform,
        hosts: Sequence[int],
        curve: TimeCurve,
        ends: tuple[float, float],
    ) -> None:
        self.flat, self.platform, self.hosts, self.curve = flat, platform, hosts, curve
        self.better, self.worse = ends if curve.factor == "latency" else ends[::-1]
        self.known: dict[float, float] = {}

    def seconds(self, multiple: float) -> float:
        """The time at a multiple."""
        if self.curve.exact:
            return self.curve.bounds(multiple)[0]
        if multiple not in self.known:
            scales: Mapping[str, float] = {self.curve.factor: multiple}
            self.known[multiple] = replay_programs(self.flat, self.platform.scaled(**scales), self.hosts).makespan_s
        return self.known[multiple]

    def limit(self, seconds: float) -> Limit:
        """Where a time is reached; by halving what the curves leave open, on a scale of ratios."""
        sure, possible = self.curve.reaches(seconds)
        if self.curve.exact:
            return Limit(seconds, sure, possible)

        first, last = (
            min(max(each, min(self.better, self.worse)), max(self.better, self.worse)) for each in (sure, possible)
        )
        if self.seconds(first) > seconds:
            return Limit(seconds, sure, possible, 0.0 if self.curve.factor == "latency" else math.inf)
        if self.seconds(last) <= seconds:
            return Limit(seconds, sure, possible, last)
        while max(first, last) > CLOSE * min(first, last):
            middle = math.sqrt(first * last)
            first, last = (middle, last) if self.seconds(middle) <= seconds else (first, middle)
        return Limit(seconds, sure, possible, first)
