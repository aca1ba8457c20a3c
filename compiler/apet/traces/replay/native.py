"""The compiled core: built with the C compiler of the system where there is one, kept in the user's cache.

Nothing depends on it: without a compiler, or with `APET_NATIVE=0`, the engine in Python gives the same times.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from pathlib import Path as File
from typing import Any

from apet import compiled
from apet.traces.platform.parts import SHARED
from apet.traces.platform.platform import Platform
from apet.traces.replay.engine import Course
from apet.traces.replay.program import SHIFT, Programs
from apet.traces.trace import Segment

WORTH_BUILDING = 20_000
"""Operations from which building the core takes less time than running without it."""
SOURCE = File(__file__).parent / "core" / "replay.c"
OPTIONS = ("-O2", "-fPIC", "-shared", "-lm")
ENDED, FAILED, HUNGRY = range(3)
REPLAYING, CHECKING, KEEPING = range(3)
"""What lines are read for."""
ACTIONS, MESSAGES, BYTES, SEGMENTS, HUNGRY_RANK, NEW_PAIRS, HELD = range(7)
"""What the core counts."""

Numbers = ctypes.POINTER(ctypes.c_int64)
Reals = ctypes.POINTER(ctypes.c_double)


class Setting(ctypes.Structure):
    """A platform and where results go, as `Setting` in state.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("ranks", "links", "hosts", "steps")),
        ("capacity", Reals),
        ("shared", Numbers),
        ("speed", Reals),
        *((name, Numbers) for name in ("cores", "place")),
        *((name, Reals) for name in ("threshold", "latency_factor", "bandwidth_factor")),
        *((name, Reals) for name in ("computed", "waited", "ends", "carried")),
        *((name, Numbers) for name in ("stands", "counts")),
        ("record", ctypes.c_int64),
    )


