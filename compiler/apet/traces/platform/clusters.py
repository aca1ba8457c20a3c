"""Clusters: many equal hosts with links by a shape, flat, a torus or a fat tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from apet.traces.platform import errors
from apet.traces.platform.parts import FATPIPE, SHARED, Host, Link
from apet.traces.platform.xml import Element
from apet.traces.platform.zones import Cluster, FatTree, Flat, Node, Torus, Way

if TYPE_CHECKING:
    from apet.traces.platform.reader import Builder

MOST_HOSTS = 2_000_000
FORMS = {"TORUS": '"4,4,2"', "FAT_TREE": '"2;4,4;1,2;1,2" (levels; children; parents; cables)'}


def cluster(builder: Builder, element: Element, path: tuple[str, ...]) -> None:
    """Enter a cluster into the platform."""
    name = builder.text(element, "id", 'id="c"')
    numbers = _radical(builder, element)
    prefix, suffix = element.attributes.get("prefix", ""), element.attributes.get("suffix", "")
    speed = builder.number(element, "speed", "speed")
    cores = builder.count(element, "core", 1)
    inside = (*path, name)
    positions = {}
    for position, number in enumerate(numbers):
        host = f"{prefix}{number}{suffix}"
        builder.add_host(element, Host(host, speed, cores), inside)
        positions[host] = position

    router = element.attributes.get("router_id", "") or f"{prefix}{name}_router{suffix}"
    builder.path[router] = inside
    topology = element.attributes.get("topology", "FLAT")
    make = {"FLAT": _flat, "TORUS": _torus, "FAT_TREE": _fat_tree}.get(topology)
    if make is None:
        problem, advised = "this shape is not known", "choose one of FLAT, TORUS, FAT_TREE"
        builder.note(errors.BadValue(builder.source, element.span, "topology", topology, problem, advised))
        return

    made = make(builder, element, name, router, positions, numbers)
    if made is not None:
        made.loopback = _loopback(builder, element, name, positions, numbers)
        builder.add_zone(element, made, inside)


def _radical(builder: Builder, element: Element) -> list[int]:
    """`0-31,40` as numbers."""
    text, found = builder.text(element, "radical", 'radical="0-31"'), list[int]()
    for part in text.split(",") if text else ():
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or (dash and int(high) < int(low)):
            problem, advised = f"'{part}' is no range of numbers", "write 0-31 or 0-7,16-23"
            builder.note(errors.BadValue(builder.source, element.span, "radical", text, problem, advised))
            continue
        last = int(high) if dash else int(low)
        if last - int(low) >= MOST_HOSTS:
            problem, advised = f"more than {MOST_HOSTS:,} hosts", "describe a smaller cluster"
            builder.note(errors.BadValue(builder.source, element.span, "radical", text, problem, advised))
            continue
        found += range(int(low), last + 1)

    return found


def _wire(builder: Builder, element: Element, name: str) -> Link:
    return Link(name, builder.number(element, "bw", "bandwidth"), builder.number(element, "lat", "time"))


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
    found = builder.policy(element, "sharing_policy", "SPLITDUPLEX")
    return SHARED if found == FATPIPE else found


def _limiters(builder: Builder, element: Element, name: str, numbers: Sequence[int]) -> list[Way]:
    """A link that all of a host's traffic goes over, if the cluster has them."""
    if "limiter_link" not in element.attributes:
        return []
    bandwidth = builder.number(element, "limiter_link", "bandwidth")
    return [(builder.add_link(element, Link(f"{name}_link_{n}_limiter", bandwidth, 0.0)),) for n in numbers]


def _flat(
    builder: Builder, element: Element, name: str, router: str, positions: dict[str, int], numbers: Sequence[int]
) -> Cluster:
    policy = _policy(builder, element)
    limiters = _limiters(builder, element, name, numbers) or [()] * len(numbers)
    up, down = list[Way](), list[Way]()
    for k, number in enumerate(numbers):
        there, back = builder.pair(element, _wire(builder, element, f"{name}_link_{number}"), policy)
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
    rows = [part.split(",") for part in text.split(";")]
    if all(cell.strip().isdecimal() and int(cell) > 0 for row in rows for cell in row):
        return [[int(cell) for cell in row] for row in rows]
    if text:
        _bad_shape(builder, element, topology, "whole numbers above 0 are wanted")
    return None


