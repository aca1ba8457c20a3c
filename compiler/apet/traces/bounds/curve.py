"""A trace's time as a function of latency or of bandwidth alone, with all its kinks.

The longest path is convex and piecewise linear in latency, and in the inverse of bandwidth. Its lines are found one by
one: where those known so far cross, either nothing is longer, or the longest path there is a further line (parametric
search: M. J. Eisner and D. G. Severance, 1976). The core follows eight values of the factor at a time (`curve.c`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy

from apet.core import library
from apet.ground.diagnostics import ApetError
from apet.traces.bounds.capacity_bound import EARLY
from apet.traces.bounds.formulas import Compiling
from apet.traces.bounds.longest import Weights
from apet.traces.bounds.transfers import Array
from apet.traces.bounds.walks import reals
from apet.traces.platform.platform import Platform
from apet.traces.replay.engine import flattened
from apet.traces.replay.errors import ChoosesByTime
from apet.traces.replay.program import LoweredTrace, Programs
from apet.traces.replay.run import placed

LANES = 8
SAME = 1e-11
"""Share of a time below which two lines are one."""
LEAST, MOST = 1e-6, 1e6
"""Multiples of a platform's latency or bandwidth that a curve is over."""


class Line(NamedTuple):
    """Seconds `at_none` + `slope` * y, where y is the multiple of latency, or one over that of bandwidth."""

    at_none: float
    slope: float

    def at(self, y: float) -> float:
        """Seconds."""
        return self.at_none + self.slope * y


class Kink(NamedTuple):
    """From which multiple on which path is the longest: the time there, and the seconds of it in proportion."""

    multiple: float
    seconds: float
    in_proportion: float  #: of latency or transfer where the multiple is 1


@dataclass(frozen=True, slots=True)
class TimeCurve:
    """What a trace takes at least and at most for multiples of "latency" or "bandwidth".

    Lines have the least slope first. Where no link is shared, both are the time itself (`exact`).
    """

    factor: str
    low: tuple[Line, ...]
    high: tuple[tuple[Line, ...], ...]  #: the least of these, each the greatest of its lines
    exact: bool

    def bounds(self, multiple: float) -> tuple[float, float]:
        """Seconds at least and at most."""
        y = self._position(multiple)
        return _greatest(self.low, y), min(_greatest(lines, y) for lines in self.high)

    def reaches(self, seconds: float) -> tuple[float, float]:
        """The multiples up to which (of bandwidth: from which on) the time is at most so long for sure, and beyond
        which it is longer for sure; 0 or infinity where it is never, or always."""
        ends = max(_last(lines, seconds) for lines in self.high), _last(self.low, seconds)
        sure, possible = (self._multiple(y) for y in ends)
        return sure, possible

    def kinks(self) -> Iterator[Kink]:
        """Of the lower curve, from the least time on; the first one where the curve begins."""
        begins = [0.0, *(_crossing(*two) for two in pairwise(self.low))]
        for y, line in zip(begins, self.low, strict=True):
            yield Kink(self._multiple(y), line.at(y), line.slope)

    def is_before(self, multiple: float, other: float) -> bool:
        """Whether one multiple is at least as good as another."""
        return self._position(multiple) <= self._position(other)

    def _position(self, multiple: float) -> float:
        return multiple if self.factor == "latency" else 1 / multiple if multiple > 0 else float("inf")

    def _multiple(self, y: float) -> float:
        if self.factor == "latency":
            return y
        return float("inf") if y <= 0 else 1 / y


def time_curve(flat: LoweredTrace, platform: Platform, hosts: Sequence[int], factor: str) -> TimeCurve:
    """The curve over "latency" or "bandwidth". `ApetError` where what a rank does next depends on time."""
    programs = flat.programs
    if programs.groups:
        raise ApetError(ChoosesByTime(None, None, flat.name))
    compiling = Compiling(programs, platform, placed(programs, hosts))
    least = compiling.least()
    highest = compiling.highest()
    if highest is None:
        lines = tuple(_lines(programs, least._replace(gaps=()), factor, late=False))
        return TimeCurve(factor, lines, (lines,), exact=True)

    high = list[tuple[Line, ...]]()
    for weights, carried in highest:
        more = Line(carried, 0.0) if factor == "latency" else Line(0.0, carried)
        lines = tuple(_lines(programs, weights, factor, late=True))
        high.append(tuple(Line(a + more.at_none, b + more.slope) for a, b in lines))
    low = _lines(programs, least, factor, late=False)
    carries, computes = compiling.carries()[1], compiling.computes()[1]
    low += [Line(carries, 0.0) if factor == "latency" else Line(0.0, carries), Line(computes, 0.0)]
    return TimeCurve(factor, tuple(_envelope(Line(a * EARLY, b * EARLY) for a, b in low)), tuple(high), exact=False)


