"""The lower bound of a trace: the longest path, raised by the capacity bound of each link.

Flows that share a link and are done by a date needed it before: the date is at least that of a machine which works off
their volumes, each from its earliest start on (one machine, release dates: J. R. Jackson, 1955). A rank's own first and
last links count at each of its waits, all links at each collective that no rank leaves before all have entered it, and
at the end. The walk is `dates.c` of the core, the machines are `floors.c`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.bounds.vector_clocks import LeastSeconds, point_to_own
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


def earliest(walks: Walks, slowness: Sequence[float], loads: Loads) -> tuple[float, Array]:
    """The date before which not all ranks have ended, and those before which messages do not begin (-1: never)."""
    uses, messages = loads.flows, len(walks.programs.size)
    links = Arrays("Loads", moment=MOMENT, syncs=max(0, walks.programs.syncs), links=len(loads.capacity))
    first = numpy.searchsorted(uses.user, numpy.arange(len(uses.rate) + 1))
    links.point(numpy.int64, first_use=first, link=uses.link, shared=loads.shared)
    links.point(numpy.float64, share=uses.share, capacity=loads.capacity)
    point_to_own(links, loads.seconds)

    began, ended, last = numpy.full(messages, -1.0), numpy.full(messages, -1.0), numpy.zeros(1)
    durations = reals(loads.seconds.least, slowness)
    check(walks.core.apet_early(walks.flat, links, *durations, began, ended, last))
    return float(last[0]), began


def busiest_host(programs: Programs, platform: Platform, places: Sequence[int]) -> tuple[str, float]:
    """The host with most to compute, and seconds that its cores need; each computation may end one moment early."""
    values, flops = numpy.asarray(programs.values), dict.fromkeys(places, 0.0)
    for place, (code, what) in zip(places, map(split, programs.operations), strict=True):
        less = MOMENT * platform.hosts[place].speed
        flops[place] += float(numpy.maximum(values[what[code == COMPUTE]] - less, 0.0).sum())

    hosts = [(platform.hosts[p], f) for p, f in flops.items()]
    needs = [(h.name, f / (h.speed * h.cores)) for h, f in hosts if h.speed > 0]
    return max(needs, key=lambda each: each[1], default=("", 0.0))
