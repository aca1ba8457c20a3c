"""The lower bound of a trace: the longest path, raised by the capacity bound of each link.

Flows that share a link and are done by a date needed it before: the date is at least that of a machine which works off
their volumes, each from its earliest start on (one machine, release dates: J. R. Jackson, 1955). A rank's own first and
last links count at each of its waits, with what it waited for, and at each of its stages the links of its host, with
all that it knows to have ended (vector clocks); all links count at each collective that no rank leaves before all have
entered it, and at the end. The walk is `dates.c` of the core, the machines are `floors.c`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

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
    nothing = numpy.full(2 * messages, -1)
    stage, ended, seen = (c.stage, c.ended, c.seen) if (c := loads.clocks) else (nothing, nothing, nothing)
    links.point(numpy.int32, stage=stage, ended=ended, seen=seen)
    links.point(numpy.int64, **arrivals(walks.programs, loads)._asdict())

    began, ended, last = numpy.full(messages, -1.0), numpy.full(messages, -1.0), numpy.zeros(1)
    durations = reals(loads.seconds.least, slowness)
    check(walks.core.apet_early(walks.flat, links, *durations, began, ended, last))
    return float(last[0]), began


class Arrivals(NamedTuple):
    """Messages by the link that they share with others, and who hears of them. All of int64."""

    near_first: Array  #: [ranks + 1]; the first group of each rank, which are over links of its host
    near_link: Array  #: [groups]
    near_rank: Array  #: [groups]; who receives the messages of the group
    near_begin: Array  #: [groups]; its first place in `arrival` ...
    near_end: Array  #: [groups]; ... and the one after its last
    arrival: Array  #: [messages]; in each group in the order in which their receiver knows them to have ended


def arrivals(programs: Programs, loads: Loads) -> Arrivals:
    """The messages over the links that each rank's host has in common with other ranks, which these receive."""
    ranks, pairs, own = programs.ranks, programs.pairs, loads.seconds.own
    near = dict[int, set[int]]()
    for (source, target), links in zip(pairs, own, strict=True):
        for rank, (link, _) in zip((source, target), links[:1] + links[-1:]):
            near.setdefault(link, set()).add(rank)

    near = {link: who for link, who in near.items() if len(who) > 1}
    clocks = loads.clocks
    if clocks is None or not near:  # a rank on a host of its own waits for most of what the host's links carry
        return Arrivals(*numpy.zeros((6, ranks + 1), numpy.int64))
    key, message = _over_own_links(programs, loads.seconds, near)
    ended = clocks.ended[message, 1]
    order = numpy.flatnonzero(ended < NEVER)
    order = order[numpy.lexsort((ended[order], key[order]))]
    keys, begin = numpy.unique(key[order], return_index=True)
    end = numpy.append(begin[1:], len(order))

    link, target = keys // ranks, keys % ranks
    groups = [
        numpy.flatnonzero((target != r) & numpy.isin(link, [link for link, who in near.items() if r in who]))
        for r in range(ranks)
    ]
    first, group = list(accumulate(map(len, groups), initial=0)), numpy.concatenate(groups)
    return Arrivals(numpy.array(first), *(each[group] for each in (link, target, begin, end)), message[order])


def _over_own_links(programs: Programs, seconds: LeastSeconds, of: Collection[int]) -> tuple[Array, Array]:
    """Messages, each with its first and its last link if it is one of some: link * ranks + who receives it, and the
    message."""
    pair, keys, messages = numpy.frombuffer(programs.pair, numpy.int64), list[Array](), list[Array]()
    for end in range(2):
        own = [links[end][0] if len(links) > end and links[end][0] in of else -1 for links in seconds.own]
        key = numpy.array(own) * programs.ranks + numpy.array([target for _, target in programs.pairs])
        used = numpy.flatnonzero(key[pair] >= 0)
        keys.append(key[pair[used]])
        messages.append(used)
    return numpy.concatenate(keys), numpy.concatenate(messages)


def busiest_host(programs: Programs, platform: Platform, places: Sequence[int]) -> tuple[str, float]:
    """The host with most to compute, and seconds that its cores need; each computation may end one moment early."""
    values, flops = numpy.asarray(programs.values), dict.fromkeys(places, 0.0)
    for place, (code, what) in zip(places, map(split, programs.operations), strict=True):
        less = MOMENT * platform.hosts[place].speed
        flops[place] += float(numpy.maximum(values[what[code == COMPUTE]] - less, 0.0).sum())

    hosts = [(platform.hosts[p], f) for p, f in flops.items()]
    needs = [(h.name, f / (h.speed * h.cores)) for h, f in hosts if h.speed > 0]
    return max(needs, key=lambda each: each[1], default=("", 0.0))
