"""Clusters: many equal hosts with links by a shape, flat, a torus or a fat tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from apet.ground.documents.xml import Element
from apet.traces.platform.options import refuse_own
from apet.traces.platform.parts import FATPIPE, MOST_PARTS, SHARED, Host, Link
from apet.traces.platform.ranges import ranges
from apet.traces.platform.units import whole
from apet.traces.platform.zones import Cluster, FatTree, Flat, Node, Torus, Way

if TYPE_CHECKING:
    from apet.traces.platform.reader import Builder

MOST_LEVELS = 64
"""Of a fat tree; each doubles the hosts, or is good for nothing."""
FORMS = {"TORUS": '"4,4,2"', "FAT_TREE": '"2;4,4;1,2;1,2" (levels; children; parents; cables)'}


def cluster(builder: Builder, element: Element, path: tuple[str, ...]) -> None:
    """Enter a cluster into the platform."""
    name = builder.text(element, "id", 'id="c"')
    numbers = _radical(builder, element)
    prefix, suffix = element.attributes.get("prefix", ""), element.attributes.get("suffix", "")
    speed = builder.number(element, "speed", "speed")
    cores = builder.count(element, "core", 1)
    ranges(builder, element)
    refuse_own(builder, element)
    inside = (*path, name)
    positions = {}
    for position, number in enumerate(numbers):
        host = f"{prefix}{number}{suffix}"
        builder.add_host(element, Host(host, speed, cores), inside)
        positions[host] = position

    router = element.attributes.get("router_id", "") or f"{prefix}{name}_router{suffix}"
    builder.locate(element, "router", router, inside)
    topology = element.attributes.get("topology", "FLAT")
    make = {"FLAT": _flat, "TORUS": _torus, "FAT_TREE": _fat_tree}.get(topology)
    if make is None:
        problem, advised = "this shape is not known", "choose one of FLAT, TORUS, FAT_TREE"
        builder.wrong(element, "topology", topology, problem, advised)
        return

    zone = make(builder, element, name, router, positions, numbers)
    if zone is not None:
        zone.loopback = _loopback(builder, element, name, positions, numbers)
        builder.add_zone(element, zone, inside)


def _radical(builder: Builder, element: Element) -> list[int]:
    """`0-31,40` as numbers."""
    text, numbers = builder.text(element, "radical", 'radical="0-31"'), dict[int, None]()
    for part in text.split(",") if text else ():
        low, dash, high = part.partition("-")
        try:
            span = range(whole(low), whole(high if dash else low) + 1)
        except ValueError:
            span = range(0)
        builder.room(element, len(numbers) + len(span))
        problem = "" if span else f"'{part[:40]}' is no range of numbers"
        if not numbers.keys().isdisjoint(span):
            problem = f"'{part[:40]}' is in it twice"
        if problem:
            advised = "write 0-31 or 0-7,16-23"
            builder.wrong(element, "radical", text, problem, advised)
        numbers |= dict.fromkeys(span)

    return list(numbers)


def _wire(builder: Builder, element: Element) -> Link:
    """A link as all of a cluster are, to be named."""
    return Link("", builder.number(element, "bw", "bandwidth"), builder.number(element, "lat", "time"))


def _loopback(
    builder: Builder, element: Element, name: str, positions: dict[str, int], numbers: Sequence[int]
) -> dict[str, int]:
    """One link per host for messages to itself, if the cluster says how fast they are."""
    if "loopback_bw" not in element.attributes:
        return {}
    bandwidth = builder.number(element, "loopback_bw", "bandwidth")
    latency = builder.number(element, "loopback_lat", "time", 0.0)
    return {
        host: builder.add_link(element, Link(f"{name}_link_{numbers[k]}_loopback", bandwidth, latency, FATPIPE))
        for host, k in positions.items()
    }


def _policy(builder: Builder, element: Element) -> str:
    """How private links are shared: each way by itself, or both together. To SimGrid, FATPIPE here is SHARED too."""
    policy = builder.policy(element, "sharing_policy", "SPLITDUPLEX")
    return SHARED if policy == FATPIPE else policy


def _limiters(builder: Builder, element: Element, name: str, numbers: Sequence[int]) -> list[Way]:
    """A link that all of a host's traffic goes over, if the cluster has them."""
    if "limiter_link" not in element.attributes:
        return []
    bandwidth = builder.number(element, "limiter_link", "bandwidth")
    return [(builder.add_link(element, Link(f"{name}_link_{n}_limiter", bandwidth, 0.0)),) for n in numbers]


def _flat(
    builder: Builder, element: Element, name: str, router: str, positions: dict[str, int], numbers: Sequence[int]
) -> Cluster:
    policy, wire = _policy(builder, element), _wire(builder, element)
    limiters = _limiters(builder, element, name, numbers) or [()] * len(numbers)
    up, down = list[Way](), list[Way]()
    for k, number in enumerate(numbers):
        there, back = builder.pair(element, wire._replace(name=f"{name}_link_{number}"), policy)
        up.append((*limiters[k], there))
        down.append((back, *limiters[k]))
    backbone: Way = ()
    if "bb_bw" in element.attributes:
        bandwidth = builder.number(element, "bb_bw", "bandwidth")
        latency = builder.number(element, "bb_lat", "time", 0.0)
        shared = builder.policy(element, "bb_sharing_policy", SHARED)
        backbone = (builder.add_link(element, Link(f"{name}_backbone", bandwidth, latency, shared)),)

    return Flat(name, router, positions, up, down, backbone)


