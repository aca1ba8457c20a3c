"""What a machine file leaves outside the intervals that it gives."""

from __future__ import annotations

from collections.abc import Iterable

from apet.ground.interval import Interval
from apet.machine.machines import Machines
from apet.machine.network import MachineLink, MachineNetwork


def outside(machines: Machines, used: Iterable[str]) -> tuple[list[str], float] | None:
    """The figures given by quantiles of which a share lies outside, and the greatest share; None if there are none.

    `used` names the operations that count; the network's figures count with `send`.
    """
    groups = (*machines.groups, machines.coordinator)
    figures = [(name, group.op_s.get(name)) for name in used for group in groups]
    figures += [("load", group.load) for group in groups]
    if "send" in used:
        parts: list[MachineNetwork | MachineLink] = [machines.network, *machines.network.links]
        for link in parts:
            figures += [("latency_s", link.latency_s), ("bandwidth_B_per_s", link.bandwidth_B_per_s)]

    shares = {name: share for name, figure in figures if (share := _share_outside(figure)) > 0}
    return (list(shares), max(shares.values())) if shares else None


def _share_outside(figure: Interval | None) -> float:
    if figure is None or type(figure) is Interval:
        return 0.0
    from apet.machine.spread import Spread  # most machine files have no distributions, and a start has no time to lose

    return figure.outside if isinstance(figure, Spread) else 0.0
