"""The machine model: groups of equal machines, a coordinator, a network, and where the numbers come from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from apet.ground.interval import Interval
from apet.ground.notebooks import html
from apet.ground.records import Record
from apet.machine.configuration import Configuration, configure
from apet.machine.factors import relative_factors
from apet.machine.fitted import FittedTime
from apet.machine.network import MachineNetwork

NO_LOAD = Interval(0.0, 0.0)
NO_NETWORK = MachineNetwork()


class MachineGroup(Record):
    """A number of equal machines (one `[[machine]]` of a file), or the coordinator.

    `op_s`: seconds of one operation on an unloaded machine, by name. `load`: the share of each processor that others
    use, 0 <= lo <= hi < 1. `cores`: servers of the processor. `factor`: the relative performance factor if the file
    gives one, in (0, 1]. `fits`: times of operations that depend on their argument. `classes`: seconds of operations
    that no name is given for, by a pattern such as `call_*_size`.
    """

    name: str
    op_s: Mapping[str, Interval]
    count: int = 1
    cores: int = 1
    load: Interval = NO_LOAD
    factor: float | None = None
    memory_MB: float | None = None
    cost_per_hour: float | None = None
    note: str = ""
    fits: Mapping[str, FittedTime] = MappingProxyType({})
    classes: Mapping[str, Interval] = MappingProxyType({})


class Machines(Record):
    """A machine model as its file gives it. `file` is the base name; `provenance` is free-form.

    Processors are numbered from 1 in the order of `groups`; the coordinator is processor 0 and apart from them.
    `assumed`: operations that have the time of a class, with its pattern (see `operation_classes`), or of a single run.
    """

    name: str
    file: str
    groups: tuple[MachineGroup, ...]
    coordinator: MachineGroup
    network: MachineNetwork = NO_NETWORK
    provenance: Mapping[str, Any] = MappingProxyType({})
    note: str = ""
    assumed: Mapping[str, str] = MappingProxyType({})

    @property
    def processors(self) -> int:
        """How many there are in all, the coordinator not counted."""
        return sum(group.count for group in self.groups)

    @property
    def has_network(self) -> bool:
        """Whether the time of a message between two processors can be said."""
        return self.network.is_known

    @property
    def operations(self) -> frozenset[str]:
        """The operations that every machine and the coordinator have."""
        own = [frozenset(group.op_s) | frozenset(group.fits) for group in self.groups]
        return (frozenset(self.coordinator.op_s) | frozenset(self.coordinator.fits)).intersection(*own)

    @property
    def fitted(self) -> frozenset[str]:
        """The operations whose time depends on an argument, on any machine."""
        return frozenset().union(*(group.fits for group in (*self.groups, self.coordinator)))

    def missing(self, op: str) -> tuple[str, ...]:
        """The names of the groups that lack an operation, the coordinator's last."""
        return tuple(
            group.name for group in (*self.groups, self.coordinator) if op not in group.op_s and op not in group.fits
        )

    def factors(self) -> tuple[float, ...]:
        """The relative performance factor of each group, in the order of `groups`: see `relative_factors`."""
        return self._factors

    @cached_property
    def is_certain(self) -> bool:
        """Whether every figure is one number, so that both ends of the operation times are the same."""
        groups, network = (*self.groups, self.coordinator), self.network
        figures = [time for g in groups for time in (g.load, *g.op_s.values(), *g.classes.values())]
        figures += [i for i in (network.latency_s, network.bandwidth_B_per_s) if i is not None]
        figures += [i for link in network.links for i in (link.latency_s, link.bandwidth_B_per_s) if i is not None]
        return not self.fitted and all(i.is_point for i in figures)

    @cached_property
    def _factors(self) -> tuple[float, ...]:
        return relative_factors(self.groups, self.assumed)

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        return html(self)

    def configure(self, P: int | None = None) -> Configuration:
        """The P fastest machines (all, without P), numbered 1..P in file order.

        Of equally fast ones the earlier stay. Raises `ApetError` if P < 1 or there are fewer.
        """
        return configure(self, P)
