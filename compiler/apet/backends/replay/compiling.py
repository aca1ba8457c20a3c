"""A trace's bounds on a platform as formulas in the platform's speed, latency and bandwidth.

The three are multiples of what the platform file says: 1 is the platform itself. Which transfers may overlap follows
from the order of messages alone, so that the formulas hold for all values.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from fractions import Fraction

import numpy

from apet.analysis.traces import CompiledTrace, Trace
from apet.backends.replay.clocks import clocks, seconds_of
from apet.backends.replay.costs import WINDOW, Path
from apet.backends.replay.envelope import TOLERANCE, Unsettled, envelope
from apet.backends.replay.errors import TooManyPaths
from apet.backends.replay.longest import Longest
from apet.backends.replay.lowering import lower
from apet.backends.replay.overlap import Overlaps
from apet.backends.replay.paths import Part, Weights
from apet.backends.replay.program import (
    COMPUTE,
    ENTER,
    LEAVE,
    MASK,
    RECEIVE,
    RECEIVED,
    SEND,
    SHIFT,
    SLEEP,
    Programs,
)
from apet.backends.replay.run import paths_of, placed, slowness
from apet.backends.replay.transfers import Array, Transfers, shared, transfers
from apet.diagnostics import ApetError
from apet.formula import Formula, Graph
from apet.machine.platform import Platform

DIGITS = 6
EARLY = 1 - 1e-4
"""The replay may take events for one moment that are 1 ns apart; lower bounds allow for that by this share."""


def compile_trace(trace: Trace, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """Lower and upper bound of the replay's time as formulas; `ApetError` where these would be too long."""
    from apet.backends.replay.bounds import complete

    programs = lower(trace)
    complete(trace, programs)
    return compile_programs(trace.name, trace.events, programs, platform, hosts)


def compile_programs(
    name: str, events: int, programs: Programs, platform: Platform, hosts: Sequence[int]
) -> CompiledTrace:
    """The same of flat programs that come to their end, made from a trace of so many actions."""
    try:
        low, high = _Compiling(programs, platform, placed(programs, hosts)).bounds()
    except Unsettled:
        raise ApetError(TooManyPaths(None, None, name)) from None
    graph = Graph()
    for factor in ("speed", "latency", "bandwidth"):
        graph.assume(factor, 0)
    lowest = [tuple(_down(x * EARLY) for x in part) for part in low]
    highest = [[tuple(_up(x * (1 + TOLERANCE)) for x in part) for part in parts] for parts in high]
    return CompiledTrace(
        name,
        platform.name,
        events,
        Formula(graph, _maximum(graph, lowest)),
        Formula(graph, graph.minimum([_maximum(graph, parts) for parts in highest])),
        len(low) + sum(map(len, high)),
        _floats(lowest),
        tuple(_floats(parts) for parts in highest),
    )


def _floats(parts: Sequence[tuple[Fraction, ...]]) -> tuple[Part, ...]:
    return tuple((float(c), float(f), float(a), float(b)) for c, f, a, b in parts)


class _Compiling:
    """A trace on a platform: its programs, transfers and links."""

    def __init__(self, programs: Programs, platform: Platform, places: Sequence[int]) -> None:
        self.programs, self.platform, self.places = programs, platform, places
        self.paths = paths_of(programs, platform, places)
        self.given = transfers(programs, platform, self.paths, window=False)
        self.capacity, self.kinds = numpy.array([k.bandwidth for k in platform.links]), shared(platform)
        self.slowness, self.crowded = slowness(platform, places)
        self.narrow = _narrow(programs, self.paths)
        self.constants = any((code == SLEEP).any() for code, _ in map(_split, programs.operations))
        uses = self.given.share * self.given.volume[self.given.message]
        self.total = numpy.bincount(self.given.link, uses, len(self.capacity)) / self.capacity
        self.total[~self.kinds] = 0

    def bounds(self) -> tuple[list[Part], list[list[Part]]]:
        """The terms of the lower bound, and of upper bounds of which the least counts."""
        given, programs = self.given, self.programs
        gaps = _gaps(programs, given, self.capacity, self.kinds)
        low = self.longest(given.volume / given.rate, gaps, True)
        low += _loads(programs, self.platform, self.places, float(self.total.max(initial=0.0)))
        seconds = seconds_of(given, self.paths, self.slowness, self.capacity, self.kinds)
        overlaps = Overlaps(programs, given, clocks(programs, seconds), self.capacity, self.kinds, fixed=True)
        high = [self.longest(overlaps.durations(None) - given.latency, (), False)]
        link = int(numpy.argmax(self.total)) if len(self.total) else -1
        if link >= 0 and self.total[link] > 0:
            rest = self.longest(overlaps.durations(None, link) - given.latency, (), False)
            high.append([(c, f, a, b + float(self.total[link])) for c, f, a, b in rest])
        return low, high

    def longest(self, seconds: Array, gaps: Sequence[float], early: bool) -> list[Part]:
        """The longest paths where messages take so long after their latency."""
        weights = Weights(_durations(self.given, seconds, self.narrow), self.slowness if early else self.crowded, gaps)
        paths = Longest(self.programs, weights, early)
        return envelope(paths.parts, self.constants)


