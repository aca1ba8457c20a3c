"""Zones whose ways are those with the fewest links over a table of routes; of equally short ones, that of SimGrid."""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from apet.traces.platform.zones import Hop, NoRoute, Zone

if TYPE_CHECKING:
    import numpy as np

MOST_FLOYD = 1_000
"""Elements with routes of a Floyd zone: its table takes their number to the power of three."""
MOST_REMEMBERED = 4_000_000
"""Elements in all searches of a Dijkstra zone that are remembered."""


class Shortest(Zone):
    """A zone in which a way may go over several routes."""

    def hop(self, source: str, target: str) -> Sequence[tuple[str, str, Hop]]:
        """The hops from one element to another, with the elements that each connects; `NoRoute` if there are none."""
        if source == target:
            return [(source, target, self.routes[source, target])] if (source, target) in self.routes else []
        way = self.stops(source, target)
        if not way:
            raise NoRoute(f"zone {self.name} has no way from {source} to {target}")
        return [(a, b, self.routes[a, b]) for a, b in pairwise(way)]

    @abstractmethod
    def stops(self, source: str, target: str) -> Sequence[str]:
        """The elements on the way, both ends included; none if there is no way."""


class Dijkstra(Shortest):
    """E. W. Dijkstra, 1959; elements come in the order in which routes name them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._next: dict[str, list[str]] = {}
        self._before: dict[str, dict[str, str]] = {}

    def add(self, source: str, target: str, hop: Hop) -> None:
        """Enter a route."""
        super().add(source, target, hop)
        self._next.setdefault(source, []).append(target)
        self._next.setdefault(target, [])
        self._before.clear()

    def stops(self, source: str, target: str) -> Sequence[str]:
        """Back from the target."""
        if source not in self._before:
            if len(self._before) * len(self._next) > MOST_REMEMBERED:
                self._before.clear()
            self._before[source] = self._search(source)
        before, way = self._before[source], [target]
        while way[-1] != source:
            if way[-1] not in before:
                return ()
            way.append(before[way[-1]])
        return way[::-1]

    def _search(self, source: str) -> dict[str, str]:
        """The element before each one on the way from a source."""
        number = {name: k for k, name in enumerate(self._next)}
        names, cost, before = list(number), {source: 0}, dict[str, str]()
        heap = [(0, number[source])] if source in number else []
        while heap:
            far, k = heapq.heappop(heap)
            here = names[k]
            if far > cost[here]:
                continue
            for there in self._next[here]:
                total = far + len(self.routes[here, there].links)
                if total < cost.get(there, total + 1):
                    cost[there], before[there] = total, here
                    heapq.heappush(heap, (total, number[there]))

        return before


class Floyd(Shortest):
    """R. W. Floyd, 1962; elements come in the order in which the zone names them (`elements`)."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._number: dict[str, int] = {}
        self._before: np.ndarray | None = None

    def add(self, source: str, target: str, hop: Hop) -> None:
        """Enter a route."""
        super().add(source, target, hop)
        self._before = None

    def stops(self, source: str, target: str) -> Sequence[str]:
        """Back from the target."""
        before = self._table() if self._before is None else self._before
        if source not in self._number or target not in self._number:
            return ()
        names, start, at = list(self._number), self._number[source], self._number[target]
        way = [at]
        while at != start:
            at = int(before[start, at])
            if at < 0:
                return ()
            way.append(at)
        return [names[k] for k in way[::-1]]

    def connected(self) -> list[str]:
        """The elements that have routes, in order."""
        named = dict.fromkeys(name for source, target in self.routes if source != target for name in (source, target))
        return [name for name in dict.fromkeys((*self.elements, *named)) if name in named]

    def _table(self) -> np.ndarray:
        """By source and target, the number of the element before the target; -1 where there is no way."""
        import numpy as np

        self._number = number = {name: k for k, name in enumerate(self.connected())}
        cost = np.full((len(number), len(number)), np.inf, np.float32)  # counts of links, which are exact in it
        before = np.full(cost.shape, -1, np.int32)
        for (source, target), hop in self.routes.items():
            if source != target:
                a, b = number[source], number[target]
                cost[a, b], before[a, b] = len(hop.links), a

        for middle in range(len(number)):
            sources = np.flatnonzero(np.isfinite(cost[:, middle]))  # all others cannot go over the middle
            over = cost[sources, middle, None] + cost[None, middle, :]
            better = over < cost[sources]
            rows, targets = np.nonzero(better)
            cost[sources[rows], targets] = over[rows, targets]
            before[sources[rows], targets] = before[middle, targets]

        self._before = before
        return before
