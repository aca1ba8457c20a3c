"""A chunk of draws as the values of formulas: operation and message times are arrays with one element per draw."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from apet.ground.interval import Interval, Number
from apet.machine import Configuration
from apet.machine.spread import pieces_of
from apet.questions.quantiles.figures import Figure, Floats, ProductFigure, mean_of, one_value
from apet.questions.quantiles.streams import Streams

MOST_KEPT = 64 * 2**20
"""Bytes of drawn times that are kept; others are drawn again, which gives the same."""
Counts = Mapping[tuple[Hashable, ...], float]


Change = Callable[[Floats], Floats]


def reciprocal(values: Floats) -> Floats:
    """Seconds per byte of bytes per second."""
    return 1 / values


def stretch(load: Floats) -> Floats:
    """By what a time grows under an external load."""
    return 1 / (1 - load)


class Figures:
    """The random figures of a machine model, made once; shared by all chunks."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._figures: dict[tuple[int, Change | None], tuple[Interval, Figure]] = {}
        network = configuration.machines.network
        ordered = [network.latency_s, network.bandwidth_B_per_s]
        for link in network.links:
            ordered += [link.latency_s, link.bandwidth_B_per_s]
        self._places: dict[int, int] = {}
        for place, figure in enumerate(ordered):
            self._places.setdefault(id(figure), place)

    def of(self, interval: Interval, change: Change | None = None) -> Figure:
        """The figure of an interval of the machine model, `change` applied to each value."""
        key = (id(interval), change)
        if key not in self._figures:
            figure = Figure(pieces_of(interval), change)
            self._figures[key] = interval, figure  # the interval is kept, so that its id stays its own
        return self._figures[key][1]

    def place(self, interval: Interval) -> int:
        """The place of a network figure in the machine file: the name of its stream."""
        return self._places[id(interval)]


