"""Enclosures of `Peak` and `Interference`: which members of a family are held, for how long, given intervals.

A contribution is sure if every value in the intervals makes it, else possible; it may be known which member it meets,
or only within which ranges its subscripts lie ("wide"). The high end counts everything that may meet a member, the low
end what surely does. Loads are taken to be what they mean: `own` of an Interference is part of `all`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from apet.formula.evaluate.enclosure import IntervalEnvironment, Step, ranges
from apet.formula.evaluate.rounding import ZERO, add, divide, hull, negate
from apet.formula.graph.nodes import Load, NodeId
from apet.ground.interval import Interval, Number

if TYPE_CHECKING:
    from apet.formula.evaluate.enclosure import Enclosure

Member = tuple[Number, ...]
Box = tuple[Interval, ...]
Count = Callable[[Box, list[Any], IntervalEnvironment], Interval]


class Contribution(NamedTuple):
    """One run through the innermost part of a `Load`."""

    where: Box
    sure: bool
    load: Interval
    head: Interval
    tail: Interval
    certain: bool

    @property
    def is_point(self) -> bool:
        """Whether it is known which member is met."""
        return all(x.lo == x.hi for x in self.where)


class Use:
    """What is known of one member: load, least head and least tail, and whether it counts."""

    def __init__(self) -> None:
        self.load = ZERO
        self.surely_head = self.surely_tail = math.inf  # type: Number
        self.maybe_head = self.maybe_tail = -math.inf  # type: Number
        self.least_head = self.least_tail = math.inf  # type: Number
        self.sure = self.sure_certain = self.maybe_certain = False

    def meet(self, c: Contribution, sure: bool) -> None:
        """Add a contribution that surely or possibly meets the member."""
        self.load = add(self.load, c.load if sure else Interval(min(0, c.load.lo), max(0, c.load.hi)))
        self.least_head, self.least_tail = min(self.least_head, c.head.lo), min(self.least_tail, c.tail.lo)
        self.maybe_head, self.maybe_tail = max(self.maybe_head, c.head.hi), max(self.maybe_tail, c.tail.hi)
        self.maybe_certain |= c.certain
        if sure:
            self.surely_head, self.surely_tail = min(self.surely_head, c.head.hi), min(self.surely_tail, c.tail.hi)
            self.sure, self.sure_certain = True, self.sure_certain or c.certain

    def term(self, servers: Interval) -> Interval:
        """Least head + load / servers + least tail over all cases in which the member counts; 0 where it may not."""
        share = divide(self.load, servers)
        # Without a sure contribution, some possible one must be made if the member is met at all.
        head = Interval(self.least_head, self.surely_head if self.sure else self.maybe_head)
        tail = Interval(self.least_tail, self.surely_tail if self.sure else self.maybe_tail)
        whole = add(add(head, share), tail)
        low = whole.lo if self.sure_certain or self.load.lo > 0 else 0
        return Interval(low, whole.hi if self.maybe_certain or self.load.hi > 0 else 0)


class Scatter:
    """Runs over the binders of one load."""

    def __init__(self, plan: Enclosure, load: Load) -> None:
        self.load = load
        self.loops: list[tuple[NodeId, NodeId, NodeId, list[Step]]] = []
        seen: tuple[NodeId, ...] = ()
        for index, low, high in load.binders:
            self.loops.append((index, low, high, plan.inner(seen, [low, high]) if seen else []))
            seen = (*seen, index)
        self.steps = plan.inner(seen, [*load.subscripts, load.load, load.head, load.tail]) if seen else []

    def into(
        self, found: list[Contribution], values: list[Any], environment: IntervalEnvironment, depth: int, sure: bool
    ) -> None:
        """Append what this load contributes, from the given binder on."""
        if depth < len(self.loops):
            index, low, high, steps = self.loops[depth]
            for step in steps:
                step(values, environment)
            possible, surely = ranges(values[low], values[high])
            for i in possible:
                values[index] = Interval(i, i)
                self.into(found, values, environment, depth + 1, sure and i in surely)
            return
        for step in self.steps:
            step(values, environment)
        load, where = self.load, tuple([values[s] for s in self.load.subscripts])
        parts = (values[load.load], values[load.head], values[load.tail])
        found.append(Contribution(where, sure, *parts, load.certain))


class Uses:
    """The contributions of some loads by member: those that are known, and the wide ones."""

    def __init__(self, scatters: list[Scatter], values: list[Any], environment: IntervalEnvironment) -> None:
        found: list[Contribution] = []
        for scatter in scatters:
            # a load may bind a variable that a loop around it has bound as well, and that other loads depend on
            scatter.into(found, values.copy() if scatter.loops else values, environment, 0, True)
        self.everything = found
        self.wide = [c for c in found if not c.is_point]
        self.members: dict[Member, Use] = {}
        for c in found:
            if c.is_point:
                member = tuple([x.lo for x in c.where])
                self.members.setdefault(member, Use()).meet(c, c.sure)
        for member, use in self.members.items():
            for c in self.wide:
                if within(member, c.where):
                    use.meet(c, False)

    def of(self, member: Member) -> Use:
        """What is known of any member, met or not."""
        if member in self.members:
            return self.members[member]
        use = Use()
        for c in self.wide:
            if within(member, c.where):
                use.meet(c, False)
        return use

    def pooled(self) -> tuple[Box, Use] | None:
        """One member that stands for all that only wide contributions meet, and where these lie."""
        if not self.wide:
            return None
        use = Use()
        for c in self.wide:
            use.meet(c, False)
        return tuple(hull(*xs) for xs in zip(*(c.where for c in self.wide), strict=True)), use

    def most_load(self, box: Box) -> Interval:
        """0 to a load that no member within the box exceeds."""
        wide = sum_of_highs(c for c in self.wide if meets(c.where, box))
        known = [u.load.hi for m, u in self.members.items() if within(m, box)]
        return Interval(0, max([wide, *known]))


def sum_of_highs(contributions: Any) -> Number:
    """The greatest total load of contributions that may all be made."""
    total = ZERO
    for c in contributions:
        total = add(total, Interval(0, max(0, c.load.hi)))
    return total.hi


def within(member: Member, box: Box) -> bool:
    """Whether a member's subscripts lie in the ranges."""
    return all(x.lo <= m <= x.hi for m, x in zip(member, box, strict=True))


