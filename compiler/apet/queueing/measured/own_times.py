"""What calls show of their station: how many servers it has, and what a call takes that does not wait.

A call that finds a free server takes its service alone, however busy the station is at other times; of calls that find
all servers busy, the time holds a wait. So servers are as many as make own times rise most, by correlation, with the
others beyond them that a call finds; where own times do not rise with the others, nobody waits, and servers are at
least as many as were busy at once.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apet.queueing.measured.spans import ServiceCall

NORMAL = 1.645
"""The 95 % quantile of the normal distribution."""
FEWEST = 20
"""Calls that a mean rests on, and a correlation."""
MOST_SERVERS = 256


@dataclass(frozen=True, slots=True)
class StationCalls:
    """The calls of a station: how many of its others were busy at the start of each, by their place in `calls`;
    `servers`, and whether own times rise with the others, so that some wait."""

    calls: tuple[ServiceCall, ...]
    others: tuple[int, ...]
    servers: int
    waits: bool

    @property
    def stretch(self) -> float:
        """Own times in the mean over those of calls that find a free server; 1 where too few do."""
        own = [call.own_seconds() for call in self.calls]
        free = [seconds for seconds, n in zip(own, self.others, strict=True) if n < self.servers]
        if not self.waits or len(free) < FEWEST or not sum(free):
            return 1.0
        return max(1.0, sum(own) / len(own) / (sum(free) / len(free)))


def station_calls(requests: Iterable[ServiceCall], servers: Mapping[str, int]) -> dict[str, StationCalls]:
    """By station; `servers` are those that are known."""
    rows = defaultdict[str, list[ServiceCall]](list)
    for request in requests:
        for call in request.everything():
            rows[call.station].append(call)
    return {station: _station(calls, servers.get(station)) for station, calls in rows.items()}


def _station(calls: Sequence[ServiceCall], known: int | None) -> StationCalls:
    others = _others(calls)
    most = max(others, default=0) + 1
    number, waits = _servers(calls, others, most)
    return StationCalls(tuple(calls), tuple(others), known or min(number, MOST_SERVERS), waits)


def _others(calls: Sequence[ServiceCall]) -> list[int]:
    """How many other calls of a station are at work when each begins."""
    begins, ends = list[float](), list[float]()
    for call in calls:
        for begin, end in call.own_parts():
            begins.append(begin)
            ends.append(end)
    starts = np.array([call.start for call in calls])
    begun = np.searchsorted(np.sort(begins), starts, side="left")
    ended = np.searchsorted(np.sort(ends), starts, side="right")
    return [max(0, int(n)) for n in begun - ended]


def _servers(calls: Sequence[ServiceCall], others: Sequence[int], most: int) -> tuple[int, bool]:
    """The number of servers, and whether calls wait for them."""
    if most == 1 or len(calls) < FEWEST:
        return most, False
    means = defaultdict[str, list[float]](list)
    for call in calls:
        means[call.operation].append(call.own_seconds())
    usual = {name: sum(row) / len(row) or 1.0 for name, row in means.items()}
    own = np.array([call.own_seconds() / usual[call.operation] for call in calls])
    ahead = np.array(others)
    found = {m: _correlation(own, np.maximum(0, ahead + 1 - m)) for m in range(1, min(most, MOST_SERVERS))}
    best = max(found, key=lambda m: found[m])
    waits = found[best] * math.sqrt(len(calls)) > NORMAL
    return (best, True) if waits else (most, False)


def _correlation(left: np.ndarray, right: np.ndarray) -> float:
    return float(np.corrcoef(left, right)[0, 1]) if left.std() and right.std() else 0.0
