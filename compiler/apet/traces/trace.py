"""Time-independent traces: what each rank of an MPI program does, in volumes; and what a replay finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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


class Trace(NamedTuple):
    """The actions of all ranks, and the line of each in its file (by rank; empty where not known).

    `communicators` gives by rank, for the number of an action, the ranks that take part in that collective, where it is
    not all; `files` the file that a rank's lines are numbered in, where that is not one for all.
    """

    name: str
    ranks: tuple[Sequence[Action], ...]
    lines: tuple[Sequence[int], ...] = ()
    communicators: tuple[Mapping[int, tuple[int, ...]], ...] = ()
    files: tuple[str, ...] = ()

    def line(self, rank: int, action: int) -> int:
        """The line of an action; 0 where it is not known."""
        lines = self.lines[rank] if self.lines else ()
        return lines[action] if 0 <= action < len(lines) else 0

    @property
    def events(self) -> int:
        """The number of actions."""
        return sum(map(len, self.ranks))


COLLECTIVES = frozenset((*BLOCKING, *WAIT_TAGS))
"""The actions in which all ranks of a communicator take part."""


class RankTimes(NamedTuple):
    """Seconds that one rank computed, waited for messages, and when it ended."""

    compute_s: float
    wait_s: float
    end_s: float


class Segment(NamedTuple):
    """A stretch of time of one rank, in seconds, in which it computed or waited."""

    rank: int
    computes: bool
    begin_s: float
    end_s: float


class LinkUse(NamedTuple):
    """What a link carried: bytes, and the share of what it could have carried meanwhile."""

    name: str
    bytes_carried: float
    utilization: float


class Replayed(NamedTuple):
    """Seconds that a trace takes on a platform, by rank, and the host of each; messages sent and bytes in them; the
    links that carried anything, busiest first; and what the ranks did when, if that was asked for."""

    trace: str
    platform: str
    makespan_s: float
    ranks: tuple[RankTimes, ...]
    hosts: tuple[str, ...]
    actions: int
    messages: int
    bytes_sent: int
    links: tuple[LinkUse, ...]
    segments: tuple[Segment, ...] = ()


class Stuck(NamedTuple):
    """A rank that never goes on: its number, the line of its action (0 if not known), and what it waits for."""

    rank: int
    line: int
    action: str
    waits_for: str


class TraceBounds(NamedTuple):
    """Seconds that a trace takes at least and at most."""

    lower_s: float
    upper_s: float

    def within(self, other: TraceBounds) -> TraceBounds:
        """What is left if others hold as well."""
        return TraceBounds(max(self.lower_s, other.lower_s), min(self.upper_s, other.upper_s))


Linear = tuple[float, float, float, float]
"""Seconds: constant, of computing over `speed`, times `latency`, over `bandwidth`."""


class CompiledTrace(NamedTuple):
    """Bounds of a trace's time as formulas in `speed`, `latency` and `bandwidth`, multiples of the platform's; how many
    linear terms they are maxima of. The same terms as numbers: the lower bound is the greatest of its `low` ones, the
    upper one the least of the greatest of each of `high`."""

    trace: str
    platform: str
    actions: int
    lower: Formula
    upper: Formula
    terms: int
    low: tuple[Linear, ...]
    high: tuple[tuple[Linear, ...], ...]

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


class Finding(NamedTuple):
    """Something wrong with a trace: what kind ("deadlock", "unmatched", "mismatch", "unfinished"), whether the trace
    cannot be replayed because of it, the rank and line (0 if not known), and a sentence."""

    kind: str
    fatal: bool
    rank: int
    line: int
    text: str


class Checked(NamedTuple):
    """What is in a trace, and what is wrong with it."""

    trace: str
    ranks: int
    actions: int
    messages: int
    bytes_sent: int
    flops: float
    communicators: int
    findings: tuple[Finding, ...]
