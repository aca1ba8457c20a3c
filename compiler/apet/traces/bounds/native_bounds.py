"""What bounds need of long traces, by the compiled core: dates of several kinds, and clocks."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import accumulate, chain
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

import numpy

from apet import compiled
from apet.traces.replay.native import WORTH_BUILDING, Packed, flattened
from apet.traces.replay.program import Programs

if TYPE_CHECKING:
    from apet.traces.bounds.barrier_intervals import Epochs
    from apet.traces.bounds.capacity_bound import Floors
    from apet.traces.bounds.vector_clocks import Clocks, Seconds

Array = numpy.ndarray[Any, Any]
SOURCE = File(__file__).parents[1] / "core" / "bounding.c"
OPTIONS = ("-O3", "-fPIC", "-shared", "-lm")
MOMENT = 1e-9
UNKNOWN = -1e300


class _Known(ctypes.Structure):
    """As `Known` in clocks.c."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("least", "latency", "volume", "flop")),
        *((name, ctypes.c_void_p) for name in ("own_first", "own_link", "own_each")),
        ("moment", ctypes.c_double),
        *((name, ctypes.c_void_p) for name in ("seen", "since", "stage", "clock", "ended")),
    )


class _Loads(ctypes.Structure):
    """As `Loads` in floors.c."""

    _fields_ = (
        ("moment", ctypes.c_double),
        *((name, ctypes.c_int64) for name in ("syncs", "links")),
        *((name, ctypes.c_void_p) for name in ("latency", "volume", "own_first", "own_link", "own_each")),
        *((name, ctypes.c_void_p) for name in ("first_use", "link", "share", "capacity", "shared")),
    )


class Given:
    """A structure of pointers to arrays, which are kept."""

    def __init__(self, structure: Any) -> None:
        self.structure = structure
        self.kept: list[Array] = []

    def point(self, kind: Any, **arrays: Any) -> None:
        """Let it point to arrays of a kind, which are made so if they are not."""
        for name, numbers in arrays.items():
            self.kept.append(numpy.ascontiguousarray(numbers, kind))
            setattr(self.structure, name, self.kept[-1].ctypes.data)


def library(operations: int = 0) -> Any:
    """The core, or None: there is no compiler, or building it is not worth it for so many operations."""
    return compiled.library(SOURCE, OPTIONS, operations >= WORTH_BUILDING // 20)


class Walks:
    """Walks through some programs by the core, again and again."""

    def __init__(self, programs: Programs) -> None:
        self.programs = programs
        self.core = library(sum(map(len, programs.operations))) if programs.plain else None
        self.flat: Packed | None = None if self.core is None else flattened(programs)

    def dates(self, durations: Array, slowness: Sequence[float]) -> tuple[float, Array] | None:
        """The last date of all, and those by which messages have ended (-1: never); None without the core."""
        if self.core is None or self.flat is None:
            return None
        given, found, last = _numbers(durations, slowness), _dates(durations), ctypes.c_double()
        late = ctypes.c_double(0.0), ctypes.c_int(False)
        flat = ctypes.byref(self.flat.structure)
        check(self.core.apet_dates(flat, *map(at, given), *late, *map(at, found), ctypes.byref(last)))
        return last.value, found[1]

    def early(self, durations: Array, slowness: Sequence[float], floors: Floors) -> tuple[float, Array] | None:
        """The last date of all, raised by floors, and those from which messages begin; None without the core."""
        if self.core is None or self.flat is None:
            return None
        given, found, last = _numbers(durations, slowness), _dates(durations), ctypes.c_double()
        loads = _loads(floors)
        structures = ctypes.byref(self.flat.structure), ctypes.byref(loads.structure)
        check(self.core.apet_early(*structures, *map(at, given), *map(at, found), ctypes.byref(last)))
        return last.value, found[0]

    def epochs(self, walk: Epochs) -> bool:
        """Fill in the dates of a walk by epochs; False without the core."""
        if self.core is None or self.flat is None:
            return False
        took, slow, gain = _numbers(walk.durations, walk.slowness, walk.gains)
        begins = None if walk.begins is None else numpy.ascontiguousarray(walk.begins, float)
        since = None if begins is None else at(begins)
        found = map(at, (walk.epoch, walk.date, walk.entered))
        flat, lead = ctypes.byref(self.flat.structure), ctypes.c_double(walk.lead)
        check(self.core.apet_epochs(flat, at(took), at(slow), lead, since, at(gain), *found))
        return True

    def clocks(self, seconds: Seconds, found: Clocks) -> bool:
        """Fill in what is known of other ranks; False without the core."""
        if self.core is None or self.flat is None:
            return False
        given = Given(_Known(moment=MOMENT))
        given.point(numpy.float64, least=seconds.least, flop=seconds.flop, since=found.since, clock=found.clock)
        given.point(numpy.int32, seen=found.seen, stage=found.stage, ended=found.ended)
        _point_to_own(given, seconds)
        flat = ctypes.byref(self.flat.structure)
        check(self.core.apet_clocks(flat, ctypes.byref(given.structure), ctypes.c_double(UNKNOWN)))
        return True


def at(numbers: Array) -> ctypes.c_void_p:
    """The place of an array."""
    return ctypes.c_void_p(numbers.ctypes.data)


def _numbers(*arrays: Any) -> list[Array]:
    return [numpy.ascontiguousarray(each, float) for each in arrays]


def _dates(durations: Array) -> tuple[Array, Array]:
    return numpy.full(len(durations), -1.0), numpy.full(len(durations), -1.0)


def _loads(floors: Floors) -> Given:
    uses = floors.given
    given = Given(_Loads(MOMENT, max(0, floors.programs.syncs), len(floors.capacity)))
    given.point(numpy.int64, first_use=floors.uses_from, link=uses.link, shared=floors.shared)
    given.point(numpy.float64, share=uses.share, capacity=floors.capacity)
    _point_to_own(given, floors.seconds)
    return given


def _point_to_own(given: Given, seconds: Seconds) -> None:
    """Messages' latency and volume, and the first and last link of each pair."""
    links = list(chain.from_iterable(seconds.own))
    first = list(accumulate(map(len, seconds.own), initial=0))
    given.point(numpy.int64, own_first=first, own_link=[k for k, _ in links])
    given.point(numpy.float64, own_each=[each for _, each in links], latency=seconds.latency, volume=seconds.volume)


def check(failed: int) -> None:
    """`MemoryError` where the core says so."""
    if failed:
        raise MemoryError("the bounds do not fit into memory")
