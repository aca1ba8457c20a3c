"""A platform from a machine file of APET: its processors as hosts, its network as links; all intervals at their middle.

A bus is one link that all share; a switch gives each host a link out and one in, each with half of the latency; without
a topology messages do not hinder each other. Where links between kinds of machines differ, each pair of kinds has its
own latency and bandwidth, beside what is shared. A message from a host to itself takes no time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.machine.machines import MachineGroup, Machines
from apet.traces.platform import errors
from apet.traces.platform.parts import FATPIPE, SHARED, Host, Link
from apet.traces.platform.platform import Platform
from apet.traces.platform.zones import Grouped, Way

FLOP = "flop"
OTHERWISE = ("sum_double", "mpy_double")
"""Operations whose mean time is that of a flop where a machine does not say how long that takes."""


def platform_of(machines: Machines) -> Platform:
    """The platform; `ApetError` without a network, or where nothing says how long a flop takes."""
    if not machines.has_network:
        raise ApetError(errors.NoNetwork(None, None, machines.file))
    hosts, groups = list[Host](), list[int]()
    for number, group in enumerate(machines.groups):
        host = Host("", _speed(group, machines.file), group.cores)
        for k in range(group.count):
            hosts.append(host._replace(name=group.name if group.count == 1 else f"{group.name}-{k + 1}"))
            groups.append(number)
    links, zone = _links(machines, hosts, groups)
    path = {host.name: ("network",) for host in hosts}
    return Platform(hosts, links, {"network": zone}, path, machines.file)


def _middle(interval: Interval) -> float:
    return (float(interval.lo) + float(interval.hi)) / 2


def _speed(group: MachineGroup, file: str) -> float:
    """Flops per second that others leave."""
    operations = [group.op_s[op] for op in (FLOP,) if op in group.op_s] or [
        group.op_s[op] for op in OTHERWISE if op in group.op_s
    ]
    seconds = sum(map(_middle, operations)) / len(operations) if operations else 0.0
    if seconds <= 0:
        raise ApetError(errors.NoSpeed(None, None, file, group.name))
    return (1 - _middle(group.load)) / seconds


def _links(machines: Machines, hosts: Sequence[Host], groups: Sequence[int]) -> tuple[list[Link], Grouped]:
    """All links, and the ways over them: out of the source, between the kinds of machines, into the destination."""
    network, kinds = machines.network, machines.groups
    latency, bandwidth = (
        {(a, b): _middle(network.between(kinds[a].name, kinds[b].name)[k]) for a, b in _pairs(len(kinds))}
        for k in range(2)
    )
    links = list[Link]()

    def new(name: str, width: float, delay: float, policy: str) -> Way:
        links.append(Link(name, width, delay, policy))
        return (len(links) - 1,)

    alike = len(set(latency.values())) == len(set(bandwidth.values())) == 1
    shared_latency = latency[0, 0] if alike else 0.0
    out, into, between = list[Way](), list[Way](), dict[tuple[int, int], Way]()
    common: Way = ()
    if network.topology == "switch":
        for k, host in enumerate(hosts):
            sent = max(bandwidth[groups[k], b] for b in range(len(kinds)))
            received = max(bandwidth[a, groups[k]] for a in range(len(kinds)))
            out.append(new(f"{host.name}-out", sent, shared_latency / 2, SHARED))
            into.append(new(f"{host.name}-in", received, shared_latency / 2, SHARED))
    elif network.topology == "bus" or alike:
        policy = SHARED if network.topology == "bus" else FATPIPE
        common = new(network.topology, max(bandwidth.values()), shared_latency, policy)
    for pair in _pairs(len(kinds)):
        own: Way = ()
        if not alike:
            name = f"{kinds[pair[0]].name} to {kinds[pair[1]].name}"
            own = new(name, bandwidth[pair], latency[pair], FATPIPE)
        between[pair] = (*common, *own)
    positions = {host.name: k for k, host in enumerate(hosts)}
    return links, Grouped("network", positions, groups, out, between, into)


def _pairs(number: int) -> Iterator[tuple[int, int]]:
    return ((a, b) for a in range(number) for b in range(number))
