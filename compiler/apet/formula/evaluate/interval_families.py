"""Enclosures of `Peak` and `Interference`: which members of a family are held, for how long, given intervals.

A contribution is sure if every value in the intervals makes it, else possible; it may be known which member it meets,
or only within which ranges its subscripts lie ("wide"). The high end counts everything that may meet a member, the low
end what surely does. Loads are taken to be what they mean: `own` of an Interference is part of `all`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from apet.formula.evaluate.arithmetic import Member, Values
from apet.formula.evaluate.rounding import ZERO, add, divide, hull, negate
from apet.formula.graph.nodes import Load
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple

Box = tuple[Interval, ...]
Servers = Callable[[Box], Interval]
"""The number of servers of the members within some ranges."""


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


def surely_within(i: Number, low: Interval, high: Interval) -> bool:
    """Whether an integer lies in a range whatever the values of its ends are, given that it may."""
    return (low.lo == low.hi and high.lo == high.hi) or low.hi <= i <= high.lo


def _contribution(load: Load, values: Values) -> Contribution:
    where = tuple([values[s] for s in load.subscripts])
    sure = all(surely_within(values[b.index].lo, values[b.low], values[b.high]) for b in load.binders)
    return Contribution(where, sure, values[load.load], values[load.head], values[load.tail], load.certain)


class MemberUse:
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


class MemberUses:
    """The contributions of some loads by member: those that are known, and the wide ones."""

    def __init__(self, leaves: Iterable[tuple[Load, Values]]) -> None:
        self.everything = [_contribution(load, values) for load, values in leaves]
        self.wide = [c for c in self.everything if not c.is_point]
        self.members: dict[Member, MemberUse] = {}
        for c in self.everything:
            if c.is_point:
                member = tuple([x.lo for x in c.where])
                self.members.setdefault(member, MemberUse()).meet(c, c.sure)
        for member, use in self.members.items():
            for c in self.wide:
                if within(member, c.where):
                    use.meet(c, False)

    def of(self, member: Member) -> MemberUse:
        """What is known of any member, met or not."""
        if member in self.members:
            return self.members[member]
        use = MemberUse()
        for c in self.wide:
            if within(member, c.where):
                use.meet(c, False)
        return use

    def pooled(self) -> tuple[Box, MemberUse] | None:
        """One member that stands for all that only wide contributions meet, and where these lie."""
        if not self.wide:
            return None
        use = MemberUse()
        for c in self.wide:
            use.meet(c, False)
        return tuple(hull(*xs) for xs in zip(*(c.where for c in self.wide), strict=True)), use

    def most_load(self, box: Box) -> Interval:
        """0 to a load that no member within the box exceeds."""
        wide = sum_of_highs(c for c in self.wide if meets(c.where, box))
        highs = [u.load.hi for m, u in self.members.items() if within(m, box)]
        return Interval(0, max([wide, *highs]))


def sum_of_highs(contributions: Iterable[Contribution]) -> Number:
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


def _point(member: Member) -> Box:
    return tuple(Interval(m, m) for m in member)


def peak(uses: MemberUses, servers: Servers) -> Interval:
    """All values of a `Peak`."""
    terms = [use.term(servers(_point(member))) for member, use in uses.members.items()]
    pool = uses.pooled()
    if pool is not None:
        where, use = pool
        terms += [use.term(servers(where)), _some_member(uses, servers)]
    return Interval(max([0, *(t.lo for t in terms)]), max([0, *(t.hi for t in terms)]))


def _some_member(uses: MemberUses, servers: Servers) -> Interval:
    """A number that the peak reaches, because each sure wide contribution meets some member; as both ends."""
    if any(c.load.lo < 0 for c in uses.everything):
        return ZERO
    head, tail = (min(ends) for ends in zip(*((c.head.lo, c.tail.lo) for c in uses.everything), strict=True))

    best: Number = 0
    for c in uses.wide:
        if c.sure and (c.certain or c.load.lo > 0):
            share = divide(c.load, servers(c.where))
            best = max(best, add(add(Interval(head, head), share), Interval(tail, tail)).lo)
    return Interval(best, best)


def interference(own: MemberUses, everyone: MemberUses, servers: Servers) -> Interval:
    """All values of an `Interference`."""
    extra = ZERO
    for member, use in own.members.items():
        others = _positive(add(everyone.of(member).load, negate(use.load)))
        term = divide(others, servers(_point(member)))
        extra = add(extra, term if use.sure else Interval(0, term.hi))

    below = sum((min(0, c.load.lo) for c in own.everything), 0)
    for c in own.wide:
        most = add(everyone.most_load(c.where), Interval(0, -below))
        term = divide(most, servers(c.where))
        extra = add(extra, Interval(0, term.hi))
    return extra


def _positive(x: Interval) -> Interval:
    return Interval(max(0, x.lo), max(0, x.hi))
