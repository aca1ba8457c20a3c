"""The lines of a trace, as SimGrid reads them; sizes are bytes (datatype 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from apet.traces.lines.communicators import ranges
from apet.traces.trace import WAIT_TAGS, Action, Trace

NAMES = {"sendrecv": "sendRecv", "waitany": "waitAny", "waitsome": "waitSome", "ssend": "Ssend", "issend": "ISsend"}


def trace_lines(trace: Trace, rank: int) -> Iterator[str]:
    """The lines of one rank, each with its end."""
    members = range(len(trace.ranks))
    groups = trace.communicators[rank] if trace.communicators else {}
    yield f"{rank} init\n"
    for at, action in enumerate(trace.ranks[rank]):
        group = groups.get(at)
        number = rank if group is None else group.index(rank)
        words = WORDS[action[0]](action, number, len(members if group is None else group))
        text = " ".join(map(str, words))
        comment = "" if group is None else f" # comm {ranges(group)}"
        if action[0] == "wait" and len(action) > 4:
            comment = f" # request {action[4]}"
        yield f"{rank} {NAMES.get(action[0], action[0])}{' ' if text else ''}{text}{comment}\n"

    yield f"{rank} finalize\n"


def _number(value: float) -> int | float:
    """Whole numbers without a fraction."""
    return int(value) if value == int(value) else value


Words = Sequence[Any]
Form = Callable[[Action, int, int], Words]
"""The arguments of an action, for a member of this number in a communicator of this many."""


def _rooted(size: int, action: Action) -> Words:
    return size, size, action[-1], 6, 6


def _gatherv(action: Action, number: int, members: int) -> Words:
    root = action[3]
    return action[1], *(action[2] if number == root else [0] * members), root, 6, 6


def _scatterv(action: Action, number: int, members: int) -> Words:
    sizes, root = action[1], action[2]
    return *(sizes if number == root else [0] * members), sizes[number], root, 6, 6


def _alltoallv(action: Action, number: int, members: int) -> Words:
    sent, received = action[1], action[2]
    return sum(sent), *sent, sum(received), *received, 6, 6


def _reducescatter(action: Action, number: int, members: int) -> Words:
    """Counts of elements as large as they were, since SimGrid's algorithm depends on their number."""
    sizes, flops, element = (*action[1:3], *(action[3:] or (1,)))
    code = CODES.get(element)
    return *(sizes if code is None else [s // element for s in sizes]), _number(flops), 6 if code is None else code


CODES = {8: 0, 4: 1, 1: 6, 2: 3, 16: 14}
"""Datatypes by the bytes of an element."""
WORDS: dict[str, Form] = {
    **dict.fromkeys(("compute", "sleep"), lambda a, k, n: (_number(a[1]),)),
    **dict.fromkeys(("send", "isend", "ssend", "issend", "recv", "irecv"), lambda a, k, n: (a[1], a[2], a[3], 6)),
    "sendrecv": lambda a, k, n: (a[1], a[2], a[3], a[4], 6, 6),
    "wait": lambda a, k, n: a[1:4],
    **dict.fromkeys(("waitall", "waitany", "waitsome", "barrier"), lambda a, k, n: ()),
    "bcast": lambda a, k, n: (a[1], a[2], 6),
    "reduce": lambda a, k, n: (a[1], _number(a[2]), a[3], 6),
    **dict.fromkeys(("allreduce", "scan", "exscan"), lambda a, k, n: (a[1], _number(a[2]), 6)),
    **dict.fromkeys(("gather", "scatter"), lambda a, k, n: _rooted(a[1], a)),
    **dict.fromkeys(("allgather", "alltoall"), lambda a, k, n: (a[1], a[1], 6, 6)),
    "gatherv": _gatherv,
    "allgatherv": lambda a, k, n: (a[1], *a[2], 6, 6),
    "scatterv": _scatterv,
    "alltoallv": _alltoallv,
    "reducescatter": _reducescatter,
}
WORDS |= {name: WORDS[name[1:]] for name in WAIT_TAGS}
