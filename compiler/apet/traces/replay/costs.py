"""What one message costs: piecewise factors of latency and bandwidth by size, and the shares of the links it crosses.

The model and its constants are SMPI's (P. Bédaride et al., 2013; H. Casanova et al., 2014): the latency of the route is
multiplied by a factor before anything is transferred; then the transfer progresses at its rate times a factor. A flow's
weight in max-min sharing is 1 / p with p = L + sum of 8775 B / B_l, its rate is bounded by the narrowest link and by
the TCP window over the round trip; 5 % of its rate is used on the way back.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import reduce
from operator import add
from typing import NamedTuple

from apet.traces.platform.parts import SHARED, SMPI, Factors
from apet.traces.platform.platform import Platform

HEADER = 16
"""Bytes that every message has beside its payload."""
SAME_MOMENT = 1e-9
"""Seconds within which events are one moment."""


def factors(size: int, table: Factors = SMPI) -> tuple[float, float]:
    """Factors of latency and bandwidth for a payload of this many bytes and its header."""
    k = bisect_left(table.thresholds, size + HEADER)
    return table.latency[k], table.bandwidth[k]


class Path(NamedTuple):
    """What flows from one host to another have in common: seconds of latency, p, the bound of their rate in bytes per
    second, and the links they use with the share of their rate, by number; then the links they go over."""

    latency: float
    penalty: float
    bound: float
    uses: tuple[tuple[int, float], ...]
    forward: tuple[int, ...]


def path(platform: Platform, source: int, target: int) -> Path:
    """The path between two hosts, by number."""
    there, back = platform.route(source, target), platform.route(target, source)
    bandwidths = [platform.links[k].bandwidth for k in there.links]
    network = platform.network
    weights = (network.weight_of_bandwidth / b for b in bandwidths)
    penalty = reduce(add, weights, there.latency) if there.latency else 1.0
    bound = min(bandwidths, default=float("inf"))
    if there.latency:
        bound = min(bound, network.window / (2 * there.latency))
    uses: dict[int, float] = {}
    for links, share in ((there.links, 1.0), (back.links, network.back)):
        for k in links if share > 0 else ():
            shared = platform.links[k].policy == SHARED
            uses[k] = uses.get(k, 0.0) + share if shared else max(uses.get(k, 0.0), share)

    return Path(there.latency, penalty, bound, tuple(uses.items()), there.links)
