"""What is wrong with a trace, found without a platform: only the order of messages counts, not their time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from apet.core import library
from apet.traces.replay.engine import flattened, packed
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import Programs, Unmatched
from apet.traces.replay.waiting import standing
from apet.traces.trace import COLLECTIVES, Action, Checked, Finding, Trace

ROOTED = {"bcast": 2, "reduce": 3, "gather": 2, "scatter": 2, "gatherv": 3, "scatterv": 2}
ROOTED |= {f"i{name}": at for name, at in ROOTED.items()}
"""Where a collective's root stands."""
ALIKE = {"bcast": 1, "reduce": 1, "allreduce": 1, "gather": 1, "scatter": 1, "allgather": 1, "alltoall": 1}
ALIKE |= {f"i{name}": at for name, at in ALIKE.items()}
"""Where a collective has a size that all ranks should agree in."""
REDUCING = frozenset(("allreduce", "scan", "exscan", "reduce", "reducescatter"))


def check(trace: Trace) -> Checked:
    """Deadlocks, collectives that do not fit together, messages with one side, requests that nobody waits for."""
    programs = lower(trace)
    findings = [
        *_mismatches(trace),
        *_deadlock(trace, programs),
        *(_loose(trace, "unmatched", f"{u.text} has no partner", u) for u in programs.unmatched),
        *(_loose(trace, "unfinished", u.text, u) for u in programs.unfinished),
    ]
    flops = math.fsum(math.fsum(f for action in actions for f in _flops(action)) for actions in trace.ranks)
    groups = {group for each in trace.communicators for group in each.values()}

    return Checked(
        trace.name,
        len(trace.ranks),
        trace.events,
        len(programs.size),
        sum(programs.size),
        flops,
        len(groups) + 1,
        tuple(findings),
        trace.gaps,
    )


def _flops(action: Action) -> Iterator[float]:
    match action:
        case ("compute", flops):
            yield flops
        case (name, _, flops, *_) if name.removeprefix("i") in REDUCING:
            yield flops


def _loose(trace: Trace, kind: str, text: str, loose: Unmatched) -> Finding:
    return Finding(kind, False, loose.rank, trace.line(loose.rank, loose.action), text)


def _deadlock(trace: Trace, programs: Programs) -> list[Finding]:
    return [
        Finding("deadlock", True, s.rank, s.line, f"{s.action} waits for ever for {s.waits_for}")
        for s in standing(trace, programs, ends(programs))
    ]


def arrive(programs: Programs) -> bool:
    """Whether all ranks come to their end."""
    return all(k > len(own) for k, own in zip(ends(programs), programs.operations, strict=True))


def ends(programs: Programs) -> Sequence[int]:
    """How far each rank comes: the operation after the one that it waits in, one more than all at its end."""
    stands = packed("q", bytes(8 * programs.ranks))
    if library().apet_ends(flattened(programs), stands):
        raise MemoryError("the trace does not fit into memory")
    return stands


def _mismatches(trace: Trace) -> Iterator[Finding]:
    """The first collective of all ranks in which they do not agree."""
    communicators = trace.communicators or ({},) * len(trace.ranks)
    sequences = [
        [k for k, a in enumerate(actions) if a[0] in COLLECTIVES and k not in groups]
        for actions, groups in zip(trace.ranks, communicators, strict=True)
    ]

    for number in range(max(map(len, sequences), default=0)):
        present = [(r, trace.ranks[r][s[number]], s[number]) for r, s in enumerate(sequences) if number < len(s)]
        wrong = list(_differing(trace, number, present))
        if len(present) < len(trace.ranks):
            first = next(r for r, s in enumerate(sequences) if number >= len(s))
            wrong.append(_disagree(trace, number, present[0], f"rank {first} has no further collective", True))
        yield from wrong
        if any(w.fatal for w in wrong):
            return


def _differing(trace: Trace, number: int, present: list[tuple[int, Action, int]]) -> Iterator[Finding]:
    zero, first, _ = present[0]
    name = first[0]

    for each in present[1:]:
        action = each[1]
        if action[0] != name:
            yield _disagree(trace, number, each, f"rank {zero} has {name}", True)
            return
        if name in ROOTED and action[ROOTED[name]] != first[ROOTED[name]]:
            text = f"its root is {action[ROOTED[name]]}, that of rank {zero} is {first[ROOTED[name]]}"
            yield _disagree(trace, number, each, text, True)
            return
        if name in ALIKE and action[ALIKE[name]] != first[ALIKE[name]]:
            text = f"{action[ALIKE[name]]:,} bytes, but rank {zero} has {first[ALIKE[name]]:,}"
            yield _disagree(trace, number, each, text, False)
            return


def _disagree(trace: Trace, number: int, each: tuple[int, Action, int], text: str, fatal: bool) -> Finding:
    rank, action, at = each
    return Finding("mismatch", fatal, rank, trace.line(rank, at), f"collective {number + 1} is {action[0]}: {text}")
