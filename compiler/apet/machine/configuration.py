"""A choice of processors from a machine model, and what anything costs on them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, overload

from apet.ground.interval import Number
from apet.ground.records import NamedTuple, Record
from apet.machine.allocation import SCHEDULES, Equals, join_shares, static_shares
from apet.machine.fitted import OutsideFit
from apet.machine.network import End, exact_message_time, message_time

if TYPE_CHECKING:
    from apet.machine.machines import MachineGroup, Machines


class Processors(NamedTuple):
    """Processors `first` to `last`, both included, which are machines of one group."""

    first: int
    last: int
    group: MachineGroup


class Configuration(Record):
    """P processors of a machine model, numbered 1..P in file order; processor 0 is the coordinator.

    `groups` are contiguous and in order; a group of which no machine is in use is left out. `factors` are the relative
    performance factors of `groups`.
    """

    P: int
    machines: Machines
    groups: tuple[Processors, ...]
    factors: tuple[float, ...]

    def group(self, p: int) -> MachineGroup:
        """The machine that processor p is; raises IndexError outside 0..P."""
        return self.machines.coordinator if p == 0 else self.groups[self._index(p)].group

    @overload
    def time(self, op: str, p: int, end: End, exact: Literal[False] = False) -> float: ...
    @overload
    def time(self, op: str, p: int, end: End, exact: Literal[True]) -> Fraction: ...
    @overload
    def time(self, op: str, p: int, end: End, exact: bool) -> float | Fraction: ...
    def time(self, op: str, p: int, end: End, exact: bool = False) -> float | Fraction:
        """Seconds of one operation on processor p under its external load [a, b]: tmin/(1-a) or tmax/(1-b).

        Raises KeyError if the machine lacks the operation. `exact`: from the floats of the file, without rounding.
        """
        group = self.group(p)
        if op in group.fits:
            raise OutsideFit(f"'{op}' is fitted to {group.fits[op].file}: its time depends on its argument")

        interval = group.op_s[op]
        seconds, load = (interval.lo, group.load.lo) if end == "tmin" else (interval.hi, group.load.hi)
        if exact:
            return Fraction(seconds) / (1 - Fraction(load))
        return float(seconds) / (1.0 - float(load))

    def fitted_time(self, op: str, p: int, arguments: Sequence[Number], end: End) -> float | None:
        """Seconds of a fitted operation under external load, as `time`; None where it is not fitted on this machine.

        Raises `OutsideFit` for an argument that there is no time for.
        """
        group = self.group(p)
        fit = group.fits.get(op)
        if fit is None:
            return None
        taken = group.load.lo if end == "tmin" else group.load.hi
        return fit.seconds(op, arguments, end) / (1.0 - float(taken))

    @overload
    def send(self, p: int, q: int, size: Number, end: End, exact: Literal[False] = False) -> float: ...
    @overload
    def send(self, p: int, q: int, size: Number, end: End, exact: Literal[True]) -> Fraction: ...
    @overload
    def send(self, p: int, q: int, size: Number, end: End, exact: bool) -> float | Fraction: ...
    def send(self, p: int, q: int, size: Number, end: End, exact: bool = False) -> float | Fraction:
        """Seconds of one message of `size` bytes from processor p to q; 0 if they are the same.

        Raises `MissingNetwork` if the machine model gives no latency and bandwidth. `exact` as for `time`.
        """
        sender, receiver = self.group(p), self.group(q)
        if p == q:
            return Fraction(0) if exact else 0.0
        latency, bandwidth = self.machines.network.between(sender.name, receiver.name)
        return (exact_message_time if exact else message_time)(latency, bandwidth, size, end)

    def cores(self, p: int) -> int:
        """How many servers processor p has."""
        return self.group(p).cores

    def factor(self, p: int) -> float:
        """The relative performance factor of processor p, 1..P, in (0, 1], relative to all machines of the file.

        The coordinator works on no task and has none: IndexError.
        """
        return self.factors[self._index(p)]

    def shares(self, tasks: int, schedule: str = "static") -> tuple[int, ...]:
        """How many of the tasks each processor gets, P numbers that sum to `tasks`; index 0 is processor 1.

        `static`: in proportion to the factors. `join`: half so and the rest to whoever becomes free first.
        Raises ValueError for a negative number of tasks or an unknown schedule.
        """
        if tasks < 0:
            raise ValueError(f"{tasks} tasks cannot be dealt")
        if schedule not in SCHEDULES:
            raise ValueError(f"unknown schedule {schedule!r}; known are {', '.join(SCHEDULES)}")

        pairs = zip(self.groups, self.factors, strict=True)
        equals = [Equals(g.last - g.first + 1, factor) for g, factor in pairs]
        return (join_shares if schedule == "join" else static_shares)(equals, tasks)

    def _index(self, p: int) -> int:
        if not 1 <= p <= self.P:
            raise IndexError(f"there is no processor {p}: they are numbered 1 to {self.P}")
        return bisect_right(self.groups, p, key=_first) - 1


def _first(processors: Processors) -> int:
    return processors.first


def configure(machines: Machines, P: int | None = None) -> Configuration:
    """The configuration of the P fastest machines; see `Machines.configure`."""
    available = machines.processors
    wanted = available if P is None else P
    if not 1 <= wanted <= available:
        _refuse(machines, wanted)
    factors = machines.factors()
    counts = _fastest(machines, factors, wanted)

    groups, used, first = [], [], 1
    for group, factor, count in zip(machines.groups, factors, counts, strict=True):
        if count:
            groups.append(Processors(first, first + count - 1, group))
            used.append(factor)
            first += count
    return Configuration(wanted, machines, tuple(groups), tuple(used))


def _fastest(machines: Machines, factors: tuple[float, ...], wanted: int) -> list[int]:
    """How many machines of each group are among the fastest; ties go to the earlier group."""
    counts = [0] * len(factors)
    for g in sorted(range(len(factors)), key=lambda g: -factors[g]):
        counts[g] = min(wanted, machines.groups[g].count)
        wanted -= counts[g]
    return counts


def _refuse(machines: Machines, wanted: int) -> None:
    from apet.ground.diagnostics import ApetError
    from apet.machine.errors import NoSuchConfiguration

    raise ApetError(NoSuchConfiguration(None, None, wanted, machines.processors, machines.file))
