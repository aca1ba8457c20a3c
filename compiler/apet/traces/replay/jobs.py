"""Several traces at the same time on one platform: their flat programs as those of one trace.

The ranks of a job follow those of the job before it. Jobs exchange no messages; they share hosts and links.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from apet.traces.replay.program import (
    ANY,
    COMPUTE,
    ENTER,
    LEAVE,
    MASK,
    RECEIVE,
    RECEIVED,
    SEND,
    SENT,
    SHIFT,
    SLEEP,
    TAKE,
    LoweredTrace,
    Programs,
)


def side_by_side(traces: Sequence[LoweredTrace]) -> LoweredTrace:
    """One trace of all jobs. No collective separates before from after on the ranks of all of them."""
    jobs = [trace.programs for trace in traces]
    ranks = [0, *accumulate(job.ranks for job in jobs)]
    messages = [0, *accumulate(len(job.size) for job in jobs)]
    values = [0, *accumulate(len(job.values) for job in jobs)]
    groups = [0, *accumulate(len(job.groups) for job in jobs)]
    pairs = [0, *accumulate(len(job.pairs) for job in jobs)]
    operations: list[array[int]] = []
    origins: list[array[int]] = []

    for k, job in enumerate(jobs):
        moved = dict.fromkeys((SEND, RECEIVE, SENT, RECEIVED, TAKE), messages[k])
        moved |= dict.fromkeys((COMPUTE, SLEEP), values[k]) | {ANY: groups[k]}
        for own, origin in zip(job.operations, job.origins, strict=True):
            renumbered, places = _renumbered(own, origin, moved)
            operations.append(renumbered)
            origins.append(places)

    joined = Programs(
        operations=tuple(operations),
        origins=tuple(origins),
        values=array("d", (v for job in jobs for v in job.values)),
        pairs=tuple((s + ranks[k], t + ranks[k]) for k, job in enumerate(jobs) for s, t in job.pairs),
        pair=array("q", (p + pairs[k] for k, job in enumerate(jobs) for p in job.pair)),
        size=array("q", (s for job in jobs for s in job.size)),
        early=_one_after_other([job.early for job in jobs], jobs, "B"),
        take=_one_after_other([job.take for job in jobs], jobs, "d"),
        groups=tuple(
            group._replace(requests=tuple(tuple(m + messages[k] for m in r) for r in group.requests))
            for k, job in enumerate(jobs)
            for group in job.groups
        ),
        syncs=-1,
        unmatched=tuple(u._replace(rank=u.rank + ranks[k]) for k, job in enumerate(jobs) for u in job.unmatched),
        unfinished=tuple(u._replace(rank=u.rank + ranks[k]) for k, job in enumerate(jobs) for u in job.unfinished),
    )
    return LoweredTrace(
        " + ".join(trace.name for trace in traces), sum(trace.events for trace in traces), joined, traces[0].protocol
    )


def _one_after_other(parts: Sequence[array[Any] | None], jobs: Sequence[Programs], kind: str) -> array[Any] | None:
    """What is said by message of each job (None: nothing of any)."""
    if all(part is None for part in parts):
        return None
    joined = array(kind)
    for part, job in zip(parts, jobs, strict=True):
        joined += array(kind, [0]) * len(job.size) if part is None else part
    return joined


def _renumbered(operations: array[int], origins: array[int], moved: dict[int, int]) -> tuple[array[int], array[int]]:
    """Operations whose arguments are moved by code, and their actions, without marks of collectives."""
    import numpy

    if not operations:
        return operations, origins
    every = numpy.frombuffer(operations, numpy.int64)
    code = every & MASK
    is_kept = (code != ENTER) & (code != LEAVE)
    step = numpy.array([moved.get(c, 0) for c in range(MASK + 1)], numpy.int64) << SHIFT

    renumbered, places = array(operations.typecode), array(origins.typecode)
    renumbered.frombytes((every + step[code])[is_kept].tobytes())
    places.frombytes(numpy.frombuffer(origins, f"i{origins.itemsize}")[is_kept].tobytes())
    return renumbered, places
