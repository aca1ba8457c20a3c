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
from apet.analysis.traces import Segment
from apet.backends.replay.costs import BANDWIDTH_FACTORS, LATENCY_FACTORS, THRESHOLDS, Path
from apet.backends.replay.engine import Course
from apet.backends.replay.paths import Part, Paths, Weights
from apet.backends.replay.program import SHIFT, Programs
from apet.backends.replay.sharing import harmless
from apet.machine.platform import SHARED, Platform

WORTH_BUILDING = 20_000
"""Operations from which building the core takes less time than running without it."""
SOURCE = File(__file__).with_name("core.c")
OPTIONS = ("-O2", "-fPIC", "-shared", "-lm")

_Numbers = ctypes.POINTER(ctypes.c_int64)
_Reals = ctypes.POINTER(ctypes.c_double)


class _Task(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int64) for name in ("ranks", "messages", "links", "hosts", "pairs", "steps")),
        ("operations", ctypes.POINTER(_Numbers)),
        ("lengths", _Numbers),
        ("values", _Reals),
        *((name, _Numbers) for name in ("pair", "size", "source", "target")),
        *((name, _Reals) for name in ("latency", "penalty", "bound")),
        *((name, _Numbers) for name in ("use_first", "use_link")),
        ("use_share", _Reals),
        *((name, _Numbers) for name in ("forward_first", "forward_link")),
        ("capacity", _Reals),
        *((name, _Numbers) for name in ("shared", "never")),
        ("speed", _Reals),
        *((name, _Numbers) for name in ("cores", "place", "group_first", "group_needed", "group_message")),
        *((name, _Reals) for name in ("threshold", "latency_factor", "bandwidth_factor")),
        *((name, _Reals) for name in ("computed", "waited", "ends", "carried")),
        ("stands", _Numbers),
        ("room", ctypes.c_int64),
        *((name, _Numbers) for name in ("recorded", "segment_rank", "segment_computes")),
        *((name, _Reals) for name in ("segment_begin", "segment_end")),
    )


def run_native(
    programs: Programs,
    platform: Platform,
    places: Sequence[int],
    paths: Sequence[Path],
    segments: bool = False,
    build: bool = False,
) -> Course | None:
    """What the engine in Python finds; None where there is no compiled core, or it is not worth building.

    `build` says that it is worth it.
    """
    core = _core(sum(map(len, programs.operations)) >= WORTH_BUILDING or build)
    if core is None:
        return None
    task = _Packed(programs, platform, places, paths)
    task.record(segments)
    if core.apet_replay(ctypes.byref(task.task)):
        raise MemoryError("the replay does not fit into memory")
    return Course(task.computed, task.waited, task.ends, task.stands, task.carried, task.segments())


