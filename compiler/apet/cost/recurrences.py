"""Members of a part that wait for members of the same part at constant distances: `cell[i, j]` after `cell[i - 1, j]`.

Neighbour synchronisation without barriers: stencils, wavefronts, pipelines of blocks. The time without contention is
the longest path through a box of members (a uniform recurrence; R. M. Karp, R. E. Miller and S. Winograd, J. ACM 14(3),
1967). With times t and n(k) values of index k:

| distances | longest path |
|---|---|
| one unit, (0, …, -1, …, 0) | in order along that index, at once over the others: `seq` in `par` |
| units of several indices | t depends on index j alone: sum of t + max t times (sum of n(k) - 1 over the others) |
| all one step or more back along index k | n(k) max t, if a unit is along k and t does not depend on k |

The second is a path with a member for each value of j; every other of its steps may be taken where t is greatest. Of n
blocks through m equal stages it is (n + m - 1) t. In the third each step has one member of the path, at most; staying
where t is greatest gives as many.

Elsewhere the sum along one index is a path, and no path has more members, or dearer ones, than the formulas above with
the greatest t: these are the two bounds, and T0 is the lower one.

Upper bound under contention: as for any graph (`part_graphs`) the time is that of a path of members, each of which is
delayed by what is not ordered with it. Members of which each uses its own member of a resource (its number tells their
indices), or that use one in the order of a unit distance, do not delay each other; else the whole load of the resource
is counted once, and members of the path without their own part of it. Where resources are held while others are waited
for, members count with their serial time, and all load on such resources is added.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.cost.composition import Composition
from apet.cost.cost import Cost
from apet.cost.interference import total_load
from apet.cost.loads import Demand, added
from apet.cost.serial import node_of
from apet.formula.algebra.polynomial import expand
from apet.formula.algebra.reduction import max_over, substitute, sum_over
from apet.formula.graph.nodes import Binder, NodeId
from apet.ground.records import NamedTuple

Distance = tuple[int, ...]


class PathTime(NamedTuple):
    """The longest path through the members, at the least and at the most."""

    least: NodeId
    most: NodeId


class RecurrenceCost(NamedTuple):
    """`cost`; `is_path`: T0 is the longest path; `exact`: so are the bounds, as members delay each other nowhere."""

    cost: Cost
    is_path: bool
    exact: bool


class Recurrence:
    """The costs of a box of members with costs `body`, where each waits for those at `distances` from it.

    Raises ValueError, with the reason, where members may wait for each other in a circle, or ranges are no box.
    """

    def __init__(
        self, composition: Composition, body: Cost, box: Sequence[Binder], distances: Sequence[Distance]
    ) -> None:
        self.composition, self.graph = composition, composition.graph
        self.body, self.box = body, tuple(box)
        self.forward = [any(d[k] < 0 for d in distances) for k in range(len(box))]
        turned = [not f and any(d[k] > 0 for d in distances) for k, f in enumerate(self.forward)]
        self.turned = any(turned)
        self.distances = [tuple(-s if t else s for s, t in zip(d, turned, strict=True)) for d in distances]
        self.units = [k for k in range(len(box)) if self._unit(k) in self.distances]
        if not all(next((s for s in d if s), 0) < 0 for d in self.distances):
            raise ValueError("members wait for members before them and behind them")

    def _unit(self, dimension: int) -> Distance:
        return tuple(-(k == dimension) for k in range(len(self.box)))

    @property
    def is_monotone(self) -> bool:
        """Whether all distances lead back along indices that have a unit distance."""
        units = set(self.units)
        return all(s == 0 or (s < 0 and k in units) for d in self.distances for k, s in enumerate(d))

    def cost(self, ends: bool) -> RecurrenceCost:
        """The costs of all members; without heads and tails where these are not needed."""
        if self.is_monotone and len(self.units) == 1 and not self._depends_on(self.units[0]):
            return RecurrenceCost(self._in_order(ends), True, True)
        if any(self._depends_on(k) for k in range(len(self.box))):
            raise ValueError("the ends of one range depend on the index of another")
        return self._by_paths()

    def _depends_on(self, dimension: int) -> bool:
        """Whether other ranges depend on an index."""
        index, free = self.box[dimension].index, self.graph.free
        return any(index in free[d.low] | free[d.high] for d in self.box)

    def _in_order(self, ends: bool) -> Cost:
        """In order along the one unit distance, at once over the other indices."""
        chain = self.units[0]
        cost = self._loop("seq", self.body, self.box[chain], ends and not self.turned)
        for k in range(len(self.box) - 1, -1, -1):
            if k != chain:
                cost = self._loop("par", cost, self.box[k], ends)
        return cost

    def _loop(self, kind: str, body: Cost, dimension: Binder, ends: bool) -> Cost:
        return self.composition.loop(kind, dimension.index, dimension.low, dimension.high, body, ends)

    def _by_paths(self) -> RecurrenceCost:
        """The costs by the bounds of the longest path."""
        g, everything = self.graph, self.body
        for dimension in reversed(self.box):
            everything = self._loop("par", everything, dimension, True)
        t0, lower, upper = (self._path(t) for t in (self.body.t0, self.body.lower, self.body.upper))
        families = [f for f, d in self.body.demands.items() if not (len(d) == 1 and self._is_ordered(d[0]))]
        if not families:
            # what uses one resource lies on one path, so that heads, loads and tails are no more than that
            cost = everything._replace(t0=t0.least, lower=lower.least, upper=upper.most)
            return RecurrenceCost(cost, t0.least == t0.most, lower.least == lower.most)

        waits, contended = everything.hold_and_wait, {f: self._load(f, everything.demands[f]) for f in families}
        if waits:
            path = self._path(node_of(g, self.body.serial)).most
            for family in waits.intersection(everything.demands):
                contended[family] = added(g, (total_load(g, d) for d in everything.demands[family]))
        else:
            own = added(g, (self._load(f, self.body.demands[f]) for f in families))
            path = self._path(g.maximum([g.zero, g.minus(self.body.upper, own)])).most
        most = g.minimum([added(g, (path, *contended.values())), node_of(g, everything.serial)])
        cost = everything._replace(t0=t0.least, lower=g.maximum([lower.least, everything.lower]), upper=most)
        return RecurrenceCost(cost, t0.least == t0.most, False)

    # Longest paths

    def _path(self, time: NodeId) -> PathTime:
        """The longest path where a member takes this time."""
        dependent = [k for k, d in enumerate(self.box) if d.index in self.graph.free[time]]
        strict = [k for k in range(len(self.box)) if all(d[k] < 0 for d in self.distances)]
        if self.is_monotone:
            return self._monotone(time, dependent)
        if strict:
            return self._level(time, dependent, strict[0])
        return PathTime(self._longest_chain(time), self._sum_of(time, range(len(self.box))))

    def _monotone(self, time: NodeId, dependent: Sequence[int]) -> PathTime:
        """Paths along several unit distances."""
        g, along = self.graph, [k for k in dependent if k in self.units]
        rest = [k for k in range(len(self.box)) if k not in along]
        if len(along) <= 1:
            steps = g.plus(*(g.shift(self._count(k), -1) for k in rest if k in self.units))
            greatest = self._max_of(time, along)
            through = self._sum_of(time, along) if along else greatest
            longest = self._max_of(g.plus(through, g.times(steps, greatest)), rest)
            return PathTime(longest, longest)
        counts = [self._count(k) for k in self.units]
        members = g.shift(g.plus(*counts), 1 - len(counts))
        return PathTime(self._longest_chain(time), g.times(members, self._max_of(time, range(len(self.box)))))

    def _level(self, time: NodeId, dependent: Sequence[int], level: int) -> PathTime:
        """Paths of which each step leads back along one index."""
        others = [k for k in range(len(self.box)) if k != level]
        most = self._sum_of(self._max_of(time, others), [level])
        if level not in self.units:
            return PathTime(self._max_of(time, range(len(self.box))), most)
        return PathTime(self._max_of(self._sum_of(time, [level]), others) if level in dependent else most, most)

    def _longest_chain(self, time: NodeId) -> NodeId:
        """The greatest sum along one of the unit distances."""
        everything = range(len(self.box))
        chains = [self._max_of(self._sum_of(time, [k]), [o for o in everything if o != k]) for k in self.units]
        return self.graph.maximum(chains or [self._max_of(time, everything)])

    def _count(self, dimension: int) -> NodeId:
        g = self.graph
        return g.shift(g.minus(self.box[dimension].high, self.box[dimension].low), 1)

    def _sum_of(self, node: NodeId, dimensions: Sequence[int]) -> NodeId:
        for k in reversed(dimensions):
            index, low, high = self.box[k]
            node = sum_over(self.graph, index, low, high, node)
        return node

    def _max_of(self, node: NodeId, dimensions: Sequence[int]) -> NodeId:
        """The greatest over some ranges; 0 where one of them is empty."""
        g = self.graph
        for k in reversed(dimensions):
            index, low, high = self.box[k]
            if index in g.free[node]:
                node = max_over(g, index, low, high, node)
            else:
                node = g.times(g.compare("<=", low, high), node)
        return node

    # Contention

    def _load(self, family: str, demands: Sequence[Demand]) -> NodeId:
        """A load on a resource by its servers; on several members of a family all of it."""
        share, loads = self.composition.servers.share, [(total_load(self.graph, d), d) for d in demands]
        return added(self.graph, (n if d.binders else share(n, family, d.subscripts) for n, d in loads))

    def _is_ordered(self, demand: Demand) -> bool:
        """Whether members that use one resource are ordered: they differ in one index of unit distance, or none."""
        fixed = set[int]()
        if demand.binders:
            return False
        for subscript in demand.subscripts:
            fixed |= self._fixed_by(subscript)
        left = [k for k in range(len(self.box)) if k not in fixed]
        return not left or (len(left) == 1 and left[0] in self.units)

    def _fixed_by(self, subscript: NodeId) -> set[int]:
        """The indices that are told from the value of a subscript, as digits are from a number.

        In `(i - 1) n + j` with j from 1 to n a step of i is more than all of j together. Steps are whole numbers of
        constant size; they are looked at from the least on.
        """
        g = self.graph
        used = [k for k, d in enumerate(self.box) if d.index in g.free[subscript]]
        steps = {}
        for k in used:
            index = self.box[k].index
            steps[k] = expand(g, g.minus(substitute(g, subscript, {index: g.shift(index, 1)}), subscript))
            if not g.integral[steps[k]] or any(d.index in g.free[steps[k]] for d in self.box):
                return set()

        reach, left = g.zero, set(used)
        while left:
            sizes = ((k, size) for k in left for size in (steps[k], g.scale(steps[k], -1)))
            greater = (s for s in sizes if g.nonnegative(expand(g, g.shift(g.minus(s[1], reach), -1))))
            k, size = next(greater, (-1, reach))
            if k < 0:
                return set()
            left.remove(k)
            reach = g.plus(reach, g.times(size, g.shift(self._count(k), -1)))
        return set(used)
