"""A trace's bounds on a platform as formulas in the platform's speed, latency and bandwidth.

The three are multiples of what the platform file says: 1 is the platform itself. Which transfers may overlap follows
from the order of messages alone, so that the formulas hold for all values.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy

from apet.formula import Formula, Graph
from apet.ground.diagnostics import ApetError
from apet.traces.bounds.capacity_bound import EARLY, busiest_host
from apet.traces.bounds.contention_delay import ROUNDING, SLACK, Links
from apet.traces.bounds.envelope import Envelope, Unsettled, envelope
from apet.traces.bounds.longest import Longest, Part, Weights
from apet.traces.bounds.neighbours import Overlaps
from apet.traces.bounds.transfers import Array, Transfers, shared, transfers
from apet.traces.bounds.vector_clocks import clocks, seconds_of
from apet.traces.bounds.walks import Walks, split
from apet.traces.platform.platform import Platform
from apet.traces.replay.costs import Path
from apet.traces.replay.errors import TooManyPaths
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import ENTER, LEAVE, RECEIVE, RECEIVED, SEND, SLEEP, TAKE, LoweredTrace, Programs
from apet.traces.replay.run import paths_of, placed, slowness
from apet.traces.trace import CompiledTrace, Trace

DIGITS = 6


def compile_trace(trace: Trace, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """Lower and upper bound of the replay's time as formulas; `ApetError` where these would be too long."""
    from apet.traces.bounds.bounds import complete

    programs = lower(trace, platform.network.protocol)
    complete(trace, programs)
    return compile_programs(LoweredTrace(trace.name, trace.events, programs), platform, hosts)


