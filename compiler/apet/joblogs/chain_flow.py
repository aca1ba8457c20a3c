"""Disjoint chains that cover the most: a flow of one unit for each chain, by successive shortest paths.

Chains may pass through each other's tasks, which then count for one of them. For k = 1, 2, ... in turn the chains are
the best k (R. K. Ahuja, T. L. Magnanti, J. B. Orlin, Network Flows, 1993, section 9.7; Dijkstra's algorithm on reduced
costs, since every weight is whole).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

UNLIMITED = 1 << 30
FAR = 1 << 62


class ChainFlow:
    """Places with weights that one chain each may take, the greatest first; `before` are the places before each."""

    def __init__(self, weights: Sequence[Sequence[int]], before: Sequence[Sequence[int]]) -> None:
        self.source, self.sink = 2 * len(weights), 2 * len(weights) + 1
        self.arcs: list[list[int]] = [[] for _ in range(len(weights) * 2 + 2)]
        self.ends, self.room, self.costs = list[int](), list[int](), list[int]()
        self.weights = [[self._arc(2 * k, 2 * k + 1, 1, -w) for w in each] for k, each in enumerate(weights)]
        for k, needed in enumerate(before):
            self._arc(2 * k, 2 * k + 1, UNLIMITED, 0)
            self._arc(self.source, 2 * k, UNLIMITED, 0)
            self._arc(2 * k + 1, self.sink, UNLIMITED, 0)
            for p in needed:
                self._arc(2 * p + 1, 2 * k, UNLIMITED, 0)
        self.potential = self._first_distances(len(weights))

    def chains(self) -> Iterator[list[int]]:
        """With one chain more each time: by place, how many of its weights are on chains."""
        while True:
            via = self._nearest()
            if self.potential[self.sink] >= self.potential[self.source]:
                return
            node = self.sink
            while node != self.source:
                arc = via[node]
                self.room[arc] -= 1
                self.room[arc ^ 1] += 1
                node = self.ends[arc ^ 1]
            yield [sum(not self.room[arc] for arc in arcs) for arcs in self.weights]

    def _arc(self, start: int, end: int, room: int, cost: int) -> int:
        number = len(self.ends)
        self.arcs[start].append(number)
        self.arcs[end].append(number + 1)
        self.ends += (end, start)
        self.room += (room, 0)
        self.costs += (cost, -cost)
        return number

    def _first_distances(self, count: int) -> list[int]:
        """From the source, along arcs that lead to later places only."""
        distance = [FAR] * len(self.arcs)
        distance[self.source] = 0
        for node in (self.source, *range(2 * count)):
            for arc in self.arcs[node]:
                if self.room[arc]:
                    end = self.ends[arc]
                    distance[end] = min(distance[end], distance[node] + self.costs[arc])
        return distance

    def _nearest(self) -> list[int]:
        """The arc to each node on the shortest way from the source; the potential becomes the distance."""
        ends, room, costs, potential = self.ends, self.room, self.costs, self.potential
        distance, via, waiting = [FAR] * len(self.arcs), [-1] * len(self.arcs), [(0, self.source)]
        distance[self.source] = 0
        while waiting:
            way, node = heappop(waiting)
            if way > distance[node]:
                continue
            if node == self.sink:
                break
            for arc in self.arcs[node]:
                if room[arc]:
                    end = ends[arc]
                    other = way + costs[arc] + potential[node] - potential[end]
                    if other < distance[end]:
                        distance[end], via[end] = other, arc
                        heappush(waiting, (other, end))

        most = distance[self.sink]
        self.potential = [p + min(d, most) for p, d in zip(potential, distance, strict=True)]
        return via
