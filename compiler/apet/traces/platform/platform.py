"""A platform: all hosts and links, and routes found when first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add

from apet.ground.diagnostics import ApetError, nearest, raise_all
from apet.traces.platform.errors import Unconnected, UnknownName
from apet.traces.platform.parts import Host, Link, Network, Route
from apet.traces.platform.shortest import Dijkstra
from apet.traces.platform.zones import Hop, NoRoute, Zone


class Platform:
    """Hosts, links and zones; `path` gives for each host or router the names of the zones around it, outermost
    first; `network` what messages cost; `ranges` between which multiples of "speed", "latency" and "bandwidth"
    measurements lie; `unused` the options in its file that change no times."""

    def __init__(
        self,
        hosts: Sequence[Host],
        links: Sequence[Link],
        zones: Mapping[str, Zone],
        path: Mapping[str, tuple[str, ...]],
        name: str = "",
        network: Network = Network(),  # noqa: B008 (immutable)
        ranges: Mapping[str, tuple[float, float]] | None = None,
        unused: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.network, self.unused = network, tuple(unused)
        self.ranges = ranges or {}
        self.hosts = tuple(hosts)
        self.links = tuple(links)
        self.zones = zones

        self._path = path
        self._numbers = {h.name: k for k, h in enumerate(self.hosts)}
        self._routes: dict[tuple[int, int], Route] = {}

    def number(self, host: str) -> int:
        """The number of a host; `KeyError` if there is none of that name."""
        return self._numbers[host]

    def scaled(self, speed: float = 1.0, latency: float = 1.0, bandwidth: float = 1.0) -> Platform:
        """The same with all speeds, latencies and bandwidths multiplied."""
        hosts = [host._replace(speed=host.speed * speed) for host in self.hosts]
        links = [k._replace(latency=k.latency * latency, bandwidth=k.bandwidth * bandwidth) for k in self.links]
        return Platform(hosts, links, self.zones, self._path, self.name, self.network, self.ranges, self.unused)

    def with_speeds(self, speeds: Mapping[str, tuple[float, float]]) -> Platform:
        """The same where the speeds of hosts, by name, lie between these multiples. `ApetError` for a name of none."""
        strange = [name for name in speeds if name not in self._numbers]
        raise_all([UnknownName(None, None, "host", name, nearest(name, self._numbers)) for name in strange])
        ends = [speeds.get(host.name, (1.0, 1.0)) for host in self.hosts]
        hosts = [
            host._replace(speed=host.speed * high, slowdown=host.slowdown * high / low)
            for host, (low, high) in zip(self.hosts, ends, strict=True)
        ]
        return Platform(hosts, self.links, self.zones, self._path, self.name, self.network, self.ranges, self.unused)

    def route(self, source: int, target: int) -> Route:
        """The route between two hosts; `ApetError` if there is none."""
        key = source, target
        if key not in self._routes:
            names = self.hosts[source].name, self.hosts[target].name
            summed = list[int]()
            try:
                links = self._between(*names, summed)
            except NoRoute as problem:
                raise ApetError(Unconnected(None, None, self.name, *names, str(problem))) from None
            self._routes[key] = Route(links, reduce(add, (self.links[k].latency for k in summed), 0.0))
        return self._routes[key]

    def _between(self, source: str, target: str, summed: list[int]) -> tuple[int, ...]:
        """The links; `summed` gets them in the order in which SimGrid adds latencies, since some of its decisions on
        FATPIPE links depend on the last bit."""
        first, last = self._path[source], self._path[target]
        common = 0
        while common < min(len(first), len(last)) and first[common] == last[common]:
            common += 1
        zone = self.zones[first[common - 1]]
        here = first[common] if common < len(first) else source
        there = last[common] if common < len(last) else target
        links: tuple[int, ...] = ()
        at = source
        hops = zone.hop(here, there)
        for _, _, hop in reversed(hops) if isinstance(zone, Dijkstra) else hops:
            summed += hop.links

        for _, element, hop in hops:
            if hop.first and hop.first != at:
                links += self._between(at, hop.first, summed)
            links += hop.links
            at = hop.last or element
        if at != target and (common < len(last)):
            links += self._between(at, target, summed)

        return links


__all__ = ["Hop", "NoRoute", "Platform"]
