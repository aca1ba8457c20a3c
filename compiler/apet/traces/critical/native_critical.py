"""The critical path by the compiled core."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy

from apet.traces.bounds.native_bounds import library
from apet.traces.replay.native import flattened
from apet.traces.replay.program import Programs

Array = numpy.ndarray[Any, Any]
STEP = numpy.dtype([("what", "i8"), ("rank", "i4"), ("place", "i4"), ("origin", "i4")], align=True)
"""As `Step` in critical.c: an operation, or a message with the code of its wait; whose it is; the rank before."""


class _Critical(ctypes.Structure):
    """As `Critical` in critical.c."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("duration", "slowness", "gap")),
        ("syncs", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("date", "place", "later", "decides", "first", "chosen")),
        *((name, ctypes.c_void_p) for name in ("now", "mark", "mark_rank", "mark_place", "entered")),
    )


def critical_in_core(
    programs: Programs, messages: Sequence[float] | Array, flop: Sequence[float], gaps: Sequence[float]
) -> Array | None:
    """The steps of the longest path, the last one first; None without the core."""
    operations = sum(map(len, programs.operations))
    core = library(operations) if programs.plain else None
    if core is None:
        return None
    number, ranks, syncs = len(programs.size), programs.ranks, max(0, len(gaps) - 1)
    arrays = {
        "duration": numpy.ascontiguousarray(messages, float),
        "slowness": numpy.array(flop, float),
        "gap": numpy.array(gaps, float),
        "date": numpy.empty(number),
        "place": numpy.empty(2 * number, numpy.int32),
        "later": numpy.empty(number, numpy.uint8),
        "decides": numpy.zeros(operations, numpy.uint8),
        "first": numpy.fromiter(accumulate(map(len, programs.operations), initial=0), numpy.int64),
        "chosen": numpy.empty(len(programs.groups), numpy.int64),
        "now": numpy.zeros(ranks),
        "mark": numpy.full(syncs + 1, -1.0),
        "mark_rank": numpy.full(syncs + 1, -1, numpy.int32),
        "mark_place": numpy.full(syncs + 1, -1, numpy.int32),
        "entered": numpy.zeros(syncs + 1, numpy.int64),
    }
    given = _Critical(syncs=syncs, **{name: each.ctypes.data for name, each in arrays.items()})
    flat = flattened(programs)
    task, place = ctypes.byref(flat.structure), ctypes.byref(given)
    if core.apet_critical(task, place):
        raise MemoryError("the critical path does not fit into memory")
    core.apet_critical_back.restype = ctypes.c_int64
    steps = numpy.empty(core.apet_critical_back(task, place, None), STEP)
    core.apet_critical_back(task, place, ctypes.c_void_p(steps.ctypes.data))
    return steps