def _narrow(programs: Programs, paths: Sequence[Path]) -> Array:
    """By message: seconds per byte that the window of the transport takes, by latency."""
    return numpy.array([2 * p.latency / WINDOW for p in paths] or [0.0])[numpy.array(programs.pair, numpy.int64)]


def _durations(given: Transfers, seconds: Array, narrow: Array) -> array[float]:
    """The weights of messages: the window is an alternative to the time that the links take."""
    found = array("d", [0.0]) * (4 * len(given.latency))
    if found:
        parts = numpy.frombuffer(found).reshape(-1, 4)
        parts[:, 0], parts[:, 2], parts[:, 3] = given.latency, given.volume * narrow, seconds
    return found


def _split(operations: array[int]) -> tuple[Array, Array]:
    """The codes of operations, and what they are about."""
    every = numpy.frombuffer(operations, numpy.int64) if operations else numpy.zeros(0, numpy.int64)
    return every & MASK, every >> SHIFT


def _gaps(programs: Programs, given: Transfers, capacity: Array, kinds: Array) -> list[float]:
    """Seconds that the busiest link needs at least for what is begun after one synchronising collective and ended
    before the next."""
    if programs.syncs < 1:
        return []
    number = len(programs.size)
    begun, done = numpy.full(number, -1), numpy.full(number, programs.syncs + 1)
    for code, what in map(_split, programs.operations):
        left, entered = (numpy.maximum.accumulate(numpy.where(code == c, what + 1, 0)) for c in (LEAVE, ENTER))
        for posts in (code == SEND, code == RECEIVE):
            begun[what[posts]] = numpy.maximum(begun[what[posts]], left[posts])
        done[what[code == RECEIVED]] = entered[code == RECEIVED]
    within = (begun == done)[given.message] & kinds[given.link]
    seconds = given.share * given.volume[given.message] / capacity[given.link]
    links = len(capacity)
    key = begun[given.message][within] * links + given.link[within]
    sums = numpy.bincount(key, seconds[within], (programs.syncs + 1) * links)
    found: list[float] = sums.reshape(-1, links).max(axis=1, initial=0.0).tolist()
    return found


def _loads(programs: Programs, platform: Platform, places: Sequence[int], busiest: float) -> list[Part]:
    """What the busiest link and the busiest host need."""
    flops, values = dict.fromkeys(places, 0.0), numpy.array(programs.values)
    for place, (code, what) in zip(places, map(_split, programs.operations), strict=True):
        flops[place] += float(values[what[code == COMPUTE]].sum())
    hosts = platform.hosts
    most = max((f / (hosts[p].speed * hosts[p].cores) for p, f in flops.items() if hosts[p].speed > 0), default=0.0)
    return [(0.0, 0.0, 0.0, busiest), (0.0, most, 0.0, 0.0)]


def _maximum(graph: Graph, parts: Sequence[tuple[Fraction, ...]]) -> int:
    speed, latency, bandwidth = (graph.symbol(n) for n in ("speed", "latency", "bandwidth"))
    inverse = graph.power(speed, -1), latency, graph.power(bandwidth, -1)
    terms = {graph.add(zip(inverse, part[1:], strict=True), part[0]) for part in parts}
    return graph.maximum(sorted(terms))


def _down(value: float) -> Fraction:
    return _rounded(value, math.floor)


def _up(value: float) -> Fraction:
    return _rounded(value, math.ceil)


def _rounded(value: float, to: object) -> Fraction:
    """A few significant digits, rounded outward."""
    if value <= 0:
        return Fraction(0)
    scale = Fraction(10) ** (DIGITS - 1 - math.floor(math.log10(value)))
    assert callable(to)
    return Fraction(to(Fraction(value) * scale)) / scale
