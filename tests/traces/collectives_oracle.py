"""Collective operations as messages, as an oracle: by the algorithms that SMPI takes unless told otherwise.

Each has channels of its own by a tag below -1000, so that it never meets messages of the program. Flops of reductions
are computed after the communication, on every rank. Ranks here are those of the communicator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

BARRIER, BCAST, REDUCE, GATHER, SCATTER, ALL, SCAN, EXCHANGE = range(-1008, -1000)
BEGUN = -1009
"""Tag of all non-blocking collectives of all ranks; those of a communicator with number k have one lower by k."""
ANY_NUMBER = 1 << 62
BRUCK = (
    (16, 32, 4, 512),
    (32, 64, 0, 512),
    (64, 512, 0, 1024),
    (512, 2048, 0, 512),
    (2048, 4096, 0, 1024),
    (4096, ANY_NUMBER, 0, 2048),
)
PAIRWISE = (
    (4, 5, 524288, 1048576),
    (64, 256, 262144, ANY_NUMBER),
    (256, 512, 32768, ANY_NUMBER),
    (512, 1024, 262144, ANY_NUMBER),
)
"""From how many ranks to below how many, and from and to below how many bytes per pair, an alltoall is not linear."""
MOST_DOUBLED = 524288
"""Elements of a reducescatter up to which unequal parts are exchanged by recursive doubling."""
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
    """All pairs at once: a send to each other, a receive from it."""
    _pairs_in_turn(me, size)


def allgatherv(me: Member, size: int, sizes: Sequence[int]) -> None:
    """All pairs at once; each sends what it has."""
    _pairs_in_turn(me, size)


def _pairs_in_turn(me: Member, size: int) -> None:
    others = [r for r in range(me.size) if r != me.number]
    me.wait([request for r in others for request in (me.send(r, ALL, size), me.receive(r, ALL))])


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
    if _applies(BRUCK, number, size):
        _bruck(me, size)
    elif _applies(PAIRWISE, number, size) and number & (number - 1) == 0:
        _pairwise(me, size)
    else:
        requests = [me.receive((me.number + k) % number, ALL) for k in range(1, number)]
        me.wait(requests + [me.send((me.number - k) % number, ALL, size) for k in range(1, number)])


def _applies(table: Sequence[tuple[int, int, int, int]], number: int, size: int) -> bool:
    return any(low <= number < high and least <= size < most for low, high, least, most in table)


def _bruck(me: Member, size: int) -> None:
    """In each round half of all blocks go to the rank 1, 2, 4, … further (J. Bruck et al., 1997)."""
    number, mask = me.size, 1
    while mask < number:
        blocks = sum(1 for block in range(1, number) if block & mask)
        _swap(me, (me.number + mask) % number, (me.number - mask) % number, size * blocks)
        mask <<= 1


def _pairwise(me: Member, size: int) -> None:
    for i in range(1, me.size):
        _swap(me, me.number ^ i, me.number ^ i, size)


def _swap(me: Member, target: int, source: int, size: int) -> None:
    me.wait([me.send(target, EXCHANGE, size), me.receive(source, EXCHANGE)])


def scan(me: Member, size: int, flops: float) -> None:
    """Everybody sends to all higher ranks at once."""
    requests = [me.receive(r, SCAN) for r in range(me.number)]
    requests += [me.send(r, SCAN, size) for r in range(me.number + 1, me.size)]
    me.wait(requests)
    me.compute(flops)


def reducescatter(me: Member, sizes: Sequence[int], flops: float, element: int = 1) -> None:
    """Equal parts: a reduction of the whole to rank 0, which scatters them. Unequal ones, if large, go to their
    ranks directly, one distance after the other; else by recursive doubling (R. Thakur et al., 2005)."""
    if len(set(sizes)) <= 1:
        _to_root(me, sum(sizes), 0, REDUCE)
        scatterv(me, sizes, 0)
    elif sum(sizes) > MOST_DOUBLED * element:
        for distance in range(1, me.size):
            target, source = (me.number + distance) % me.size, (me.number - distance) % me.size
            _swap(me, target, source, sizes[target])
    else:
        _double(me, sizes)
    me.compute(flops)


def _double(me: Member, sizes: Sequence[int]) -> None:
    """Blocks of 1, 2, 4, … ranks exchange what neither has; where a block is cut off by the last rank, those that have
    no partner get the rest from their neighbours."""
    total, mask = sum(sizes), 1
    while mask < me.size:
        other = me.number ^ mask
        first, there = me.number & -mask, other & -mask
        size = total - sum(sizes[there : there + mask])
        if other < me.size:
            _swap(me, other, other, total - sum(sizes[first : first + mask]))
        if there + mask > me.size:
            _pass_on(me, mask, me.size - first - mask, size)
        mask <<= 1


def _pass_on(me: Member, mask: int, complete: int, size: int) -> None:
    """In a block of `mask` ranks, of which the first `complete` have everything, down the tree of its halves."""
    step = mask >> 1
    while step:
        other, limit = me.number ^ step, (me.number & -(2 * step)) + complete
        if me.number < limit <= other:
            me.wait([me.send(other, EXCHANGE, size)])
        elif other < limit <= me.number:
            me.wait([me.receive(other, EXCHANGE)])
        step >>= 1


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


class Beginning:
    """A member that only posts: `requests` and `flops` are what there is to be done before the collective has ended."""

    def __init__(self, member: Member, tag: int) -> None:
        self.member, self.tag = member, tag
        self.number, self.size = member.number, member.size
        self.requests: list[int] = []
        self.flops = 0.0

    def send(self, target: int, tag: int, size: int) -> int:
        """Post a send; the request."""
        return self.member.send(target, self.tag, size)

    def receive(self, source: int, tag: int) -> int:
        """Post a receive; the request."""
        return self.member.receive(source, self.tag)

    def wait(self, requests: Sequence[int]) -> None:
        """Note what to wait for."""
        self.requests += requests

    def compute(self, flops: float) -> None:
        """Note what to compute."""
        self.flops += flops


def _barrier_at_once(me: Member) -> None:
    """Everybody tells rank 0, which tells everybody without having heard of all."""
    others = range(1, me.size) if me.number == 0 else (0,)
    me.wait([me.receive(r, BARRIER) for r in others])
    me.wait([me.send(r, BARRIER, 0) for r in others])


def _allreduce_at_once(me: Member, size: int, flops: float) -> None:
    """All pairs."""
    _all_pairs(me, [size] * me.size)
    me.compute(flops)


def _reducescatter_at_once(me: Member, sizes: Sequence[int], flops: float, element: int = 1) -> None:
    """All pairs; each sends everybody its part."""
    _all_pairs(me, sizes)
    me.compute(flops)


BEGINNING: dict[str, Callable[..., Any]] = {
    **{f"i{name}": form for name, form in UNROLLED.items()},
    "ibarrier": _barrier_at_once,
    "ibcast": scatter,
    "iallreduce": _allreduce_at_once,
    "ialltoall": allgather,
    "ireducescatter": _reducescatter_at_once,
}
"""Non-blocking collectives, for a member that only posts: all messages of a rank at once."""