def meets(one: Box, other: Box) -> bool:
    """Whether two boxes of subscripts have a point in common."""
    return all(a.lo <= b.hi and b.lo <= a.hi for a, b in zip(one, other, strict=True))


def _counter(plan: Enclosure, members: tuple[NodeId, ...], servers: NodeId) -> Count:
    steps = plan.inner(members, [servers]) if members else []

    def count(where: Box, values: list[Any], environment: IntervalEnvironment) -> Interval:
        for variable, value in zip(members, where, strict=True):
            values[variable] = value
        for step in steps:
            step(values, environment)
        found: Interval = values[servers]
        return found

    return count


def _point(member: Member) -> Box:
    return tuple(Interval(m, m) for m in member)


def peak(plan: Enclosure, node: NodeId, loads: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId) -> Step:
    """The step of a `Peak`."""
    scatters = [Scatter(plan, load) for load in loads]
    count = _counter(plan, members, servers)

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        uses = Uses(scatters, values, environment)
        terms = [u.term(count(_point(m), values, environment)) for m, u in uses.members.items()]
        pool = uses.pooled()
        if pool is not None:
            terms += [pool[1].term(count(pool[0], values, environment)), _some_member(uses, count, values, environment)]
        values[node] = Interval(max([0, *(t.lo for t in terms)]), max([0, *(t.hi for t in terms)]))

    return run


def _some_member(uses: Uses, count: Count, values: list[Any], environment: IntervalEnvironment) -> Interval:
    """A number that the peak reaches, because each sure wide contribution meets some member; as both ends."""
    if any(c.load.lo < 0 for c in uses.everything):
        return ZERO
    head, tail = (min(ends) for ends in zip(*((c.head.lo, c.tail.lo) for c in uses.everything), strict=True))
    best: Number = 0
    for c in uses.wide:
        if c.sure and (c.certain or c.load.lo > 0):
            share = divide(c.load, count(c.where, values, environment))
            best = max(best, add(add(Interval(head, head), share), Interval(tail, tail)).lo)
    return Interval(best, best)


def interference(
    plan: Enclosure,
    node: NodeId,
    own: tuple[Load, ...],
    total: tuple[Load, ...],
    members: tuple[NodeId, ...],
    servers: NodeId,
) -> Step:
    """The step of an `Interference`."""
    mine, everyone = [Scatter(plan, load) for load in own], [Scatter(plan, load) for load in total]
    count = _counter(plan, members, servers)

    def run(values: list[Any], environment: IntervalEnvironment) -> None:
        ours, all_ = Uses(mine, values, environment), Uses(everyone, values, environment)
        extra = ZERO
        for member, use in ours.members.items():
            others = _positive(add(all_.of(member).load, negate(use.load)))
            term = divide(others, count(_point(member), values, environment))
            extra = add(extra, term if use.sure else Interval(0, term.hi))
        below = sum((min(0, c.load.lo) for c in ours.everything), 0)
        for c in ours.wide:
            most = add(all_.most_load(c.where), Interval(0, -below))
            term = divide(most, count(c.where, values, environment))
            extra = add(extra, Interval(0, term.hi))
        values[node] = extra

    return run


def _positive(x: Interval) -> Interval:
    return Interval(max(0, x.lo), max(0, x.hi))