class DrawnEnvironment:
    """`count` draws from the one numbered `start` on.

    `noise` as in `uncertainty.NOISES`; with "independent", `counts` gives the executions per run of
    (operation, p), and of messages ("send", p, q): the time of an operation is then the mean over them.
    """

    def __init__(
        self, figures: Figures, values: Mapping[str, Any], schedule: str, noise: str, streams: Streams, counts: Counts
    ) -> None:
        self.figures = figures
        self.configuration = figures.configuration
        self.values = values
        self.schedule = schedule
        self.noise = noise
        self.streams = streams
        self.counts = counts

        self.start = self.count = 0
        self._draws: OrderedDict[tuple[Hashable, ...], Any] = OrderedDict()
        self._shares: dict[int, tuple[int, ...]] = {}

    def chunk(self, start: int, count: int) -> DrawnEnvironment:
        """Go on to another stretch of draws; `start` is a multiple of 4."""
        self.start, self.count = start, count
        self._draws.clear()
        return self

    def symbol(self, name: str) -> Any:
        """A parameter's value; the draws of a `Drawn` one."""
        value = self.values[name]
        return value.draws(self.streams, self.start, self.count) if isinstance(value, Drawn) else value

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Any, ...]) -> Any:
        """`t_send`, an operation's time, `share` or `cores`; `IndexError` for a processor that does not exist."""
        if name == "share":
            tasks = arguments[0] if arguments else self.symbol("tasks")
            return self._dealt(self.processor(subscripts[0], 1), tasks)
        p = self.processor(subscripts[0])
        if name == "cores":
            return self.configuration.cores(p)
        if name == "t_send":
            return self._message(p, self.processor(subscripts[1]), arguments[0])
        return self._once((name, self._unit(p)), lambda: self._time(name[2:], p))

    def processor(self, number: Number, least: int = 0) -> int:
        """A subscript as the number of a processor."""
        if number != int(number) or not least <= number <= self.configuration.P:
            raise IndexError(f"there is no processor {number}; there are {least} to {self.configuration.P}")
        return int(number)

    def _dealt(self, p: int, tasks: Any) -> Any:
        """The share of a processor of so many tasks."""
        if isinstance(tasks, np.ndarray):
            return np.array([self._dealt(p, number) for number in tasks.tolist()], dtype=float)
        number = math.floor(tasks)
        if number not in self._shares:
            self._shares[number] = self.configuration.shares(number, self.schedule)
        return self._shares[number][p - 1]

    def alike(self, member: tuple[Number, ...]) -> Hashable:
        """The units of members; messages to oneself differ from others."""
        if not all(0 <= number <= self.configuration.P and number == int(number) for number in member):
            return member
        return tuple([self._unit(int(number)) for number in member]), len(set(member))

    def _unit(self, p: int) -> Hashable:
        """The unit that has a true cost of its own: a kind of machine, or a processor."""
        return self.configuration.group(p).name if self.noise == "systematic" else p

    def _time(self, operation: str, p: int) -> Any:
        """Seconds of one operation on a processor, under the external load drawn with it."""
        group = self.configuration.group(p)
        unit, own = self._unit(p), self.figures.of(group.op_s[operation])
        if not group.load.hi:
            return self._drawn(own, ("time", operation, unit), (operation, p))
        if self.noise == "independent":  # every execution meets a load of its own
            loaded = ProductFigure(own, self.figures.of(group.load, stretch))
            return self._drawn(loaded, ("time", operation, unit), (operation, p))
        seconds = self._drawn(own, ("time", operation, unit), (operation, p))
        return seconds / (1 - self._drawn(self.figures.of(group.load), ("load", unit), (operation, p)))

    def _message(self, p: int, q: int, size: Any) -> Any:
        if p == q:
            return 0.0

        sender, receiver = self.configuration.group(p), self.configuration.group(q)
        latency, bandwidth = self.configuration.machines.network.between(sender.name, receiver.name)
        pair: tuple[Hashable, ...] = () if self.noise == "systematic" else (p, q)
        if isinstance(size, np.ndarray):
            start, each = self._parts(latency, bandwidth, pair, (p, q))
            return start + size * each
        places = self.figures.place(latency), self.figures.place(bandwidth)
        return self._once(
            ("message", *places, *pair, size), lambda: self._sum(self._parts(latency, bandwidth, pair, (p, q)), size)
        )

    def _parts(
        self, latency: Interval, bandwidth: Interval, pair: tuple[Hashable, ...], ends: tuple[int, int]
    ) -> tuple[Any, Any]:
        """Latency in seconds, and seconds per byte."""
        parts = []
        for interval, change in ((latency, None), (bandwidth, reciprocal)):
            name = ("network", self.figures.place(interval), *pair)
            figure = self.figures.of(interval, change)
            parts.append(self._once(name, lambda f=figure, n=name: self._drawn(f, n, ("send", *ends))))  # type: ignore[misc]
        return parts[0], parts[1]

    @staticmethod
    def _sum(parts: tuple[Any, Any], size: Number) -> Any:
        return parts[0] + float(size) * parts[1]

    def _drawn(self, figure: Figure | ProductFigure, name: Hashable, executed: tuple[Hashable, ...]) -> Any:
        if self.noise == "independent":
            return mean_of(figure, self.counts.get(executed, 1.0), self.streams, name, self.start, self.count)
        return one_value(figure, self.streams, name, self.start, self.count)

    def _once(self, key: tuple[Hashable, ...], draw: Callable[[], Any]) -> Any:
        """What was drawn for a key in this chunk; drawn now if it is not kept."""
        draws = self._draws.get(key)
        if draws is None:
            draws = self._draws[key] = draw()
            if len(self._draws) * self.count * 8 > MOST_KEPT:
                self._draws.popitem(last=False)
        return draws


class Drawn:
    """A parameter that is equally likely anywhere in an interval; among the whole numbers in it if `whole`."""

    def __init__(self, name: str, interval: Interval, whole: bool) -> None:
        self.name = name
        self.interval = interval
        self.whole = whole

    def draws(self, streams: Streams, start: int, count: int) -> Any:
        """The values of a stretch of draws."""
        level = streams.uniform(("parameter", self.name), start, count)
        low, high = float(self.interval.lo), float(self.interval.hi)
        if self.whole:
            return np.minimum(low + np.floor(level * (high - low + 1)), high)
        return np.clip(low + level * (high - low), low, high)
