"""Time-independent traces: what each rank of an MPI program does, in volumes; and what a replay finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apet.formula import Formula

Action = tuple[Any, ...]
"""The name of an action, then its numbers as listed in `ACTIONS`; sizes are bytes."""

ACTIONS = {
    "compute": "flops",
    "sleep": "seconds",
    "send": "destination, tag, bytes",
    "isend": "destination, tag, bytes",
    "ssend": "destination, tag, bytes (ends with the transfer, whatever its size)",
    "issend": "destination, tag, bytes (its wait ends with the transfer)",
    "recv": "source (or `ANY_SOURCE`), tag (or `ANY_TAG`), bytes (below 0: what the sender says)",
    "irecv": "source, tag, bytes",
    "sendrecv": "bytes sent, destination, bytes received, source",
    "wait": "source, destination, tag (of `WAIT_TAGS`: source and destination are `ANY_SOURCE`); then, if not 0, how"
    " many older requests with these are passed over",
    "waitall": "",
    "waitany": "",
    "waitsome": "",
    "barrier": "",
    "bcast": "bytes, root",
    "reduce": "bytes, flops, root",
    "allreduce": "bytes, flops",
    "scan": "bytes, flops",
    "exscan": "bytes, flops",
    "gather": "bytes per rank, root",
    "scatter": "bytes per rank, root",
    "allgather": "bytes per rank",
    "alltoall": "bytes per pair",
    "gatherv": "bytes by rank, root",
    "allgatherv": "bytes by rank",
    "scatterv": "bytes by rank, root",
    "alltoallv": "bytes sent by rank, bytes received by rank",
    "reducescatter": "bytes by rank, flops, bytes of an element",
}
BLOCKING = tuple(ACTIONS)[tuple(ACTIONS).index("barrier") :]
"""The collectives that a rank leaves when its part is done."""
WAIT_TAGS = {
    "ibarrier": -779,
    "ibcast": -3335,
    "ireduce": -113,
    "iallreduce": -4446,
    "iscan": -889,
    "iexscan": -889,
    "igather": -446,
    "iscatter": -224,
    "iallgather": -557,
    "ialltoall": -1113,
    "igatherv": -2224,
    "iallgatherv": -668,
    "iscatterv": -335,
    "ialltoallv": -1001,
    "ireducescatter": -890,
}
"""The non-blocking collectives, each with the arguments of its blocking form, and the tag by which a `wait` means the
oldest open one of a kind: those that SimGrid 3.32 writes."""
ACTIONS |= {name: ACTIONS[name[1:]] for name in WAIT_TAGS}

ANY_SOURCE, ANY_TAG = -333, -444
"""What a receive from any rank, or with any tag, has in their place."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The actions of all ranks, and where they stand."""

    name: str  #: the file, without folders
    ranks: tuple[Sequence[Action], ...]  #: by rank its actions, in order
    lines: tuple[Sequence[int], ...] = ()  #: by rank the line of each action; empty where not known
    communicators: tuple[Mapping[int, tuple[int, ...]], ...] = ()
    """By rank, for the number of an action, the ranks that take part in that collective, where it is not all."""
    files: tuple[str, ...] = ()  #: by rank the file that its lines are numbered in, where that is not one for all
    gaps: tuple[Gap, ...] = ()  #: what the event trace that it was made of lacks
    processes: int = 0  #: rank r is on the host of rank r modulo this; 0: each rank on its own

    def line(self, rank: int, action: int) -> int:
        """The line of an action; 0 where it is not known."""
        lines = self.lines[rank] if self.lines else ()
        return lines[action] if 0 <= action < len(lines) else 0

    @property
    def events(self) -> int:
        """The number of actions."""
        return sum(map(len, self.ranks))

    @property
    def flops(self) -> list[float]:
        """Flops that each rank computes between its MPI calls."""
        return [float(sum(action[1] for action in actions if action[0] == "compute")) for actions in self.ranks]


COLLECTIVES = frozenset((*BLOCKING, *WAIT_TAGS))
"""The actions in which all ranks of a communicator take part."""


