"""Flat programs as the core walks through them, again and again."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy

from apet.core import Struct, library
from apet.traces.bounds.transfers import Array
from apet.traces.replay.costs import SAME_MOMENT
from apet.traces.replay.engine import flattened
from apet.traces.replay.program import MASK, SHIFT, Programs

MOMENT = SAME_MOMENT
"""Seconds by which each event may come early."""


class Arrays(Struct):
    """A structure of the core whose pointers take arrays of a kind, or what is made one."""

    def point(self, kind: Any, **arrays: Any) -> None:
        """Let it point to arrays of a kind."""
        self.set(**{name: numpy.ascontiguousarray(each, kind) for name, each in arrays.items()})


class Walks:
    """Some programs, and functions of the core for them."""

    def __init__(self, programs: Programs) -> None:
        self.programs, self.core, self.flat = programs, library(), flattened(programs)

    def latest(self, durations: Array, slowness: Sequence[float]) -> tuple[float, Array]:
        """The last date of all at most, and those by which messages have ended (-1: never)."""
        began, ended, last = numpy.full(len(durations), -1.0), numpy.full(len(durations), -1.0), numpy.zeros(1)
        check(self.core.apet_dates(self.flat, *reals(durations, slowness), 0.0, False, began, ended, last))
        return float(last[0]), ended


def split(operations: array[int]) -> tuple[Array, Array]:
    """The codes of operations, and what they are about."""
    every = numpy.frombuffer(operations, numpy.int64) if operations else numpy.zeros(0, numpy.int64)
    return every & MASK, every >> SHIFT


def reals(*numbers: Any) -> list[Array]:
    """Each as an array of floats that the core can take."""
    return [numpy.ascontiguousarray(each, float) for each in numbers]


def check(failed: int) -> None:
    """`MemoryError` where the core says so."""
    if failed:
        raise MemoryError("the bounds do not fit into memory")
