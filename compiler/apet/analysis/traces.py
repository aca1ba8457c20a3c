"""Time-independent traces: what each rank of an MPI program does, in volumes; and what a replay finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Action = tuple[Any, ...]
"""The name of an action, then its numbers as listed in `ACTIONS`; sizes are bytes."""

ACTIONS = {
    "compute": "flops",
    "sleep": "seconds",
    "send": "destination, tag, bytes",
    "isend": "destination, tag, bytes",
    "recv": "source, tag, bytes (below 0: what the sender says)",
    "irecv": "source, tag, bytes",
    "sendrecv": "bytes sent, destination, bytes received, source",
    "wait": "source, destination, tag",
    "waitall": "",
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
    "reducescatter": "bytes by rank, flops",
}


class Trace(NamedTuple):
    """The actions of all ranks, and the line of each in its file (by rank; empty where not known)."""

    name: str
    ranks: tuple[Sequence[Action], ...]
    lines: tuple[Sequence[int], ...] = ()

    @property
    def events(self) -> int:
        """The number of actions."""
        return sum(map(len, self.ranks))


class RankTimes(NamedTuple):
    """Seconds that one rank computed, waited for messages, and when it ended."""

    compute_s: float
    wait_s: float
    end_s: float


class Replayed(NamedTuple):
    """Seconds that a trace takes on a platform, by rank; messages sent and bytes in them; and the bytes that each link
    carried, by name."""

    makespan_s: float
    ranks: tuple[RankTimes, ...]
    messages: int
    bytes_sent: int
    link_bytes: dict[str, float]


class Stuck(NamedTuple):
    """A rank that never goes on: its number, the line of its action (0 if not known), and what it waits for."""

    rank: int
    line: int
    action: str
    waits_for: str


class Deadlock(Exception):
    """A trace whose ranks wait for each other."""

    def __init__(self, stuck: Sequence[Stuck]) -> None:
        super().__init__(f"{len(stuck)} ranks wait for ever")
        self.stuck = tuple(stuck)
