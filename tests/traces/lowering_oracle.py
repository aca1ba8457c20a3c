"""The flat programs of a trace once more, made action by action in Python, as an oracle for those of the core."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tests.traces import collectives_oracle as collectives
from tests.traces.matching_oracle import Key, Messages, renamed

from apet.traces.platform.parts import Protocol
from apet.traces.replay.program import (
    ANY,
    COMPUTE,
    ENTER,
    LEAVE,
    MASK,
    RECEIVE,
    RECEIVED,
    SEND,
    SENT,
    SHIFT,
    SLEEP,
    Programs,
    Unmatched,
    WaitSome,
)
from apet.traces.trace import ANY_SOURCE, ANY_TAG, WAIT_TAGS, Action, Trace

CHOOSE = ("waitany", "waitsome")
DONE = -1
"""The request of a send that returns at once: nobody waits for it."""


class CollectiveRequest(NamedTuple):
    """The request of a non-blocking collective, begun by a rank's action: what it waits for, then flops."""

    operations: tuple[int, ...]
    flops: float
    action: int


Request = int | CollectiveRequest


def lower(trace: Trace) -> Programs:
    """The flat programs of all ranks."""
    messages = Messages()
    values = array("d")
    ranks = [_Rank(r, trace, messages, values) for r in range(len(trace.ranks))]
    for rank in ranks:
        rank.run()
    messages.wildcards()
    for rank in ranks:
        rank.rename(messages.alias)

    syncs = [rank.syncs for rank in ranks]
    return Programs(
        tuple(rank.operations for rank in ranks),
        tuple(rank.origins for rank in ranks),
        values,
        tuple(messages.pairs),
        messages.pair,
        messages.size,
        tuple(messages.groups),
        len(syncs[0]) if syncs and all(s == syncs[0] for s in syncs) else -1,
        messages.unmatched(),
        tuple(loose for rank in ranks for loose in rank.unfinished),
    )


class _Rank:
    """One rank's program in the making; a member of all ranks' communicator."""

    def __init__(self, number: int, trace: Trace, messages: Messages, values: array[float]) -> None:
        self.number, self.size = number, len(trace.ranks)
        self.actions: Sequence[Action] = trace.ranks[number]
        self.communicators = trace.communicators[number] if trace.communicators else {}
        self.messages, self.values = messages, values
        self.operations, self.origins = array("q"), array("q")
        self.open: dict[Key, deque[Request]] = {}
        self.outstanding: dict[Request, None] = {}
        self.syncs: list[str] = []
        self.unfinished: list[Unmatched] = []
        self.at = 0
        self.chooses = any(a[0] in CHOOSE for a in self.actions)
        self.some: list[Request] = []
        self.consumed = 0

    def run(self) -> None:
        """Lower all actions, and the wait at the end for all that is outstanding."""
        emit, origins, forms = self.operations, self.origins, FORMS
        for at, action in enumerate(self.actions):
            self.at = at
            before = len(emit)
            form = forms.get(action[0])
            if form is not None:
                form(self, action)
            else:
                self.collective(action)
            for _ in range(len(emit) - before):
                origins.append(at)

        self.at = len(self.actions)
        before = len(emit)
        self.unfinished = [self.loose(request) for request in self.outstanding]
        self.wait_all()
        origins.extend([self.at] * (len(emit) - before))

    def loose(self, request: Request) -> Unmatched:
        """A request that no action waits for."""
        if isinstance(request, CollectiveRequest):
            return Unmatched(self.number, request.action, f"no wait for this {self.actions[request.action][0]}")
        code, message = request & MASK, request >> SHIFT
        posted = self.operations.index(message << SHIFT | (SEND if code == SENT else RECEIVE))
        name = "send" if code == SENT else "receive"
        return Unmatched(self.number, self.origins[posted], f"no wait for this {name}")

    def rename(self, alias: dict[int, int]) -> None:
        """Put in the numbers of messages from any source."""
        if alias:
            self.operations = array("q", [renamed(operation, alias) for operation in self.operations])

    # What collectives need

    def send(self, target: int, tag: int, size: int) -> int:
        """Post a send; the request."""
        return self.post_send((self.number, target, tag), size)

    def receive(self, source: int, tag: int) -> int:
        """Post a receive; the request."""
        return self.post_receive((source, self.number, tag))

    def wait(self, requests: Iterable[int]) -> None:
        """Wait for all of some requests."""
        self.operations.extend([r for r in requests if r != DONE])

    def compute(self, flops: float) -> None:
        """Compute, if it is anything."""
        if flops > 0:
            self.operations.append(len(self.values) << SHIFT | COMPUTE)
            self.values.append(flops)

    # Actions

    def post_send(self, key: Key, size: int, synchronous: bool = False) -> int:
        number = self.messages.post(key, size, True, self.at)
        self.operations.append(number << SHIFT | SEND)
        return number << SHIFT | SENT if synchronous or size >= Protocol().eager else DONE

    def post_receive(self, key: Key) -> int:
        if key[0] == ANY_SOURCE or key[2] == ANY_TAG:
            number = self.messages.any_source(key, self.at)
        else:
            number = self.messages.post(key, -1, False, self.at)
        self.operations.append(number << SHIFT | RECEIVE)
        return number << SHIFT | RECEIVED

    def keep(self, key: Key, request: Request) -> None:
        """An open request, in the order of its key; also of a send that is done, since a `wait` may mean that."""
        waiting = self.open.get(key)
        if waiting is None:
            self.open[key] = deque((request,))
        else:
            waiting.append(request)
        if request != DONE:
            self.outstanding[request] = None
        if self.chooses:
            self.some.append(request)

    def finish(self, request: Request) -> None:
        """Wait for a request."""
        if isinstance(request, CollectiveRequest):
            self.wait(request.operations)
            self.compute(request.flops)
        elif request != DONE:
            self.operations.append(request)

    def wait_all(self) -> None:
        """Wait for all open requests, in the order in which they were posted."""
        for request in self.outstanding:
            self.finish(request)
        self.forget()

    def forget(self) -> None:
        self.open.clear()
        self.outstanding.clear()
        self.some.clear()
        self.consumed = 0

    def wait_any(self) -> None:
        """One more of the outstanding requests is done; which one depends on time."""
        if not self.some:
            return

        self.consumed += 1
        parts = [_awaited(r) for r in self.some]
        parts = [p for p in parts if p]
        needed = self.consumed - len(self.some) + len(parts)
        if needed > 0:
            self.operations.append(len(self.messages.groups) << SHIFT | ANY)
            self.messages.groups.append(WaitSome(needed, tuple(parts)))
        if self.consumed == len(self.some):
            for request in self.some:
                self.compute(request.flops if isinstance(request, CollectiveRequest) else 0.0)
            self.forget()

    def wait_one(self, key: Key, older: int = 0) -> None:
        """Wait for the oldest open request of a key, or pass over some older ones."""
        waiting = self.open.get(key)
        if waiting:
            at = min(older, len(waiting) - 1)
            request = waiting[at]
            del waiting[at]
            self.outstanding.pop(request, None)
            self.finish(request)
            if self.chooses and request in self.some:
                self.some.remove(request)

    def exchange(self, size: int, target: int, source: int) -> None:
        """Send and receive at once; with oneself, nothing."""
        if not target == source == self.number:
            self.wait([self.send(target, 0, size), self.receive(source, 0)])

    def collective(self, action: Action) -> None:
        """Unroll a collective of all ranks, or of a communicator."""
        name = action[0]
        group = self.communicators.get(self.at)
        if name in WAIT_TAGS:
            self.begin(name, action, group)
            return
        unrolled = collectives.UNROLLED[name]
        if group is not None:
            unrolled(_Part(self, group), *action[1:])
            return

        synchronises = name in collectives.SYNCHRONISING
        if synchronises:
            self.operations.append(len(self.syncs) << SHIFT | ENTER)
        unrolled(self, *action[1:])
        if synchronises:
            self.operations.append(len(self.syncs) << SHIFT | LEAVE)
            self.syncs.append(name)

    def begin(self, name: str, action: Action, group: tuple[int, ...] | None) -> None:
        """Post all messages of a non-blocking collective; the request."""
        number = 0 if group is None else self.messages.communicator(group)
        member = collectives.Beginning(self if group is None else _Part(self, group), collectives.BEGUN - number)
        collectives.BEGINNING[name](member, *action[1:])
        operations = tuple(r for r in member.requests if r != DONE)
        request = CollectiveRequest(operations, member.flops, self.at) if operations or member.flops > 0 else DONE
        self.keep((ANY_SOURCE, ANY_SOURCE, WAIT_TAGS[name]), request)


