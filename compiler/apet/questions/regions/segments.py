"""The numbers of processors with the same kinds of machines in use, of which only one kind grows with P.

The P fastest machines are in use, so groups are taken up one after the other, the fastest first. While P rises through
one segment, every count but one stays, and the machine that a number means changes only after those of that group.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from apet.machine import Machines
from apet.prediction.deployment import Deployment


class ProcessorSegment(NamedTuple):
    """P from `low` to `high`; `filling` is the place among the groups in use of the one that grows."""

    low: int
    high: int
    filling: int


def segments(machines: Machines | None, low: int, high: int) -> Iterator[ProcessorSegment]:
    """The segments of a range of numbers of processors, in order; one where they are only counted."""
    if machines is None:
        yield ProcessorSegment(low, high, 0)
        return

    factors = machines.factors()
    start = 0
    taken: list[int] = []

    for g in sorted(range(len(factors)), key=lambda g: -factors[g]):  # as machines are taken: ties to the earlier
        taken.append(g)
        first, last = start + 1, start + machines.groups[g].count
        start = last
        if last >= low and first <= high:
            yield ProcessorSegment(max(first, low), min(last, high), sorted(taken).index(g))


class Dealing:
    """How `share` deals tasks statically to the groups of one segment, without listing processors.

    `weights` are the exact factors. With W(P) the sum over the processors in use, a processor of weight w gets
    floor(tasks w / W) tasks or one more (Hamilton's method, see `apet.machine.allocation`).
    """

    def __init__(self, deployment: Deployment, filling: int) -> None:
        factors = () if deployment.configuration is None else deployment.configuration.factors
        self.weights = [Fraction(factor) for factor in factors]
        self.counts = [g.last - g.first + 1 for g in deployment.groups]
        self.filling = filling
        self.P = deployment.P

    def members(self, P: int) -> list[int]:
        """The machines in use of each group."""
        members = list(self.counts)
        members[self.filling] += P - self.P
        return members

    def at(self, tasks: int, P: int) -> tuple[list[int], list[int], list[Fraction]]:
        """The tasks that all of a group get, how many get one more, and the remainders that decide it."""
        members = self.members(P)
        whole = sum((n * w for n, w in zip(members, self.weights, strict=True)), Fraction(0))
        exact = [tasks * w / whole for w in self.weights]
        floors = [q.numerator // q.denominator for q in exact]
        rest = [q - f for q, f in zip(exact, floors, strict=True)]
        left = tasks - sum(n * f for n, f in zip(members, floors, strict=True))
        more = [0] * len(floors)

        for g in sorted(range(len(floors)), key=lambda g: -rest[g]):
            more[g] = min(left, members[g])
            left -= more[g]
        return floors, more, rest

    def between(self, tasks: tuple[int, int], P: tuple[int, int]) -> list[tuple[range, range, range]]:
        """For each group what the first and the last machine may get, and how many may get one more than the last."""
        low, high = self.at(tasks[0], P[1]), self.at(tasks[1], P[0])
        if tasks[0] == tasks[1] and self._alike(low, high, P):
            return [self._constant(low, high, g, P) for g in range(len(self.weights))]
        ranges = []
        alone = len(self.weights) == 1

        for g, most in enumerate(max(a, b) for a, b in zip(self.members(P[0]), self.members(P[1]), strict=True)):
            least, top = low[0][g], high[0][g]
            # with equal machines only, the first gets the ceiling and the last the floor of tasks / P
            first = range(least + (low[1][g] > 0), top + (high[1][g] > 0) + 1) if alone else range(least, top + 2)
            ranges.append((first, range(least, top + (1 if alone else 2)), range(0, most + 1)))
        return ranges

    def _alike(self, low: Dealt, high: Dealt, P: tuple[int, int]) -> bool:
        """Whether floors and the order of remainders stay for all P between.

        With equal floors f at both ends, remainder times W(P) is tasks w - f W(P), linear in P; two linear functions
        in the same order at both ends are so between them.
        """
        if low[0] != high[0]:
            return False
        pairs = [(a, b) for a in zip(low[2], high[2], strict=True) for b in zip(low[2], high[2], strict=True)]
        return all((a[0] > b[0]) == (a[1] > b[1]) and (a[0] < b[0]) == (a[1] < b[1]) for a, b in pairs)

    def _constant(self, low: Dealt, high: Dealt, g: int, P: tuple[int, int]) -> tuple[range, range, range]:
        """What changes although floors and order stay.

        How many get one more is a linear function of P, cut off at 0 and at the size of the group, itself linear: it is
        above 0 (below the size) for all P between if it is so at both ends.
        """
        floor, ends = low[0][g], (low[1][g], high[1][g])

        sizes = (self.members(P[1])[g], self.members(P[0])[g])
        any_more = sorted(m > 0 for m in ends)
        all_more = sorted(m == size for m, size in zip(ends, sizes, strict=True))
        cut_off = any_more[0] != any_more[1] or all_more[0] != all_more[1]

        counts = (0, max(sizes)) if cut_off else (min(ends), max(ends))
        first = range(floor + any_more[0], floor + any_more[1] + 1)
        return first, range(floor + all_more[0], floor + all_more[1] + 1), range(counts[0], counts[1] + 1)


Dealt = tuple[list[int], list[int], list[Fraction]]
