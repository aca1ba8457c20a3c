"""A platform from SimGrid's XML (version 4.1): zones, clusters, hosts, links, routes."""

from __future__ import annotations

import os
from collections.abc import Callable

from apet.ground.diagnostics import Diagnostic, nearest, raise_all
from apet.ground.source import Source
from apet.traces.platform import errors, units
from apet.traces.platform.factors import factors
from apet.traces.platform.hosts import read_text
from apet.traces.platform.parts import FATPIPE, SHARED, Host, Link
from apet.traces.platform.platform import Platform
from apet.traces.platform.shortest import Dijkstra, Floyd
from apet.traces.platform.xml import Element, parse
from apet.traces.platform.zones import Hop, Zone

ZONES: dict[str, Callable[[str], Zone]] = {
    "Full": Zone,
    "None": Zone,
    "Floyd": Floyd,
    "Dijkstra": Dijkstra,
    "DijkstraCache": Dijkstra,
}
IGNORED = (
    "config",
    "prop",
    "storage",
    "storage_type",
    "mount",
    "argument",
    "random",
    "trace",
    "trace_connect",
    "process",
)
SILENT = ("config", "prop")
ELEMENTS = ("zone", "AS", "cluster", "host", "router")
INSIDE_A_ZONE = ("zone", "AS", "cluster", "host", "link", "router", "route", "zoneRoute", "ASroute", "bypassRoute")
LOOPBACK = Link("__loopback__", 1e10, 0.0, FATPIPE)
"""What SimGrid gives all hosts that belong to no cluster, for messages to themselves."""
POLICIES = (SHARED, FATPIPE, "SPLITDUPLEX", "FULLDUPLEX")


def read_platform(path: str | os.PathLike[str]) -> Platform:
    """The platform in a file; `ApetError` with every error found."""
    return parse_platform(read_text(path))


def parse_platform(source: Source) -> Platform:
    """The platform in a text."""
    root = parse(source)
    builder = Builder(source)
    if root.tag != "platform":
        builder.note(errors.NotAPlatform(source, root.span, root.tag))
    else:
        builder.zone_content(root, Zone("_world"), ("_world",))
    known = factors(builder, root)
    raise_all(builder.diagnostics)
    if not builder.hosts:
        builder.note(errors.NoHosts(source, root.span))
    for finish in builder.later:
        finish()
    for zone, host in builder.own:
        if (host, host) not in zone.routes:
            zone.add(host, host, Hop((builder.by_name[LOOPBACK.name],), "", ""))

    raise_all(builder.diagnostics)
    return Platform(builder.hosts, builder.links, builder.zones, builder.path, os.path.basename(source.name), known)


