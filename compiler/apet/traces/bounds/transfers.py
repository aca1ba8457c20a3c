"""How long transfers take at least, and what they use of the links: arrays by message, and by pair of ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from apet.traces.platform.parts import SHARED
from apet.traces.platform.platform import Platform
from apet.traces.replay.costs import HEADER, Path
from apet.traces.replay.program import Programs

Array = numpy.ndarray[Any, Any]


class Transfers(NamedTuple):
    """All messages, and what those of each pair of ranks use of the links; p is what `costs` calls so."""

    latency: Array  #: [messages], float64; seconds
    volume: Array  #: [messages], float64; bytes over the factor of the bandwidth
    pair: Array  #: [messages], int64; the number of its pair of ranks
    rate: Array  #: [pairs], float64; bytes per second when alone
    penalty: Array  #: [pairs], float64; p
    bound: Array  #: [pairs], float64; bytes per second, of the path
    near: Array  #: [pairs], float64; the part of p in proportion to latency
    user: Array  #: [uses], int64; the pair, of all uses of links by pairs in their order
    link: Array  #: [uses], int64
    share: Array  #: [uses], float64; of the rate of the pair's messages

    @property
    def least(self) -> Array:
        """Seconds that each transfer takes at least."""
        return self.latency + self.volume / self.rate[self.pair]

    def carried(self, links: int) -> Array:
        """By link, bytes over the factor of the bandwidth of all messages."""
        volume = numpy.bincount(self.pair, self.volume, len(self.rate))
        return numpy.bincount(self.link, self.share * volume[self.user], links)


def transfers(programs: Programs, platform: Platform, paths: Sequence[Path], window: bool = True) -> Transfers:
    """The transfers of all messages; without the transport's window if that is accounted for elsewhere."""
    if not window:
        narrowest = [min((platform.links[k].bandwidth for k in p.forward), default=p.bound) for p in paths]
        paths = [p._replace(bound=b) for p, b in zip(paths, narrowest, strict=True)]

    pair, size = (
        numpy.frombuffer(each, numpy.int64) if each else numpy.zeros(0, numpy.int64)
        for each in (programs.pair, programs.size)
    )
    factors = platform.network.factors
    step = numpy.searchsorted(numpy.array(factors.thresholds), size + HEADER, side="left")
    latency = numpy.array([p.latency for p in paths] or [0.0])
    uses = [(k, *use) for k, path in enumerate(paths) for use in path.uses]
    user, link, share = zip(*uses, strict=True) if uses else ((), (), ())

    return Transfers(
        latency[pair] * numpy.array(factors.latency)[step],
        (size + HEADER) / numpy.array(factors.bandwidth)[step],
        pair,
        numpy.array([_alone(path, platform) for path in paths] or [1.0]),
        numpy.array([p.penalty for p in paths] or [1.0]),
        numpy.array([p.bound for p in paths] or [1.0]),
        latency,
        numpy.array(user, numpy.int64),
        numpy.array(link, numpy.int64),
        numpy.array(share, float),
    )


def leaders(flows: Transfers, capacity: Array, shared: Array) -> Array:
    """By link, the first one of those that some messages use together both there and back, as messages within a host do
    its links up and down; mostly the link itself."""
    first = numpy.arange(len(capacity))
    both_ways = (flows.share > 1.0) & shared[flows.link]
    users, links = flows.user[both_ways], flows.link[both_ways]
    least = numpy.full(len(flows.rate), len(capacity))
    numpy.minimum.at(least, users, links)
    numpy.minimum.at(first, links, least[users])

    while (first != first[first]).any():  # each leads itself: it is left out with all that it leads
        first = first[first]
    return first


def joined(flows: Transfers, first: Array, capacity: Array) -> Transfers:
    """What messages use of links where several with one leader are one link, of the leader's capacity.

    A message held back by any of them waits for no byte of another one twice. So each counts by what it uses of that
    link of which it uses most.
    """
    leader = first[flows.link]
    uses, number = numpy.unique(flows.user * len(first) + leader, return_inverse=True)
    share = numpy.zeros(len(uses))
    numpy.maximum.at(share, number.reshape(-1), flows.share * (capacity[leader] / capacity[flows.link]))
    return flows._replace(user=uses // len(first), link=uses % len(first), share=share)


def _alone(path: Path, platform: Platform) -> float:
    return min([path.bound, *(platform.links[k].bandwidth / share for k, share in path.uses)])


def shared(platform: Platform) -> Array:
    """Whether each link's flows share it."""
    return numpy.array([k.policy == SHARED for k in platform.links], bool)
