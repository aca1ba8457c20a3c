"""What processes do on several lanes (a host, the streams of a GPU, a network), as the ranks of a trace.

Lane k of process p is rank k N + p of N processes, so that as many hosts, used in turn, hold one each. A lane does its
operations in order; one that comes after another lane's waits for an empty message, sent when that one has ended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.errors import BadRecording, Incomplete
from apet.traces.lines.actions import MOST_RANKS
from apet.traces.trace import Action, Gap, Trace

MESSAGES = ("send", "recv", "isend", "irecv")
ROOTED = ("bcast", "reduce", "gather", "scatter")
NO_ROOT = "collectives without a root have the first of their group"
MOST_OPERATIONS = 20_000_000
"""Of all processes: some gigabytes."""


class Call(NamedTuple):
    """A collective of processes, or one side of a message."""

    name: str  #: of the action
    group: tuple[int, ...]  #: the processes; of a message its sender and its receiver
    arguments: tuple[Any, ...]  #: of a collective, behind the name; of a message its bytes
    tag: int = 0

    @property
    def channel(self) -> tuple[Any, ...]:
        """What it is counted in: calls of one channel meet in their order."""
        way = self.name.lstrip("i") if self.name in MESSAGES else ""
        return self.group, self.tag, way

    def seen_from(self, way: str) -> tuple[Any, ...]:
        """The channel of its other side."""
        return self.group, self.tag, way


class Operation(NamedTuple):
    """Computing, then perhaps a call. A non-blocking side of a message ends when something comes after it."""

    lane: int
    after: Sequence[int]  #: earlier operations of the process, by number, that end before this one begins
    flops: float = 0.0
    call: Call | None = None


def check_room(name: str, processes: int, operations: int) -> None:
    """`ApetError` where there are too many processes of so many operations each."""
    if not 0 < processes <= min(MOST_RANKS, MOST_OPERATIONS // max(1, operations)):
        problem = f"{processes:,} processes of {operations:,} operations are more than can be read"
        raise ApetError(BadRecording(None, None, name, problem))


@lru_cache(maxsize=256)
def equal_parts(size: int, number: int) -> list[int]:
    """A list of one size, which all processes share."""
    return [size] * number


def trace_of(
    name: str, processes: Sequence[Sequence[Operation]], gaps: Iterable[Gap] = (), lanes: int | None = None
) -> Trace:
    """The trace of all processes. `ApetError` where they do not meet in their calls."""
    if lanes is None:
        lanes = 1 + max((operation.lane for operations in processes for operation in operations), default=0)
    meeting = [_lanes_by_channel(operations) for operations in processes]
    ranks: list[list[Action]] = [[] for _ in range(lanes * len(processes))]
    groups: list[dict[int, tuple[int, ...]]] = [{} for _ in ranks]
    met = dict[tuple[Any, int], tuple[int, ...]]()
    for process, operations in enumerate(processes):
        _Lanes(name, process, meeting, met, ranks, groups).write(operations)
    communicators = tuple(groups) if any(groups) else ()
    return Trace(name, tuple(ranks), communicators=communicators, gaps=tuple(gaps), processes=len(processes))


def _lanes_by_channel(operations: Sequence[Operation]) -> dict[tuple[Any, ...], list[int]]:
    lanes = defaultdict[tuple[Any, ...], list[int]](list)
    for operation in operations:
        if operation.call:
            lanes[operation.call.channel].append(operation.lane)
    return dict(lanes)


class _Lanes:
    """The lanes of a process in the making; `meeting` has by process and channel the lanes of its calls in order, `met`
    by channel and number the ranks that meet in a collective."""

    def __init__(
        self,
        name: str,
        process: int,
        meeting: Sequence[dict[tuple[Any, ...], list[int]]],
        met: dict[tuple[Any, int], tuple[int, ...]],
        ranks: Sequence[list[Action]],
        groups: Sequence[dict[int, tuple[int, ...]]],
    ) -> None:
        self.name, self.process, self.meeting, self.met = name, process, meeting, met
        self.ranks, self.groups = ranks, groups
        self.calls = defaultdict[tuple[Any, ...], int](int)
        self.open: dict[int, tuple[int, ...]] = {}
        self.requests = defaultdict[tuple[int, ...], list[int]](list)

    def write(self, operations: Sequence[Operation]) -> None:
        """Write the actions of all operations."""
        waits, tells = _messages(operations)
        for number, operation in enumerate(operations):
            actions = self.ranks[self._rank(operation.lane)]
            for lane in waits[number]:
                actions.append(("recv", self._rank(lane), 0, 0))
            for before in operation.after:
                if before in self.open and operations[before].lane == operation.lane:
                    actions.append(self._wait(before))
            if operation.flops > 0:
                actions.append(("compute", operation.flops))
            if operation.call:
                self._call(number, operation.lane, operation.call)
            for lane in tells[number]:
                actions.append(("send", self._rank(lane), 0, 0))

        for number in list(self.open):
            self.ranks[self._rank(operations[number].lane)].append(self._wait(number))

    def _rank(self, lane: int, process: int | None = None) -> int:
        return lane * len(self.meeting) + (self.process if process is None else process)

    def _call(self, number: int, lane: int, call: Call) -> None:
        """Write a call with those that it meets."""
        rank, at = self._rank(lane), self.calls[call.channel]
        self.calls[call.channel] += 1
        if call.name not in MESSAGES:
            members = self.met.get((call.channel, at))
            if members is None:
                members = tuple(self._met(call, call.channel, at, other) for other in call.group)
                self.met[call.channel, at] = members
            if members != tuple(range(len(self.ranks))):
                self.groups[rank][len(self.ranks[rank])] = members
            self.ranks[rank].append((call.name, *call.arguments))
            return

        sends = call.name.endswith("send")
        other = self._met(call, call.seen_from("recv" if sends else "send"), at, call.group[sends])
        self.ranks[rank].append((call.name, other, call.tag, *call.arguments))
        if call.name.startswith("i"):
            self.open[number] = (rank, other, call.tag) if sends else (other, rank, call.tag)
            self.requests[self.open[number]].append(number)

    def _met(self, call: Call, channel: tuple[Any, ...], at: int, process: int) -> int:
        """The rank of another process that takes part in a call."""
        lanes = self.meeting[process].get(channel, ()) if 0 <= process < len(self.meeting) else ()
        own = len(self.meeting[self.process][call.channel])
        if len(lanes) != own:
            problem = f"process {self.process} has {own} '{call.name}' of {call.group}, process {process} {len(lanes)}"
            raise ApetError(Incomplete(None, None, self.name, problem))
        return self._rank(lanes[at], process)

    def _wait(self, number: int) -> Action:
        """Wait for a side of a message; older ones like it are passed over."""
        ends = self.open.pop(number)
        older = self.requests[ends].index(number)
        self.requests[ends].remove(number)
        return ("wait", *ends, older) if older else ("wait", *ends)


def _messages(operations: Sequence[Operation]) -> tuple[list[list[int]], list[list[int]]]:
    """By operation the lanes that it waits for, and those that it tells of its end: each later wait for a lane is for a
    later operation of it."""
    waits: list[list[int]] = [[] for _ in operations]
    tells: list[list[int]] = [[] for _ in operations]
    last: dict[tuple[int, int], int] = {}
    for number, operation in enumerate(operations):
        latest = dict[int, int]()
        for before in operation.after:
            lane = operations[before].lane
            latest[lane] = max(before, latest.get(lane, -1))
        for lane, before in latest.items():
            if lane != operation.lane and before > last.get((lane, operation.lane), -1):
                last[lane, operation.lane] = before
                waits[number].append(lane)
                tells[before].append(operation.lane)
    return waits, tells
