"""Machine configurations as the values of formulas."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property

from apet.ground.interval import Interval, Number
from apet.machine import Configuration, End

FEW = 64
"""Numbers of tasks in a range up to which the shares of each are found."""


class MachineEnvironment:
    """Operation times at one end of their intervals, and parameters, for one configuration.

    `exact` gives operation times as fractions, so that a formula's value is exact.
    """

    def __init__(
        self, configuration: Configuration, end: End, values: Mapping[str, Number], schedule: str, exact: bool = False
    ) -> None:
        self.configuration = configuration
        self.end = end
        self.values = values
        self.schedule = schedule
        self.exact = exact
        self._fitted = configuration.machines.fitted
        self._times: dict[tuple[str, Number], Number] = {}
        self._of_groups: dict[tuple[str, int], Number] = {}
        self._dealt: dict[int, tuple[int, ...]] = {}
        self._names: dict[int, str] = {}
        self._messages: dict[tuple[str, str, Number], Number] = {}

    def symbol(self, name: str) -> Number:
        """The value of a parameter."""
        return self.values[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """`t_send`, an operation's time, `share` or `cores`; `IndexError` for a processor that there is not."""
        if name == "t_send":
            return self.message(self.processor(subscripts[0]), self.processor(subscripts[1]), arguments[0])
        if name == "share":
            return self.dealt(arguments)[self.processor(subscripts[0], 1) - 1]

        if name[2:] in self._fitted:
            seconds = self.configuration.fitted_time(name[2:], self.processor(subscripts[0]), arguments, self.end)
            if seconds is not None:
                return Fraction(seconds) if self.exact else seconds
        key = (name, subscripts[0])
        value = self._times.get(key)
        if value is None:
            value = self._times[key] = self._alike(name, self.processor(subscripts[0]))
        return value

    def _alike(self, name: str, p: int) -> Number:
        """Cores, or an operation's time: the same on all processors of one group."""
        configuration = self.configuration
        key = (name, id(configuration.group(p)))  # by name the coordinator could be mistaken for a machine
        if key not in self._of_groups:
            takes = name != "cores"
            time = configuration.time(name[2:], p, self.end, exact=self.exact) if takes else configuration.cores(p)
            self._of_groups[key] = time
        return self._of_groups[key]

    def message(self, p: int, q: int, size: Number) -> Number:
        """The time of a message, which is the same between all members of two groups."""
        if p == q or type(size) not in (int, float, Fraction):
            return self.configuration.send(p, q, size, self.end, exact=self.exact)
        key = (self._group(p), self._group(q), size)
        if key not in self._messages:
            self._messages[key] = self.configuration.send(p, q, size, self.end, exact=self.exact)
        return self._messages[key]

    def _group(self, p: int) -> str:
        if p not in self._names:
            self._names[p] = self.configuration.group(p).name
        return self._names[p]

    def processor(self, number: Number, least: int = 0) -> int:
        """A subscript as the number of a processor."""
        if type(number) is int and least <= number <= self.configuration.P:
            return number
        if number != int(number) or not least <= number <= self.configuration.P:
            raise IndexError(f"there is no processor {number}; there are {least} to {self.configuration.P}")
        return int(number)

    @cached_property
    def shares(self) -> tuple[int, ...]:
        """The tasks of each processor."""
        return self.configuration.shares(int(self.values["tasks"]), self.schedule)

    def dealt(self, arguments: tuple[Number, ...]) -> tuple[int, ...]:
        """The shares of `share[p](m)`, whole tasks of m; without an argument those of the parameter `tasks`."""
        if not arguments:
            return self.shares
        tasks = math.floor(arguments[0])
        if tasks not in self._dealt:
            self._dealt[tasks] = self.configuration.shares(tasks, self.schedule)
        return self._dealt[tasks]


class BoxEnvironment:
    """The same over a box of parameters: every value an interval, both ends of operation times included or one."""

    def __init__(self, at: Callable[[Mapping[str, Number]], MachineEnvironment], box: Mapping[str, Interval]) -> None:
        """`at` gives the quantities for a value of each parameter."""
        self.low, self.high = at({n: x.lo for n, x in box.items()}), at({n: x.hi for n, x in box.items()})
        self.box = box

    def symbol(self, name: str) -> Interval:
        """The range of a parameter."""
        return self.box[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """The range of an operation's time; a message takes longer the larger it is."""
        if name == "share":
            tasks = arguments[0] if arguments else self.box["tasks"]
            if not (tasks.is_point and self.box["P"].is_point):
                return self._dealt(subscripts[0], arguments[0]) if arguments else Interval(0, tasks.hi)
        try:
            low = self.low.item(name, subscripts, tuple(a.lo for a in arguments))
            return Interval(low, self.high.item(name, subscripts, tuple(a.hi for a in arguments)))
        except IndexError:
            # A member that may not be needed: see apet.formula.evaluate.undefined. Cores divide, and none has none.
            return Interval(int(name == "cores"), math.inf)

    def _dealt(self, number: Number, tasks: Interval) -> Interval:
        """`share[p](m)` for a range of m: of each m where there are few, else by the quota.

        A share by largest remainders is its exact proportion rounded up or down (quota rule), and that grows with m.
        The share of m tasks may be less than that of m - 1 (Alabama paradox), so its ends are not those of m.
        """
        everything = Interval(0, max(0, tasks.hi))
        if not self.box["P"].is_point or tasks.lo < 0 or math.isinf(tasks.hi):
            return everything

        try:
            p = self.low.processor(number, 1)
        except IndexError:
            return everything

        least, most = math.floor(tasks.lo), math.floor(tasks.hi)
        if most - least < FEW:
            shares = [self.low.dealt((m,))[p - 1] for m in range(least, most + 1)]
            return Interval(min(shares), max(shares))
        if self.low.schedule != "static":
            return everything
        first, last = (self.low.dealt((end,))[p - 1] for end in (least, most))
        return Interval(max(0, first - 1), last + 1)

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """The range over all members that a range of subscripts may name."""
        from apet.formula.evaluate.enclosure import over_members

        return over_members(self.item, name, ranges, arguments)
