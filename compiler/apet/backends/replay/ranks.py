"""What one rank does: its actions in order, as a program that pauses where it waits."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apet.backends.replay import collectives
from apet.backends.replay.messages import Key, Request

if TYPE_CHECKING:
    from apet.backends.replay.engine import Engine, Program

COLLECTIVE = frozenset(collectives.PROGRAMS)


class Rank:
    """A rank: its number, its outstanding requests by (source, destination, tag), and the action it is at."""

    def __init__(self, engine: Engine, number: int, size: int, actions: Sequence[Any]) -> None:
        self.engine = engine
        self.number = number
        self.size = size
        self.actions = actions
        self.open: dict[Key, deque[Request]] = {}
        self.at = 0

    def program(self) -> Program:
        """Run all actions; pauses with the request that the rank waits for."""
        engine, me = self.engine, self.number
        send, receive, outstanding = engine.send, engine.receive, self.open
        request: Request | None
        actions = self.actions
        for self.at, action in enumerate(actions):
            name = action[0]
            if name == "compute":
                request = engine.compute(me, action[1])
                if request is not None:
                    yield request
            elif name == "send":
                request = send(me, action[1], action[2], action[3])
                if request is not None and not request.done:
                    yield request
            elif name == "recv":
                request = receive(action[1], me, action[2])
                if not request.done:
                    yield request
            elif name == "isend":
                request = send(me, action[1], action[2], action[3])
                if request is not None:
                    self._keep((me, action[1], action[2]), request)
            elif name == "irecv":
                self._keep((action[1], me, action[2]), receive(action[1], me, action[2]))
            elif name == "wait":
                waiting = outstanding.get((action[1], action[2], action[3]))
                if waiting:
                    request = waiting.popleft()
                    if not request.done:
                        yield request
            elif name == "waitall":
                yield from self._all()
            elif name in COLLECTIVE:
                yield from collectives.PROGRAMS[name](self, *action[1:])
            else:
                yield from self._rare(action)
        self.at = len(self.actions)
        yield from self._all()

    def _rare(self, action: Any) -> Program:
        if action[0] == "sleep":
            request = self.engine.sleep(action[1])
            if request is not None:
                yield request
        elif action[0] == "sendrecv":
            size, target, _, source = action[1:]
            if target == self.number and source == self.number:
                return
            receiving = self.engine.receive(source, self.number, 0)
            sending = self.engine.send(self.number, target, 0, size)
            yield from self.wait([sending, receiving])

    def _keep(self, key: Key, request: Request) -> None:
        waiting = self.open.get(key)
        if waiting is None:
            self.open[key] = deque((request,))
        else:
            waiting.append(request)

    def _all(self) -> Program:
        """Wait for everything outstanding."""
        for waiting in self.open.values():
            for request in waiting:
                if not request.done:
                    yield request
        self.open.clear()

    def wait(self, requests: Sequence[Request | None]) -> Program:
        """Wait for all of some requests."""
        for request in requests:
            if request is not None and not request.done:
                yield request

    def waiting_for(self, action: Any) -> str:
        """What the action waits for, in words."""
        match action[0]:
            case "send":
                return f"rank {action[1]} to receive {action[3]} bytes with tag {action[2]}"
            case "recv":
                return f"a message from rank {action[1]} with tag {action[2]}"
            case "wait":
                return f"the message from rank {action[1]} to rank {action[2]} with tag {action[3]}"
            case "waitall" | "end":
                kept = [key for key, waiting in self.open.items() if any(not r.done for r in waiting)]
                shown = ", ".join(f"{s} to {d} with tag {t}" for s, d, t in kept[:3])
                return f"messages from {shown}{' and more' if len(kept) > 3 else ''}"
            case _:
                return "the other ranks"
