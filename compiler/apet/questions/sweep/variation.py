"""Machine models with changed figures: what may vary of them, and the machine model that a choice of values makes.

| name | what it is |
|---|---|
| `t_OP` | seconds of one operation OP, on every machine and the coordinator |
| `machine.network.latency_s`, `machine.network.bandwidth_B_per_s` | of the network; links keep what they override |
| `machine.cores` | cores of every machine |
| `machine.load` | external load of every machine, a share in [0, 1) |
| `scale.t_OP` | both ends of the time of an operation times this factor |
| `scale.op_s` | the same for all operations |
| `scale.latency_s`, `scale.bandwidth_B_per_s` | both ends times this factor, on links as well |

A value stands for [value, value]; a factor for what rounding each end once gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.interval import Interval, Number
from apet.machine import MachineGroup, MachineLink, MachineNetwork, Machines
from apet.questions.sweep.errors import BadQuantity, NotInMachines

LATENCY, BANDWIDTH = "latency_s", "bandwidth_B_per_s"
FIXED = ("machine.network.latency_s", "machine.network.bandwidth_B_per_s", "machine.cores", "machine.load")
SCALED = ("scale.op_s", "scale.latency_s", "scale.bandwidth_B_per_s")
SHORT = {
    "machine.network.latency": FIXED[0],
    "machine.network.bandwidth": FIXED[1],
    "scale.latency": SCALED[1],
    "scale.bandwidth": SCALED[2],
    "scale.network.latency_s": SCALED[1],
    "scale.network.bandwidth_B_per_s": SCALED[2],
}
ALL = "op_s"
Holder = TypeVar("Holder", MachineNetwork, MachineLink)
DECADES = 30
GREATEST = 10.0**DECADES


def canonical(name: str) -> str:
    """The full name of a quantity; other names as they are."""
    return SHORT.get(name, name)


def known_quantities(operations: Sequence[str]) -> list[str]:
    """All names, for a model that uses these operations."""
    return [*(f"t_{op}" for op in operations), *FIXED, *SCALED, *(f"scale.t_{op}" for op in operations)]


def problem(name: str, machines: Machines, operations: Sequence[str]) -> Diagnostic | None:
    """Why a machine model cannot have this quantity changed."""
    last = name.rsplit(".", 1)[-1]
    if last in (LATENCY, BANDWIDTH) and not machines.has_network:
        advice = "give latency_s and bandwidth_B_per_s under [network]"
        return NotInMachines(None, None, name, machines.file, "has no [network]", advice)
    if last.startswith("t_"):
        op, operations_of_all = last[2:], sorted(machines.operations)
        if op in machines.fitted:
            advice = "vary its argument instead"
            return NotInMachines(None, None, name, machines.file, f"has '{op}' fitted to runs", advice)
        if op not in machines.operations:
            reason = f"has no operation '{op}' on all machines{nearest(op, operations_of_all)}"
            used = ", ".join(operations) or "no operation"
            return NotInMachines(None, None, name, machines.file, reason, f"the model uses: {used}")

    return None


def check_values(name: str, low: Number, high: Number, whole: bool) -> None:
    """`ApetError` where a quantity may not have values between these."""
    reason = ""
    if name == "machine.cores":
        reason = "cores are whole numbers from 1" if low < 1 or not whole else ""
    elif name == "machine.load":
        reason = "a load is a share from 0 to less than 1" if low < 0 or high >= 1 else ""
    elif name.endswith(BANDWIDTH):
        reason = "it must be above 0" if low <= 0 else ""
    elif low < 0:
        reason = "it must be 0 or more"
    if not reason and (high > GREATEST or 0 < low < 1 / GREATEST):
        reason = f"figures of machines lie between 1e-{DECADES} and 1e{DECADES}"

    if reason:
        wrong = low if low < 0 or name.endswith((BANDWIDTH, "cores")) else high
        raise ApetError(BadQuantity(None, None, name, f"{float(wrong):g}", reason))


def vary(machines: Machines, quantities: Sequence[tuple[str, Number]]) -> Machines:
    """The machine model with these quantities changed, one after the other."""
    for name, value in quantities:
        machines = _changed(machines, name, value)
    return machines


def _changed(machines: Machines, name: str, value: Number) -> Machines:
    kind, _, rest = name.rpartition(".")
    if kind == "scale":
        change: Callable[[Interval], Interval] = lambda i: _times(i, value)  # noqa: E731
    else:
        change = lambda _: Interval(float(value), float(value))  # noqa: E731
    if rest in (LATENCY, BANDWIDTH):
        return _network(machines, rest, change, links=kind == "scale")
    if name == "machine.cores":
        return _everywhere(machines, lambda g: g.replace(cores=int(value)))
    if name == "machine.load":
        return _everywhere(machines, lambda g: g.replace(load=change(g.load)))

    op = None if rest == ALL else rest.removeprefix("t_")
    return _everywhere(machines, lambda g: _operations(g, op, change))


def _everywhere(machines: Machines, change: Callable[[MachineGroup], MachineGroup]) -> Machines:
    return machines.replace(groups=tuple(map(change, machines.groups)), coordinator=change(machines.coordinator))


def _operations(group: MachineGroup, op: str | None, change: Callable[[Interval], Interval]) -> MachineGroup:
    times = {name: change(time) if op in (None, name) else time for name, time in group.op_s.items()}
    classes = {name: change(time) if op is None else time for name, time in group.classes.items()}
    return group.replace(op_s=times, classes=classes)


def _network(machines: Machines, key: str, change: Callable[[Interval], Interval], links: bool) -> Machines:
    network = machines.network
    overridden = tuple(_figure(link, key, change) for link in network.links) if links else network.links
    return machines.replace(network=_figure(network, key, change).replace(links=overridden))


def _figure(holder: Holder, key: str, change: Callable[[Interval], Interval]) -> Holder:
    """A network or link with its latency or bandwidth changed, if it has one."""
    interval: Interval | None = getattr(holder, key)
    if interval is None:
        return holder
    if key == LATENCY:
        return holder.replace(latency_s=change(interval))
    return holder.replace(bandwidth_B_per_s=change(interval))


def _times(interval: Interval, factor: Number) -> Interval:
    low, high = (float(Fraction(end) * Fraction(factor)) for end in interval)
    return Interval(low, high)