def _lines(programs: Programs, weights: Weights, factor: str, late: bool) -> list[Line]:
    """The lines of the longest path."""
    rows = numpy.asarray(weights.durations, float).reshape(-1, 4)
    durations = rows[:, [1, 0, 3, 2] if factor == "latency" else [0, 1, 2, 3]]
    gaps = numpy.zeros((len(weights.gaps), 4))
    gaps[:, 0 if factor == "latency" else 1] = weights.gaps

    core, flat = library(), flattened(programs)
    arrays = reals(durations, weights.slowness, gaps)
    curve = ctypes.c_void_p(core.apet_curve(flat, *arrays, max(0, len(gaps) - 1), late))
    if not curve.value:
        raise MemoryError("the curve does not fit into memory")
    try:
        return search(lambda ys: _asked(curve, ys))
    finally:
        core.apet_curve_free(curve)


def _asked(curve: ctypes.c_void_p, ys: Sequence[float]) -> list[Line]:
    """The longest paths at up to eight values."""
    values, slopes = numpy.zeros(LANES), numpy.zeros(LANES)
    factors = numpy.array([*ys, *[ys[-1]] * (LANES - len(ys))])
    library().apet_curve_at(curve, factors, values, slopes)
    rows = zip(ys, values.tolist(), slopes.tolist(), strict=False)
    return [Line(max(0.0, value - slope * y), slope) for y, value, slope in rows]


def search(longest: Callable[[Sequence[float]], Sequence[Line]]) -> list[Line]:
    """All lines of a convex piecewise linear function between the least and the greatest multiple, the flattest first;
    `longest` gives its line at each of some values."""
    asked: Array = numpy.geomspace(LEAST, MOST, LANES)
    known, settled = _envelope(longest(asked.tolist())), set[float]()
    while True:
        crossings = [y for y in (_crossing(*two) for two in pairwise(known)) if y not in settled]
        if not crossings:
            return known
        # spread over all that is open, so that a crossing is not asked for beside one that moves it
        chosen = crossings[:: max(1, len(crossings) // LANES)][:LANES]
        new = list[Line]()
        for y, line in zip(chosen, longest(chosen), strict=True):
            if line.at(y) > _greatest(known, y) * (1 + SAME):
                new.append(line)
            else:
                settled.add(y)
        if new:
            known = _envelope([*known, *new])


def _envelope(lines: Sequence[Line] | Iterator[Line]) -> list[Line]:
    """Those that are the greatest somewhere at values above 0, the flattest first (convex hull: R. L. Graham, 1972)."""
    hull = list[Line]()
    for line in sorted(set(lines), key=lambda each: (each.slope, each.at_none)):
        while hull and (
            line.at_none >= hull[-1].at_none
            or (len(hull) > 1 and _crossing(hull[-1], line) <= _crossing(hull[-2], hull[-1]))
        ):
            hull.pop()
        hull.append(line)
    return hull


def _crossing(flat: Line, steep: Line) -> float:
    return (flat.at_none - steep.at_none) / (steep.slope - flat.slope)


def _greatest(lines: Sequence[Line], y: float) -> float:
    """The greatest of an envelope."""
    first, last = 0, len(lines) - 1
    while first < last:
        middle = (first + last) // 2
        if _crossing(lines[middle], lines[middle + 1]) < y:
            first = middle + 1
        else:
            last = middle
    return lines[first].at(y)


def _last(lines: Sequence[Line], seconds: float) -> float:
    """The greatest value at which all are at most so long; 0 where there is none."""
    if lines[0].at_none > seconds:
        return 0.0
    return min(((seconds - a) / b for a, b in lines if b > 0), default=float("inf"))
