"""What the longest path through a trace is made of: shares of its time by kind, rank, pair, action and loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from apet.traces.trace import TraceBounds


class Parts(NamedTuple):
    """Seconds of a path, by what they are spent with; a vector, to be added up."""

    computing_s: float = 0.0
    latency_s: float = 0.0  #: in proportion to latency
    bandwidth_s: float = 0.0  #: bytes over bandwidth
    sleep_s: float = 0.0
    links_s: float = 0.0
    """Until the busiest link has carried what is between two collectives that no rank leaves before all begin them."""

    @property
    def total_s(self) -> float:
        """All of them."""
        return sum(self)


@dataclass(frozen=True, slots=True)
class OfRank:
    """What of the path is on a rank, on a host: it computes, or waits for messages."""

    rank: int
    host: str
    parts: Parts


@dataclass(frozen=True, slots=True)
class OfPair:
    """The messages of the path from one rank to another, and their bytes."""

    source: int
    target: int
    messages: int
    bytes_sent: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class OfLink:
    """A link that is the busiest one between two collectives: how often the path waits for it, and how long."""

    name: str
    times: int
    seconds: float


@dataclass(frozen=True, slots=True)
class OfAction:
    """What of the path is in actions of a name ("end": what all ranks wait for after their last actions), and in how
    many of them. What the busiest link has carried before a collective is in that one."""

    action: str
    actions: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class OfPlace:
    """What of the path is in a loop, or in an action, of ranks of which some kinds have the same.

    `within` is the row of the loop around it (-1: none), `depth` how many those are. `times` are the iterations of a
    loop (of all its executions, where they vary), or in how many executions of the action the path is; `line` is that
    in the file (0: not known).
    """

    ranks: tuple[int, ...]
    what: Literal["loop", "action"]
    action: str
    times: int
    line: int
    within: int
    depth: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class ResourceLoad:
    """What has to be done on the way, whatever the order: by the busiest link ("links") or host ("computing"), of
    this name, in seconds."""

    what: Literal["links", "computing"]
    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CriticalPath:
    """The longest path through a trace on a platform of which speed, latency and bandwidth are multiplied.

    All transfers are at their greatest rates, so that its length is a lower bound (less 0.01 %, since a replay takes
    events within 1 ns for one moment); `bounds` are the best bounds known of the run time. `loads` are lower bounds as
    well. `steps` counts what takes time on it, `changes` how often a message takes it to another rank. The parts of
    `actions`, and of `places` that are in no loop, sum up to those of the path; so do those of `ranks` with `links`,
    and those of `pairs` to what it spends in messages. All but `places` have the greatest first.
    """

    trace: str
    platform: str
    scales: tuple[tuple[str, float], ...]  #: "speed", "latency" or "bandwidth", and by what it is multiplied
    actions_in_all: int  #: of the trace
    length_s: float  #: seconds
    parts: Parts  #: seconds by what they are spent with
    bounds: TraceBounds  #: the best bounds known of the run time, in seconds
    loads: tuple[ResourceLoad, ...]  #: lower bounds by what has to be done in any order
    steps: int  #: how many steps of it take time
    messages: int  #: that are part of it
    changes: int  #: how often a message takes it to another rank
    ranks: tuple[OfRank, ...]
    pairs: tuple[OfPair, ...]
    links: tuple[OfLink, ...]
    actions: tuple[OfAction, ...]
    places: tuple[OfPlace, ...]
