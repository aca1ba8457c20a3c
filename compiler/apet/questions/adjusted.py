"""Machine configurations with other numbers than the file's: scaled, or each interval at a point of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping

from apet.ground.interval import Interval, Number
from apet.machine import Configuration, End, MissingNetwork
from apet.machine.machines import MachineGroup, Machines
from apet.prediction.environment import MachineEnvironment

LATENCY, BANDWIDTH, LOAD = "latency_s", "bandwidth_B_per_s", "load"
MIDDLE = 0.5


class ScaledEnvironment(MachineEnvironment):
    """One end of the operation times, with some times, the latency or the bandwidth multiplied by factors.

    `factors` has names as in formulas (`t_mpy_double`, `t_send`) and `latency_s` and `bandwidth_B_per_s`. `longest` is
    the longest time of each name that was asked for, `look_ups` how often any was; above `most` it is a `LookupError`.
    """

    def __init__(
        self,
        configuration: Configuration,
        end: End,
        values: Mapping[str, Number],
        schedule: str,
        factors: Mapping[str, Number],
        most: float = math.inf,
    ) -> None:
        super().__init__(configuration, end, values, schedule)
        self.factors = factors
        self.longest: dict[str, float] = {}
        self.look_ups, self.most = 0, most

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """As the configuration's, scaled."""
        self.look_ups += 1
        if self.look_ups > self.most:
            raise LookupError("too many questions")
        seconds = super().item(name, subscripts, arguments)
        if not name.startswith("t_"):
            return seconds
        if name == "t_send" and (LATENCY in self.factors or BANDWIDTH in self.factors):
            latency = super().item(name, subscripts, (0,))
            sending = (seconds - latency) / float(self.factors.get(BANDWIDTH, 1))
            seconds = latency * self.factors.get(LATENCY, 1) + sending
        seconds = seconds * self.factors.get(name, 1)
        self.longest[name] = max(self.longest.get(name, 0.0), float(seconds))
        return seconds


class MixedEnvironment(MachineEnvironment):
    """Every interval of the machine model at a point: `at` says where by name, 0 its lower end, 1 its upper.

    Names are those of operations (`t_mpy_double`), `latency_s`, `bandwidth_B_per_s` and `load`; others are at their
    middle. An operation, the latency and the load are at the same place of their intervals on all machines at once.
    """

    def __init__(
        self, configuration: Configuration, values: Mapping[str, Number], schedule: str, at: Mapping[str, float]
    ) -> None:
        super().__init__(configuration, "tmax", values, schedule)
        self.at = at
        self._load = at.get(LOAD, MIDDLE)
        self._latency = at.get(LATENCY, MIDDLE)
        self._bandwidth = at.get(BANDWIDTH, MIDDLE)

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """As the configuration's, at a point of its interval."""
        if not name.startswith("t_"):
            return super().item(name, subscripts, arguments)
        if name == "t_send":
            p, q = (self.processor(s) for s in subscripts)
            return self._message(p, q, float(arguments[0]))

        if name[2:] in self._fitted:
            fitted = self._between(name[2:], self.processor(subscripts[0]), arguments)
            if fitted is not None:
                return fitted
        key = (name, subscripts[0])
        seconds_loaded = self._times.get(key)
        if seconds_loaded is None:
            group = self.configuration.group(self.processor(subscripts[0]))
            seconds = mixed(group.op_s[name[2:]], self.at.get(name, MIDDLE))
            seconds_loaded = self._times[key] = seconds / (1.0 - mixed(group.load, self._load))
        return seconds_loaded

    def _between(self, operation: str, p: int, arguments: tuple[Number, ...]) -> float | None:
        """A fitted operation at a point of its interval."""
        ends = [self.configuration.fitted_time(operation, p, arguments, end) for end in ("tmin", "tmax")]
        if ends[0] is None or ends[1] is None:
            return None
        return mixed(Interval(ends[0], ends[1]), self.at.get(f"t_{operation}", MIDDLE))

    def _message(self, p: int, q: int, size: float) -> float:
        if p == q:
            return 0.0
        sender, receiver = (self.configuration.group(n).name for n in (p, q))
        latency, bandwidth = self.configuration.machines.network.between(sender, receiver)
        return mixed(latency, self._latency) + size / mixed(bandwidth, self._bandwidth)


def mixed(interval: Interval, at: float) -> float:
    """The point of an interval: 0 its lower end, 1 its upper."""
    low, high = float(interval.lo), float(interval.hi)
    return low if low == high else low + at * (high - low)


def figures(machines: Machines) -> dict[str, Interval]:
    """Latency (seconds) and bandwidth (bytes per second) of the network and all its links, by name."""
    network = machines.network
    if not network.is_known:
        return {}
    intervals = {LATENCY: [network.latency_s], BANDWIDTH: [network.bandwidth_B_per_s]}
    for link in network.links:
        intervals[LATENCY].append(link.latency_s)
        intervals[BANDWIDTH].append(link.bandwidth_B_per_s)
    stated = {name: [i for i in each if i is not None] for name, each in intervals.items()}
    return {name: Interval(min(i.lo for i in some), max(i.hi for i in some)) for name, some in stated.items()}


def operation_times(machines: Machines, operation: str) -> Interval:
    """From the least to the greatest time of one operation (seconds) on any machine that has it."""
    groups = (*machines.groups, machines.coordinator)
    times = [group.op_s[operation] for group in groups if operation in group.op_s]
    return Interval(min(i.lo for i in times), max(i.hi for i in times))


def with_operation(machines: Machines, operation: str, seconds: Number) -> Machines:
    """The same machines with one operation taking so long everywhere; tasks are dealt as before."""
    factors = machines.factors()
    groups = [_set(g, operation, seconds).replace(factor=f) for g, f in zip(machines.groups, factors, strict=True)]
    return machines.replace(groups=tuple(groups), coordinator=_set(machines.coordinator, operation, seconds))


def _set(group: MachineGroup, operation: str, seconds: Number) -> MachineGroup:
    return group.replace(op_s={**group.op_s, operation: Interval(seconds, seconds)})


def with_figure(machines: Machines, name: str, value: Number) -> Machines:
    """The same machines with one latency (seconds) or bandwidth (bytes per second) on every link."""
    network = machines.network
    if not network.is_known:
        raise MissingNetwork("the machine model has no network")
    point = Interval(value, value)
    if name == LATENCY:
        links = tuple(link.replace(latency_s=None) for link in network.links)
        return machines.replace(network=network.replace(latency_s=point, links=links))
    links = tuple(link.replace(bandwidth_B_per_s=None) for link in network.links)
    return machines.replace(network=network.replace(bandwidth_B_per_s=point, links=links))


def with_more(machines: Machines, processors: int) -> Machines:
    """The same machines with as many more of the slowest group as make so many processors in all."""
    lacking = processors - machines.processors
    if lacking <= 0:
        return machines
    factors = machines.factors()
    last = slowest(machines)
    groups = [g.replace(factor=f) for g, f in zip(machines.groups, factors, strict=True)]
    groups[last] = groups[last].replace(count=groups[last].count + lacking)
    return machines.replace(groups=tuple(groups))


def slowest(machines: Machines) -> int:
    """The place of the group that joins last: of the least factor, the last of equal ones."""
    factors = machines.factors()
    return max(range(len(factors)), key=lambda g: (-factors[g], g))


def rounded(value: Number) -> float:
    """A float of a number; infinite where it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf
