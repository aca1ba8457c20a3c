"""Vector clocks with time: what came before a message on other ranks, and by how many seconds at least.

Vector clocks (C. J. Fidge, 1988; F. Mattern, 1989) whose entries carry time as well. A rank's *stages* are the points
at which it posts messages; its own clock gives seconds that lie between two of them at least: what it computes, and
messages posted at a stage and waited for before the next. A message takes along what both sides knew when they posted
it; who waits for it learns that, and that it took as long as it does at its greatest rate.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy

from apet.traces.bounds.transfers import Array, Transfers
from apet.traces.bounds.walks import MOMENT, Arrays, Walks, check, split
from apet.traces.replay.costs import Path
from apet.traces.replay.program import RECEIVE, SEND

NEVER = 2**31 - 1
MOST_ENTRIES = 1 << 27
"""Entries of clocks, stages times ranks, that are kept at most: 8 bytes each."""


class Clocks(NamedTuple):
    """What is known when messages begin; sides are the sender (0) and the receiver (1). The stages of all ranks are
    numbered on, rank after rank.

    A rank that posts a send, computes 2 s and posts another has stages 0 and 1 and clocks 0.0 and 2.0; once the first
    message is received, `seen` of what its receiver posts next is 0 for that rank, and `since` what the message takes.
    """

    first: Array  #: [ranks + 1], int64; the first stage of each rank
    seen: Array  #: [stages, ranks], int32; the last stage of the rank that is over (-1: none)
    since: Array  #: [stages, ranks], float32; seconds since that stage began, at least
    begun: Array  #: [stages], float64; its own rank's clock in seconds
    stage: Array  #: [messages, 2], int32; at which the side posts it (-1: it does not)
    ended: Array  #: [messages, 2], int32; the first stage at which the side knows that it has ended (`NEVER`: none)


class LeastSeconds(NamedTuple):
    """What takes how long at least, in seconds."""

    least: Array  #: [messages], float64
    latency: Array  #: [messages], float64; in which it carries nothing
    flop: Sequence[float]  #: by rank
    own: Sequence[Sequence[tuple[int, float]]]
    """By pair of ranks the first and last link of the path, each with its seconds per byte over the factor."""
    volume: Array  #: [messages], float64; bytes over the factor of the bandwidth


def seconds_of(
    flows: Transfers, paths: Sequence[Path], flop: Sequence[float], capacity: Array, shared: Array
) -> LeastSeconds:
    """What takes how long at least on a platform."""
    own = []
    for path in paths:
        shares = dict(path.uses)
        ends = dict.fromkeys((*path.forward[:1], *path.forward[-1:]))
        own.append([(k, shares[k] / float(capacity[k])) for k in ends if shared[k]])
    least = numpy.maximum(0.0, flows.least - 2 * MOMENT)
    return LeastSeconds(least, flows.latency, flop, own, flows.volume)


def clocks(walks: Walks, seconds: LeastSeconds) -> Clocks | None:
    """What is known when each message begins; None where that does not fit into memory."""
    programs = walks.programs
    first = numpy.array([0, *accumulate(map(_stages, programs.operations))])
    if first[-1] * programs.ranks > MOST_ENTRIES:
        return None
    clocks = _nothing_known(first, len(programs.size))
    dates = Arrays("Known", moment=MOMENT, **clocks._asdict())
    dates.point(numpy.float64, least=seconds.least, flop=seconds.flop)
    point_to_own(dates, seconds)
    check(walks.core.apet_clocks(walks.flat, dates))
    return clocks


def _stages(operations: array[int]) -> int:
    """How many stages a rank has at most: each begins with a post after something else."""
    code, _ = split(operations)
    posts = (code == SEND) | (code == RECEIVE)
    return int(numpy.count_nonzero(posts[1:] & ~posts[:-1])) + int(posts[:1].any())


def point_to_own(arrays: Arrays, seconds: LeastSeconds) -> None:
    """Let a structure point to messages' latency and volume, and to the first and last link of each pair."""
    links = list(chain.from_iterable(seconds.own))
    first = list(accumulate(map(len, seconds.own), initial=0))
    arrays.point(numpy.int64, own_first=first, own_link=[k for k, _ in links])
    arrays.point(numpy.float64, own_each=[each for _, each in links], latency=seconds.latency, volume=seconds.volume)


def _nothing_known(first: Array, messages: int) -> Clocks:
    """Clocks that nobody has read yet."""
    ranks, stages = len(first) - 1, int(first[-1])
    return Clocks(
        first,
        numpy.zeros((stages, ranks), numpy.int32),
        numpy.zeros((stages, ranks), numpy.float32),
        numpy.zeros(stages),
        numpy.full((messages, 2), -1, numpy.int32),
        numpy.full((messages, 2), NEVER, numpy.int32),
    )
