"""Collective operations as messages, by the algorithms that SMPI takes unless told otherwise.

Each has channels of its own by a tag below -1000, so that it never meets messages of the program. Flops of reductions
are computed after the communication, on every rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apet.backends.replay.engine import Program
    from apet.backends.replay.ranks import Rank

BARRIER, BCAST, REDUCE, GATHER, SCATTER, ALL, SCAN, EXCHANGE = range(-1008, -1000)
BRUCK = ((16, 32, 4, 512), (32, 64, 0, 512), (64, 256, 0, 1024))
PAIRWISE_FROM, PAIRWISE_BYTES = 64, 262144
FOUR_RANKS = (512 * 1024, 1024 * 1024)


def barrier(rank: Rank) -> Program:
    """Everybody tells rank 0, then rank 0 tells everybody."""
    engine, me = rank.engine, rank.number
    if me:
        yield from rank.wait([engine.send(me, 0, BARRIER, 0)])
        yield from rank.wait([engine.receive(0, me, BARRIER)])
        return
    yield from rank.wait([engine.receive(r, 0, BARRIER) for r in range(1, rank.size)])
    yield from rank.wait([engine.send(0, r, BARRIER, 0) for r in range(1, rank.size)])


def bcast(rank: Rank, size: int, root: int) -> Program:
    """A binomial tree from the root."""
    engine, me, number = rank.engine, rank.number, rank.size
    relative, mask = (me - root) % number, 1
    while mask < number:
        if relative & mask:
            yield from rank.wait([engine.receive((me - mask) % number, me, BCAST)])
            break
        mask <<= 1
    mask >>= 1
    while mask:
        if relative + mask < number:
            yield from rank.wait([engine.send(me, (me + mask) % number, BCAST, size)])
        mask >>= 1


def reduce(rank: Rank, size: int, flops: float, root: int) -> Program:
    """Everybody sends to the root at once."""
    yield from _to_root(rank, [size] * rank.size, root, REDUCE)
    yield from _compute(rank, flops)


def allreduce(rank: Rank, size: int, flops: float) -> Program:
    """A reduction to rank 0, then a broadcast from it."""
    yield from _to_root(rank, [size] * rank.size, 0, REDUCE)
    yield from bcast(rank, size, 0)
    yield from _compute(rank, flops)


def gather(rank: Rank, size: int, root: int) -> Program:
    """Everybody sends to the root at once."""
    yield from _to_root(rank, [size] * rank.size, root, GATHER)


def gatherv(rank: Rank, size: int, sizes: Sequence[int], root: int) -> Program:
    """As gather; each sends as much as it has."""
    yield from _to_root(rank, [size] * rank.size, root, GATHER)


def _to_root(rank: Rank, sizes: Sequence[int], root: int, tag: int) -> Program:
    engine, me = rank.engine, rank.number
    if me != root:
        yield from rank.wait([engine.send(me, root, tag, sizes[me])])
    else:
        yield from rank.wait([engine.receive(r, me, tag) for r in range(rank.size) if r != me])


def scatter(rank: Rank, size: int, root: int) -> Program:
    """The root sends to everybody at once."""
    yield from scatterv(rank, [size] * rank.size, root)


def scatterv(rank: Rank, sizes: Sequence[int], root: int) -> Program:
    """The root sends everybody its part at once."""
    engine, me = rank.engine, rank.number
    if me != root:
        yield from rank.wait([engine.receive(root, me, SCATTER)])
    else:
        yield from rank.wait([engine.send(me, r, SCATTER, sizes[r]) for r in range(rank.size) if r != me])


def allgather(rank: Rank, size: int) -> Program:
    """All pairs at once."""
    yield from _all_pairs(rank, [size] * rank.size)


def allgatherv(rank: Rank, size: int, sizes: Sequence[int]) -> Program:
    """All pairs at once; each sends what it has."""
    yield from _all_pairs(rank, [size] * rank.size)


def alltoallv(rank: Rank, sent: Sequence[int], received: Sequence[int]) -> Program:
    """All pairs at once."""
    yield from _all_pairs(rank, sent)


def _all_pairs(rank: Rank, sizes: Sequence[int]) -> Program:
    engine, me = rank.engine, rank.number
    others = [r for r in range(rank.size) if r != me]
    requests = [engine.receive(r, me, ALL) for r in others]
    yield from rank.wait([*requests, *(engine.send(me, r, ALL, sizes[r]) for r in others)])


def alltoall(rank: Rank, size: int) -> Program:
    """All pairs at once, pair by pair, or by Bruck's algorithm, depending on size and number of ranks."""
    number = rank.size
    if any(low <= number < high and least <= size < most for low, high, least, most in BRUCK):
        yield from _bruck(rank, size)
    elif (number == 4 and FOUR_RANKS[0] <= size < FOUR_RANKS[1]) or (
        PAIRWISE_FROM <= number < 256 and size >= PAIRWISE_BYTES and number & (number - 1) == 0
    ):
        yield from _pairwise(rank, size)
    else:
        yield from _all_pairs(rank, [size] * number)


def _bruck(rank: Rank, size: int) -> Program:
    """In each round half of all blocks go to the rank 1, 2, 4, … further (J. Bruck et al., 1997)."""
    engine, me, number, mask = rank.engine, rank.number, rank.size, 1
    while mask < number:
        blocks = sum(1 for block in range(1, number) if block & mask)
        receiving = engine.receive((me - mask) % number, me, EXCHANGE)
        sending = engine.send(me, (me + mask) % number, EXCHANGE, size * blocks)
        yield from rank.wait([sending, receiving])
        mask <<= 1


def _pairwise(rank: Rank, size: int) -> Program:
    engine, me = rank.engine, rank.number
    for i in range(1, rank.size):
        other = me ^ i
        receiving = engine.receive(other, me, EXCHANGE)
        yield from rank.wait([engine.send(me, other, EXCHANGE, size), receiving])


def scan(rank: Rank, size: int, flops: float) -> Program:
    """Everybody sends to all higher ranks at once."""
    engine, me = rank.engine, rank.number
    requests = [engine.receive(r, me, SCAN) for r in range(me)]
    yield from rank.wait([*requests, *(engine.send(me, r, SCAN, size) for r in range(me + 1, rank.size))])
    yield from _compute(rank, flops)


def reducescatter(rank: Rank, sizes: Sequence[int], flops: float) -> Program:
    """A reduction of the whole to rank 0, which scatters the parts."""
    yield from _to_root(rank, [sum(sizes)] * rank.size, 0, REDUCE)
    yield from scatterv(rank, sizes, 0)
    yield from _compute(rank, flops)


def _compute(rank: Rank, flops: float) -> Program:
    request = rank.engine.compute(rank.number, flops) if flops > 0 else None
    if request is not None:
        yield request


PROGRAMS: dict[str, Callable[..., Any]] = {
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
