"""A platform from SimGrid's XML (version 4.1): zones, clusters, hosts, links, routes."""

from __future__ import annotations

import os
from collections.abc import Callable

from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.documents.xml import Element, parse
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.traces.platform import errors, units
from apet.traces.platform.options import Options, refuse_own
from apet.traces.platform.parts import FATPIPE, MOST_ERRORS, MOST_PARTS, SHARED, Host, Link
from apet.traces.platform.platform import Platform
from apet.traces.platform.shortest import MOST_FLOYD, Dijkstra, Floyd
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
ELEMENTS = ("zone", "AS", "cluster", "host", "router")
INSIDE_A_ZONE = ("zone", "AS", "cluster", "host", "link", "router", "route", "zoneRoute", "ASroute", "bypassRoute")
LOOPBACK = Link("__loopback__", 1e10, 0.0, FATPIPE)
"""What SimGrid gives all hosts that belong to no cluster, for messages to themselves."""
ENDS = ("gw_src", "gw_dst")
LONGEST_VALUE = 80
"""Characters of a value in a diagnostic."""
POLICIES = (SHARED, FATPIPE, "SPLITDUPLEX", "FULLDUPLEX")


def read_platform(path: str | os.PathLike[str]) -> Platform:
    """The platform in a file; `ApetError` with every error found."""
    return parse_platform(read_source(path))


