"""How long transfers take at least, and what they use of the links: arrays with one entry per message."""

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
    """All messages, and all uses of links by them in the order of messages; p is what `costs` calls so."""

    latency: Array  #: [messages], float64; seconds
    volume: Array  #: [messages], float64; bytes over the factor of the bandwidth
    rate: Array  #: [messages], float64; bytes per second when alone
    message: Array  #: [uses], int64
    link: Array  #: [uses], int64
    share: Array  #: [uses], float64; of the message's rate
    penalty: Array  #: [messages], float64; p
    bound: Array  #: [messages], float64; bytes per second, of the path
    near: Array  #: [messages], float64; the part of p in proportion to latency

    @property
    def least(self) -> Array:
        """Seconds that each transfer takes at least."""
        return self.latency + self.volume / self.rate


def transfers(programs: Programs, platform: Platform, paths: Sequence[Path], window: bool = True) -> Transfers:
    """The transfers of all messages; without the transport's window if that is accounted for elsewhere."""
    if not window:
        narrowest = [min((platform.links[k].bandwidth for k in p.forward), default=p.bound) for p in paths]
        paths = [p._replace(bound=b) for p, b in zip(paths, narrowest, strict=True)]

    pair = numpy.frombuffer(programs.pair, numpy.int64) if programs.pair else numpy.zeros(0, numpy.int64)
    size = numpy.frombuffer(programs.size, numpy.int64) if programs.size else numpy.zeros(0, numpy.int64)
    factors = platform.factors
    step = numpy.searchsorted(numpy.array(factors.thresholds), size + HEADER, side="left")
    latency = numpy.array([p.latency for p in paths] or [0.0])[pair] * numpy.array(factors.latency)[step]
    volume = (size + HEADER) / numpy.array(factors.bandwidth)[step]
    alone = [_alone(path, platform) for path in paths]
    counts = numpy.array([len(p.uses) for p in paths] or [0])
    first = numpy.concatenate(([0], numpy.cumsum(counts)))[:-1]
    links = numpy.array([k for p in paths for k, _ in p.uses], numpy.int64)
    shares = numpy.array([share for p in paths for _, share in p.uses])
    repeated = numpy.repeat(numpy.arange(len(pair)), counts[pair])
    begins = numpy.repeat(numpy.cumsum(counts[pair]) - counts[pair], counts[pair])
    at = first[pair][repeated] + numpy.arange(len(repeated)) - begins

    return Transfers(
        latency,
        volume,
        numpy.array(alone or [1.0])[pair],
        repeated,
        links[at],
        shares[at],
        numpy.array([p.penalty for p in paths] or [1.0])[pair],
        numpy.array([p.bound for p in paths] or [1.0])[pair],
        numpy.array([p.latency for p in paths] or [0.0])[pair],
    )


def _alone(path: Path, platform: Platform) -> float:
    return min([path.bound, *(platform.links[k].bandwidth / share for k, share in path.uses)])


def shared(platform: Platform) -> Array:
    """Whether each link's flows share it."""
    return numpy.array([k.policy == SHARED for k in platform.links], bool)