def _bad_shape(builder: Builder, element: Element, topology: str, problem: str) -> None:
    text = element.attributes.get("topo_parameters", "")
    advised = f"for example: {FORMS[topology]}"
    builder.note(errors.BadValue(builder.source, element.span, "topo_parameters", text, problem, advised))


def _torus(
    builder: Builder, element: Element, name: str, router: str, positions: dict[str, int], numbers: Sequence[int]
) -> Cluster | None:
    rows = _parameters(builder, element, "TORUS")
    if rows is None:
        return None
    sizes = rows[0]
    if len(rows) != 1 or math.prod(sizes) != len(numbers):
        _bad_shape(builder, element, "TORUS", f"{math.prod(sizes)} places for {len(numbers)} hosts")
        return None
    policy = _policy(builder, element)
    links, stride = dict[tuple[int, int], tuple[int, int]](), 1
    for dimension, size in enumerate(sizes):
        for node in range(len(numbers)):
            place = node // stride % size
            other = node + ((place + 1) % size - place) * stride
            if other == node:
                continue
            wire = _wire(builder, element, f"{name}_link_from_{numbers[node]}_to_{numbers[other]}")
            links[node, dimension] = builder.pair(element, wire, policy)
        stride *= size

    return Torus(name, router, positions, sizes, links, _limiters(builder, element, name, numbers))


def _fat_tree(
    builder: Builder, element: Element, name: str, router: str, positions: dict[str, int], numbers: Sequence[int]
) -> Cluster | None:
    rows = _parameters(builder, element, "FAT_TREE")
    if rows is None:
        return None
    levels = rows[0][0]
    if len(rows) != 4 or len(rows[0]) != 1 or any(len(row) != levels for row in rows[1:]):
        _bad_shape(builder, element, "FAT_TREE", f"{levels} levels need three lists of {levels} numbers after them")
        return None

    children, parents, cables = rows[1:]
    if math.prod(children) != len(numbers):
        _bad_shape(builder, element, "FAT_TREE", f"{math.prod(children)} places for {len(numbers)} hosts")
        return None

    policy = _policy(builder, element)
    nodes = _nodes(children, parents)
    names = _numbers(nodes, len(numbers))
    unique = 0
    by_level = [[k for k, n in enumerate(nodes) if n.level == level] for level in range(levels + 1)]
    for level in range(levels):
        for low, high in product(by_level[level], by_level[level + 1]):
            child, parent = nodes[low], nodes[high]
            if not _related(parent, child):
                continue
            for cable in range(cables[level]):
                wire = _wire(builder, element, f"link_from_{names[low]}_{names[high]}_{unique}")
                up, down = builder.pair(element, wire, policy)
                unique += 1
                child.parents[parent.label[level] + cable * parents[level]] = (high, up)
                parent.children[child.label[level] + cable * children[level]] = (low, down)
    limiters = _limiters(
        builder, element, name, [numbers[k] if k < len(numbers) else names[k] for k in range(len(names))]
    )
    return FatTree(name, router, positions, nodes, (children, parents, cables), limiters)


def _nodes(children: Sequence[int], parents: Sequence[int]) -> list[Node]:
    """All nodes, level by level; the digits of a label count what is chosen on each level, parents below the node's own
    level and children from it on, the first digit fastest."""
    found, levels = list[Node](), len(children)
    for level in range(levels + 1):
        sizes = [parents[j] if j < level else children[j] for j in range(levels)]
        for position, digits in enumerate(product(*(range(size) for size in reversed(sizes)))):
            found.append(Node(level, position, tuple(reversed(digits)), {}, {}))
    return found


def _numbers(nodes: Sequence[Node], hosts: int) -> list[int]:
    """Hosts by position; switches downwards from twice the number of hosts."""
    return [n.position if n.level == 0 else 2 * hosts - 1 - (k - hosts) for k, n in enumerate(nodes)]


def _related(parent: Node, child: Node) -> bool:
    return all(a == b for j, (a, b) in enumerate(zip(parent.label, child.label, strict=True)) if j + 1 != parent.level)