def _awaited(request: Request) -> tuple[int, ...]:
    """The messages that a request waits for."""
    if isinstance(request, CollectiveRequest):
        return tuple(operation >> SHIFT for operation in request.operations)
    return () if request == DONE else (request >> SHIFT,)


class _Part:
    """A rank as a member of a communicator of some ranks."""

    def __init__(self, rank: _Rank, group: Sequence[int]) -> None:
        self.rank, self.group = rank, group
        self.number, self.size = group.index(rank.number), len(group)
        self.wait, self.compute = rank.wait, rank.compute

    def send(self, target: int, tag: int, size: int) -> int:
        """Post a send; the request."""
        return self.rank.send(self.group[target], tag, size)

    def receive(self, source: int, tag: int) -> int:
        """Post a receive; the request."""
        return self.rank.receive(self.group[source], tag)


def _sleep(rank: _Rank, action: Action) -> None:
    rank.operations.append(len(rank.values) << SHIFT | SLEEP)
    rank.values.append(action[1])


def _send(rank: _Rank, action: Action) -> None:
    rank.finish(rank.post_send((rank.number, action[1], action[2]), action[3], action[0] == "ssend"))


def _receive(rank: _Rank, action: Action) -> None:
    rank.operations.append(rank.post_receive((action[1], rank.number, action[2])))


def _isend(rank: _Rank, action: Action) -> None:
    key = (rank.number, action[1], action[2])
    rank.keep(key, rank.post_send(key, action[3], action[0] == "issend"))


def _irecv(rank: _Rank, action: Action) -> None:
    key = (action[1], rank.number, action[2])
    rank.keep(key, rank.post_receive(key))


FORMS: dict[str, Callable[[_Rank, Action], Any]] = {
    "compute": lambda rank, action: rank.compute(action[1]),
    "sleep": _sleep,
    "send": _send,
    "ssend": _send,
    "recv": _receive,
    "isend": _isend,
    "issend": _isend,
    "irecv": _irecv,
    "wait": lambda rank, action: rank.wait_one((action[1], action[2], action[3]), *action[4:]),
    "waitall": lambda rank, action: rank.wait_all(),
    "waitany": lambda rank, action: rank.wait_any(),
    "waitsome": lambda rank, action: rank.wait_any(),
    "sendrecv": lambda rank, action: rank.exchange(action[1], action[2], action[4]),
}
