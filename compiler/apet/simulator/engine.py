"""Processes, servers and the clock of an event-by-event run.

Order. Time moves from instant to instant. At each instant all leaves that end then give their servers back first, and a
freed server goes to whoever has waited longest. Then the processes that can go on do so in program order: a process
before the ones its parent wrote or unrolled after it. A process goes on until it has to wait, so requests of one
instant queue in program order. Nothing depends on hash order or on object identity.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Protocol

from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.source import Source, Span
from apet.simulator.errors import SimulatedDeadlock, TooManyEvents

Scope = dict[str, Number | str]
Key = tuple[int, ...]
Frame = tuple[Iterator["ProgramNode"], Scope]
"""What is left of a composite: the nodes to begin next, and the values of their names."""


class ProgramNode(Protocol):
    """A step of the program."""

    def begin(self, process: Process, scope: Scope) -> bool:
        """Start it: True if the process has to wait, False if it can go on with the top of its stack."""
        ...


class ResourceServer:
    """A resource: `free` of its servers are idle, and `queue` waits in order (only while none is free).

    A waiter is a process, the seconds that it wants a server for, or None where it gives it back itself, and its place.
    """

    __slots__ = ("busy", "free", "label", "queue", "servers")

    def __init__(self, label: str, servers: int) -> None:
        self.label = label
        self.servers = self.free = servers
        self.busy = 0.0
        self.queue: deque[tuple[Process, float | None, Span]] = deque()

    def restart(self) -> None:
        """As it was before a run."""
        self.free, self.busy = self.servers, 0.0
        self.queue.clear()


class Process:
    """A thread of the program. `key` is its place in program order, `held` what it and its ancestors hold."""

    __slots__ = ("children", "held", "key", "leaf", "parent", "stack")

    def __init__(self, key: Key, parent: Process | None, held: frozenset[ResourceServer], frame: Frame) -> None:
        self.key = key
        self.parent = parent
        self.held = held
        self.stack: list[Frame] = [frame]
        self.children = 0
        self.leaf: ResourceServer | None = None


class Engine:
    """The clock, the calendar and the processes that can go on now."""

    __slots__ = ("calendar", "events", "iterations", "most_events", "now", "ready", "servers", "source")

    def __init__(self, source: Source, most_events: int) -> None:
        self.source = source
        self.most_events = most_events
        self.servers: dict[str, ResourceServer] = {}
        self.restart()

    def restart(self) -> None:
        """As it was before a run; servers that there were stay known."""
        self.now = 0.0
        self.events = 0
        self.iterations = 0
        self.calendar: list[tuple[float, Key, Process]] = []
        self.ready: list[tuple[Key, Process]] = []
        for server in self.servers.values():
            server.restart()

    def run(self, entry: ProgramNode, scope: Scope) -> None:
        """Run the entry to its end; `ApetError` on a deadlock or after too many events."""
        self.restart()
        root = Process((), None, frozenset(), (iter((entry,)), scope))
        self.ready.append(((), root))
        with paused_collector():
            self._run()
        if root.stack:
            self._deadlock()

    def _run(self) -> None:
        while True:
            while self.ready:
                self._go_on(heappop(self.ready)[1])
            if not self.calendar:
                return
            self._end_leaves()

    def _end_leaves(self) -> None:
        """Move the clock to the next instant, and end the leaves that end then."""
        calendar, ready = self.calendar, self.ready
        self.now = now = calendar[0][0]
        while calendar and calendar[0][0] == now:
            _, key, process = heappop(calendar)
            server = process.leaf
            if server is not None:
                process.leaf = None
                self.release(server)
            heappush(ready, (key, process))

    def _go_on(self, process: Process) -> None:
        """Run one process until it has to wait or ends."""
        stack = process.stack
        while stack:
            nodes, scope = stack[-1]
            node = next(nodes, None)
            if node is None:
                stack.pop()
            elif node.begin(process, scope):
                return

        parent = process.parent
        if parent is not None:
            parent.children -= 1
            if not parent.children:
                heappush(self.ready, (parent.key, parent))

    def spend(self, process: Process, seconds: float, server: ResourceServer | None, span: Span) -> bool:
        """Let the process take `seconds`, holding the server (unless it is held already); whether it has to wait."""
        self.events += 1
        if self.events > self.most_events:
            self.stop("events", span)
        if server is not None:
            if process.held and server in process.held:
                server = None
            elif server.free:
                server.free -= 1
                server.busy += seconds
            else:
                server.queue.append((process, seconds, span))
                return True

        end = self.now + seconds
        if not self.ready and (not self.calendar or self.calendar[0][0] > end):
            # Nobody else can do anything before it ends: no need of the calendar.
            self.now = end
            if server is not None:
                server.free += 1
            return False

        process.leaf = server
        heappush(self.calendar, (end, process.key, process))
        return True

    def acquire(self, process: Process, server: ResourceServer, span: Span) -> bool:
        """Take a server, to be given back with `release`; whether the process has to wait for it."""
        if server.free:
            server.free -= 1
            return False
        server.queue.append((process, None, span))
        return True

    def release(self, server: ResourceServer) -> None:
        """Give a server back: to whoever has waited longest, if anyone does."""
        if not server.queue:
            server.free += 1
            return
        process, seconds, _ = server.queue.popleft()
        if seconds is None:
            heappush(self.ready, (process.key, process))
            return
        server.busy += seconds
        process.leaf = server
        heappush(self.calendar, (self.now + seconds, process.key, process))

    def spawn(self, parent: Process, place: int, frame: Frame) -> None:
        """A new process at that place among its siblings, ready now."""
        key = (*parent.key, place)
        parent.children += 1
        heappush(self.ready, (key, Process(key, parent, parent.held, frame)))

    def count(self, span: Span) -> None:
        """Count an iteration or a call, so that nothing runs for ever without an event."""
        self.iterations += 1
        if self.iterations > self.most_events:
            self.stop("iterations", span)

    def stop(self, what: str, span: Span) -> None:
        raise ApetError(TooManyEvents(self.source, span, self.most_events, what))

    def _deadlock(self) -> None:
        """Name every place where a process waits that itself holds something; others only wait behind those."""
        places: dict[tuple[Span, str, str], SimulatedDeadlock] = {}
        for server in self.servers.values():
            for process, _, span in server.queue:
                held = ", ".join(sorted(f"'{s.label}'" for s in process.held))
                if held:
                    deadlock = SimulatedDeadlock(self.source, span, self.now, server.label, held)
                    places.setdefault((span, server.label, held), deadlock)
        raise ApetError(list(places.values())[:MOST_PLACES])


MOST_PLACES = 10
