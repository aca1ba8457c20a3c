"""The lower bound of a trace: the longest path, raised by the capacity bound of each link.

Flows that share a link and are done by a date needed it before: the date is at least that of a machine which works off
their volumes, each from its earliest start on (one machine, release dates: J. R. Jackson, 1955). A rank's own first and
last links count at each of its waits, with what it waited for, and at each of its stages the links of its host, with
all that it knows to have ended (vector clocks); all links count at each collective that no rank leaves before all have
entered it, and at the end. The walk is `dates.c` of the core, the machines are `floors.c`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.bounds.vector_clocks import NEVER, Clocks, LeastSeconds, point_to_own
from apet.traces.bounds.walks import MOMENT, Arrays, Walks, check, reals, split
from apet.traces.platform.platform import Platform
from apet.traces.replay.program import COMPUTE, Programs

EARLY = 1 - 1e-4
"""The replay may take events for one moment that are 1 ns apart; lower bounds allow for that by this share."""


@dataclass(frozen=True)
class Loads:
    """What links must carry."""

    seconds: LeastSeconds  #: what takes how long at least
    capacity: Array  #: [links], float64; bytes per second
    shared: Array  #: [links], bool; whether flows share it
    flows: Transfers  #: all uses of links
    clocks: Clocks | None  #: what ranks know of each other


def earliest(walks: Walks, slowness: Sequence[float], loads: Loads) -> tuple[float, Array]:
    """The date before which not all ranks have ended, and those before which messages do not begin (-1: never)."""
    uses, messages = loads.flows, len(walks.programs.size)
    links = Arrays("Loads", moment=MOMENT, syncs=max(0, walks.programs.syncs), links=len(loads.capacity))
    first = numpy.searchsorted(uses.user, numpy.arange(len(uses.rate) + 1))
    links.point(numpy.int64, first_use=first, link=uses.link, shared=loads.shared)
    links.point(numpy.float64, share=uses.share, capacity=loads.capacity)
    point_to_own(links, loads.seconds)
    if loads.clocks:
        arrival, begins = _arrivals(walks.programs, loads.seconds.own, loads.clocks)
        links.set(arrivals=len(arrival))
        links.point(numpy.int64, arrival=arrival, arrives=begins)
        links.point(numpy.int32, stage=loads.clocks.stage, ended=loads.clocks.ended, seen=loads.clocks.seen)

    began, ended, last = numpy.full(messages, -1.0), numpy.full(messages, -1.0), numpy.zeros(1)
    durations = reals(loads.seconds.least, slowness)
    check(walks.core.apet_early(walks.flat, links, *durations, began, ended, last))
    return float(last[0]), began


def _arrivals(programs: Programs, own: Sequence[Sequence[tuple[int, float]]], clocks: Clocks) -> tuple[Array, Array]:
    """Messages over links that hosts of several ranks begin or end with, in the order in which their receivers know
    them to have ended; and [ranks, ranks + 1], where those begin that each rank is next to, by who receives them."""
    next_to = defaultdict[int, set[int]](set)
    for ends, links in zip(programs.pairs, own, strict=True):
        for rank, (link, _) in zip(ends, (*links[:1], *links[-1:]), strict=False):
            next_to[link].add(rank)

    pair, target = numpy.frombuffer(programs.pair, numpy.int64), numpy.array(programs.pairs or [(0, 0)]).T[1]
    order = numpy.argsort(clocks.ended[:, 1], kind="stable")
    order = order[: numpy.count_nonzero(clocks.ended[:, 1] < NEVER)]
    begins, arrivals = numpy.zeros((programs.ranks, programs.ranks + 1), numpy.int64), [order[:0]]
    for ranks in sorted({frozenset(each) for each in next_to.values() if len(each) > 1}, key=len):
        here = numpy.array([any(next_to[link] == ranks for link, _ in links) for links in own])
        messages = order[here[pair[order]]]
        to = target[pair[messages]]
        begins[list(ranks)] = sum(map(len, arrivals)) + numpy.searchsorted(numpy.sort(to), range(programs.ranks + 1))
        arrivals.append(messages[numpy.argsort(to, kind="stable")])

    return numpy.concatenate(arrivals), begins


def busiest_host(programs: Programs, platform: Platform, places: Sequence[int]) -> tuple[str, float]:
    """The host with most to compute, and seconds that its cores need; each computation may end one moment early."""
    values, flops = numpy.asarray(programs.values), dict.fromkeys(places, 0.0)
    for place, (code, what) in zip(places, map(split, programs.operations), strict=True):
        less = MOMENT * platform.hosts[place].speed
        flops[place] += float(numpy.maximum(values[what[code == COMPUTE]] - less, 0.0).sum())

    hosts = [(platform.hosts[p], f) for p, f in flops.items()]
    needs = [(h.name, f / (h.speed * h.cores)) for h, f in hosts if h.speed > 0]
    return max(needs, key=lambda each: each[1], default=("", 0.0))
