"""What the longest path through a trace is made of: shares of its time by kind, rank, pair, action and loop."""

from __future__ import annotations

from typing import Literal, NamedTuple

from apet.analysis.traces import TraceBounds


class Parts(NamedTuple):
    """Seconds of a path: computing, in proportion to latency, over bandwidth, asleep, and until the busiest link has
    carried what is between two collectives that no rank leaves before all have begun them."""

    computing_s: float = 0.0
    latency_s: float = 0.0
    bandwidth_s: float = 0.0
    sleep_s: float = 0.0
    links_s: float = 0.0

    @property
    def total_s(self) -> float:
        """All of them."""
        return sum(self)


class OfRank(NamedTuple):
    """What of the path is on a rank, on a host: it computes, or waits for messages."""

    rank: int
    host: str
    parts: Parts


class OfPair(NamedTuple):
    """The messages of the path from one rank to another, and their bytes."""

    source: int
    target: int
    messages: int
    bytes_sent: int
    parts: Parts


class OfAction(NamedTuple):
    """What of the path is in actions of a name ("end": the wait at the end for what nothing else waits for), and in
    how many of them."""

    action: str
    actions: int
    parts: Parts


class OfPlace(NamedTuple):
    """What of the path is in a loop, or in an action, of the ranks of one kind.

    `within` is the row of the loop around it (-1: none), `depth` how many those are. `times` are the iterations of a
    loop, or in how many executions of the action the path is; `line` is that in the file (0: not known).
    """

    ranks: tuple[int, ...]
    what: Literal["loop", "action"]
    action: str
    times: int
    line: int
    within: int
    depth: int
    parts: Parts


class Load(NamedTuple):
    """What has to be done on the way, whatever the order: by the busiest link ("links") or host ("computing"), of
    this name, in seconds."""

    what: Literal["links", "computing"]
    name: str
    seconds: float


class CriticalPath(NamedTuple):
    """The longest path through a trace on a platform of which speed, latency and bandwidth are multiplied.

    All transfers are at their greatest rates, so that its length is a lower bound (less 0.01 %, since a replay takes
    events within 1 ns for one moment); `bounds` are the best bounds known of the run time. `loads` are lower bounds as
    well. `steps` counts its operations, messages and floors, `changes` how often it goes from rank to rank. Parts of
    `ranks`, of `actions` and of `places` that are in no other one each sum up to those of the path less `links_s`,
    which belongs to no rank; those of `pairs` to its messages.
    """

    trace: str
    platform: str
    scales: tuple[tuple[str, float], ...]
    actions_in_all: int
    length_s: float
    parts: Parts
    bounds: TraceBounds
    loads: tuple[Load, ...]
    steps: int
    messages: int
    changes: int
    ranks: tuple[OfRank, ...]
    pairs: tuple[OfPair, ...]
    actions: tuple[OfAction, ...]
    places: tuple[OfPlace, ...]
