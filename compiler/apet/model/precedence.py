"""The order of the parts of a task graph: series and parallel parts as far as it goes, the rest as it is.

An order is taken apart by what stays itself seen from outside (its modules; Valdes, Tarjan and Lawler, SIAM J. Comput.
11, 1982). Two reductions, repeated until neither applies, find every series-parallel part from the inside: a part that
alone follows another one alone is in series with it, and parts between the same neighbours are at once. What is left is
split from the outside, into components and into stretches of which all of one comes before all of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from random import Random

from apet.ground.records import NamedTuple


class InSeries(NamedTuple):
    """One after the other: all of one has ended before anything of the next begins."""

    parts: tuple[Order, ...]


class AtOnce(NamedTuple):
    """No part waits for another one."""

    parts: tuple[Order, ...]


class Prime(NamedTuple):
    """Neither: part k begins when the parts with the numbers in `after[k]` have ended, all of them below k."""

    parts: tuple[Order, ...]
    after: tuple[tuple[int, ...], ...]


Order = int | InSeries | AtOnce | Prime
"""A part by its number, or parts in order."""


def decomposed(after: Sequence[Iterable[int]]) -> Order:
    """The order of parts 0, 1, …, part k behind those in `after[k]`; `ValueError` where parts wait for each other.

    Parts that a longer way implies may be named or not. Time: parts times arcs / 64, for orders in series and parallel.
    """
    ordered = topological(after)
    if len(ordered) < len(after):
        raise ValueError("parts wait for each other")
    return _Reduction(reduced(after, ordered), ordered).order()


def levels(prime: Prime) -> list[list[int]]:
    """The numbers of the parts by how many others are on the longest way to each."""
    level: list[int] = []
    for before in prime.after:
        level.append(1 + max((level[k] for k in before), default=-1))
    return [[k for k, own in enumerate(level) if own == row] for row in range(max(level) + 1)]


def topological(after: Sequence[Iterable[int]]) -> list[int]:
    """The numbers of parts, each behind all that it comes after, else by number; those in circles are left out."""
    waiting, behind = [len(set(a)) for a in after], [list[int]() for _ in after]
    for part, before in enumerate(after):
        for one in set(before):
            behind[one].append(part)

    ready, ordered = [k for k, count in enumerate(waiting) if not count], list[int]()
    heapify(ready)
    while ready:
        part = heappop(ready)
        ordered.append(part)
        for later in behind[part]:
            waiting[later] -= 1
            if not waiting[later]:
                heappush(ready, later)
    return ordered


def reduced(after: Sequence[Iterable[int]], ordered: Sequence[int]) -> list[set[int]]:
    """What each part comes after, without what the others of these come after already."""
    place = {part: k for k, part in enumerate(ordered)}
    earlier, direct = [0] * len(after), [set[int]() for _ in after]
    for part in ordered:
        implied = 0
        for one in sorted(set(after[part]), key=place.__getitem__, reverse=True):
            if not implied >> one & 1:
                direct[part].add(one)
                implied |= earlier[one] | 1 << one
        earlier[part] = implied
    return direct


class _Reduction:
    """A graph that shrinks: the order of what each of its nodes stands for, and the nodes before and behind it.

    Nodes between the same neighbours have one key: how many there are, and the sum of a random number for each of them,
    which changes by one addition where a neighbour does.
    """

    def __init__(self, before: list[set[int]], ordered: Sequence[int]) -> None:
        self.ordered = ordered
        self.before = dict(enumerate(before))
        self.behind = {k: set[int]() for k in self.before}
        for part, earlier in self.before.items():
            for one in earlier:
                self.behind[one].add(part)

        random = Random(0)
        self.marks = [random.getrandbits(64) for _ in before]
        self.orders: dict[int, Order] = {k: k for k in self.before}
        self.keys = {k: self._key(k) for k in self.before}

        self.alike: dict[tuple[int, ...], dict[int, None]] = {}
        for part, key in self.keys.items():
            self.alike.setdefault(key, {})[part] = None

    def order(self) -> Order:
        """The order of the whole graph."""
        if not self.orders:
            return AtOnce(())
        waiting = list(reversed(self.ordered))
        while waiting:
            node = waiting.pop()
            if node in self.orders:
                waiting += self._chained(node) or self._joined(node)
        return self._split([n for n in self.ordered if n in self.orders])

    def _key(self, node: int) -> tuple[int, ...]:
        sums = (sum(self.marks[n] for n in side) for side in (self.before[node], self.behind[node]))
        return len(self.before[node]), len(self.behind[node]), *sums

    def _change(self, node: int, side: int, lost: Sequence[int], gained: Sequence[int]) -> None:
        """Take neighbours of a node away and give it others, before it (0) or behind it (1)."""
        neighbours = (self.before, self.behind)[side][node]
        neighbours.difference_update(lost)
        neighbours.update(gained)
        key = list(self.keys[node])
        key[side] += len(gained) - len(lost)
        key[2 + side] += sum(self.marks[n] for n in gained) - sum(self.marks[n] for n in lost)
        self._move(node, tuple(key))

    def _move(self, node: int, key: tuple[int, ...] | None) -> None:
        """Give a node another key, or none where it is gone."""
        old = self.alike[self.keys[node]]
        old.pop(node)
        if key is not None:
            self.keys[node] = key
            self.alike.setdefault(key, {})[node] = None

    def _only(self, node: int, side: int) -> int | None:
        """The only neighbour on one side, if the node is its only one on the other."""
        mine, its = (self.before, self.behind) if side == 0 else (self.behind, self.before)
        if len(mine[node]) == 1:
            (other,) = mine[node]
            if len(its[other]) == 1:
                return other
        return None

    def _chained(self, node: int) -> list[int]:
        """Put a node in series with those that alone follow each other around it; the nodes that changed."""
        chain = [node]
        while (one := self._only(chain[0], 0)) is not None:
            chain.insert(0, one)
        while (one := self._only(chain[-1], 1)) is not None:
            chain.append(one)
        if len(chain) == 1:
            return []

        first, last = chain[0], chain[-1]
        followers = self.behind[last]
        self.orders[first] = InSeries(tuple(_parts(InSeries, [self.orders[n] for n in chain])))
        for one in chain[1:]:
            self._move(one, None)
            del self.orders[one]
        for follower in followers:
            self._change(follower, 0, [last], [first])
        self.behind[first] = followers
        self._move(first, self._key(first))
        return [first, *followers]

    def _joined(self, node: int) -> list[int]:
        """Join a node with those between the same neighbours; the nodes that changed."""
        twins = [n for n in self.alike[self.keys[node]] if self._is_twin(n, node)]
        if len(twins) == 1:
            return []

        twins.sort()
        first, others = twins[0], twins[1:]
        self.orders[first] = AtOnce(tuple(_parts(AtOnce, [self.orders[n] for n in twins])))
        for one in others:
            self._move(one, None)
            del self.orders[one]
        for neighbour in self.before[first]:
            self._change(neighbour, 1, others, [])
        for neighbour in self.behind[first]:
            self._change(neighbour, 0, others, [])
        return [first, *self.before[first], *self.behind[first]]

    def _is_twin(self, one: int, other: int) -> bool:
        return self.before[one] == self.before[other] and self.behind[one] == self.behind[other]

    def _split(self, nodes: list[int]) -> Order:
        """Nodes in topological order, from the outside in."""
        if len(nodes) == 1:
            return self.orders[nodes[0]]
        components = self._components(nodes)
        if len(components) > 1:
            return AtOnce(tuple(_parts(AtOnce, [self._split(c) for c in components])))
        stretches = self._stretches(nodes)
        if len(stretches) > 1:
            return InSeries(tuple(_parts(InSeries, [self._split(s) for s in stretches])))
        place = {n: k for k, n in enumerate(nodes)}
        after = (tuple(sorted(place[n] for n in self.before[node] if n in place)) for node in nodes)
        return Prime(tuple(self.orders[n] for n in nodes), tuple(after))

    def _components(self, nodes: list[int]) -> list[list[int]]:
        """The nodes in sets that no arc joins."""
        component: dict[int, int] = {}
        inside = set(nodes)
        for start in nodes:
            waiting = [start] if start not in component else []
            while waiting:
                node = waiting.pop()
                if node not in component:
                    component[node] = start
                    waiting += [n for n in (*self.before[node], *self.behind[node]) if n in inside]

        groups: dict[int, list[int]] = {}
        for node in nodes:
            groups.setdefault(component[node], []).append(node)
        return list(groups.values())

    def _stretches(self, nodes: list[int]) -> list[list[int]]:
        """The nodes cut wherever all of them so far come before all of the rest."""
        place = {n: k for k, n in enumerate(nodes)}
        later = [0] * len(nodes)
        for k in range(len(nodes) - 1, -1, -1):
            for node in self.behind[nodes[k]]:
                if node in place:
                    later[k] |= later[place[node]] | 1 << place[node]

        stretches, begin, rest, common = list[list[int]](), 0, (1 << len(nodes)) - 1, -1
        for k in range(len(nodes) - 1):
            rest &= ~(1 << k)
            common &= later[k]
            if not rest & ~common:
                stretches.append(nodes[begin : k + 1])
                begin, common = k + 1, -1
        return [*stretches, nodes[begin:]]


def _parts(kind: type[InSeries] | type[AtOnce], orders: list[Order]) -> Iterable[Order]:
    """The parts of orders of one kind; one within another of that kind is taken apart."""
    for order in orders:
        if isinstance(order, kind):
            yield from order.parts
        else:
            yield order
