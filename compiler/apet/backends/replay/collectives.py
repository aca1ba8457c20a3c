"""Collective operations as messages, by the algorithms that SMPI takes unless told otherwise.

Each has channels of its own by a tag below -1000, so that it never meets messages of the program. Flops of reductions
are computed after the communication, on every rank. Ranks here are those of the communicator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

BARRIER, BCAST, REDUCE, GATHER, SCATTER, ALL, SCAN, EXCHANGE = range(-1008, -1000)
BRUCK = ((16, 32, 4, 512), (32, 64, 0, 512), (64, 256, 0, 1024))
PAIRWISE_FROM, PAIRWISE_BYTES = 64, 262144
FOUR_RANKS = (512 * 1024, 1024 * 1024)
SYNCHRONISING = frozenset(("barrier", "allreduce", "allgather", "allgatherv", "alltoall", "alltoallv", "reducescatter"))
"""No rank ends one of these before all have begun it."""


class Member(Protocol):
    """A rank as a member of a communicator: posts messages and notes what it waits for."""

    number: int
    size: int

    def send(self, target: int, tag: int, size: int) -> int:
        """Post a send; the request."""
        ...

    def receive(self, source: int, tag: int) -> int:
        """Post a receive; the request."""
        ...

    def wait(self, requests: Sequence[int]) -> None:
        """Wait for all of some requests."""
        ...

    def compute(self, flops: float) -> None:
        """Compute."""
        ...


def barrier(me: Member) -> None:
    """Everybody tells rank 0, then rank 0 tells everybody."""
    if me.number:
        me.wait([me.send(0, BARRIER, 0)])
        me.wait([me.receive(0, BARRIER)])
        return
    me.wait([me.receive(r, BARRIER) for r in range(1, me.size)])
    me.wait([me.send(r, BARRIER, 0) for r in range(1, me.size)])


def bcast(me: Member, size: int, root: int) -> None:
    """A binomial tree from the root."""
    number = me.size
    relative, mask = (me.number - root) % number, 1
    while mask < number:
        if relative & mask:
            me.wait([me.receive((me.number - mask) % number, BCAST)])
            break
        mask <<= 1
    mask >>= 1
    while mask:
        if relative + mask < number:
            me.wait([me.send((me.number + mask) % number, BCAST, size)])
        mask >>= 1


def reduce(me: Member, size: int, flops: float, root: int) -> None:
    """Everybody sends to the root at once."""
    _to_root(me, size, root, REDUCE)
    me.compute(flops)


def allreduce(me: Member, size: int, flops: float) -> None:
    """A reduction to rank 0, then a broadcast from it."""
    _to_root(me, size, 0, REDUCE)
    bcast(me, size, 0)
    me.compute(flops)


def gather(me: Member, size: int, root: int) -> None:
    """Everybody sends to the root at once."""
    _to_root(me, size, root, GATHER)


def gatherv(me: Member, size: int, sizes: Sequence[int], root: int) -> None:
    """As gather; each sends as much as it has."""
    _to_root(me, size, root, GATHER)


def _to_root(me: Member, size: int, root: int, tag: int) -> None:
    if me.number != root:
        me.wait([me.send(root, tag, size)])
    else:
        me.wait([me.receive(r, tag) for r in range(me.size) if r != root])


def scatter(me: Member, size: int, root: int) -> None:
    """The root sends to everybody at once."""
    scatterv(me, [size] * me.size, root)


def scatterv(me: Member, sizes: Sequence[int], root: int) -> None:
    """The root sends everybody its part at once."""
    if me.number != root:
        me.wait([me.receive(root, SCATTER)])
    else:
        me.wait([me.send(r, SCATTER, sizes[r]) for r in range(me.size) if r != root])


def allgather(me: Member, size: int) -> None:
    """All pairs at once."""
    _all_pairs(me, [size] * me.size)


def allgatherv(me: Member, size: int, sizes: Sequence[int]) -> None:
    """All pairs at once; each sends what it has."""
    _all_pairs(me, [size] * me.size)


def alltoallv(me: Member, sent: Sequence[int], received: Sequence[int]) -> None:
    """All pairs at once."""
    _all_pairs(me, sent)


def _all_pairs(me: Member, sizes: Sequence[int]) -> None:
    others = [r for r in range(me.size) if r != me.number]
    requests = [me.receive(r, ALL) for r in others]
    requests += [me.send(r, ALL, sizes[r]) for r in others]
    me.wait(requests)


def alltoall(me: Member, size: int) -> None:
    """All pairs at once, pair by pair, or by Bruck's algorithm, depending on size and number of ranks."""
    number = me.size
    if any(low <= number < high and least <= size < most for low, high, least, most in BRUCK):
        _bruck(me, size)
    elif (number == 4 and FOUR_RANKS[0] <= size < FOUR_RANKS[1]) or (
        PAIRWISE_FROM <= number < 256 and size >= PAIRWISE_BYTES and number & (number - 1) == 0
    ):
        _pairwise(me, size)
    else:
        _all_pairs(me, [size] * number)


def _bruck(me: Member, size: int) -> None:
    """In each round half of all blocks go to the rank 1, 2, 4, … further (J. Bruck et al., 1997)."""
    number, mask = me.size, 1
    while mask < number:
        blocks = sum(1 for block in range(1, number) if block & mask)
        receiving = me.receive((me.number - mask) % number, EXCHANGE)
        me.wait([me.send((me.number + mask) % number, EXCHANGE, size * blocks), receiving])
        mask <<= 1


def _pairwise(me: Member, size: int) -> None:
    for i in range(1, me.size):
        receiving = me.receive(me.number ^ i, EXCHANGE)
        me.wait([me.send(me.number ^ i, EXCHANGE, size), receiving])


def scan(me: Member, size: int, flops: float) -> None:
    """Everybody sends to all higher ranks at once."""
    requests = [me.receive(r, SCAN) for r in range(me.number)]
    requests += [me.send(r, SCAN, size) for r in range(me.number + 1, me.size)]
    me.wait(requests)
    me.compute(flops)


def reducescatter(me: Member, sizes: Sequence[int], flops: float) -> None:
    """A reduction of the whole to rank 0, which scatters the parts."""
    _to_root(me, sum(sizes), 0, REDUCE)
    scatterv(me, sizes, 0)
    me.compute(flops)


UNROLLED: dict[str, Callable[..., Any]] = {
    "barrier": barrier,
    "bcast": bcast,
    "reduce": reduce,
    "allreduce": allreduce,
    "scan": scan,
    "exscan": scan,
    "gather": gather,
    "gatherv": gatherv,
    "scatter": scatter,
    "scatterv": scatterv,
    "allgather": allgather,
    "allgatherv": allgatherv,
    "alltoall": alltoall,
    "alltoallv": alltoallv,
    "reducescatter": reducescatter,
}