class Builder:
    """A platform as far as it was read, and what is wrong with it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.hosts: list[Host] = []
        self.links: list[Link] = []
        self.by_name: dict[str, int] = {}
        self.split: set[str] = set()
        self.zones: dict[str, Zone] = {}
        self.path: dict[str, tuple[str, ...]] = {}
        self.later: list[Callable[[], None]] = []
        self.own: list[tuple[Zone, str]] = []

    def note(self, diagnostic: Diagnostic) -> None:
        """Remember an error."""
        self.diagnostics.append(diagnostic)

    def text(self, element: Element, name: str, example: str) -> str:
        """An attribute that must be there."""
        if name not in element.attributes:
            self.note(errors.MissingAttribute(self.source, element.span, element.tag, name, example))
        return element.attributes.get(name, "")

    def number(self, element: Element, name: str, kind: str, default: float | None = None) -> float:
        """A quantity with a unit; the default where the attribute is absent."""
        if name not in element.attributes and default is not None:
            return default
        text = self.text(element, name, f'{name}="{units.EXAMPLES[kind]}"')
        if not text:
            return 1.0
        try:
            return units.quantity(text, kind)
        except ValueError as problem:
            advised = f"for example: {units.EXAMPLES[kind]}"
            self.note(errors.BadValue(self.source, element.span, name, text, str(problem), advised))
            return 1.0

    def count(self, element: Element, name: str, default: int) -> int:
        """A whole number of at least 1."""
        text = element.attributes.get(name, str(default)).strip()
        if text.isdecimal() and int(text) >= 1:
            return int(text)
        self.note(errors.BadValue(self.source, element.span, name, text, "not a whole number of at least 1", "write 1"))
        return 1

    def add_zone(self, element: Element, zone: Zone, path: tuple[str, ...]) -> None:
        """Enter a zone under its name."""
        if zone.name in self.zones:
            self.note(errors.Twice(self.source, element.span, "zone", zone.name))
        self.zones[zone.name] = zone

    def add_host(self, element: Element, host: Host, path: tuple[str, ...]) -> None:
        """Enter a host; its name may not be taken."""
        if host.name in self.path:
            self.note(errors.Twice(self.source, element.span, "host", host.name))
        self.path[host.name] = path
        self.hosts.append(host)

    def add_link(self, element: Element, link: Link) -> int:
        """Enter a link; its number."""
        if link.name in self.by_name:
            self.note(errors.Twice(self.source, element.span, "link", link.name))
        self.by_name[link.name] = len(self.links)
        self.links.append(link)
        return len(self.links) - 1

    def policy(self, element: Element, name: str, default: str) -> str:
        """A sharing policy."""
        found = element.attributes.get(name, default)
        if found in POLICIES:
            return "SPLITDUPLEX" if found == "FULLDUPLEX" else found
        problem = f"no sharing policy{nearest(found, POLICIES)}"
        self.note(
            errors.BadValue(self.source, element.span, name, found, problem, f"choose one of {', '.join(POLICIES)}")
        )
        return default

    def pair(self, element: Element, link: Link, policy: str) -> tuple[int, int]:
        """The links there and back: two for split duplex, else the same."""
        if policy == "SPLITDUPLEX":
            there = self.add_link(element, link._replace(name=f"{link.name}_UP", policy=SHARED))
            return there, self.add_link(element, link._replace(name=f"{link.name}_DOWN", policy=SHARED))
        both = self.add_link(element, link._replace(policy=policy))
        return both, both

    def zone_content(self, element: Element, zone: Zone, path: tuple[str, ...]) -> None:
        """All that stands in a zone; routes last, since they may name what comes later."""
        self.add_zone(element, zone, path)
        zone.elements += [e.attributes.get("id", "") for e in element.inside if e.tag in ELEMENTS]
        for inner in element.inside:
            match inner.tag:
                case "zone" | "AS":
                    self._zone(inner, path)
                case "cluster":
                    from apet.traces.platform.clusters import cluster

                    cluster(self, inner, path)
                case "host":
                    self._host(inner, zone, path)
                case "link":
                    self._link(inner)
                case "router":
                    self.path[self.text(inner, "id", 'id="r1"')] = path
                case "route" | "zoneRoute" | "ASroute":
                    self.later.append(lambda e=inner: self._route(e, zone))  # type: ignore[misc]
                case tag if tag in IGNORED:
                    pass
                case tag:
                    known = ", ".join(INSIDE_A_ZONE[:7])
                    near = nearest(tag, INSIDE_A_ZONE)
                    self.note(errors.UnknownElement(self.source, inner.span, tag, near, known))

    def _zone(self, element: Element, path: tuple[str, ...]) -> None:
        name = self.text(element, "id", 'id="top"')
        routing = element.attributes.get("routing", "Full")
        if routing not in ZONES:
            problem = f"this routing is not known{nearest(routing, ZONES)}"
            advised = f"choose one of: {', '.join(ZONES)}"
            self.note(errors.BadValue(self.source, element.span, "routing", routing, problem, advised))
        self.zone_content(element, ZONES.get(routing, Zone)(name), (*path, name))

    def _host(self, element: Element, zone: Zone, path: tuple[str, ...]) -> None:
        name = self.text(element, "id", 'id="node-0"')
        speed = self.number(element, "speed", "speed") if "," not in element.attributes.get("speed", "") else 0.0
        if not speed:  # several speeds of one host: the first is the one at full power
            first = Element(element.tag, {"speed": element.attributes.get("speed", "").split(",")[0]}, element.span)
            speed = self.number(first, "speed", "speed")
        self.add_host(element, Host(name, speed, self.count(element, "core", 1)), path)
        if LOOPBACK.name not in self.by_name:
            self.add_link(element, LOOPBACK)
        self.own.append((zone, name))

    def _link(self, element: Element) -> None:
        name = self.text(element, "id", 'id="wan"')
        bandwidth = self.number(element, "bandwidth", "bandwidth")
        if not bandwidth:
            advised = "every link carries something"
            text = element.attributes["bandwidth"]
            self.note(errors.BadValue(self.source, element.span, "bandwidth", text, "should be above 0", advised))
        link = Link(name, bandwidth, self.number(element, "latency", "time", 0.0))
        policy = self.policy(element, "sharing_policy", SHARED)
        if policy == "SPLITDUPLEX":
            self.split.add(name)
        self.pair(element, link, policy)

    def _route(self, element: Element, zone: Zone) -> None:
        source, target = self.text(element, "src", 'src="a"'), self.text(element, "dst", 'dst="b"')
        for name in (source, target):
            if name not in self.path and name not in self.zones:
                near = nearest(name, (*self.path, *self.zones))
                self.note(errors.Unknown(self.source, element.span, "host, router or zone", name, near))
        there = [self._crossed(e) for e in element.inside if e.tag == "link_ctn"]
        gateways = [element.attributes.get(k, "") for k in ("gw_src", "gw_dst")]
        for name, zone_name in zip(gateways, (source, target), strict=True):
            if name and name not in self.path:
                self.note(errors.Unknown(self.source, element.span, "gateway", name, nearest(name, self.path)))
            elif name and zone_name in self.zones and zone_name not in self.path[name]:
                self.note(errors.Outside(self.source, element.span, name, zone_name))

        zone.add(source, target, Hop(tuple(a for a, _ in there), gateways[0], gateways[1]))
        if element.attributes.get("symmetrical", "YES").upper() not in ("NO", "FALSE"):
            back = tuple(b for _, b in reversed(there))
            zone.add(target, source, Hop(back, gateways[1], gateways[0]))

    def _crossed(self, element: Element) -> tuple[int, int]:
        """The links that a route crosses there and, where it is symmetrical, back."""
        name, direction = self.text(element, "id", 'id="wan"'), element.attributes.get("direction", "NONE")
        if name in self.split:
            if direction not in ("UP", "DOWN"):
                problem, advised = "a split-duplex link has two directions", 'write direction="UP" or "DOWN"'
                self.note(errors.BadValue(self.source, element.span, "direction", direction, problem, advised))
                direction = "UP"
            back = "DOWN" if direction == "UP" else "UP"
            return self.by_name[f"{name}_{direction}"], self.by_name[f"{name}_{back}"]
        if name not in self.by_name:
            self.note(errors.Unknown(self.source, element.span, "link", name, nearest(name, self.by_name)))
            return 0, 0

        return self.by_name[name], self.by_name[name]