def compile_programs(flat: LoweredTrace, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """The same of flat programs that come to their end."""
    programs = flat.programs
    try:
        low, high = Compiling(programs, platform, placed(programs, hosts)).bounds()
    except Unsettled:
        raise ApetError(TooManyPaths(None, None, flat.name)) from None
    graph = Graph()
    for factor in ("speed", "latency", "bandwidth"):
        graph.assume(factor, 0)

    lowest = [tuple(_down(x * EARLY) for x in part) for part in low]
    highest = [[tuple(map(_up, part)) for part in parts] for parts in high]
    return CompiledTrace(
        flat.name,
        platform.name,
        flat.events,
        Formula(graph, _maximum(graph, lowest)),
        Formula(graph, graph.minimum([_maximum(graph, parts) for parts in highest])),
        len(low) + sum(map(len, high)),
        _floats(lowest),
        tuple(_floats(parts) for parts in highest),
    )


def _floats(parts: Sequence[tuple[Fraction, ...]]) -> tuple[Part, ...]:
    return tuple((float(c), float(f), float(a), float(b)) for c, f, a, b in parts)


class Compiling:
    """A trace on a platform: its programs, transfers and links."""

    def __init__(self, programs: Programs, platform: Platform, places: Sequence[int]) -> None:
        self.programs, self.platform, self.places = programs, platform, places
        self.paths = paths_of(programs, platform, places)
        self.flows = transfers(programs, platform, self.paths, window=False)
        self.capacity, self.kinds = numpy.array([k.bandwidth for k in platform.links]), shared(platform)
        self.slowness, self.crowded = slowness(platform, places)
        self.narrow = _narrow(programs, self.paths, platform.network.window)
        self.constants = any(((code == SLEEP) | (code >= TAKE)).any() for code, _ in map(split, programs.operations))
        self.total = self.flows.carried(len(self.capacity)) / self.capacity * self.kinds

    def bounds(self) -> tuple[list[Part], list[list[Part]]]:
        """The terms of the lower bound, and of upper bounds of which the least counts."""
        paths = self.longest(self.least(), True)
        low = [*paths.paths, (0.0, 0.0, 0.0, self.carries()[1]), (0.0, self.computes()[1], 0.0, 0.0)]
        highest = self.highest()
        if highest is None:
            return low, [_raised(paths._replace(paths=low), 0.0)]
        return low, [_raised(self.longest(weights, False), carried) for weights, carried in highest]

    def highest(self) -> list[tuple[Weights, float]] | None:
        """What paths are made of at most, and what is carried beside them, in several ways of which each holds; None
        where messages never wait for others, nor ranks for cores: then the longest path is the time."""
        flows, programs = self.flows, self.programs
        alone = self.slowness == self.crowded and not programs.groups and programs.take is None
        if alone and not self.total.any():
            return None
        seconds = seconds_of(flows, self.paths, self.slowness, self.capacity, self.kinds)
        walks, links = Walks(programs), Links(self.capacity, self.kinds, numpy.arange(len(self.capacity)), fixed=True)
        dates = walks.latest(seconds.least, self.slowness)[1]
        overlaps = Overlaps(programs, flows, clocks(walks, seconds), links, dates)
        busy = numpy.argsort(-self.total, kind="stable")[: numpy.count_nonzero(self.total)].tolist()

        # Along the critical path, all that a link carries counts once: by link or by message, whichever is less.
        sets = [busy[:k] for k in sorted({0, min(1, len(busy)), len(busy)})]
        durations = overlaps.durations(None, sets)
        if alone and (durations[0] <= flows.least * SLACK * (1 + ROUNDING)).all():
            return None
        totals = [float(self.total[free].sum()) for free in sets]
        return [(self.most(most), total) for most, total in zip(durations, totals, strict=True)]

    def least(self) -> Weights:
        """What paths are made of at least: of messages that share no link."""
        flows = self.flows
        return Weights(
            _durations(flows, flows.volume / flows.rate[flows.pair], self.narrow), self.slowness, self.gaps[0]
        )

    @cached_property
    def gaps(self) -> tuple[list[float], list[int]]:
        """Seconds between synchronising collectives, the last ones up to the end, and the links that need them."""
        return _gaps(self.programs, self.flows, self.capacity, self.kinds)

    def most(self, durations: Array) -> Weights:
        """What paths are made of where messages take so long, and all ranks of a host compute."""
        return Weights(_durations(self.flows, durations - self.flows.latency, self.narrow), self.crowded, ())

    def longest(self, weights: Weights, early: bool) -> Envelope:
        """The longest paths."""
        paths = Longest(self.programs, weights, early)
        return envelope(paths.parts, self.constants)

    def carries(self) -> tuple[str, float]:
        """The link with most to carry, and seconds that it needs."""
        if not self.total.any():
            return "", 0.0
        link = int(numpy.argmax(self.total))
        return self.platform.links[link].name, float(self.total[link])

    def computes(self) -> tuple[str, float]:
        """The host with most to compute, and seconds that it needs."""
        return busiest_host(self.programs, self.platform, self.places)


def _raised(found: Envelope, carried: float) -> list[Part]:
    """Paths that none is longer than, with seconds of transfer beside each."""
    more = 1 + found.short
    return [(c * more, f * more, a * more, b * more + carried) for c, f, a, b in found.paths]


def _narrow(programs: Programs, paths: Sequence[Path], window: float) -> Array:
    """By message: seconds per byte that the window of the transport takes, by latency."""
    return numpy.array([2 * p.latency / window for p in paths] or [0.0])[numpy.array(programs.pair, numpy.int64)]


def _durations(flows: Transfers, seconds: Array, narrow: Array) -> array[float]:
    """The weights of messages: what they wait for others, and the greater of what their window and their links take
    otherwise. Bytes for which nobody waits may be limited by the window, where others of the same message are not."""
    weights = array("d", [0.0]) * (4 * len(flows.latency))
    if weights:
        parts = numpy.frombuffer(weights).reshape(-1, 4)
        alone = flows.volume / flows.rate[flows.pair]
        parts[:, 0], parts[:, 1] = flows.latency, numpy.maximum(seconds - alone, 0.0)
        parts[:, 2], parts[:, 3] = flows.volume * narrow, alone
    return weights


def _gaps(programs: Programs, flows: Transfers, capacity: Array, kinds: Array) -> tuple[list[float], list[int]]:
    """Seconds that the busiest link needs at least for what is begun after one synchronising collective and ended
    before the next, and which one that is."""
    if programs.syncs < 1 or not len(capacity):
        return [0.0] * (programs.syncs + 1 if programs.syncs > 0 else 0), []

    number = len(programs.size)
    begun, finished = numpy.full(number, -1), numpy.full(number, programs.syncs + 1)
    for code, what in map(split, programs.operations):
        left, entered = (numpy.maximum.accumulate(numpy.where(code == c, what + 1, 0)) for c in (LEAVE, ENTER))
        expects = code == RECEIVE
        if programs.early is not None:  # those begin when they are sent
            expects[expects] = numpy.asarray(programs.early)[what[expects]] == 0
        for posts in (code == SEND, expects):
            begun[what[posts]] = numpy.maximum(begun[what[posts]], left[posts])
        finished[what[code == RECEIVED]] = entered[code == RECEIVED]
    within = numpy.flatnonzero(begun == finished)
    epoch, pair, volume = begun[within], flows.pair[within], flows.volume[within]
    most, busiest = numpy.zeros(programs.syncs + 1), numpy.zeros(programs.syncs + 1, numpy.int64)
    for link in numpy.flatnonzero(kinds).tolist():
        share, uses = numpy.zeros(len(flows.rate)), flows.link == link
        share[flows.user[uses]] = flows.share[uses]
        seconds = numpy.bincount(epoch, share[pair] * volume, programs.syncs + 1) / capacity[link]
        busiest[seconds > most] = link
        most = numpy.maximum(most, seconds)
    return most.tolist(), busiest.tolist()


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
