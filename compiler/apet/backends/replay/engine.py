"""The replay: ranks run until they wait, then time goes on to the next event.

Rules: a transfer begins when both sides are posted; sends below 64 KiB return at once, others end with their transfer;
events that are less than 1 ns apart are one moment; computations share the cores of their host.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Generator, Sequence

from apet.analysis.traces import Deadlock, RankTimes, Replayed, Stuck, Trace
from apet.backends.replay.costs import EAGER_LIMIT, HEADER, Path, factors, path
from apet.backends.replay.messages import Channels, Message, Request
from apet.backends.replay.sharing import Flow, Links
from apet.machine.platform import SHARED, Platform

SAME_MOMENT = 1e-9
LATENCY, TRANSFER, COMPUTE, WAKE = range(4)
Program = Generator[Request, None, None]


class _Host:
    """Computations that run on one host."""

    __slots__ = ("cores", "running", "speed")

    def __init__(self, speed: float, cores: int) -> None:
        self.speed, self.cores = speed, cores
        self.running: list[_Work] = []


class _Work:
    """A computation: flops left at the moment `since`, at the host's present rate."""

    __slots__ = ("host", "left", "number", "rate", "request", "since")

    def __init__(self, host: _Host, left: float, request: Request) -> None:
        self.host, self.left, self.request = host, left, request
        self.rate, self.since, self.number = 0.0, 0.0, 0


class Engine:
    """The state of a replay. Programs of ranks call `send`, `receive`, `compute` and `sleep`."""

    def __init__(self, platform: Platform, places: Sequence[int]) -> None:
        self.now = 0.0
        self.places = places
        self.hosts = {k: _Host(platform.hosts[k].speed, platform.hosts[k].cores) for k in set(places)}
        self.links = Links([k.bandwidth for k in platform.links], [k.policy == SHARED for k in platform.links])
        self.platform = platform
        self.paths: dict[tuple[int, int], Path] = {}
        self.channels: Channels = {}
        self.heap: list[tuple[float, int, int, object]] = []
        self.sequence = 0
        self.changed: dict[int, None] = {}
        self.entered: list[Flow] = []
        self.awake: deque[int] = deque()
        self.messages = 0
        self.bytes_sent = 0
        self.carried = [0.0] * len(platform.links)

    # What ranks do

    def send(self, source: int, target: int, tag: int, size: int) -> Request | None:
        """Post a send; the request that ends with the transfer, None for one that is done at once."""
        request = Request() if size >= EAGER_LIMIT else None
        key = (source, target, tag)
        waiting = self.channels.get(key)
        if waiting and waiting[0].receiver:
            message = waiting.popleft()
            message.size = size
            message.sent = request
            self._start(message)
            return request
        message = Message(source, target, size)
        message.sent, message.sender = request, True
        self._keep(key, waiting, message)
        return request

    def receive(self, source: int, target: int, tag: int) -> Request:
        """Post a receive; the request that ends with the transfer."""
        request = Request()
        key = (source, target, tag)
        waiting = self.channels.get(key)
        if waiting and waiting[0].sender:
            message = waiting.popleft()
            message.received = request
            self._start(message)
            return request
        message = Message(source, target, 0)
        message.received, message.receiver = request, True
        self._keep(key, waiting, message)
        return request

    def _keep(self, key: tuple[int, int, int], waiting: deque[Message] | None, message: Message) -> None:
        if waiting is None:
            self.channels[key] = deque((message,))
        else:
            waiting.append(message)

    def compute(self, rank: int, flops: float) -> Request | None:
        """Begin a computation; None where there is nothing to do."""
        host = self.hosts[self.places[rank]]
        if flops <= 0 or host.speed <= 0:
            return None
        request = Request(True)
        work = _Work(host, flops, request)
        work.since = self.now
        host.running.append(work)
        self._share(host)
        return request

    def sleep(self, seconds: float) -> Request | None:
        """A request that is done after some seconds."""
        if seconds <= 0:
            return None
        request = Request()
        self._at(self.now + seconds, WAKE, request)
        return request

    # What happens

    def _at(self, date: float, kind: int, what: object) -> int:
        self.sequence += 1
        heapq.heappush(self.heap, (date, self.sequence, kind, what))
        return self.sequence

    def _start(self, message: Message) -> None:
        source, target = self.places[message.source], self.places[message.target]
        key = source, target
        found = self.paths.get(key)
        if found is None:
            found = self.paths[key] = path(self.platform, source, target)
        latency, bandwidth = factors(message.size)
        self.messages += 1
        self.bytes_sent += message.size
        flow = Flow(found, message.size + HEADER, bandwidth, message)
        for k in found.forward:
            self.carried[k] += message.size
        if found.latency:
            self._at(self.now + latency * found.latency, LATENCY, flow)
        else:
            self.entered.append(flow)

    def _share(self, host: _Host) -> None:
        """Give every computation of a host its share of the cores."""
        running = host.running
        rate = host.speed * min(1.0, host.cores / len(running)) if running else 0.0
        for work in running:
            if work.rate != rate:
                work.left -= (self.now - work.since) * work.rate
                work.since, work.rate = self.now, rate
                work.number = self._at(self.now + max(0.0, work.left) / rate, COMPUTE, work)

    def _finish(self, request: Request | None) -> None:
        if request is not None:
            request.done = True
            if request.waiter >= 0:
                self.awake.append(request.waiter)
                request.waiter = -1

    def settle(self) -> None:
        """Rates of the flows that began or ended, and of those that share links with them."""
        for flow in self.entered:
            self.links.enter(flow)
        for flow in self.entered:
            binding = False
            for k, _ in flow.path.uses:
                if self.links.tight(k):
                    self.changed[k] = None
                    binding = True
            if not binding:
                self._rate(flow, flow.path.bound)
        self.entered.clear()
        if not self.changed:
            return
        flows, links = self.links.around(self.changed)
        self.changed.clear()
        for flow, rate in zip(flows, self.links.rates(flows, links), strict=True):
            self._rate(flow, rate)

    def _rate(self, flow: Flow, rate: float) -> None:
        if rate == flow.rate:
            return
        if flow.rate:
            flow.left -= (self.now - flow.since) * flow.speed
        flow.since, flow.rate = self.now, rate
        flow.speed = rate * flow.bandwidth_factor
        flow.number = self._at(self.now + max(0.0, flow.left) / flow.speed, TRANSFER, flow)

    def advance(self) -> bool:
        """Go to the next moment at which something ends; False if there is none."""
        heap = self.heap
        while heap:
            date, number, kind, what = heap[0]
            if kind in (TRANSFER, COMPUTE) and what.number != number:  # type: ignore[attr-defined]
                heapq.heappop(heap)
                continue
            break
        else:
            return False
        self.now = max(self.now, date)
        limit = self.now + SAME_MOMENT
        while heap and heap[0][0] <= limit:
            _, number, kind, what = heapq.heappop(heap)
            self._happen(number, kind, what)
        return True

    def _happen(self, number: int, kind: int, what: object) -> None:
        if kind == LATENCY:
            assert isinstance(what, Flow)
            self.entered.append(what)
        elif kind == TRANSFER:
            assert isinstance(what, Flow)
            if what.number == number:
                self._ended(what)
        elif kind == COMPUTE:
            assert isinstance(what, _Work)
            if what.number == number:
                what.host.running.remove(what)
                self._share(what.host)
                self._finish(what.request)
        else:
            assert isinstance(what, Request)
            self._finish(what)

    def _ended(self, flow: Flow) -> None:
        links = self.links
        for k, _ in flow.path.uses:
            if links.tight(k):
                self.changed[k] = None
        links.leave(flow)
        flow.number = -1
        message = flow.message
        assert isinstance(message, Message)
        self._finish(message.sent)
        self._finish(message.received)


