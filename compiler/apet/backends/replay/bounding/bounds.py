"""Bounds of a trace's time on a platform that hold whatever the sharing of links comes to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from apet.analysis.traces import Trace, TraceBounds
from apet.backends.replay.bounding.clocks import clocks, seconds_of
from apet.backends.replay.bounding.epochs import Synchronised
from apet.backends.replay.bounding.floors import MOMENT, Floors
from apet.backends.replay.bounding.native_bounds import Walks
from apet.backends.replay.bounding.overlap import Overlaps
from apet.backends.replay.bounding.settling import Search
from apet.backends.replay.bounding.transfers import Array, Transfers, shared, transfers
from apet.backends.replay.check import ends
from apet.backends.replay.errors import Deadlock, listed
from apet.backends.replay.lowering import lower
from apet.backends.replay.program import Programs
from apet.backends.replay.run import paths_of, placed, slowness
from apet.backends.replay.waiting import standing
from apet.diagnostics import ApetError
from apet.machine.platform import Platform


def bounds(trace: Trace, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Lower and upper bound of the replay's time."""
    programs = lower(trace)
    complete(trace, programs)
    return bounds_of(programs, platform, hosts)


def bounds_of(programs: Programs, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Lower and upper bound of the replay's time; the programs have to come to their end."""
    places = placed(programs, hosts)
    paths = paths_of(programs, platform, places)
    given = transfers(programs, platform, paths)
    capacity, kinds = numpy.array([k.bandwidth for k in platform.links]), shared(platform)
    free, crowded = slowness(platform, places)
    seconds, walks = seconds_of(given, paths, free, capacity, kinds), Walks(programs)
    low, began = Floors(programs, seconds, capacity, kinds, given).dates(walks, free)
    overlaps = Overlaps(programs, given, clocks(programs, seconds, walks), capacity, kinds)
    synchronised = Synchronised(walks, numpy.array(seconds.least), given.latency, (free, crowded), MOMENT)
    search = Search(walks, overlaps, began + given.latency - MOMENT, synchronised)
    high = search.run()
    pieces = overlaps.pieces(search.claims)
    for link in _busiest(given, kinds, capacity):
        used = given.link == link
        total = float(numpy.sum(given.share[used] * given.volume[given.message[used]]) / capacity[link])
        high = min(high, search.latest(overlaps.without(pieces, link))[0] + total)
    return TraceBounds(float(low), float(high))


def _busiest(given: Transfers, shared: Array, capacity: Array) -> set[int]:
    """The links with most to carry, and with most messages."""
    seconds = numpy.bincount(given.link, given.share * given.volume[given.message], len(capacity)) / capacity * shared
    users = numpy.bincount(given.link, minlength=len(capacity)) * shared
    return {int(numpy.argmax(seconds)), int(numpy.argmax(users))} if seconds.any() else set()


def complete(trace: Trace, programs: Programs) -> None:
    """`ApetError` where ranks wait for each other."""
    stuck = standing(trace, programs, ends(programs))
    if stuck:
        raise ApetError(Deadlock(None, None, len(stuck), programs.ranks, listed(stuck)))