def parse_platform(source: Source) -> Platform:
    """The platform in a text."""
    root = parse(source)
    builder = Builder(source)
    options = Options(builder)
    network = options.read(root)
    bandwidth, latency = options.loopback()
    builder.loopback = LOOPBACK._replace(bandwidth=bandwidth, latency=latency)
    if root.tag != "platform":
        builder.note(errors.NotAPlatform(source, root.span, root.tag))
    else:
        builder.zone_content(root, Zone("_world"), ("_world",))
    raise_all(builder.diagnostics)
    if not builder.hosts:
        builder.note(errors.NoHosts(source, root.span))
    for finish in builder.later:
        finish()
    for zone, host in builder.own:
        if (host, host) not in zone.routes:
            zone.add(host, host, Hop((builder.by_name[LOOPBACK.name],), "", ""))

    raise_all(builder.diagnostics)
    return Platform(
        builder.hosts,
        builder.links,
        builder.zones,
        builder.path,
        os.path.basename(source.name),
        network,
        builder.ranges,
        options.unused,
    )


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
        self.ranges: dict[str, tuple[float, float]] = {}
        self.loopback = LOOPBACK

    def note(self, diagnostic: Diagnostic) -> None:
        """Remember an error; `ApetError` when there are so many that more would not help."""
        self.diagnostics.append(diagnostic)
        if len(self.diagnostics) >= MOST_ERRORS:
            raise_all(self.diagnostics)

    def wrong(self, element: Element, name: str, text: str, problem: str, advised: str) -> None:
        """Note an attribute that cannot be understood."""
        short = text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
        self.note(errors.BadValue(self.source, element.span, name, short, problem, advised))

    def room(self, element: Element, parts: int) -> None:
        """`ApetError` where so many further hosts and links would make the platform too large."""
        if len(self.hosts) + len(self.links) + parts > MOST_PARTS:
            raise ApetError(errors.TooManyParts(self.source, element.span, MOST_PARTS))

    def locate(self, element: Element, what: str, name: str, path: tuple[str, ...]) -> None:
        """Enter where a host or router lies; its name may not be taken, by a zone neither."""
        if name in self.path or name in self.zones:
            self.note(errors.DefinedTwice(self.source, element.span, "zone" if name in self.zones else what, name))
        self.path[name] = path

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
            self.wrong(element, name, text, str(problem), advised)
            return 1.0

    def count(self, element: Element, name: str, default: int) -> int:
        """A whole number of at least 1."""
        text = element.attributes.get(name, str(default))
        try:
            number = units.whole(text)
        except ValueError:
            number = 0
        if number < 1:
            problem = "not a whole number of at least 1"
            self.wrong(element, name, text, problem, "write 1")
        return max(1, number)

    def add_zone(self, element: Element, zone: Zone, path: tuple[str, ...]) -> None:
        """Enter a zone under its name."""
        if zone.name in self.zones or zone.name in self.path:
            taken = "zone" if zone.name in self.zones else "host or router"
            self.note(errors.DefinedTwice(self.source, element.span, taken, zone.name))
        self.zones[zone.name] = zone

    def add_host(self, element: Element, host: Host, path: tuple[str, ...]) -> None:
        """Enter a host; its name may not be taken."""
        self.room(element, 1)
        self.locate(element, "host", host.name, path)
        self.hosts.append(host)

    def add_link(self, element: Element, link: Link) -> int:
        """Enter a link; its number."""
        self.room(element, 1)
        if link.name in self.by_name:
            self.note(errors.DefinedTwice(self.source, element.span, "link", link.name))
        self.by_name[link.name] = len(self.links)
        self.links.append(link)
        return len(self.links) - 1

    def policy(self, element: Element, name: str, default: str) -> str:
        """A sharing policy."""
        policy = element.attributes.get(name, default)
        if policy in POLICIES:
            return "SPLITDUPLEX" if policy == "FULLDUPLEX" else policy
        problem = f"no sharing policy{nearest(policy, POLICIES)}"
        self.wrong(element, name, policy, problem, f"choose one of {', '.join(POLICIES)}")
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
                    self.locate(inner, "router", self.text(inner, "id", 'id="r1"'), path)
                case "route" | "zoneRoute" | "ASroute":
                    self.later.append(lambda e=inner: self._route(e, zone))  # type: ignore[misc]
                case tag if tag in IGNORED:
                    pass
                case tag:
                    elements = ", ".join(INSIDE_A_ZONE[:7])
                    near = nearest(tag, INSIDE_A_ZONE)
                    self.note(errors.UnknownElement(self.source, inner.span, tag, near, elements))

    def _zone(self, element: Element, path: tuple[str, ...]) -> None:
        name = self.text(element, "id", 'id="top"')
        routing = element.attributes.get("routing", "Full")
        if routing not in ZONES:
            problem = f"this routing is not known{nearest(routing, ZONES)}"
            advised = f"choose one of: {', '.join(ZONES)}"
            self.wrong(element, "routing", routing, problem, advised)
        zone = ZONES.get(routing, Zone)(name)
        self.zone_content(element, zone, (*path, name))
        if isinstance(zone, Floyd):
            self.later.append(lambda: self._bounded(element, zone))

    def _bounded(self, element: Element, zone: Floyd) -> None:
        """A table of all ways has to stay small."""
        number = len(zone.connected())
        if number > MOST_FLOYD:
            problem = f"{number:,} elements with routes are too many for a table of all ways (at most {MOST_FLOYD:,})"
            advised = 'write routing="Dijkstra", which finds ways as short'
            self.wrong(element, "routing", "Floyd", problem, advised)

    def _host(self, element: Element, zone: Zone, path: tuple[str, ...]) -> None:
        refuse_own(self, element)
        name = self.text(element, "id", 'id="node-0"')
        speed = self.number(element, "speed", "speed") if "," not in element.attributes.get("speed", "") else 0.0
        if not speed:  # several speeds of one host: the first is the one at full power
            first = Element(element.tag, {"speed": element.attributes.get("speed", "").split(",")[0]}, element.span)
            speed = self.number(first, "speed", "speed")
        self.add_host(element, Host(name, speed, self.count(element, "core", 1)), path)
        if LOOPBACK.name not in self.by_name:
            self.add_link(element, self.loopback)
        self.own.append((zone, name))

    def _link(self, element: Element) -> None:
        name = self.text(element, "id", 'id="wan"')
        bandwidth = self.number(element, "bandwidth", "bandwidth")
        if not bandwidth:
            advised = "every link carries something"
            text = element.attributes["bandwidth"]
            self.wrong(element, "bandwidth", text, "should be above 0", advised)
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
                self.note(errors.UnknownName(self.source, element.span, "host, router or zone", name, near))
        there = [self._crossed(e) for e in element.inside if e.tag == "link_ctn"]
        gateways = [element.attributes.get(end, "") for end in ENDS]
        for end, name, zone_name in zip(ENDS, gateways, (source, target), strict=True):
            if name and name not in self.path:
                self.note(errors.UnknownName(self.source, element.span, "gateway", name, nearest(name, self.path)))
            elif name and name != zone_name and zone_name not in self.path[name]:
                self.note(errors.Outside(self.source, element.span, name, zone_name))
            elif not name and zone_name in self.zones:
                self.note(errors.MissingAttribute(self.source, element.span, element.tag, end, f'{end}="router"'))

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
                self.wrong(element, "direction", direction, problem, advised)
                direction = "UP"
            back = "DOWN" if direction == "UP" else "UP"
            return self.by_name[f"{name}_{direction}"], self.by_name[f"{name}_{back}"]
        if name not in self.by_name:
            self.note(errors.UnknownName(self.source, element.span, "link", name, nearest(name, self.by_name)))
            return 0, 0

        return self.by_name[name], self.by_name[name]