def replay(trace: Trace, platform: Platform, hosts: Sequence[int]) -> Replayed:
    """Run a trace on a platform; rank r is on `hosts[r % len(hosts)]`. `Deadlock` where ranks wait for each other."""
    from apet.backends.replay.ranks import Rank

    number = len(trace.ranks)
    places = [hosts[r % len(hosts)] for r in range(number)]
    engine = Engine(platform, places)
    ranks = [Rank(engine, r, number, actions) for r, actions in enumerate(trace.ranks)]
    programs = [rank.program() for rank in ranks]
    began, computed, waited, ends = [0.0] * number, [0.0] * number, [0.0] * number, [0.0] * number
    blocked: list[Request | None] = [None] * number
    engine.awake.extend(range(number))
    left = number
    while True:
        awake = engine.awake
        while awake:
            r = awake.popleft()
            before = blocked[r]
            if before is not None:
                spent = engine.now - began[r]
                if before.computes:
                    computed[r] += spent
                else:
                    waited[r] += spent
            request = next(programs[r], None)
            blocked[r] = request
            if request is None:
                ends[r] = engine.now
                left -= 1
            else:
                began[r] = engine.now
                request.waiter = r
        if engine.entered or engine.changed:
            engine.settle()
        if not engine.advance():
            break
    if left:
        raise Deadlock(
            [_stuck(trace, rank) for rank, request in zip(ranks, blocked, strict=True) if request is not None]
        )
    times = tuple(RankTimes(c, w, e) for c, w, e in zip(computed, waited, ends, strict=True))
    carried = {link.name: b for link, b in zip(platform.links, engine.carried, strict=True) if b}
    return Replayed(max(ends, default=0.0), times, engine.messages, engine.bytes_sent, carried)


def _stuck(trace: Trace, rank: object) -> Stuck:
    from apet.backends.replay.ranks import Rank

    assert isinstance(rank, Rank)
    lines = trace.lines[rank.number] if trace.lines else ()
    at = rank.at
    action = trace.ranks[rank.number][at] if at < len(trace.ranks[rank.number]) else ("end",)
    return Stuck(rank.number, lines[at] if at < len(lines) else 0, str(action[0]), rank.waiting_for(action))
