"""Bounds of a trace's time on a platform that hold whatever the sharing of links comes to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from apet.analysis.traces import Trace, TraceBounds
from apet.backends.replay.check import ends
from apet.backends.replay.errors import Deadlock, listed
from apet.backends.replay.floors import MOMENT, Floors
from apet.backends.replay.knowledge import knowledge
from apet.backends.replay.lowering import lower
from apet.backends.replay.overlap import SLACK, Overlaps, longest
from apet.backends.replay.program import Programs
from apet.backends.replay.run import paths_of, placed, slowness
from apet.backends.replay.sweep import Sweep
from apet.backends.replay.transfers import shared, transfers
from apet.backends.replay.waiting import standing
from apet.diagnostics import ApetError
from apet.machine.platform import Platform

ROUNDS = 6
"""How often the dates found so far are used to find sharper ones."""


def bounds(trace: Trace, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Lower and upper bound of the replay's time."""
    programs = lower(trace)
    complete(trace, programs)
    places = placed(programs, hosts)
    paths = paths_of(programs, platform, places)
    given = transfers(programs, platform, paths)
    capacity, kinds = numpy.array([k.bandwidth for k in platform.links]), shared(platform)
    free, crowded = slowness(platform, places)
    floors = Floors(programs, paths, capacity, kinds, given)
    early = Sweep(programs, numpy.maximum(0.0, given.least - 2 * MOMENT).tolist(), free, True, floors, MOMENT)
    floors.began = early.began
    low = max(early.run(), floors.carried([m for m, date in enumerate(early.began) if date >= 0]))
    overlaps = Overlaps(programs, given, knowledge(programs), capacity, kinds)
    begins = numpy.array(early.began) + given.latency - MOMENT
    total = numpy.bincount(given.link, given.share * given.volume[given.message], len(capacity)) / capacity
    total[~kinds] = 0
    users = numpy.bincount(given.link, minlength=len(total)) * kinds
    candidates = {int(numpy.argmax(total)), int(numpy.argmax(users))} if total.any() else set()
    high, found = numpy.inf, overlaps.overlap([])
    for _ in range(ROUNDS):
        most = longest(given, found).tolist()
        late = Sweep(programs, most, crowded, False)
        high, before = min(high, late.run()), high
        for link in candidates:
            other = Sweep(programs, longest(given, found, link).tolist(), crowded, False)
            high = min(high, other.run() + float(total[link]))
        if high > before * 0.998:
            break
        dates = [(begins, numpy.minimum(numpy.array(late.ended), high) * SLACK)]
        found = overlaps.overlap(dates)
    return TraceBounds(float(low), float(high))


def complete(trace: Trace, programs: Programs) -> None:
    """`ApetError` where ranks wait for each other."""
    stuck = standing(trace, programs, ends(programs))
    if stuck:
        raise ApetError(Deadlock(None, None, len(stuck), programs.ranks, listed(stuck)))
