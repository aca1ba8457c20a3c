"""Lower and upper bound of a trace's time on a platform, whatever the sharing of links comes to.

The lower one is `capacity_bound`. The upper one is the least that `fixed_point` reaches with the durations of
`contention_delay`, or that is left if a busy link counts as a whole instead of by message.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from apet.ground.diagnostics import ApetError
from apet.traces.bounds.barrier_intervals import Synchronised
from apet.traces.bounds.capacity_bound import EARLY, Loads, busiest_host, earliest
from apet.traces.bounds.contention_delay import Links
from apet.traces.bounds.fixed_point import ClaimSearch
from apet.traces.bounds.neighbours import Overlaps
from apet.traces.bounds.transfers import Array, Transfers, joined, leaders, shared, transfers
from apet.traces.bounds.vector_clocks import clocks, seconds_of
from apet.traces.bounds.walks import MOMENT, Walks
from apet.traces.platform.platform import Platform
from apet.traces.replay.check import ends
from apet.traces.replay.errors import Deadlock, listed
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import Programs
from apet.traces.replay.run import paths_of, placed, slowness
from apet.traces.replay.waiting import standing
from apet.traces.trace import Trace, TraceBounds


def bounds(trace: Trace, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Lower and upper bound of the replay's time."""
    programs = lower(trace, platform.network.protocol)
    complete(trace, programs)
    return bounds_of(programs, platform, hosts)


def bounds_of(programs: Programs, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Lower and upper bound of the replay's time; the programs have to come to their end."""
    places = placed(programs, hosts)
    paths = paths_of(programs, platform, places)
    flows = transfers(programs, platform, paths)
    capacity, kinds = numpy.array([k.bandwidth for k in platform.links]), shared(platform)
    free, crowded = slowness(platform, places)
    seconds, walks = seconds_of(flows, paths, free, capacity, kinds), Walks(programs)
    known = clocks(walks, seconds)
    low, began = earliest(walks, free, Loads(seconds, capacity, kinds, flows, known))
    low = max(low, busiest_host(programs, platform, places)[1] * EARLY)
    links = Links(capacity, kinds, leaders(flows, capacity, kinds))
    overlaps = Overlaps(programs, flows, known, links, began)
    synchronised = Synchronised(walks, seconds.least, flows.latency, (free, crowded), MOMENT)
    del seconds  # arrays by message count: there may be millions
    began += flows.latency - MOMENT
    search = ClaimSearch(walks, overlaps, began, synchronised, low)
    high = search.run()
    if high <= search.close:
        return TraceBounds(float(low), float(high))
    seconds_of_link = joined(flows, links.first, capacity).carried(len(capacity)) / capacity * kinds
    busiest = _busiest(flows, seconds_of_link, kinds)
    for link, durations in zip(busiest, overlaps.durations(search.claims, [[link] for link in busiest]), strict=True):
        high = min(high, search.latest(durations)[0] + float(seconds_of_link[link]))

    return TraceBounds(float(low), float(high))


def _busiest(flows: Transfers, seconds: Array, shared: Array) -> list[int]:
    """The links with most to carry, and with most messages."""
    messages = numpy.bincount(flows.pair, minlength=len(flows.rate))
    users = numpy.bincount(flows.link, messages[flows.user], len(seconds)) * shared * (seconds > 0)
    return sorted({int(numpy.argmax(seconds)), int(numpy.argmax(users))}) if seconds.any() else []


def complete(trace: Trace, programs: Programs) -> None:
    """`ApetError` where ranks wait for each other."""
    stuck = standing(trace, programs, ends(programs))
    if stuck:
        raise ApetError(Deadlock(None, None, len(stuck), programs.ranks, listed(stuck)))
