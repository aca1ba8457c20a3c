"""What is known of other ranks when a message begins: which came before it, and by how many seconds at least.

Vector clocks (C. J. Fidge, 1988; F. Mattern, 1989) whose entries carry time as well. A rank's *stages* are the points
at which it posts messages; its own clock gives seconds that lie between two of them at least: what it computes, and
messages posted at a stage and waited for before the next. A message takes along what both sides knew when they posted
it; who waits for it learns that, and that it took as long as it does at its greatest rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy

from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.bounds.walks import MOMENT, Arrays, Walks, check
from apet.traces.replay.costs import Path
from apet.traces.replay.program import Programs

NEVER = 2**31 - 1
UNKNOWN = -1e300
MOST_ENTRIES = 1 << 26
"""Entries of clocks, messages times ranks, that are kept at most: 12 bytes each."""


class Clocks(NamedTuple):
    """By message and rank: the last stage of the rank that is over when the message begins (-1: none), and that rank's
    clock then, at least. By message and side (sender, receiver): the stage at which it is posted, the clock there, and
    the first stage at which the side knows that it has ended (`NEVER`: nobody waits)."""

    seen: Array
    since: Array
    stage: Array
    clock: Array
    ended: Array


class LeastSeconds(NamedTuple):
    """What takes how long at least: messages, their latency; by rank a flop; by pair of ranks the first and last link
    of the path, each with the seconds that it is used per byte over the factor; and bytes over the factor."""

    least: Sequence[float]
    latency: Sequence[float]
    flop: Sequence[float]
    own: Sequence[Sequence[tuple[int, float]]]
    volume: Sequence[float]


def seconds_of(
    given: Transfers, paths: Sequence[Path], flop: Sequence[float], capacity: Array, shared: Array
) -> LeastSeconds:
    """What takes how long at least on a platform."""
    own = []
    for path in paths:
        shares = dict(path.uses)
        ends = dict.fromkeys((*path.forward[:1], *path.forward[-1:]))
        own.append([(k, shares[k] / float(capacity[k])) for k in ends if shared[k]])
    least = numpy.maximum(0.0, given.least - 2 * MOMENT)
    return LeastSeconds(least.tolist(), given.latency.tolist(), flop, own, given.volume.tolist())


def clocks(walks: Walks, seconds: LeastSeconds) -> Clocks | None:
    """What is known when each message begins; None where that does not fit into memory."""
    programs = walks.programs
    if len(programs.size) * programs.ranks > MOST_ENTRIES:
        return None
    clocks = nothing_known(programs)
    known = Arrays("Known", moment=MOMENT, **clocks._asdict())
    known.point(numpy.float64, least=seconds.least, flop=seconds.flop)
    point_to_own(known, seconds)
    check(walks.core.apet_clocks(walks.flat, known, UNKNOWN))
    return clocks


def point_to_own(arrays: Arrays, seconds: LeastSeconds) -> None:
    """Let a structure point to messages' latency and volume, and to the first and last link of each pair."""
    links = list(chain.from_iterable(seconds.own))
    first = list(accumulate(map(len, seconds.own), initial=0))
    arrays.point(numpy.int64, own_first=first, own_link=[k for k, _ in links])
    arrays.point(numpy.float64, own_each=[each for _, each in links], latency=seconds.latency, volume=seconds.volume)


def nothing_known(programs: Programs) -> Clocks:
    """Clocks that nobody has read yet."""
    number, ranks = len(programs.size), programs.ranks
    return Clocks(
        numpy.full((number, ranks), -1, numpy.int32),
        numpy.full((number, ranks), UNKNOWN),
        numpy.full((number, 2), -1, numpy.int32),
        numpy.zeros((number, 2)),
        numpy.full((number, 2), NEVER, numpy.int32),
    )