class Flat(ctypes.Structure):
    """Flat programs, as `Programs` in state.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("ranks", "messages")),
        ("operations", ctypes.POINTER(Numbers)),
        ("lengths", Numbers),
        ("values", Reals),
        *((name, Numbers) for name in ("pair", "size", "source", "target")),
        ("groups", ctypes.c_int64),
        *((name, Numbers) for name in ("group_first", "group_needed", "group_message")),
    )


class Packed:
    """A structure and the arrays that it points to."""

    def __init__(self, structure: ctypes.Structure) -> None:
        self.structure = structure
        self.kept: list[Any] = []

    def whole(self, name: str, numbers: Any) -> array[int]:
        """An array of whole numbers."""
        return self.point(name, packed("q", numbers))

    def real(self, name: str, numbers: Any) -> array[float]:
        """An array of floats."""
        return self.point(name, packed("d", numbers))

    def point(self, name: str, numbers: array[Any]) -> array[Any]:
        """Let the structure point to an array."""
        self.kept.append(numbers)
        setattr(self.structure, name, whole_at(numbers) if numbers.typecode == "q" else reals_at(numbers))
        return numbers


def packed(kind: str, numbers: Any) -> array[Any]:
    """An array of numbers, or of the bytes that hold them."""
    found = array(kind)
    found.frombytes(numbers) if isinstance(numbers, bytes) else found.extend(numbers)
    return found


def place_at(numbers: array[Any]) -> ctypes.c_void_p:
    """The place of numbers of any kind."""
    return ctypes.c_void_p(numbers.buffer_info()[0])


def whole_at(numbers: array[int]) -> Any:
    """The place of whole numbers."""
    return ctypes.cast(numbers.buffer_info()[0], Numbers)


def reals_at(numbers: array[float]) -> Any:
    """The place of floats."""
    return ctypes.cast(numbers.buffer_info()[0], Reals)


def flattened(programs: Programs) -> Packed:
    """Programs as the core takes them."""
    made = Packed(Flat())
    flat = made.structure
    flat.ranks, flat.messages, flat.groups = programs.ranks, len(programs.size), len(programs.groups)
    pointers = (Numbers * max(1, programs.ranks))(*map(whole_at, programs.operations))
    made.kept.append(pointers)
    flat.operations = ctypes.cast(pointers, ctypes.POINTER(Numbers))
    made.whole("lengths", map(len, programs.operations))
    made.whole("source", (p[0] for p in programs.pairs))
    made.whole("target", (p[1] for p in programs.pairs))
    made.point("values", programs.values)
    made.point("pair", programs.pair)
    made.point("size", programs.size)
    made.whole("group_first", accumulate((len(g.operations) for g in programs.groups), initial=0))
    made.whole("group_needed", (g.needed for g in programs.groups))
    made.whole("group_message", (o >> SHIFT for g in programs.groups for o in g.operations))
    return made


class Replayer:
    """A replay in the core: of flat programs, or of text that is fed to it. To be closed."""

    def __init__(
        self,
        core: Any,
        platform: Platform,
        places: Sequence[int],
        programs: Programs | None = None,
        segments: bool = False,
    ) -> None:
        self.core, self.platform, self.places = core, platform, places
        made = self.packed = Packed(Setting())
        ranks, hosts = len(places), sorted(set(places))
        at = {host: k for k, host in enumerate(hosts)}
        setting = made.structure
        setting.ranks, setting.links, setting.hosts = ranks, len(platform.links), len(hosts)
        setting.steps, setting.record = len(platform.factors.thresholds), int(segments)
        made.real("capacity", (k.bandwidth for k in platform.links))
        made.whole("shared", (int(k.policy == SHARED) for k in platform.links))
        made.real("speed", (platform.hosts[h].speed for h in hosts))
        made.whole("cores", (platform.hosts[h].cores for h in hosts))
        made.whole("place", (at[p] for p in places))
        made.real("threshold", platform.factors.thresholds)
        made.real("latency_factor", platform.factors.latency)
        made.real("bandwidth_factor", platform.factors.bandwidth)
        self.computed, self.waited, self.ends = (made.real(n, [0.0] * ranks) for n in ("computed", "waited", "ends"))
        self.carried = made.real("carried", [0.0] * len(platform.links))
        self.stands = made.whole("stands", [0] * ranks)
        self.counts = made.whole("counts", [0] * 7)
        self.flat = None if programs is None else flattened(programs)
        given = None if self.flat is None else ctypes.byref(self.flat.structure)
        self.state = ctypes.c_void_p(core.apet_new(ctypes.byref(made.structure), given))
        if not self.state.value:
            raise MemoryError("the replay does not fit into memory")

    def routes(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Give the routes of the next pairs of ranks."""
        route, places = self.platform.route, self.places
        there = [route(places[source], places[target]) for source, target in pairs]
        back = [route(places[target], places[source]).links for source, target in pairs]
        ends, latencies = packed("q", chain.from_iterable(pairs)), packed("d", (r.latency for r in there))
        links = [r.links for r in there]
        given = [packed("q", each) for rows in (links, back) for each in (map(len, rows), chain.from_iterable(rows))]
        number = ctypes.c_int64(len(pairs))
        links_of = map(whole_at, given)
        self._check(self.core.apet_routes(self.state, number, whole_at(ends), reals_at(latencies), *links_of))

    def new_pairs(self) -> list[tuple[int, int]]:
        """Pairs of ranks whose paths are not known yet."""
        number = self.counts[NEW_PAIRS]
        ends = packed("q", bytes(16 * number))
        self.core.apet_new_pairs(self.state, whole_at(ends))
        return list(zip(ends[::2], ends[1::2], strict=True))

    def feed(self, text: bytes, final: bool) -> int:
        """Read whole lines; how many bytes, below 0 where a line is not plain."""
        found = int(self.core.apet_feed(self.state, text, ctypes.c_int64(len(text)), ctypes.c_int(final)))
        self._check(found == -1)
        return found

    def complete(self, rank: int) -> None:
        """A rank has no further lines."""
        self.core.apet_complete(self.state, ctypes.c_int64(rank))

    def run(self) -> int:
        """`ENDED`, or `HUNGRY`: a rank needs more lines."""
        found = int(self.core.apet_run(self.state))
        self._check(found == FAILED)
        return found

    def agrees(self) -> bool:
        """Whether all ranks have lines, and as many collectives of all."""
        return bool(self.core.apet_agree(self.state))

    def arrived(self) -> bool:
        """Whether all ranks came to their end."""
        return bool(self.core.apet_arrived(self.state))

    def course(self) -> Course:
        """What was found."""
        return Course(self.computed, self.waited, self.ends, self.stands, self.carried, self._segments())

    def close(self) -> None:
        """Give back its memory."""
        self.core.apet_free(self.state)
        self.state = ctypes.c_void_p(None)

    def _segments(self) -> list[Segment]:
        number = self.counts[SEGMENTS]
        ranks, kinds = packed("q", bytes(8 * number)), packed("q", bytes(8 * number))
        begins, ends = packed("d", bytes(8 * number)), packed("d", bytes(8 * number))
        self.core.apet_segments(self.state, whole_at(ranks), whole_at(kinds), reals_at(begins), reals_at(ends))
        return [Segment(ranks[k], bool(kinds[k]), begins[k], ends[k]) for k in range(number)]

    @staticmethod
    def _check(failed: bool | int) -> None:
        if failed:
            raise MemoryError("the replay does not fit into memory")


def run_native(
    programs: Programs,
    platform: Platform,
    places: Sequence[int],
    segments: bool = False,
    build: bool = False,
) -> Course | None:
    """What the engine in Python finds; None where there is no compiled core, or it is not worth building.

    `build` says that it is worth it.
    """
    core = core_library(sum(map(len, programs.operations)) >= WORTH_BUILDING or build)
    if core is None or not programs.plain:
        return None
    replayer = Replayer(core, platform, places, programs, segments)
    try:
        replayer.routes(programs.pairs)
        replayer.run()
        return replayer.course()
    finally:
        replayer.close()


def core_library(build: bool) -> Any:
    """The core, or None: not there and not to be built."""
    core = compiled.library(SOURCE, OPTIONS, build)
    if core is not None:
        core.apet_new.restype = ctypes.c_void_p
        core.apet_feed.restype = ctypes.c_int64
        core.apet_unmatched.restype = ctypes.c_int64
    return core
