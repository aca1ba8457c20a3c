"""What bounds need of long traces, by the compiled core: dates, clocks, which flows of a link are apart."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import accumulate, chain
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

import numpy

from apet import compiled
from apet.backends.replay.native import WORTH_BUILDING, flattened
from apet.backends.replay.program import Programs

if TYPE_CHECKING:
    from apet.backends.replay.clocks import Clocks, Seconds
    from apet.backends.replay.epochs import Epochs
    from apet.backends.replay.relations import Claims, Pair

Array = numpy.ndarray[Any, Any]
SOURCE = File(__file__).parent / "core" / "bounding.c"
OPTIONS = ("-O2", "-fPIC", "-shared", "-lm")
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


class _Apart(ctypes.Structure):
    """As `Apart` in apart.c."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("flows", "columns", "messages", "groups")),
        *((name, ctypes.c_void_p) for name in ("message", "amount", "first", "member", "sender", "receiver")),
        *((name, ctypes.c_void_p) for name in ("seen", "stage", "ended", "since", "clock")),
        *(
            (name, ctypes.c_void_p)
            for name in ("latency", "begins", "ends", "after_sync", "until_sync", "most", "before", "after")
        ),
    )


class _Given:
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
    """Dates by longest path through some programs, again and again."""

    def __init__(self, programs: Programs) -> None:
        self.core = library(sum(map(len, programs.operations)))
        self.flat = None if self.core is None else flattened(programs)

    def dates(
        self, durations: Array, slowness: Sequence[float], early: bool, lead: float = 0.0
    ) -> tuple[float, Array, Array] | None:
        """The last date of all, and those at which messages begin and end (-1: never); None without the core."""
        if self.core is None or self.flat is None:
            return None
        took, slow = numpy.ascontiguousarray(durations, float), numpy.array(slowness, float)
        began, ended, last = numpy.full(len(took), -1.0), numpy.full(len(took), -1.0), ctypes.c_double()
        places = [ctypes.c_void_p(each.ctypes.data) for each in (took, slow)]
        found = [ctypes.c_void_p(each.ctypes.data) for each in (began, ended)]
        flat, start = ctypes.byref(self.flat.structure), ctypes.c_double(lead)
        _check(self.core.apet_dates(flat, *places, start, ctypes.c_int(early), *found, ctypes.byref(last)))
        return last.value, began, ended


def epochs_in_core(walk: Epochs) -> bool:
    """Fill in the dates of a walk by epochs; False without the core."""
    programs = walk.programs
    core = library(sum(map(len, programs.operations)))
    if core is None:
        return False
    kept = [numpy.ascontiguousarray(each, float) for each in (walk.durations, walk.slowness, walk.gains)]
    took, slow, gain = (ctypes.c_void_p(each.ctypes.data) for each in kept)
    begins = None if walk.begins is None else numpy.ascontiguousarray(walk.begins, float)
    since = None if begins is None else ctypes.c_void_p(begins.ctypes.data)
    found = [ctypes.c_void_p(each.ctypes.data) for each in (walk.epoch, walk.date, walk.entered)]
    flat = flattened(programs)
    lead = ctypes.c_double(walk.lead)
    _check(core.apet_epochs(ctypes.byref(flat.structure), took, slow, lead, since, gain, *found))
    return True


def clocks_in_core(programs: Programs, seconds: Seconds, found: Clocks) -> bool:
    """Fill in what is known of other ranks; False without the core."""
    core = library(sum(map(len, programs.operations)))
    if core is None:
        return False
    given = _Given(_Known(moment=MOMENT))
    given.point(numpy.float64, least=seconds.least, latency=seconds.latency, volume=seconds.volume, flop=seconds.flop)
    links = list(chain.from_iterable(seconds.own))
    given.point(
        numpy.int64, own_first=list(accumulate(map(len, seconds.own), initial=0)), own_link=[k for k, _ in links]
    )
    given.point(numpy.float64, own_each=[each for _, each in links], since=found.since, clock=found.clock)
    given.point(numpy.int32, seen=found.seen, stage=found.stage, ended=found.ended)
    flat = flattened(programs)
    _check(core.apet_clocks(ctypes.byref(flat.structure), ctypes.byref(given.structure), ctypes.c_double(UNKNOWN)))
    return True


def apart_in_core(
    messages: Array, amounts: Array, groups: Sequence[Pair], clocks: Clocks, claims: Claims
) -> tuple[Array, Array] | None:
    """The amounts that are over before each flow of a link, and that begin after it; None without the core."""
    core = library()
    if core is None:
        return None
    before, after = numpy.zeros_like(amounts), numpy.zeros_like(amounts)
    sizes = {
        "flows": len(messages),
        "columns": amounts.shape[1],
        "messages": clocks.seen.shape[1],
        "groups": len(groups),
    }
    given = _Given(_Apart(**sizes))
    given.point(numpy.int64, message=messages, first=list(accumulate((len(g.members) for g in groups), initial=0)))
    given.point(numpy.int64, member=numpy.concatenate([g.members for g in groups]))
    given.point(numpy.int64, sender=[g.sender for g in groups], receiver=[g.receiver for g in groups])
    given.point(numpy.int32, seen=clocks.seen, stage=clocks.stage, ended=clocks.ended)
    given.point(numpy.float64, since=clocks.since, clock=clocks.clock, amount=amounts, before=before, after=after)
    given.point(numpy.float64, **claims._asdict())
    _check(core.apet_apart(ctypes.byref(given.structure)))
    return before, after


def sums_in_core(amounts: Array, members: Array, counts: Array, before: Array, after: Array) -> bool:
    """Add what is over before each flow, of one group, and what begins after its members; False without the core."""
    core = library()
    if core is None:
        return False
    rows, columns = amounts.shape
    order, numbers = (numpy.ascontiguousarray(each, numpy.int64) for each in (members, counts))
    sizes = [ctypes.c_int64(each) for each in (rows, columns)]
    given = [ctypes.c_void_p(each.ctypes.data) for each in (order, numbers, before, after)]
    amount, number = ctypes.c_void_p(amounts.ctypes.data), ctypes.c_int64(len(order))
    _check(core.apet_sums(*sizes, amount, number, *given))
    return True


def densest_in_core(starts: Array, begins: Array, reach: Array, more: float, sums: Array) -> Array | None:
    """The greatest sums of amounts of runs, by column, added up over chains; None without the core."""
    core = library()
    if core is None:
        return None
    found, scratch = numpy.zeros(sums.shape[1]), numpy.zeros(sums.shape[1])
    first = numpy.concatenate((starts, [len(begins)])).astype(numpy.int64)
    arrays = [ctypes.c_void_p(each.ctypes.data) for each in (first, begins, reach)]
    results = [ctypes.c_void_p(each.ctypes.data) for each in (sums, found, scratch)]
    sizes = ctypes.c_int64(len(starts)), ctypes.c_int64(sums.shape[1])
    core.apet_densest(*sizes, *arrays, ctypes.c_double(more), *results)
    return found


def _check(failed: int) -> None:
    if failed:
        raise MemoryError("the bounds do not fit into memory")