@dataclass(frozen=True, slots=True)
class RankTimes:
    """What one rank does with its time, in seconds."""

    compute_s: float  #: it computes
    wait_s: float  #: it waits for messages
    end_s: float  #: when it ends


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of time of one rank in which it computes or waits."""

    rank: int
    computes: bool  #: else it waits
    begin_s: float  #: in seconds
    end_s: float  #: in seconds
    operation: int = -1  #: its number in the flat program, where the trace was replayed as such


@dataclass(frozen=True, slots=True)
class LinkUse:
    """What a link carries during a replay."""

    name: str
    bytes_carried: float
    utilization: float  #: share of what it could carry meanwhile, from 0 to 1


@dataclass(frozen=True, slots=True)
class Replayed:
    """A trace replayed on a platform."""

    trace: str
    platform: str
    makespan_s: float  #: seconds from the first action to the last
    ranks: tuple[RankTimes, ...]
    hosts: tuple[str, ...]  #: by rank the name of its host
    actions: int
    messages: int
    bytes_sent: int  #: in all messages
    links: tuple[LinkUse, ...]  #: those that carry anything, the busiest first
    segments: tuple[Segment, ...] = ()  #: what the ranks do when, if that was asked for


@dataclass(frozen=True, slots=True)
class JobTimes:
    """What one of several traces takes that run at the same time."""

    trace: str
    first_rank: int  #: its rank 0 among those of all
    ranks: int
    makespan_s: float  #: with the others
    alone_s: float  #: without them, on the same hosts


@dataclass(frozen=True, slots=True)
class Stuck:
    """A rank that never goes on."""

    rank: int
    line: int  #: of its action; 0 if not known
    action: str
    waits_for: str


@dataclass(frozen=True, slots=True)
class TraceBounds:
    """What a trace takes on a platform, however its links are shared."""

    lower_s: float  #: seconds at least
    upper_s: float  #: seconds at most

    def within(self, other: TraceBounds) -> TraceBounds:
        """What is left if others hold as well."""
        return TraceBounds(max(self.lower_s, other.lower_s), min(self.upper_s, other.upper_s))


Linear = tuple[float, float, float, float]
"""Seconds: constant, of computing over `speed`, times `latency`, over `bandwidth`."""


@dataclass(frozen=True, slots=True)
class CompiledTrace:
    """Bounds of a trace's time as formulas in `speed`, `latency` and `bandwidth`, multiples of the platform's."""

    trace: str
    platform: str
    actions: int
    lower: Formula  #: seconds at least
    upper: Formula  #: seconds at most
    terms: int  #: how many linear terms both are maxima of
    low: tuple[Linear, ...]  #: the lower bound is the greatest of these
    high: tuple[tuple[Linear, ...], ...]  #: the upper bound is the least of the greatest of each

    def at(self, scales: Mapping[str, tuple[float, float]]) -> TraceBounds:
        """The bounds where the factors lie in ranges above 0; those not given are 1."""
        ranges = {name: scales.get(name, (1.0, 1.0)) for name in ("speed", "latency", "bandwidth")}
        best = {name: ends[0 if name == "latency" else 1] for name, ends in ranges.items()}
        worst = {name: ends[1 if name == "latency" else 0] for name, ends in ranges.items()}
        highest = min((_greatest(terms, worst) for terms in self.high), default=0.0)
        return TraceBounds(_greatest(self.low, best), highest)


def _greatest(terms: Iterable[Linear], factors: Mapping[str, float]) -> float:
    slowness, latency, width = 1 / factors["speed"], factors["latency"], 1 / factors["bandwidth"]
    return max((c + f * slowness + a * latency + b * width for c, f, a, b in terms), default=0.0)


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that the program did and its trace lacks, or that the trace takes for granted."""

    kind: str  #: "left out", "assumed", or "incomplete": the trace ends early
    what: str  #: a call, or the reason
    count: int  #: how often

    @property
    def text(self) -> str:
        """As the header of a trace has it."""
        return f"{self.kind}: {self.what}" + ("" if self.kind == "incomplete" else f", {self.count} times")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a trace."""

    kind: str  #: "deadlock", "unmatched", "mismatch" or "unfinished"
    fatal: bool  #: the trace cannot be replayed because of it
    rank: int
    line: int  #: 0 if not known
    text: str  #: a sentence


@dataclass(frozen=True, slots=True)
class Checked:
    """What is in a trace, and what is wrong with it."""

    trace: str
    ranks: int
    actions: int
    messages: int
    bytes_sent: int  #: in all messages
    flops: float  #: of all ranks
    communicators: int
    findings: tuple[Finding, ...]
    gaps: tuple[Gap, ...] = ()  #: what its header names as missing
