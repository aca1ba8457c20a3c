"""Zones: parts of a platform that know the way between their own elements (hosts, routers, or zones inside).

A way is a tuple of link numbers. Between two elements of different zones it goes by gateways: from the source to the
gateway that the common zone names, over that zone's links, and from the other gateway to the destination.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Way = tuple[int, ...]


class NoRoute(LookupError):
    """There is no way between two elements."""


class Hop(NamedTuple):
    """A way between two zones, and the routers at its ends ("" between hosts)."""

    links: Way
    first: str
    last: str


class Zone:
    """A zone with a table of routes between its elements (`elements`, in order)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.elements: list[str] = []
        self.routes: dict[tuple[str, str], Hop] = {}

    def add(self, source: str, target: str, hop: Hop) -> None:
        """Enter a route."""
        self.routes[source, target] = hop

    def hop(self, source: str, target: str) -> Sequence[tuple[str, str, Hop]]:
        """The hops from one element to another, with the elements that each connects; `NoRoute` if there are none."""
        if (source, target) in self.routes:
            return [(source, target, self.routes[source, target])]
        if source == target:
            return []
        raise NoRoute(f"zone {self.name} has no route from {source} to {target}")


class Cluster(Zone, ABC):
    """Hosts and a router whose ways follow from the shape; `positions` gives each host's number."""

    def __init__(self, name: str, router: str, positions: Mapping[str, int]) -> None:
        super().__init__(name)
        self.router = router
        self.positions = positions
        self.loopback: Mapping[str, int] = {}

    def hop(self, source: str, target: str) -> Sequence[tuple[str, str, Hop]]:
        """One hop by the shape of the cluster."""
        if source == target and source in self.loopback:
            return [(source, target, Hop((self.loopback[source],), "", ""))]
        return [(source, target, Hop(self.way(source, target), "", ""))]

    @abstractmethod
    def way(self, source: str, target: str) -> Way:
        """The links between two elements."""


class Flat(Cluster):
    """Each host has a private link up and one down (or one for both), with a backbone between if there is one."""

    def __init__(
        self,
        name: str,
        router: str,
        positions: Mapping[str, int],
        up: Sequence[Way],
        down: Sequence[Way],
        backbone: Way,
    ) -> None:
        super().__init__(name, router, positions)
        self.up, self.down, self.backbone = up, down, backbone

    def way(self, source: str, target: str) -> Way:
        """Up, over the backbone, down, no link twice; the router is on the far side of the backbone."""
        first = self.up[self.positions[source]] if source != self.router else ()
        last = self.down[self.positions[target]] if target != self.router else ()
        return tuple(dict.fromkeys((*first, *self.backbone, *last)))


class Grouped(Zone):
    """Hosts of a few kinds: out of the source, over what is between their kinds, into the destination; no way to
    oneself."""

    def __init__(
        self,
        name: str,
        positions: Mapping[str, int],
        groups: Sequence[int],
        out: Sequence[Way],
        between: Mapping[tuple[int, int], Way],
        into: Sequence[Way],
    ) -> None:
        """`groups` gives the kind of each host; `out` and `into` may be empty."""
        super().__init__(name)
        self.positions, self.groups = positions, groups
        self.out, self.between, self.into = out, between, into

    def hop(self, source: str, target: str) -> Sequence[tuple[str, str, Hop]]:
        """One hop."""
        if source == target:
            return []
        here, there = self.positions[source], self.positions[target]
        first = self.out[here] if self.out else ()
        last = self.into[there] if self.into else ()
        way = (*first, *self.between[self.groups[here], self.groups[there]], *last)
        return [(source, target, Hop(way, "", ""))]


class Torus(Cluster):
    """A grid of any dimension whose lines are closed to rings; messages go along the first dimension first, the shorter
    way around (where both are equally long: forward from the first half, back from the second)."""

    def __init__(
        self,
        name: str,
        router: str,
        positions: Mapping[str, int],
        sizes: Sequence[int],
        links: Mapping[tuple[int, int], tuple[int, int]],
        limiters: Sequence[Way],
    ) -> None:
        """`links[node, dimension]` are the links to the next node of that dimension and back."""
        super().__init__(name, router, positions)
        self.sizes, self.links, self.limiters = sizes, links, limiters

    def way(self, source: str, target: str) -> Way:
        """Dimension by dimension."""
        if self.router in (source, target):
            return ()

        here, there, links = self.positions[source], self.positions[target], list[int]()
        stride = 1
        for dimension, size in enumerate(self.sizes):
            start, wanted = here // stride % size, there // stride % size
            half = size // 2
            forward = start < wanted <= start + half or (start > half and (start + half) % size >= wanted)
            while (now := here // stride % size) != wanted:
                following = (now + (1 if forward else -1)) % size
                beyond = here + (following - now) * stride
                links += self.limiters[here] if self.limiters else ()
                links.append(self.links[here if forward else beyond, dimension][0 if forward else 1])
                here = beyond
            stride *= size
        links += self.limiters[here] if self.limiters else ()
        return tuple(links)


class Node(NamedTuple):
    """A node of a fat tree: its level (0 for hosts), number in its level, label, and links by port: (other, link)."""

    level: int
    position: int
    label: tuple[int, ...]
    parents: dict[int, tuple[int, int]]
    children: dict[int, tuple[int, int]]


class FatTree(Cluster):
    """A parallel-ports generalised fat tree with D-mod-K routing (E. Zahavi, 2010): up by the digits of the
    destination's
    number, down by its label."""

    def __init__(
        self,
        name: str,
        router: str,
        positions: Mapping[str, int],
        nodes: Sequence[Node],
        shape: tuple[Sequence[int], Sequence[int], Sequence[int]],
        limiters: Sequence[Way],
    ) -> None:
        """`shape` gives, by level, children and parents per node and parallel cables; a link up is an even number's
        first of a pair (up, down) as entered in the nodes."""
        super().__init__(name, router, positions)
        self.nodes, self.limiters = nodes, limiters
        self.children, self.parents, self.cables = shape

    def way(self, source: str, target: str) -> Way:
        """Up to the first switch above the destination, then down; a host's messages to itself go over that too.

        Of parallel cables, the destination chooses that up, the source that down.
        """
        if self.router in (source, target):
            return ()

        here, goal = self.nodes[self.positions[source]], self.nodes[self.positions[target]]
        links = list[int]()
        while not self._above(here, goal):
            port = goal.position
            for level in range(here.level):
                port //= self.parents[level]
            port %= self.parents[here.level] * self.cables[here.level]
            other, link = here.parents[port]
            links += (*self._limiter(here), link)
            here = self.nodes[other]
        while here is not goal:
            first = self.nodes[self.positions[source]].position % self.cables[here.level - 1]
            port = first * self.children[here.level - 1]
            while port < len(here.children):  # also further down, where that port fits
                if port % self.children[here.level - 1] == goal.label[here.level - 1]:
                    other, link = here.children[port]
                    links += (link, *self._limiter(here))
                    here = self.nodes[other]
                port += 1

        return (*links, *self._limiter(here))

    def _limiter(self, node: Node) -> Way:
        return self.limiters[self.nodes.index(node)] if self.limiters else ()

    @staticmethod
    def _above(here: Node, goal: Node) -> bool:
        return here.level > goal.level and here.label[here.level :] == goal.label[here.level :]
