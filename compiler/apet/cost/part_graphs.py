"""The costs of a task graph whose parts wait for others by name.

What is series-parallel in its order costs what `;` and `||` cost; the rest, a prime part of the order, is a graph of
parts v with times t, lower bounds LB, upper bounds UB, and loads L_r on resources r of m_r servers.

T0 is the longest path over t.

Lower bound. Parts on a path do not overlap, so the longest path over LB is a bound; so is, of any set S of parts and
any resource r that they use, least head + sum of L_r over S / m_r + least tail. The head of a part is the longest
path of LB that leads to it, and its own head: earlier it cannot hold r. Its tail likewise. Between the least head and
the least tail the servers of r work off the load of S (J. Carlier and E. Pinson, Management Science 35(2), 1989, for
one machine). S is the whole graph, and in graphs that are not too large what comes before or behind each part, so
that phases that follow each other do not lend each other idle time.

Upper bound, for every schedule that leaves no server idle while work for it waits. Each part begins when the last of
its predecessors ends. So from the part that ends last one gets back to the beginning along a path of parts, each of
which begins when the one before it ends: the time is the sum of their durations. While part v of the path is under way,
all other parts that are under way are none that v waits for or that wait for v. As for `||` (R. L. Graham, SIAM J.
Appl. Math. 17, 1969), v takes at most UB(v) and the time for which all servers of a resource that it uses work for
these others. What others have on r is worked off at the rate of its servers, and only once: over the whole path they
delay by at most the sum of L_r / m_r over the parts that are off the path and not ordered with a part of the path that
uses r. The bound is the greatest over all paths; where there are too many, the lesser of two that are not below it.
Each part of the path is delayed by all that it is not ordered with, so that a load may count for several parts. Or the
path is delayed by all load that is contended but its own: the sum of L_r / m_r over those who may wait for r, plus the
longest path in which v takes UB(v) less its own L_r(v) / m_r. On one pool of m servers with work W that is W / m plus
the longest path over t (1 - 1 / m), Graham's bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from apet.cost.composition import Composition
from apet.cost.cost import Cost
from apet.cost.interference import interference, total_load, totals
from apet.cost.joins import Joins, Values
from apet.cost.loads import Demand, Demands, added
from apet.cost.peaks import all_apart, peak
from apet.cost.sequences import raised_demands
from apet.cost.serial import node_of, sum_of
from apet.formula.graph.nodes import NodeId, Rational
from apet.ground.records import NamedTuple
from apet.model.precedence import AtOnce, InSeries, Order

MOST_PATHS = 64
"""Paths that are bounded one by one."""
MOST_SECTIONS = 48
"""Parts of a graph in which what lies before and behind each of them is bounded by itself."""
LEAST_SAMPLED = 64
"""Parts of a graph from which on values are looked at before proofs are tried."""
MOST_RIVALS = 256
"""Users of one resource of which each is delayed by those that it is not ordered with; more are taken together."""

Member = tuple[str, tuple[NodeId, ...] | None]
"""A member of a family; the family as a whole where its members cannot be told apart."""


def graph_cost(composition: Composition, order: Order, parts: Sequence[Cost]) -> Cost:
    """The costs of parts in an order; heads and tails with them."""
    if isinstance(order, int):
        return parts[order]
    costs = [graph_cost(composition, inner, parts) for inner in order.parts]
    if isinstance(order, InSeries):
        return composition.sequence(costs, True)
    if isinstance(order, AtOnce):
        return composition.parallel(costs)
    return _PrimeCosts(composition, costs, order.after).cost()


class Spans(NamedTuple):
    """When each part begins and ends on the longest path to it, and the longest path of all."""

    begins: list[NodeId]
    ends: list[NodeId]
    longest: NodeId


class _PrimeCosts:
    """Composes the costs of parts in an order that is not series-parallel; `after` as in `Prime`."""

    def __init__(self, composition: Composition, costs: list[Cost], after: tuple[tuple[int, ...], ...]) -> None:
        self.composition, self.graph, self.servers = composition, composition.graph, composition.servers
        self.costs, self.after = costs, after
        self.behind: list[list[int]] = [[] for _ in costs]
        for part, before in enumerate(after):
            for one in before:
                self.behind[one].append(part)
        self.earlier = _reached(after, range(len(costs)))
        self.later = _reached(self.behind, range(len(costs) - 1, -1, -1))
        self.demands = composition.merged(c.demands for c in costs)
        self._known: dict[tuple[tuple[NodeId, ...], bool], Spans] = {}

    def cost(self) -> Cost:
        """The costs of the whole."""
        placed = self._placed()
        times = self._longest([c.t0 for c in self.costs]), self._lower(placed), self._upper()
        return self.composition.together(self.costs, self.composition.merged(placed), *times)

    # Paths

    def _spans(self, times: Sequence[NodeId], backwards: bool = False) -> Spans:
        """When each part begins and ends; `backwards` counts from the end of the graph. Times are often equal."""
        key = (tuple(times), backwards)
        if key not in self._known:
            self._known[key] = self._spans_of(times, backwards)
        return self._known[key]

    def _spans_of(self, times: Sequence[NodeId], backwards: bool) -> Spans:
        g, joins, lengths = self.graph, Joins(self.graph), None
        before, behind = (self.behind, self.after) if backwards else (self.after, self.behind)
        if len(times) >= LEAST_SAMPLED:
            lengths = joins.of(times)
        begins, ends, values = [g.zero] * len(times), [g.zero] * len(times), list[Values]([()] * len(times))

        def last(parts: Iterable[int]) -> NodeId:
            if lengths is None:
                return g.maximum([ends[one] for one in parts])
            return joins.greatest({ends[one]: values[one] for one in parts})

        for part in range(len(times) - 1, -1, -1) if backwards else range(len(times)):
            if before[part]:
                begins[part] = last(before[part])
            ends[part] = added(g, (times[part], begins[part]))
            if lengths is not None:
                latest = [max(row) for row in zip(*(values[one] for one in before[part]), strict=True)]
                values[part] = tuple(map(sum, zip(lengths[part], latest, strict=True))) if latest else lengths[part]
        return Spans(begins, ends, last([part for part, later in enumerate(behind) if not later]))

    def _longest(self, times: Sequence[NodeId]) -> NodeId:
        """The longest path."""
        return self._spans(times).longest

    def _paths(self) -> list[list[int]] | None:
        """All paths from a part without predecessors to one without successors; None where there are too many."""
        counts = [1] * len(self.costs)
        for part, before in enumerate(self.after):
            counts[part] = min(sum(counts[one] for one in before), MOST_PATHS + 1) if before else 1
        if sum(c for c, behind in zip(counts, self.behind, strict=True) if not behind) > MOST_PATHS:
            return None

        paths, growing = list[list[int]](), [[k] for k, behind in enumerate(self.behind) if not behind]
        while growing:
            path = growing.pop()
            before = self.after[path[-1]]
            growing += [[*path, one] for one in before]
            paths += [] if before else [path]
        return paths

    # Lower bound

    def _placed(self) -> list[Demands]:
        """The demands of the parts with their heads and tails counted from the ends of the graph."""
        g, members = self.graph, self.composition.members
        times = [c.lower for c in self.costs]
        sides = [self._spans(times, backwards).begins for backwards in (False, True)]
        height = max(g.height[n] for side in sides for n in side)

        placed = []
        for cost, head, tail in zip(self.costs, *sides, strict=True):
            demands = raised_demands(g, members, cost.demands, height)
            placed.append({f: [self._moved(d, head, tail) for d in loads] for f, loads in demands.items()})
        return placed

    def _moved(self, demand: Demand, head: NodeId, tail: NodeId) -> Demand:
        g = self.graph
        return demand._replace(head=added(g, (head, demand.head)), tail=added(g, (tail, demand.tail)))

    def _lower(self, placed: list[Demands]) -> NodeId:
        path = self._longest([c.lower for c in self.costs])
        return self.graph.maximum([path, *(p for s in self._sections() for p in self._peaks([placed[k] for k in s]))])

    def _sections(self) -> list[tuple[int, ...]]:
        """Sets of parts whose loads are bounded together."""
        everything = tuple(range(len(self.costs)))
        sets = {everything: None}
        if len(everything) <= MOST_SECTIONS:
            for side in (self.earlier, self.later):
                for part in everything:
                    there = side[part] | 1 << part
                    sets[tuple(k for k in everything if there >> k & 1)] = None
        return [s for s in sets if len(s) > 1]

    def _peaks(self, parts: list[Demands]) -> Iterator[NodeId]:
        """Head, load and tail of what several of these parts use."""
        families = dict.fromkeys(f for p in parts for f in p)
        merged = self.composition.merged(parts)
        for family in families:
            if sum(family in p for p in parts) > 1:
                contended = self.composition.contended(family, merged[family], parts)
                yield peak(self.graph, self.servers, family, contended, "lower")

    # Upper bound

    def _upper(self) -> NodeId:
        g, costs = self.graph, self.costs
        waits = frozenset[str]().union(*(c.hold_and_wait for c in costs))
        serial = node_of(g, sum_of(c.serial for c in costs))
        if waits:
            return self._upper_of_holders(waits, serial)

        paths = self._paths()
        if paths is not None:
            upper = g.maximum([self._path_bound(path) for path in paths])
        else:
            upper = self._delayed([c.upper for c in costs], frozenset())
        return upper if all(c.disjoint_loads for c in costs) else g.minimum([upper, serial])

    def _upper_of_holders(self, waits: frozenset[str], serial: NodeId) -> NodeId:
        """The bound where resources are held while others are waited for, as for `||`.

        Whenever no part of the path runs, it waits for a resource without such links, as usual, or for one in `waits`:
        at the end of that chain somebody runs on one of these, at most as long as all load on them. Parts that meet
        nobody on their resources are undisturbed.
        """
        g, costs = self.graph, self.costs
        chains = self._delayed([node_of(g, c.serial) for c in costs], waits)
        loads = (total_load(g, d) for f in sorted(waits) for d in self.demands.get(f, ()))
        bound = g.minimum([added(g, (chains, *loads)), serial])
        contested = added(g, (self._load(member, parts) for member, parts in self._contested.items()))
        disturbed = g.compare("<", g.zero, contested)
        return g.maximum([self._longest([c.upper for c in costs]), g.times(disturbed, bound)])

    def _delayed(self, times: Sequence[NodeId], excluded: frozenset[str]) -> NodeId:
        """The longest path of parts that take so long but for what others delay them on members of other families.

        The lesser of two bounds: by all members alike, or by what is not ordered with each part where that is found.
        """
        contested = [m for m in self._contested if m[0] not in excluded]
        near = [m for m in contested if len(self._users[m]) <= MOST_RIVALS]
        bounds = [self._path_beside(times, contested, ())]
        if near:
            bounds.append(self._path_beside(times, [m for m in contested if m not in near], near))
        return self.graph.minimum(bounds)

    def _path_beside(self, times: Sequence[NodeId], shared: Sequence[Member], near: Sequence[Member]) -> NodeId:
        """The longest path, delayed by all load on some members that is not its own, and on those `near` by part."""
        g = self.graph
        terms: list[list[tuple[NodeId, Rational]]] = [[(time, 1)] for time in times]
        for member in shared:
            for part in self._contested[member]:
                terms[part].append((self._load(member, [part]), -1))
        for member in near:
            for part in self._contested[member]:
                terms[part].append((self._delay(member, [part], self._rivals(member, part)), 1))
        path = self._longest([g.add(parts) for parts in terms])
        return added(g, (path, *(self._load(member, self._contested[member]) for member in shared)))

    @cached_property
    def _users(self) -> dict[Member, dict[int, list[Demand]]]:
        """Of each member that several parts use, the parts with their demands on it."""
        users: dict[Member, dict[int, list[Demand]]] = {}
        for family, merged in self.demands.items():
            apart = not any(d.binders for d in merged) and all_apart(self.graph, merged)
            for part, cost in enumerate(self.costs):
                for demand in cost.demands.get(family, ()):
                    member = (family, demand.subscripts if apart else None)
                    users.setdefault(member, {}).setdefault(part, []).append(demand)
        return {member: parts for member, parts in users.items() if len(parts) > 1}

    def _apart(self, one: int, other: int) -> bool:
        """Whether neither of two parts comes before the other."""
        return not self._ordered(one) >> other & 1

    def _delay(self, member: Member, own: Iterable[int], rivals: Sequence[int]) -> NodeId:
        """How long rivals keep some parts waiting for a member."""
        g, users = self.graph, self._users[member]
        if not rivals:
            return g.zero
        family, subscripts = member
        if subscripts is not None:
            return self.servers.share(added(g, (d.upper for k in rivals for d in users[k])), family, subscripts)
        mine = self.composition.merged({family: users[k]} for k in own)
        everyone = self.composition.merged([mine, *({family: users[k]} for k in rivals)])
        return interference(g, self.servers, mine, totals(g, [family], everyone))

    @cached_property
    def _contested(self) -> dict[Member, list[int]]:
        """Of each member that two parts may want at once, all parts that may have to wait for another."""
        contested = {m: [k for k in users if self._masks[m] & ~self._ordered(k)] for m, users in self._users.items()}
        return {member: parts for member, parts in contested.items() if parts}

    def _rivals(self, member: Member, part: int) -> list[int]:
        """The users of a member that a part is not ordered with."""
        ordered = self._ordered(part)
        return [k for k in self._users[member] if not ordered >> k & 1]

    def _ordered(self, part: int) -> int:
        """A bit for each part that comes before or behind a part, and for itself."""
        return self.earlier[part] | self.later[part] | 1 << part

    @cached_property
    def _masks(self) -> dict[Member, int]:
        """A bit for each user of a member."""
        return {member: sum(1 << k for k in users) for member, users in self._users.items()}

    def _load(self, member: Member, parts: Iterable[int]) -> NodeId:
        """What parts load on a member, by its servers; on a family whose members are not told apart, all of it."""
        family, subscripts = member
        load = added(self.graph, (total_load(self.graph, d) for k in parts for d in self._users[member][k]))
        return load if subscripts is None else self.servers.share(load, family, subscripts)

    def _path_bound(self, path: list[int]) -> NodeId:
        """How long the parts of a path take together at the most."""
        terms = [self.costs[k].upper for k in path]
        for member, users in self._users.items():
            own = [k for k in path if k in users]
            rivals = [k for k in users if k not in path and any(self._apart(k, j) for j in own)]
            terms.append(self._delay(member, own, rivals))
        return added(self.graph, terms)


def _reached(neighbours: Sequence[Sequence[int]], order: Iterable[int]) -> list[int]:
    """Per part, a bit for each part that leads to it over its neighbours; `order` has these first."""
    reached = [0] * len(neighbours)
    for part in order:
        for one in neighbours[part]:
            reached[part] |= reached[one] | 1 << one
    return reached
