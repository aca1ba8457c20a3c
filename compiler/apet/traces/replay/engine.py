"""The engine: replays by the core, of flat programs or of lines as they come.

Rules: a transfer begins when both sides are posted, or, where the platform says so, when it is sent; sends below a
limit return at once, others end with their transfer; events that are less than 1 ns apart are one moment; computations
share the cores of their host.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

from apet.core import Struct, library
from apet.traces.platform.parts import ALGORITHMS, SHARED
from apet.traces.platform.platform import Platform
from apet.traces.replay.costs import HEADER, SAME_MOMENT
from apet.traces.replay.program import Programs
from apet.traces.trace import Segment

ENDED, FAILED, HUNGRY = range(3)
REPLAYING, CHECKING, KEEPING, UNROLLING = range(4)
"""What lines are read for."""
ACTIONS, MESSAGES, BYTES, SEGMENTS, HUNGRY_RANK, NEW_PAIRS, HELD = range(7)
"""What the core counts."""


class EngineResult(NamedTuple):
    """How a replay went."""

    computed: Sequence[float]  #: by rank, seconds of computing
    waited: Sequence[float]  #: by rank, seconds of waiting
    ends: Sequence[float]  #: by rank, the date of its end in seconds
    stands: Sequence[int]  #: by rank, the operation after that which it waits in; beyond all at its end
    carried: Sequence[float]  #: by link, bytes
    segments: Sequence[Segment] = ()


def packed(kind: str, numbers: Any) -> array[Any]:
    """An array of numbers, or of the bytes that hold them."""
    values = array(kind)
    values.frombytes(numbers) if isinstance(numbers, bytes) else values.extend(numbers)
    return values


def flattened(programs: Programs) -> Struct:
    """Programs as the core takes them."""
    requests = [request for group in programs.groups for request in group.requests]

    return Struct(
        "Programs",
        ranks=programs.ranks,
        messages=len(programs.size),
        operations=programs.operations,
        lengths=packed("q", map(len, programs.operations)),
        values=programs.values,
        pair=programs.pair,
        size=programs.size,
        early=programs.early,
        take=programs.take,
        source=packed("q", (p[0] for p in programs.pairs)),
        target=packed("q", (p[1] for p in programs.pairs)),
        groups=len(programs.groups),
        group_first=packed("q", accumulate((len(g.requests) for g in programs.groups), initial=0)),
        group_needed=packed("q", (g.needed for g in programs.groups)),
        request_first=packed("q", accumulate(map(len, requests), initial=0)),
        request_message=packed("q", chain.from_iterable(requests)),
    )


class Replayer:
    """A replay in the core: of flat programs, or of text that is fed to it. To be closed."""

    def __init__(
        self,
        platform: Platform,
        places: Sequence[int],
        programs: Programs | None = None,
        segments: bool = False,
    ) -> None:
        self.core, self.platform, self.places = library(), platform, places
        ranks, hosts = len(places), sorted(set(places))
        at = {host: k for k, host in enumerate(hosts)}

        zeros = bytes(8 * ranks)
        self.computed, self.waited, self.ends, self.stands = (packed(kind, zeros) for kind in "dddq")
        self.carried = packed("d", bytes(8 * len(platform.links)))
        network, factors, protocol = platform.network, platform.network.factors, platform.network.protocol
        self.counts = packed("q", bytes(8 * 7))

        self.setting = Struct(
            "Setting",
            ranks=ranks,
            links=len(platform.links),
            hosts=len(hosts),
            steps=len(factors.thresholds),
            record=int(segments),
            capacity=packed("d", (k.bandwidth for k in platform.links)),
            shared=packed("q", (int(k.policy == SHARED) for k in platform.links)),
            speed=packed("d", (platform.hosts[h].speed for h in hosts)),
            cores=packed("q", (platform.hosts[h].cores for h in hosts)),
            place=packed("q", (at[p] for p in places)),
            threshold=packed("d", factors.thresholds),
            latency_factor=packed("d", factors.latency),
            bandwidth_factor=packed("d", factors.bandwidth),
            computed=self.computed,
            waited=self.waited,
            ends=self.ends,
            carried=self.carried,
            stands=self.stands,
            counts=self.counts,
            header=HEADER,
            eager=protocol.eager,
            small=protocol.small,
            send_steps=len(protocol.send) // 3,
            isend_steps=len(protocol.isend) // 3,
            take_steps=len(protocol.take) // 3,
            send=packed("d", protocol.send),
            isend=packed("d", protocol.isend),
            take=packed("d", protocol.take),
            **dict(zip(ALGORITHMS, protocol.algorithms, strict=True)),
            window=network.window,
            weight_of_bandwidth=network.weight_of_bandwidth,
            back=network.back,
            moment=SAME_MOMENT,
        )

        self.flat = None if programs is None else flattened(programs)
        self.state = ctypes.c_void_p(self.core.apet_new(self.setting, self.flat))
        if not self.state.value:
            raise MemoryError("the replay does not fit into memory")

    def routes(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Give the routes of the next pairs of ranks."""
        route, places = self.platform.route, self.places
        there = [route(places[source], places[target]) for source, target in pairs]
        back = [route(places[target], places[source]).links for source, target in pairs]
        ends, latencies = packed("q", chain.from_iterable(pairs)), packed("d", (r.latency for r in there))
        links = [r.links for r in there]
        links_of = [packed("q", each) for rows in (links, back) for each in (map(len, rows), chain.from_iterable(rows))]
        self._check(self.core.apet_routes(self.state, len(pairs), ends, latencies, *links_of))

    def new_pairs(self) -> list[tuple[int, int]]:
        """Pairs of ranks whose paths are not known yet."""
        number = self.counts[NEW_PAIRS]
        ends = packed("q", bytes(16 * number))
        self.core.apet_new_pairs(self.state, ends)
        return list(zip(ends[::2], ends[1::2], strict=True))

    def feed(self, text: bytes) -> bool:
        """Read whole lines; False where a line is not plain."""
        read = self.core.apet_feed(self.state, text, len(text))
        self._check(read == -1)
        return int(read) >= 0

    def complete(self, rank: int) -> None:
        """A rank has no further lines."""
        self.core.apet_complete(self.state, rank)

    def run(self) -> int:
        """`ENDED`, or `HUNGRY`: a rank needs more lines."""
        outcome = int(self.core.apet_run(self.state))
        self._check(outcome == FAILED)
        return outcome

    def match(self) -> None:
        """Find messages for receives from any source, or with any tag, where operations are kept and all are read."""
        self._check(self.core.apet_match(self.state))

    def agrees(self) -> bool:
        """Whether all ranks have lines, and the same collectives of all."""
        return bool(self.core.apet_agree(self.state))

    def arrived(self) -> bool:
        """Whether all ranks came to their end."""
        return bool(self.core.apet_arrived(self.state))

    def course(self) -> EngineResult:
        """The result."""
        return EngineResult(self.computed, self.waited, self.ends, self.stands, self.carried, self._segments())

    def close(self) -> None:
        """Give back its memory."""
        self.core.apet_free(self.state)
        self.state = ctypes.c_void_p(None)

    def _segments(self) -> list[Segment]:
        number = self.counts[SEGMENTS]
        columns = [packed(kind, bytes(8 * number)) for kind in "qqqdd"]
        self.core.apet_segments(self.state, *columns)
        rows = zip(*columns, strict=True)
        return [Segment(rank, bool(computes), begin, end, at) for rank, computes, at, begin, end in rows]

    @staticmethod
    def _check(failed: bool | int) -> None:
        if failed:
            raise MemoryError("the replay does not fit into memory")


def run(programs: Programs, platform: Platform, places: Sequence[int], segments: bool = False) -> EngineResult:
    """Replay flat programs; `places` are the hosts of ranks, `segments` asks for what ranks did when."""
    replayer = Replayer(platform, places, programs, segments)
    try:
        replayer.routes(programs.pairs)
        replayer.run()
        return replayer.course()
    finally:
        replayer.close()
