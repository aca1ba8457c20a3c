"""The replay once more, short and slow, as an oracle: ranks run until they wait, then time goes on to the next event.

Rules: a transfer begins when both sides are posted; sends below 64 KiB return at once, others end with their transfer;
events that are less than 1 ns apart are one moment; computations share the cores of their host.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence

from tests.traces.lowering_oracle import lower
from tests.traces.sharing_oracle import Flow, Links, harmless

from apet.traces.platform.parts import SHARED
from apet.traces.platform.platform import Platform
from apet.traces.replay.costs import HEADER, SAME_MOMENT, Path, factors
from apet.traces.replay.engine import EngineResult
from apet.traces.replay.program import ANY, COMPUTE, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, SLEEP, Programs
from apet.traces.replay.run import paths_of, placed, replayed
from apet.traces.trace import Replayed, Segment, Trace

BEGIN, END, WORK, WAKE = range(4)
COMPUTING, SLEEPING, WAITING, CHOOSING = range(4)


class _Host:
    """Computations that run on one host."""

    __slots__ = ("cores", "running", "speed")

    def __init__(self, speed: float, cores: int) -> None:
        self.speed, self.cores = speed, cores
        self.running: list[_Work] = []


class _Work:
    """A computation of a rank: flops left at the moment `since`, at the host's present rate."""

    __slots__ = ("host", "left", "number", "rank", "rate", "since")

    def __init__(self, host: _Host, left: float, rank: int) -> None:
        self.host, self.left, self.rank = host, left, rank
        self.rate, self.since, self.number = 0.0, 0.0, 0


