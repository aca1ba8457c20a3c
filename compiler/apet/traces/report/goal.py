"""A trace as GOAL text, for LogGOPSim, LLAMP and ATLAHS."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.errors import BadGoal
from apet.traces.replay.lowering import lower_for_unrolling
from apet.traces.replay.program import COMPUTE, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, SLEEP, Programs
from apet.traces.trace import Trace

NANOSECONDS = 1e9


def goal_lines(trace: Trace, rate: float = NANOSECONDS) -> Iterator[str]:
    """A trace as GOAL text: collectives as messages, each with a tag of its own between its two ranks. `ApetError`
    where a rank waits for some of several requests."""
    programs, _ = lower_for_unrolling(trace)
    if programs.groups:
        problem = "GOAL has no waits for some of several requests"
        raise ApetError(BadGoal(None, None, trace.name, problem))
    tags, counts = array("q"), [0] * len(programs.pairs)
    for pair in programs.pair:
        tags.append(counts[pair])
        counts[pair] += 1

    yield f"num_ranks {programs.ranks}\n"
    for rank in range(programs.ranks):
        yield f"rank {rank} {{\n"
        yield from _rank_lines(programs, rank, tags, NANOSECONDS / rate)
        yield "}\n"


def _rank_lines(programs: Programs, rank: int, tags: Sequence[int], nanoseconds: float) -> Iterator[str]:
    posted: dict[int, int] = {}
    required, number = list[int](), 0

    for operation in programs.operations[rank]:
        code, what = operation & MASK, operation >> SHIFT
        if code in (SENT, RECEIVED):
            required.append(posted.pop(what << 1 | (code == RECEIVED)))
            continue
        if code not in (COMPUTE, SLEEP, SEND, RECEIVE):
            continue
        if code in (SEND, RECEIVE) and len(required) > 1:  # one operation that all later ones require
            number += 1
            yield f"l{number}: calc 0\n"
            yield from (f"l{number} requires l{before}\n" for before in required)
            required = [number]

        number += 1
        if code in (COMPUTE, SLEEP):
            seconds = programs.values[what] * (nanoseconds if code == COMPUTE else NANOSECONDS)
            yield f"l{number}: calc {round(seconds)}\n"
        else:
            ends = programs.pairs[programs.pair[what]]
            way = f"send {{}}b to {ends[1]}" if code == SEND else f"recv {{}}b from {ends[0]}"
            yield f"l{number}: {way.format(programs.size[what])} tag {tags[what]}\n"
            posted[what << 1 | (code == RECEIVE)] = number
        yield from (f"l{number} requires l{before}\n" for before in required)
        if code in (COMPUTE, SLEEP):
            required = [number]
