"""What bounds need of long traces, by the compiled core: dates of several kinds, and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

import numpy

from apet.core import Struct
from apet.traces.replay.native import core_library, flattened
from apet.traces.replay.program import Programs

if TYPE_CHECKING:
    from apet.traces.bounds.barrier_intervals import Epochs
    from apet.traces.bounds.capacity_bound import Floors
    from apet.traces.bounds.vector_clocks import Clocks, Seconds

Array = numpy.ndarray[Any, Any]
MOMENT = 1e-9
UNKNOWN = -1e300


class Given(Struct):
    """A structure of pointers to arrays, which are made of a kind if they are not."""

    def point(self, kind: Any, **arrays: Any) -> None:
        """Let it point to arrays of a kind."""
        self.set(**{name: numpy.ascontiguousarray(each, kind) for name, each in arrays.items()})


def library(operations: int = 0) -> Any:
    """The core, or None: there is no compiler, or building it is not worth it for so many operations."""
    return core_library(True)


class Walks:
    """Walks through some programs by the core, again and again."""

    def __init__(self, programs: Programs) -> None:
        self.programs = programs
        self.core = library(sum(map(len, programs.operations)))
        self.flat: Struct | None = None if self.core is None else flattened(programs)

    def dates(self, durations: Array, slowness: Sequence[float]) -> tuple[float, Array] | None:
        """The last date of all, and those by which messages have ended (-1: never); None without the core."""
        if self.core is None or self.flat is None:
            return None
        given, found, last = _numbers(durations, slowness), _dates(durations), numpy.zeros(1)
        check(self.core.apet_dates(self.flat, *given, 0.0, False, *found, last))
        return float(last[0]), found[1]

    def early(self, durations: Array, slowness: Sequence[float], floors: Floors) -> tuple[float, Array] | None:
        """The last date of all, raised by floors, and those from which messages begin; None without the core."""
        if self.core is None or self.flat is None:
            return None
        given, found, last = _numbers(durations, slowness), _dates(durations), numpy.zeros(1)
        check(self.core.apet_early(self.flat, _loads(floors), *given, *found, last))
        return float(last[0]), found[0]

    def epochs(self, walk: Epochs) -> bool:
        """Fill in the dates of a walk by epochs; False without the core."""
        if self.core is None or self.flat is None:
            return False
        took, slow, gain = _numbers(walk.durations, walk.slowness, walk.gains)
        begins = None if walk.begins is None else numpy.ascontiguousarray(walk.begins, float)
        found = walk.epoch, walk.date, walk.entered
        check(self.core.apet_epochs(self.flat, took, slow, walk.lead, begins, gain, *found))
        return True

    def clocks(self, seconds: Seconds, found: Clocks) -> bool:
        """Fill in what is known of other ranks; False without the core."""
        if self.core is None or self.flat is None:
            return False
        given = Given("Known", moment=MOMENT, **found._asdict())
        given.point(numpy.float64, least=seconds.least, flop=seconds.flop)
        _point_to_own(given, seconds)
        check(self.core.apet_clocks(self.flat, given, UNKNOWN))
        return True


def _numbers(*arrays: Any) -> list[Array]:
    return [numpy.ascontiguousarray(each, float) for each in arrays]


def _dates(durations: Array) -> tuple[Array, Array]:
    return numpy.full(len(durations), -1.0), numpy.full(len(durations), -1.0)


def _loads(floors: Floors) -> Given:
    uses = floors.given
    given = Given("Loads", moment=MOMENT, syncs=max(0, floors.programs.syncs), links=len(floors.capacity))
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
