"""Values of formulas written out over kinds of machines: at one point, and over a range of P and parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from apet.formula.algebra.representatives import Kinds
from apet.ground.interval import Interval, Number
from apet.machine import End
from apet.prediction.deployment import Deployment
from apet.questions.regions.segments import Dealing

ANYTHING = Interval(0, math.inf)


class GroupSymbols(NamedTuple):
    """The symbols that stand for the first and the last machine of each group in use, and for how many of its machines
    get one task more than the last."""

    first: Sequence[str]
    last: Sequence[str]
    more: Sequence[str]
    kinds: Kinds


class RegionPointEnvironment:
    """One deployment and one value per parameter; operation times are exact.

    `dealing` says how tasks are dealt; None where that takes a list of all processors.
    """

    def __init__(
        self,
        deployment: Deployment,
        end: End,
        values: Mapping[str, Number],
        names: GroupSymbols,
        dealing: Dealing | None,
    ) -> None:
        self.deployment = deployment
        self.values = values
        self.inner = deployment.environment(end, values, exact=True)
        self.names = names
        self.dealing = dealing

        groups = deployment.groups
        self.machines = dict(zip(names.first, (g.first for g in groups), strict=True))
        self.machines |= dict(zip(names.last, (g.last for g in groups), strict=True))
        self.places = {g.first: k for k, g in enumerate(groups)} | {g.last: k for k, g in enumerate(groups)}

    def symbol(self, name: str) -> Number:
        """The value of a parameter, or the number of the machine that a symbol stands for."""
        if name in self.machines:
            return self.machines[name]
        if name in self.names.more:
            return self._dealt[1][self.names.more.index(name)]
        return self.inner.symbol(name)

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """A machine quantity; `share` of the first and last machine of a group without dealing to all others."""
        if name == "share" and not arguments and self.dealing is not None and subscripts[0] in self.places:
            group = self.deployment.groups[self.places[int(subscripts[0])]]
            floors, more, _ = self._dealt
            k = self.places[int(subscripts[0])]
            return floors[k] + (int(subscripts[0]) - group.first < more[k])
        return self.inner.item(name, subscripts, arguments)

    @cached_property
    def _dealt(self) -> tuple[list[int], list[int], object]:
        assert self.dealing is not None
        return self.dealing.at(int(self.values["tasks"]), self.deployment.P)


class RangeEnvironment:
    """The same where P lies in a range within one segment, and parameters in intervals; at one end of operation times.

    Symbols of machines are negative numbers here: the number of a machine may change with P, its group does not.
    """

    def __init__(
        self,
        deployment: Deployment,
        end: End,
        names: GroupSymbols,
        dealing: Dealing | None,
        box: Mapping[str, Interval],
        tasks: Interval | None,
    ) -> None:
        self.configuration = deployment.configuration
        self.groups = deployment.groups
        self.schedule = deployment.schedule
        self.inner = deployment.environment(end, {}, exact=True)
        self.names = names
        self.box = box
        self.tasks = tasks

        self.codes = {name: -1 - k for k, name in enumerate((*names.first, *names.last))}
        self.dealing = dealing

    def symbol(self, name: str) -> Interval:
        """The range of a parameter; the code of a machine; how many machines of a group get one task more."""
        if name in self.codes:
            return Interval(self.codes[name], self.codes[name])
        if name in self.names.more:
            return _hull(self._dealt[self.names.more.index(name)][2])
        return self.box[name]

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """A machine quantity of one machine for all P of the range."""
        return self.item_over(name, tuple(Interval(s, s) for s in subscripts), arguments)

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """A machine quantity over all machines that ranges of numbers may mean, for all P of the range."""
        if name == "share" and not arguments:
            return self._share(ranges[0])
        if name == "share":
            return Interval(0, max(0, arguments[0].hi))

        values: list[Number] = []
        try:
            for member in product(*(self._stand_ins(r) for r in ranges)):
                values += [self.inner.item(name, member, tuple(a.lo for a in arguments))]
                values += [self.inner.item(name, member, tuple(a.hi for a in arguments))]
        except (IndexError, OverflowError, ValueError):
            return ANYTHING  # a member that may not be needed: see apet.formula.evaluate.undefined

        if not values:
            return ANYTHING
        if len(ranges) == 2 and ranges[0].lo <= ranges[1].hi and ranges[1].lo <= ranges[0].hi:
            values.append(0)  # perhaps a message to oneself
        return Interval(min(values), max(values))

    def _stand_ins(self, where: Interval) -> list[int]:
        """Processors of the greatest P, among them two of every group that may be meant, or all that it has."""
        groups = self.groups
        if where.lo < 0:
            if not where.is_point:
                raise ValueError("symbols of several machines")
            code = -1 - int(where.lo)
            return [groups[code].first if code < len(groups) else groups[code - len(groups)].last]
        P = self.box["P"]
        if where.lo == where.hi and (P.is_point or where.lo == 0):
            return [int(where.lo)] if where.lo == int(where.lo) else []

        low, high = 1, groups[-1].last
        if P.is_point:
            low = max(low, math.ceil(where.lo))
            high = high if math.isinf(where.hi) else min(high, math.floor(where.hi))
        # two of a group, as a message between them is not one to oneself
        within = [p for g in groups for p in range(max(low, g.first), min(high, g.last) + 1)[:2]]
        return ([0] if where.lo <= 0 else []) + within

    def _share(self, where: Interval) -> Interval:
        assert self.tasks is not None
        assert self.configuration is not None
        if self.dealing is None or not where.is_point or where.lo >= 0:
            if where.is_point and where.lo >= 1 and self.box["P"].is_point and self.tasks.is_point:
                shares = self.configuration.shares(int(self.tasks.lo), self.schedule)
                return Interval(*[shares[int(where.lo) - 1]] * 2) if where.lo <= len(shares) else ANYTHING
            return Interval(0, self.tasks.hi)
        code, groups = -1 - int(where.lo), len(self.groups)
        return _hull(self._dealt[code % groups][code // groups])

    @cached_property
    def _dealt(self) -> list[tuple[range, range, range]]:
        assert self.tasks is not None
        assert self.dealing is not None
        P, tasks = self.box["P"], self.tasks
        return self.dealing.between((math.ceil(tasks.lo), math.floor(tasks.hi)), (int(P.lo), int(P.hi)))

    def stable(self, machine: Number) -> bool:
        """Whether a machine number means a machine of one group for all P of the range."""
        P = self.box["P"]
        if P.is_point or machine <= 0 or len(self.groups) <= 1:
            return True
        assert self.configuration is not None
        low = self.configuration.machines.configure(int(P.lo))
        if machine != int(machine) or machine > low.P:
            return False
        return low.group(int(machine)) == self.configuration.group(int(machine))


def _hull(values: range) -> Interval:
    return Interval(values[0], values[-1])
