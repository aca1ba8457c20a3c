"""A platform: all hosts and links, and routes found when first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.diagnostics import ApetError
from apet.machine.platform.errors import Unconnected
from apet.machine.platform.parts import SMPI, Factors, Host, Link, Route
from apet.machine.platform.zones import Hop, NoRoute, Zone


class Platform:
    """Hosts, links and zones; `path` gives for each host or router the names of the zones around it, outermost
    first; `factors` what messages cost by size."""

    def __init__(
        self,
        hosts: Sequence[Host],
        links: Sequence[Link],
        zones: Mapping[str, Zone],
        path: Mapping[str, tuple[str, ...]],
        name: str = "",
        factors: Factors = SMPI,
    ) -> None:
        self.name = name
        self.factors = factors
        self.hosts = tuple(hosts)
        self.links = tuple(links)
        self.zones = zones
        self._path = path
        self._numbers = {h.name: k for k, h in enumerate(self.hosts)}
        self._routes: dict[tuple[int, int], Route] = {}

    def number(self, host: str) -> int:
        """The number of a host; `KeyError` if there is none of that name."""
        return self._numbers[host]

    def route(self, source: int, target: int) -> Route:
        """The route between two hosts; `ApetError` if there is none."""
        key = source, target
        if key not in self._routes:
            names = self.hosts[source].name, self.hosts[target].name
            try:
                links = self._between(*names)
            except NoRoute as problem:
                raise ApetError(Unconnected(None, None, self.name, *names, str(problem))) from None
            self._routes[key] = Route(links, sum(self.links[k].latency for k in links))
        return self._routes[key]

    def _between(self, source: str, target: str) -> tuple[int, ...]:
        first, last = self._path[source], self._path[target]
        common = 0
        while common < min(len(first), len(last)) and first[common] == last[common]:
            common += 1
        zone = self.zones[first[common - 1]]
        here = first[common] if common < len(first) else source
        there = last[common] if common < len(last) else target
        found: tuple[int, ...] = ()
        at = source
        for _, _, hop in zone.hop(here, there):
            if hop.first and hop.first != at:
                found += self._between(at, hop.first)
            found += hop.links
            at = hop.last or at
        if at != target and (common < len(last)):
            found += self._between(at, target)
        return found


__all__ = ["Hop", "NoRoute", "Platform"]
