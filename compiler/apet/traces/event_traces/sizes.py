"""From what each rank sends and receives in a collective, in all, to the arguments of the operation.

Archives say how many bytes a rank sends and receives altogether. Score-P counts a rank's part for itself unless its
data is in place: an allreduce of n bytes on P ranks is P n sent and P n received (its `scorep_mpi_coll_bytes_…`). Where
a total is no multiple of P it is taken as one of P - 1. How an alltoallv deals its bytes out is not said: in proportion
to what the ranks receive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Action = tuple[Any, ...]
NAMES = {
    "REDUCE_SCATTER_BLOCK": "reducescatter",
    "REDUCE_SCATTER": "reducescatter",
    "ALLTOALLW": "alltoallv",
}


def collective_actions(operation: str, root: int, sent: Sequence[int], received: Sequence[int]) -> list[Action] | None:
    """The action of each member, by the totals of each; None for what moves no data (making a communicator)."""
    number = len(sent)
    name = NAMES.get(operation, operation.lower())
    if name == "barrier":
        return [("barrier",)] * number
    if name in ("bcast", "scatter"):
        size = max((received[r] for r in range(number) if r != root), default=0)
        return [("bcast", size, root) if name == "bcast" else ("scatter", size, root)] * number
    if name in ("reduce", "gather"):
        size = max((sent[r] for r in range(number) if r != root), default=0)
        return [("reduce", size, 0.0, root) if name == "reduce" else ("gather", size, root)] * number
    if name in ("allreduce", "allgather", "alltoall"):
        each = [_share(s, number) for s in sent]
        return [(name, s, 0.0) if name == "allreduce" else (name, s) for s in each]
    if name in ("scan", "exscan"):
        inside = number - (name == "exscan")
        return [(name, sent[0] // max(1, inside), 0.0)] * number

    return _by_rank(name, root, sent, received)


def totals(operation: str, sent: int, received: int, number: int) -> tuple[int, int]:
    """What archives say of a collective of so many ranks, from the bytes of a rank's arguments to it: those of one
    block, or of all blocks of an alltoallv."""
    name = NAMES.get(operation, operation.lower())
    if name == "reducescatter":
        return sent, received * number
    if name in ("scan", "exscan"):
        return sent * (number - (name == "exscan")), received
    if name in ("allreduce", "allgather", "alltoall", "allgatherv"):
        return sent * number, received
    return sent, received if received or name not in ("bcast", "scatter", "scatterv") else sent


def _by_rank(name: str, root: int, sent: Sequence[int], received: Sequence[int]) -> list[Action] | None:
    number = len(sent)
    if name == "gatherv":
        parts = list(sent)
        return [(name, s, parts, root) for s in sent]
    if name == "scatterv":
        return [(name, list(received), root)] * number
    if name == "allgatherv":
        parts = [_share(s, number) for s in sent]
        return [(name, p, parts) for p in parts]
    if name == "reducescatter":
        return [(name, [_share(r, number) for r in received], 0.0)] * number
    if name == "alltoallv":
        total = max(1, sum(received))
        table = [[s * r // total for r in received] for s in sent]
        return [(name, row, [line[k] for line in table]) for k, row in enumerate(table)]

    return None


def _share(total: int, number: int) -> int:
    """One of equal parts, its own included if that is possible."""
    for parts in (number, number - 1):
        if parts and total % parts == 0:
            return total // parts
    return total