def _parameters(builder: Builder, element: Element, topology: str) -> list[list[int]] | None:
    """`3;4,4;1,2` as lists of whole numbers; None with a note if it is something else."""
    text = builder.text(element, "topo_parameters", f"topo_parameters={FORMS[topology]}")
    try:
        rows = [list(map(whole, part.split(","))) for part in text.split(";")]
    except ValueError:
        rows = [[0]]
    if all(cell > 0 for row in rows for cell in row):
        return rows
    if text:
        _bad_shape(builder, element, topology, "whole numbers above 0 are wanted")
    return None


def _fits(builder: Builder, element: Element, topology: str, sizes: Sequence[int], hosts: int) -> bool:
    """Whether a shape has a place for each host; a note if not."""
    places = 1
    for size in sizes:
        places = min(places * size, MOST_PARTS + 1)  # beyond that many nothing fits
    if places != hosts:
        text = f"more than {MOST_PARTS:,}" if places > MOST_PARTS else str(places)
        _bad_shape(builder, element, topology, f"{text} places for {hosts} hosts")
    return places == hosts


def _bad_shape(builder: Builder, element: Element, topology: str, problem: str) -> None:
    text = element.attributes.get("topo_parameters", "")
    advised = f"for example: {FORMS[topology]}"
    builder.wrong(element, "topo_parameters", text, problem, advised)


def _torus(
    builder: Builder, element: Element, name: str, router: str, positions: dict[str, int], numbers: Sequence[int]
) -> Cluster | None:
    rows = _parameters(builder, element, "TORUS")
    if rows is None:
        return None
    if len(rows) != 1:
        _bad_shape(builder, element, "TORUS", "one list of sizes is wanted")
        return None
    if not _fits(builder, element, "TORUS", rows[0], len(numbers)):
        return None

    policy, wire = _policy(builder, element), _wire(builder, element)
    sizes = [size for size in rows[0] if size > 1]  # along the others there is no way to go
    links, stride = dict[tuple[int, int], tuple[int, int]](), 1
    for dimension, size in enumerate(sizes):
        for node in range(len(numbers)):
            place = node // stride % size
            other = node + ((place + 1) % size - place) * stride
            wire_name = f"{name}_link_from_{numbers[node]}_to_{numbers[other]}"
            links[node, dimension] = builder.pair(element, wire._replace(name=wire_name), policy)
        stride *= size

    return Torus(name, router, positions, sizes, links, _limiters(builder, element, name, numbers))


def _fat_tree(
    builder: Builder, element: Element, name: str, router: str, positions: dict[str, int], numbers: Sequence[int]
) -> Cluster | None:
    rows = _parameters(builder, element, "FAT_TREE")
    if rows is None:
        return None
    levels = rows[0][0]
    if levels > MOST_LEVELS:
        _bad_shape(builder, element, "FAT_TREE", f"more than {MOST_LEVELS} levels")
        return None
    if len(rows) != 4 or len(rows[0]) != 1 or any(len(row) != levels for row in rows[1:]):
        _bad_shape(builder, element, "FAT_TREE", f"{levels} levels need three lists of {levels} numbers after them")
        return None

    children, parents, cables = rows[1:]
    if not _fits(builder, element, "FAT_TREE", children, len(numbers)):
        return None

    policy = _policy(builder, element)
    nodes = _nodes(builder, element, children, parents)
    names = _numbers(nodes, len(numbers))
    _wired(builder, element, policy, nodes, names, (children, parents, cables))
    switches = [numbers[k] if k < len(numbers) else names[k] for k in range(len(names))]
    limiters = _limiters(builder, element, name, switches)
    return FatTree(name, router, positions, nodes, (children, parents, cables), limiters)


def _wired(
    builder: Builder,
    element: Element,
    policy: str,
    nodes: Sequence[Node],
    names: Sequence[int],
    shape: tuple[Sequence[int], Sequence[int], Sequence[int]],
) -> None:
    """Enter the links between nodes and their parents, which differ from them in the digit of the level only."""
    children, parents, cables = shape
    numbers, unique, wire = {(n.level, n.label): k for k, n in enumerate(nodes)}, 0, _wire(builder, element)
    builder.room(element, sum(parents[n.level] * cables[n.level] for n in nodes if n.level < len(parents)))

    for low, child in enumerate(nodes):
        level = child.level
        for digit in range(parents[level] if level < len(parents) else 0):
            high = numbers[level + 1, (*child.label[:level], digit, *child.label[level + 1 :])]
            for cable in range(cables[level]):
                wire_name = f"link_from_{names[low]}_{names[high]}_{unique}"
                up, down = builder.pair(element, wire._replace(name=wire_name), policy)
                unique += 1
                child.parents[digit + cable * parents[level]] = (high, up)
                nodes[high].children[child.label[level] + cable * children[level]] = (low, down)


def _nodes(builder: Builder, element: Element, children: Sequence[int], parents: Sequence[int]) -> list[Node]:
    """All nodes, level by level; the digits of a label count what is chosen on each level, parents below the node's own
    level and children from it on, the first digit fastest."""
    nodes, levels = list[Node](), len(children)
    for level in range(levels + 1):
        sizes = [*parents[:level], *children[level:]]
        builder.room(element, len(nodes) + math.prod(sizes))
        for position, digits in enumerate(product(*(range(size) for size in reversed(sizes)))):
            nodes.append(Node(level, position, tuple(reversed(digits)), {}, {}))
    return nodes


def _numbers(nodes: Sequence[Node], hosts: int) -> list[int]:
    """Hosts by position; switches downwards from twice the number of hosts."""
    return [n.position if n.level == 0 else 2 * hosts - 1 - (k - hosts) for k, n in enumerate(nodes)]
