"""Collectives as the messages that they are, so that programs without communicators replay them: those of some ranks,
and non-blocking ones. Synchronous sends become sends."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from apet.traces.replay.collectives import BEGINNING, UNROLLED, Beginning
from apet.traces.trace import ANY_SOURCE, WAIT_TAGS, Action, Trace

FIRST_TAG = 2_000_000_000
"""Tags of unrolled collectives; those of programs lie below."""
FIRST_BEGUN = FIRST_TAG + 10_000
"""The tag of the first non-blocking collective; each has its own, since they need not end in their order."""
KINDS = frozenset(WAIT_TAGS.values())
SIMPLER = {"ssend": "send", "issend": "isend"}
"""SimGrid replays no synchronous sends."""

Group = tuple[int, ...]


class UnrolledRequest(NamedTuple):
    """A non-blocking collective under way: what waits for it, then flops."""

    waits: tuple[Action, ...]
    flops: float


def unrolled(trace: Trace) -> Trace:
    """The trace in which each collective of a communicator of some ranks, and each non-blocking one, is written as
    messages and waits."""
    tags: dict[tuple[Group, int], int] = {}
    ranks = list[list[Action]]()
    for number in range(len(trace.ranks)):
        ranks.append(_Rank(trace, number, tags).run())
    _fill_sizes(ranks)
    return Trace(trace.name, tuple(ranks))


def _fill_sizes(ranks: Sequence[list[Action]]) -> None:
    """Give receives the sizes of their sends: SimGrid takes sizes below 0 for something else."""
    sizes: dict[tuple[int, int, int], deque[int]] = {}
    for rank, actions in enumerate(ranks):
        for action in actions:
            if action[0] == "isend" and action[2] > FIRST_TAG:
                sizes.setdefault((rank, action[1], action[2]), deque()).append(action[3])
    for rank, actions in enumerate(ranks):
        for at, action in enumerate(actions):
            if action[0] == "irecv" and action[2] > FIRST_TAG:
                waiting = sizes.get((action[1], rank, action[2]))
                actions[at] = (*action[:3], waiting.popleft() if waiting else 0)


class _Rank:
    """One rank's actions in the making; `tags` gives the k-th non-blocking collective of a communicator its own."""

    def __init__(self, trace: Trace, number: int, tags: dict[tuple[Group, int], int]) -> None:
        self.trace, self.number, self.tags = trace, number, tags
        self.groups = trace.communicators[number] if trace.communicators else {}
        self.actions = list[Action]()
        self.begun: dict[int, list[UnrolledRequest]] = {}
        self.counts: dict[Group, int] = {}

    def run(self) -> list[Action]:
        """All actions."""
        for at, action in enumerate(self.trace.ranks[self.number]):
            name, group = action[0], self.groups.get(at)
            if name in WAIT_TAGS:
                self.begin(action, group or tuple(range(len(self.trace.ranks))))
            elif group is not None:
                UNROLLED[name](_Member(self.number, group, self.actions), *action[1:])
            elif name == "wait" and action[1] == ANY_SOURCE and action[3] in KINDS:
                self.wait(action[3], *action[4:])
            else:
                self.actions.append((SIMPLER.get(name, name), *action[1:]))
                if name == "waitall":
                    self.wait_all()

        return self.actions

    def begin(self, action: Action, group: Group) -> None:
        """Post all messages of a non-blocking collective."""
        number = self.counts[group] = self.counts.get(group, 0) + 1
        tag = self.tags.setdefault((group, number), len(self.tags))
        member = _Member(self.number, group, self.actions)
        beginning = Beginning(member, FIRST_TAG - FIRST_BEGUN - tag)
        BEGINNING[action[0]](beginning, *action[1:])
        waits = tuple(member.requests[r] for r in beginning.requests)
        self.begun.setdefault(WAIT_TAGS[action[0]], []).append(UnrolledRequest(waits, beginning.flops))

    def wait(self, kind: int, older: int = 0) -> None:
        """Wait for the oldest of a kind, or pass over some older ones."""
        waiting = self.begun.get(kind)
        if waiting:
            self.actions += (each := waiting.pop(min(older, len(waiting) - 1))).waits
            self.compute(each.flops)

    def wait_all(self) -> None:
        """All have ended: their flops are left."""
        for waiting in self.begun.values():
            for each in waiting:
                self.compute(each.flops)
        self.begun.clear()

    def compute(self, flops: float) -> None:
        if flops > 0:
            self.actions.append(("compute", flops))


class _Member:
    """A rank that notes its messages as actions; a request is the wait for it."""

    def __init__(self, rank: int, group: Sequence[int], actions: list[Action]) -> None:
        self.rank, self.group, self.actions = rank, group, actions
        self.number, self.size = group.index(rank), len(group)
        self.requests: list[Action] = []

    def _request(self, action: Action, wait: Action) -> int:
        self.actions.append(action)
        self.requests.append(wait)
        return len(self.requests) - 1

    def send(self, target: int, tag: int, size: int) -> int:
        """Post a send; the request."""
        other, key = self.group[target], FIRST_TAG - tag
        return self._request(("isend", other, key, size), ("wait", self.rank, other, key))

    def receive(self, source: int, tag: int) -> int:
        """Post a receive; the request."""
        other, key = self.group[source], FIRST_TAG - tag
        return self._request(("irecv", other, key, -1), ("wait", other, self.rank, key))

    def wait(self, requests: Sequence[int]) -> None:
        """Wait for all of some requests."""
        self.actions.extend(self.requests[r] for r in requests)

    def compute(self, flops: float) -> None:
        """Compute, if it is anything."""
        if flops > 0:
            self.actions.append(("compute", flops))
