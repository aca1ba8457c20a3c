"""Collectives of some ranks as the messages that they are, so that programs without communicators replay them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from apet.analysis.traces import Action, Trace
from apet.backends.replay.collectives import UNROLLED

FIRST_TAG = 2_000_000_000
"""Tags of unrolled collectives; those of programs lie below."""


def unrolled(trace: Trace) -> Trace:
    """The trace in which each collective of a communicator of some ranks is written as messages and waits."""
    if not trace.communicators:
        return trace
    ranks = list[list[Action]]()
    for number, actions in enumerate(trace.ranks):
        groups, found = trace.communicators[number], list[Action]()
        for at, action in enumerate(actions):
            if at in groups:
                UNROLLED[action[0]](_Member(number, groups[at], found), *action[1:])
            else:
                found.append(action)
        ranks.append(found)
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