class Engine:
    """The state of a replay: by message how many sides are posted, whether it has ended, and who waits for it."""

    def __init__(
        self, programs: Programs, platform: Platform, places: Sequence[int], paths: Sequence[Path], record: bool = False
    ) -> None:
        self.now = 0.0
        self.record, self.segments = record, list[Segment]()
        self.programs, self.paths = programs, paths
        hosts = {k: _Host(platform.hosts[k].speed, platform.hosts[k].cores) for k in set(places)}
        self.hosts = [hosts[k] for k in places]
        capacities = [k.bandwidth for k in platform.links]
        self.links = Links(capacities, [k.policy == SHARED for k in platform.links], harmless(capacities, paths))
        self.heap: list[tuple[float, int, int, object]] = []
        self.sequence = 0
        self.changed: dict[int, None] = {}
        self.entered: list[Flow] = []
        number = programs.ranks
        self.awake: deque[int] = deque(range(number))
        self.posted = bytearray(len(programs.size))
        self.ended = bytearray(len(programs.size))
        self.waiter: dict[int, list[int]] = {}
        self.waits_for = [-1] * number
        self.at = [0] * number
        self.began, self.doing = [0.0] * number, [WAITING] * number
        self.computed, self.waited, self.ends = [0.0] * number, [0.0] * number, [0.0] * number
        self.factors: dict[int, tuple[float, float]] = {}
        self.known = platform.network.factors
        self.carried = [0.0] * len(platform.links)

    def run(self) -> EngineResult:
        """Until nothing happens any more."""
        while True:
            awake = self.awake
            while awake:
                self.go_on(awake.popleft())
            if self.entered or self.changed:
                self.settle()
            if not self.advance():
                break
        return EngineResult(self.computed, self.waited, self.ends, self.at, self.carried, self.segments)

    # What ranks do

    def go_on(self, rank: int) -> None:
        """Take a rank on to where it waits, or to its end."""
        spent = self.now - self.began[rank]
        if self.doing[rank] == COMPUTING:
            self.computed[rank] += spent
        else:
            self.waited[rank] += spent
        if self.record and spent > 0:
            self.segments.append(Segment(rank, self.doing[rank] == COMPUTING, self.began[rank], self.now))
        operations, posted, ended = self.programs.operations[rank], self.posted, self.ended
        at, last = self.at[rank], len(operations)
        if self.doing[rank] == CHOOSING:
            at -= 1
            self.doing[rank] = WAITING
        while at < last:
            operation = operations[at]
            code, what = operation & MASK, operation >> SHIFT
            at += 1
            if code in (SEND, RECEIVE):
                if posted[what]:
                    self._start(what)
                else:
                    posted[what] = 1
            elif code in (SENT, RECEIVED):
                if not ended[what]:
                    self.waiter.setdefault(what, []).append(rank)
                    self.doing[rank], self.waits_for[rank] = WAITING, what
                    break
            elif code == COMPUTE:
                if self._compute(rank, self.programs.values[what]):
                    break
            elif code == SLEEP:
                if self.programs.values[what] > 0:
                    self.doing[rank] = SLEEPING
                    self._at(self.now + self.programs.values[what], WAKE, rank)
                    break
            elif code == ANY and self._choose(rank, what):
                break
        else:
            self.ends[rank] = self.now
            at = last + 1
        self.at[rank] = at
        self.began[rank] = self.now

    def _compute(self, rank: int, flops: float) -> bool:
        host = self.hosts[rank]
        if flops <= 0 or host.speed <= 0:
            return False
        work = _Work(host, flops, rank)
        work.since = self.now
        host.running.append(work)
        self._share(host)
        self.doing[rank] = COMPUTING
        return True

    def _choose(self, rank: int, number: int) -> bool:
        """Whether a rank has to wait until more of a group's requests are done; it will be asked again then."""
        group = self.programs.groups[number]
        if group.enough(self.ended):
            return False
        for m in {m for request in group.requests for m in request}:
            if not self.ended[m]:
                self.waiter.setdefault(m, []).append(rank)
        self.doing[rank] = CHOOSING
        return True

    # What happens

    def _at(self, date: float, kind: int, what: object) -> int:
        self.sequence += 1
        heapq.heappush(self.heap, (date, self.sequence, kind, what))
        return self.sequence

    def _start(self, message: int) -> None:
        path = self.paths[self.programs.pair[message]]
        size = self.programs.size[message]
        found = self.factors.get(size)
        if found is None:
            found = self.factors[size] = factors(size, self.known)
        flow = Flow(path, size + HEADER, found[1], message)
        for k in path.forward:
            self.carried[k] += size
        if path.latency:
            self._at(self.now + found[0] * path.latency, BEGIN, flow)
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
                work.number = self._at(self.now + max(0.0, work.left) / rate, WORK, work)

    def settle(self) -> None:
        """Rates of the flows that began or ended, and of those that share links with them."""
        links = self.links
        for flow in self.entered:
            links.enter(flow)
        for flow in self.entered:
            binding = False
            for k, _ in flow.path.uses:
                if links.tight(k):
                    self.changed[k] = None
                    binding = True
            if not binding:
                self._rate(flow, flow.path.bound)
        self.entered.clear()
        if self.changed:
            flows, around = links.around(self.changed)
            self.changed.clear()
            for flow, rate in zip(flows, links.rates(flows, around), strict=True):
                if rate != flow.rate:
                    self._rate(flow, rate)

    def _rate(self, flow: Flow, rate: float) -> None:
        if flow.rate:
            flow.left -= (self.now - flow.since) * flow.speed
        flow.since, flow.rate = self.now, rate
        flow.speed = rate * flow.bandwidth_factor
        flow.number = self._at(self.now + max(0.0, flow.left) / flow.speed, END, flow)

    def advance(self) -> bool:
        """Go to the next moment at which something ends; False if there is none."""
        heap = self.heap
        while heap:
            date, number, kind, what = heap[0]
            if kind in (END, WORK) and what.number != number:  # type: ignore[attr-defined]
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
        match what:
            case Flow() if kind == BEGIN:
                self.entered.append(what)
            case Flow() if what.number == number:
                self._ended(what)
            case _Work() if what.number == number:
                what.host.running.remove(what)
                self._share(what.host)
                self.awake.append(what.rank)
            case int():
                self.awake.append(what)

    def _ended(self, flow: Flow) -> None:
        links = self.links
        for k, _ in flow.path.uses:
            if links.tight(k):
                self.changed[k] = None
        links.leave(flow)
        flow.number = -1
        self.ended[flow.message] = 1
        for rank in self.waiter.pop(flow.message, ()):
            if self.doing[rank] == WAITING and self.waits_for[rank] == flow.message:
                self.waits_for[rank] = -1
                self.awake.append(rank)
            elif self.doing[rank] == CHOOSING and rank not in self.awake:
                self.awake.append(rank)


def replay_in_python(trace: Trace, platform: Platform, hosts: Sequence[int], segments: bool = False) -> Replayed:
    """The replay of a trace by this engine."""
    programs = lower(trace)
    places = placed(programs, hosts)
    course = Engine(programs, platform, places, paths_of(programs, platform, places), segments).run()
    return replayed(trace, programs, platform, places, course)
