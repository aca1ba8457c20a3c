"""T = max(T0, max T[r]) as the language page defines it, of an unrolled program: sums and maxima, nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tests.laws.meaning import AT_ONCE, CHOICE, HOLD, LEAF, ORDERED, Key, Tree, Unrolled
from tests.laws.numbers import Exact

Loads = dict[Key, Exact]
T0 = Key("the path without contention")
"""The key of T0, which no resource of a model has."""


def plain_terms(program: Unrolled, end: int, branches: str) -> dict[Key, Exact]:
    """T0 and T[r] of each resource, in seconds at one end of the machine's intervals, 0 or 1, for one reading."""
    t0, loads = _Summing(program.servers, end, branches).cost(program.tree, frozenset())
    return {T0: t0, **{r: load / Fraction(program.servers[r]) for r, load in loads.items()}}


def plain_estimate(program: Unrolled, end: int, branches: str) -> Exact:
    """T in seconds."""
    return max(plain_terms(program, end, branches).values())


class _Summing:
    def __init__(self, servers: dict[Key, int], end: int, branches: str) -> None:
        self.servers, self.end, self.branches = servers, end, branches

    def cost(self, tree: Tree, held: frozenset[Key]) -> tuple[Exact, Loads]:
        """T0 and the load of each resource, not yet divided by its servers."""
        kind = tree[0]
        if kind == LEAF:
            seconds, key = tree[1 + self.end], tree[3]
            return seconds, {} if key is None or key in held else {key: seconds}
        if kind == HOLD:
            return self.hold(tree[1], tree[2], held)
        if kind == CHOICE:
            return self.choice(tree[1], self.cost(tree[2], held), self.cost(tree[3], held))
        parts = [self.cost(part, held) for part in tree[1]]
        times = [t0 for t0, _ in parts]
        loads = _total(loads for _, loads in parts)
        if kind == ORDERED:
            return _longest(times, tree[2]), loads
        return (max(times, default=0) if kind == AT_ONCE else sum(times)), loads

    def hold(self, key: Key, body: Tree, held: frozenset[Key]) -> tuple[Exact, Loads]:
        if key in held:
            return self.cost(body, held)
        t0, loads = self.cost(body, held | {key})
        return t0, {**loads, key: max([t0, *(load / Fraction(self.servers[r]) for r, load in loads.items())])}

    def choice(self, q: Exact | None, one: tuple[Exact, Loads], two: tuple[Exact, Loads]) -> tuple[Exact, Loads]:
        def reading(x: Exact, y: Exact) -> Exact:
            match self.branches:
                case "best":
                    return min(x, y)
                case "worst":
                    return max(x, y)
                case "average":
                    return (x + y) / Fraction(2)
                case _:
                    assert q is not None, "a free branch has no estimate in this reading"
                    return q * x + (1 - q) * y

        keys = {**one[1], **two[1]}
        return reading(one[0], two[0]), {r: reading(one[1].get(r, 0), two[1].get(r, 0)) for r in keys}


def _total(parts: Iterable[Loads]) -> Loads:
    total: Loads = {}
    for loads in parts:
        for key, load in loads.items():
            total[key] = total.get(key, 0) + load
    return total


def _longest(times: list[Exact], after: tuple[tuple[int, ...], ...]) -> Exact:
    """The longest path: the ends of all parts, found again until none changes."""
    ends: list[Exact] = [0] * len(times)
    for _ in times:
        ends = [max([ends[k] for k in before], default=0) + time for time, before in zip(times, after, strict=True)]
    return max(ends, default=0)
