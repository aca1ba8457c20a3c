"""The critical path by the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy

from apet.core import Struct, structure
from apet.traces.bounds.native_bounds import library
from apet.traces.replay.native import flattened
from apet.traces.replay.program import Programs

Array = numpy.ndarray[Any, Any]
def critical_in_core(
    programs: Programs, messages: Sequence[float] | Array, flop: Sequence[float], gaps: Sequence[float]
) -> Array | None:
    """The steps of the longest path, the last one first; None without the core."""
    operations = sum(map(len, programs.operations))
    core = library(operations)
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
    path = Struct("Critical", syncs=syncs, **arrays)
    flat = flattened(programs)
    if core.apet_critical(flat, path):
        raise MemoryError("the critical path does not fit into memory")
    steps = numpy.empty(core.apet_critical_back(flat, path, None), structure("Step"))
    core.apet_critical_back(flat, path, steps)
    return steps
