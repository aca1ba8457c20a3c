"""The critical path: the longest one through all ranks' programs, followed back from its end.

On the way forward it is noted what decided each date; on the way back only the deciding ones are followed
(C.-Q. Yang and B. P. Miller, 1988). Of sides of a message that are posted at one date, that of the waiting rank counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy

from apet.core import Struct, library, structure
from apet.traces.bounds.transfers import Array
from apet.traces.replay.engine import flattened
from apet.traces.replay.program import Programs


class StepSeconds(NamedTuple):
    """What takes how many seconds."""

    messages: Sequence[float] | Array  #: by message
    flop: Sequence[float]  #: by rank
    gaps: Sequence[float]
    """Between synchronising collectives at least, the last one up to the end (empty: none)."""


def critical_path(programs: Programs, seconds: StepSeconds) -> Array:
    """The steps of the longest path, the first one first, with the fields of `Step` in the core (`critical.c`).

    A step is an operation that computes or sleeps, a message (the code is that of the wait for it), or the floor of a
    synchronising collective (`LEAVE`, rank -1). `origin` is the rank that the path comes from.
    """
    operations = sum(map(len, programs.operations))
    number, ranks, syncs = len(programs.size), programs.ranks, max(0, len(seconds.gaps) - 1)
    arrays = {
        "duration": numpy.ascontiguousarray(seconds.messages, float),
        "slowness": numpy.array(seconds.flop, float),
        "gap": numpy.array(seconds.gaps, float),
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
    core, flat = library(), flattened(programs)
    if core.apet_critical(flat, path):
        raise MemoryError("the critical path does not fit into memory")

    steps = numpy.empty(core.apet_critical_back(flat, path, None), structure("Step"))
    core.apet_critical_back(flat, path, steps)
    return steps[::-1]
