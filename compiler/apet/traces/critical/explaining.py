"""What the critical path of a trace on a platform is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy

from apet.traces.bounds.bounds import bounds_of
from apet.traces.bounds.capacity_bound import EARLY
from apet.traces.bounds.formulas import Compiling
from apet.traces.bounds.longest import Weights
from apet.traces.bounds.transfers import Array
from apet.traces.critical.critical_path import CriticalPath, OfLink, OfPair, OfRank, ResourceLoad
from apet.traces.critical.path_locations import Places
from apet.traces.critical.search import StepSeconds, critical_path
from apet.traces.critical.shares import BANDWIDTH, COMPUTING, LATENCY, LINKS, SLEEPING, Shares
from apet.traces.fold.folded import Folded
from apet.traces.platform.platform import Platform
from apet.traces.replay.program import COMPUTE, LEAVE, MASK, SHIFT, SLEEP, TAKE, LoweredTrace, Programs
from apet.traces.replay.run import placed
from apet.traces.trace import TraceBounds

FACTORS = ("speed", "latency", "bandwidth")


def explain_trace(
    flat: LoweredTrace, folded: Folded, platform: Platform, hosts: Sequence[int], scales: Mapping[str, float]
) -> CriticalPath:
    """The critical path where speed, latency and bandwidth of the platform are multiplied (not given: by 1).

    `folded` is the same trace. The window of the transport, where it limits a rate, counts as latency.
    """
    programs = flat.programs
    compiling = Compiling(programs, platform, placed(programs, hosts))
    speed, latency, bandwidth = factors = [scales.get(name, 1.0) for name in FACTORS]
    weights = compiling.least()
    parts = _message_parts(weights, latency, bandwidth)
    flop = [each / speed for each in weights.slowness]
    gaps = [each / bandwidth for each in weights.gaps]
    steps = critical_path(programs, StepSeconds(parts.sum(axis=1), flop, gaps))
    codes = steps["what"] & MASK
    messages = (codes != COMPUTE) & (codes != SLEEP) & (codes != LEAVE) & (codes < TAKE)
    seconds = _seconds(programs, steps, flop, gaps)
    seconds[messages, LATENCY : BANDWIDTH + 1] = parts[steps["what"][messages] >> SHIFT]
    del parts
    shares = Shares(seconds)
    (carrier, carries), (computer, computes) = compiling.carries(), compiling.computes()
    loads = [ResourceLoad("links", carrier, carries / bandwidth), ResourceLoad("computing", computer, computes / speed)]
    places = Places(folded, programs, steps, shares)
    total = shares.total()

    return CriticalPath(
        flat.name,
        platform.name,
        tuple((name, x) for name, x in zip(FACTORS, factors, strict=True) if x != 1),
        flat.events,
        total.total_s,
        total,
        _bounds(programs, platform.scaled(*factors), hosts, (total.total_s, *(load.seconds for load in loads))),
        tuple(load for load in loads if load.seconds > 0),
        len(steps),
        int(messages.sum()),
        int((messages & (steps["origin"] != steps["rank"])).sum()),
        _by_rank(steps, shares, [platform.hosts[p].name for p in compiling.places]),
        _by_pair(programs, steps[messages], shares.of(messages)),
        _by_link(steps, shares, [platform.links[k].name for k in compiling.gaps[1]]),
        places.by_action(),
        tuple(places.rows()),
    )


def _message_parts(weights: Weights, latency: float, bandwidth: float) -> Array:
    """By message: seconds in proportion to latency, and over bandwidth."""
    durations = numpy.asarray(weights.durations).reshape(-1, 4)
    window, width = durations[:, 2] * latency, durations[:, 3] / bandwidth
    narrow = window > width
    return numpy.stack((durations[:, 0] * latency + numpy.where(narrow, window, 0), numpy.where(narrow, 0, width)), 1)


def _seconds(programs: Programs, steps: Array, flop: Sequence[float], gaps: Sequence[float]) -> Array:
    """By step: seconds that are no message's."""
    seconds = numpy.zeros((len(steps), LINKS + 1))
    codes, what, values = steps["what"] & MASK, steps["what"] >> SHIFT, numpy.asarray(programs.values)
    computes, sleeps, floors = codes == COMPUTE, codes == SLEEP, codes == LEAVE
    seconds[computes, COMPUTING] = values[what[computes]] * numpy.array(flop)[steps["rank"][computes]]
    seconds[sleeps, SLEEPING] = values[what[sleeps]]
    seconds[floors, LINKS] = numpy.array(gaps)[what[floors]]
    for k in numpy.flatnonzero(codes >= TAKE).tolist():
        seconds[k, SLEEPING] = programs.taking(int(steps["rank"][k]), int(steps["place"][k]))
    return seconds


def _bounds(programs: Programs, platform: Platform, hosts: Sequence[int], least: Iterable[float]) -> TraceBounds:
    """The best bounds known, of which the path is one."""
    bounds = bounds_of(programs, platform, hosts)
    return replace(bounds, lower_s=max(bounds.lower_s, *(each * EARLY for each in least)))


def _by_rank(steps: Array, shares: Shares, hosts: Sequence[str]) -> tuple[OfRank, ...]:
    """Ranks with most of it first."""
    somewhere = steps["rank"] >= 0
    grouped = shares.of(somewhere).grouped(steps["rank"][somewhere], len(hosts))
    return tuple(OfRank(r, hosts[r], parts) for r, parts in grouped)


def _by_pair(programs: Programs, steps: Array, shares: Shares) -> tuple[OfPair, ...]:
    """Pairs with most of it first."""
    messages = steps["what"] >> SHIFT
    pairs = numpy.asarray(programs.pair)[messages]
    sizes = numpy.asarray(programs.size)[messages]
    number = len(programs.pairs)
    counts = numpy.bincount(pairs, minlength=number)
    sums = numpy.zeros(number, numpy.int64)
    numpy.add.at(sums, pairs, sizes)
    grouped = shares.grouped(pairs, number)
    return tuple(OfPair(*programs.pairs[k], int(counts[k]), int(sums[k]), parts) for k, parts in grouped)


def _by_link(steps: Array, shares: Shares, busiest: Sequence[str]) -> tuple[OfLink, ...]:
    """Links that are the busiest one between two collectives, those with most first."""
    floors = (steps["what"] & MASK) == LEAVE
    links: dict[str, OfLink] = {}
    for sync, seconds in zip(
        (steps["what"][floors] >> SHIFT).tolist(), shares.seconds[floors, LINKS].tolist(), strict=True
    ):
        link = links.get(busiest[sync], OfLink(busiest[sync], 0, 0.0))
        links[link.name] = OfLink(link.name, link.times + 1, link.seconds + seconds)
    return tuple(sorted(links.values(), key=lambda each: (-each.seconds, each.name)))