class Longest:
    """Longest paths by the compiled core, for many factors; by Python where there is none."""

    def __init__(
        self,
        programs: Programs,
        platform: Platform,
        places: Sequence[int],
        paths: Sequence[Path],
        weights: Weights,
        early: bool,
    ) -> None:
        self.programs, self.weights, self.early = programs, weights, early
        self.core = _core(sum(map(len, programs.operations)) >= WORTH_BUILDING // 20)
        if self.core is not None:
            self.packed = _Packed(programs, platform, places, paths)
            self.arrays = [_array("d", numbers) for numbers in weights]

    def part(self, factors: Sequence[float]) -> Part:
        """The parts of the longest path where seconds per flop, latency, seconds per byte are multiplied by these."""
        if self.core is None:
            return Paths(self.programs, self.weights, factors, self.early).run()
        durations, slowness, gaps = self.arrays
        given, result = _array("d", factors), _array("d", bytes(32))
        syncs = ctypes.c_int64(max(0, len(gaps) - 1))
        task = ctypes.byref(self.packed.task)
        pointers = map(_reals, (durations, slowness, gaps))
        if self.core.apet_longest(task, *pointers, syncs, _reals(given), ctypes.c_int(self.early), _reals(result)):
            raise MemoryError("the longest path does not fit into memory")
        return result[0], result[1], result[2], result[3]


class _Packed:
    """A task and the arrays that it points to."""

    def __init__(self, programs: Programs, platform: Platform, places: Sequence[int], paths: Sequence[Path]) -> None:
        self.task = _Task()
        self.kept: list[Any] = []
        ranks, hosts = programs.ranks, sorted(set(places))
        at = {host: k for k, host in enumerate(hosts)}
        for name, number in (
            ("ranks", ranks),
            ("messages", len(programs.size)),
            ("links", len(platform.links)),
            ("hosts", len(hosts)),
            ("pairs", len(programs.pairs)),
            ("steps", len(THRESHOLDS)),
        ):
            setattr(self.task, name, number)
        pointers = (_Numbers * max(1, ranks))(*map(_numbers, programs.operations))
        self.kept.append(pointers)
        self.task.operations = ctypes.cast(pointers, ctypes.POINTER(_Numbers))
        self.lengths = self.whole("lengths", map(len, programs.operations))
        self.whole("source", (p[0] for p in programs.pairs))
        self.whole("target", (p[1] for p in programs.pairs))
        self.whole("place", (at[p] for p in places))
        self.whole("cores", (platform.hosts[h].cores for h in hosts))
        self.real("speed", (platform.hosts[h].speed for h in hosts))
        self.groups(programs)
        self.links(platform, paths)
        self.point("values", programs.values)
        self.point("pair", programs.pair)
        self.point("size", programs.size)
        self.real("threshold", THRESHOLDS)
        self.real("latency_factor", LATENCY_FACTORS)
        self.real("bandwidth_factor", BANDWIDTH_FACTORS)
        self.computed, self.waited = self.real("computed", [0.0] * ranks), self.real("waited", [0.0] * ranks)
        self.ends, self.stands = self.real("ends", [0.0] * ranks), self.whole("stands", [0] * ranks)
        self.carried = self.real("carried", [0.0] * len(platform.links))

    def record(self, wanted: bool) -> None:
        """Make room for what the ranks do when: at most one segment per operation."""
        room = sum(self.lengths) + len(self.lengths) if wanted else 0
        self.task.room = room
        self.recorded = self.whole("recorded", [0])
        self.columns = [self.whole(f"segment_{name}", bytes(8 * room)) for name in ("rank", "computes")]
        self.dates = [self.real(f"segment_{name}", bytes(8 * room)) for name in ("begin", "end")]

    def segments(self) -> list[Segment]:
        """What was recorded."""
        (ranks, kinds), (begins, ends) = self.columns, self.dates
        return [Segment(ranks[k], bool(kinds[k]), begins[k], ends[k]) for k in range(self.recorded[0])]

    def groups(self, programs: Programs) -> None:
        """Waits for some of several requests."""
        self.whole("group_first", accumulate((len(g.requests) for g in programs.groups), initial=0))
        self.whole("group_needed", (g.needed for g in programs.groups))
        self.whole("group_message", (r >> SHIFT for g in programs.groups for r in g.requests))

    def links(self, platform: Platform, paths: Sequence[Path]) -> None:
        """What flows of each pair of ranks do to the links."""
        self.real("latency", (p.latency for p in paths))
        self.real("penalty", (p.penalty for p in paths))
        self.real("bound", (p.bound for p in paths))
        self.whole("use_first", accumulate((len(p.uses) for p in paths), initial=0))
        self.whole("use_link", (k for p in paths for k, _ in p.uses))
        self.real("use_share", (share for p in paths for _, share in p.uses))
        self.whole("forward_first", accumulate((len(p.forward) for p in paths), initial=0))
        self.whole("forward_link", chain.from_iterable(p.forward for p in paths))
        capacities = [k.bandwidth for k in platform.links]
        self.real("capacity", capacities)
        self.whole("shared", (int(k.policy == SHARED) for k in platform.links))
        self.whole("never", map(int, harmless(capacities, paths)))

    def whole(self, name: str, numbers: Any) -> array[int]:
        """An array of whole numbers for the task."""
        return self.point(name, _array("q", numbers))

    def real(self, name: str, numbers: Any) -> array[float]:
        """An array of floats for the task."""
        return self.point(name, _array("d", numbers))

    def point(self, name: str, numbers: array[Any]) -> array[Any]:
        """Let the task point to an array."""
        self.kept.append(numbers)
        setattr(self.task, name, _numbers(numbers) if numbers.typecode == "q" else _reals(numbers))
        return numbers


def _array(kind: str, numbers: Any) -> array[Any]:
    """An array of numbers, or of the bytes that hold them."""
    found = array(kind)
    found.frombytes(numbers) if isinstance(numbers, bytes) else found.extend(numbers)
    return found


def _numbers(numbers: array[int]) -> Any:
    return ctypes.cast(numbers.buffer_info()[0], _Numbers)


def _reals(numbers: array[float]) -> Any:
    return ctypes.cast(numbers.buffer_info()[0], _Reals)


def _core(build: bool) -> Any:
    return compiled.library(SOURCE, OPTIONS, build)
