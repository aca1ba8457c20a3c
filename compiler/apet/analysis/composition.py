"""How the costs of parts make those of `;`, `||`, `seq`, `par` and `if`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from apet.analysis.closing import close, summation
from apet.analysis.cost import Cost, Requirement, requirements_of
from apet.analysis.interference import Totals, interference, total_load, totals
from apet.analysis.loads import Demand, Demands, Loop, Members, merged
from apet.analysis.peaks import Servers, peak
from apet.analysis.sequences import placed
from apet.formula.graph import Graph
from apet.formula.nodes import NodeId
from apet.formula.reduction import max_over, min_over, sum_over
from apet.formula.substitution import substitute

HALF = Fraction(1, 2)


class Composition:
    """Composes costs in one graph; `servers` gives the servers of resources, `mode` says how branches are weighed."""

    def __init__(self, graph: Graph, servers: Servers, mode: str) -> None:
        self.graph = graph
        self.servers = servers
        self.mode = mode
        self.members = Members(graph)
        z = graph.zero
        self.nothing = Cost(z, z, z, z, {}, frozenset(), ())

    def merged(self, parts: Iterable[Demands]) -> Demands:
        """The demands of all parts, those on the same members made one."""
        found: Demands = {}
        for part in parts:
            for family, demands in part.items():
                found.setdefault(family, []).extend(demands)
        return {f: merged(self.graph, self.members, f, d) for f, d in found.items()}

    def sequence(self, parts: list[Cost]) -> Cost:
        """`a; b; …`"""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.nothing
        g = self.graph
        demands = self.merged(p.demands for p in placed(g, self.members, parts))
        return Cost(
            g.plus(*(p.t0 for p in parts)),
            g.plus(*(p.lower for p in parts)),
            g.plus(*(p.upper for p in parts)),
            g.plus(*(p.serial for p in parts)),
            demands,
            frozenset().union(*(p.waits for p in parts)),
            requirements_of(parts),
        )

    def parallel(self, parts: list[Cost]) -> Cost:
        """`a || b || …`

        Lower bound: each branch alone takes its own; and no branch holds a resource before the least head has passed,
        its servers need total load / servers from then on, and whoever releases last has at least the least tail to go.
        These three spans do not overlap, so their sum is a lower bound as well.

        Upper bound (after R. L. Graham, SIAM J. Appl. Math. 17, 1969): follow the branch that ends last. Whenever it
        does not run it waits for a resource all of whose servers work, for its own parts (counted in its bound) or for
        others. The others work off their load on that resource at the rate of its servers, so they delay the branch by
        at most others' load / servers, summed over the resources that it uses.
        """
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.nothing
        g = self.graph
        demands = self.merged(p.demands for p in parts)
        users = Counter(f for p in parts for f in p.demands)
        shared = [f for f in demands if users[f] > 1]
        heads = [peak(g, self.servers, f, demands[f], "lower") for f in shared]
        serial = g.plus(*(p.serial for p in parts))
        waits = frozenset[str]().union(*(p.waits for p in parts))
        together = totals(g, shared, demands)
        extra = [interference(g, self.servers, p.demands, together) for p in parts]
        if waits:
            plain = self._plain(together, waits)
            delays = [interference(g, self.servers, p.demands, plain) for p in parts]
            behind = [self._behind(waits, p.demands, demands) for p in parts]
            chains = [g.plus(p.serial, d, b) for p, d, b in zip(parts, delays, behind, strict=True)]
            bound = g.minimum([g.maximum(chains), serial])
            upper = self._waiting(g.maximum([p.upper for p in parts]), g.maximum(extra), bound)
        else:
            delayed = g.maximum([g.plus(p.upper, e) for p, e in zip(parts, extra, strict=True)])
            upper = g.minimum([delayed, serial])
        lower = g.maximum([*(p.lower for p in parts), *heads])
        return Cost(g.maximum([p.t0 for p in parts]), lower, upper, serial, demands, waits, requirements_of(parts))

    @staticmethod
    def _plain(together: Totals, waits: frozenset[str]) -> Totals:
        """What is shared without anybody waiting for something else while holding it."""
        return Totals({f: d for f, d in together.demands.items() if f not in waits}, together.tables)

    def _behind(self, waits: frozenset[str], own: Demands, demands: Demands) -> NodeId:
        """All load on the families in `waits`, if a branch uses one of them."""
        if not waits & own.keys():
            return self.graph.zero
        found = [d for f in sorted(waits) if f in demands for d in demands[f]]
        return self.graph.plus(*(total_load(self.graph, d) for d in found))

    def _waiting(self, undisturbed: NodeId, extra: NodeId, bound: NodeId) -> NodeId:
        """The upper bound of branches that wait for resources while they hold some.

        Follow the branch that ends last. Whenever no part of it runs, one of its parts waits for a resource
        whose holders run, or wait for another resource in turn; unless all wait for each other, this chain ends
        at a resource on which somebody else runs, and all its links but perhaps the first are resources in
        `waits`. So the branch runs for at most its serial time; it waits for resources without such links as
        usual, and for the others at most as long as all load on them. `bound` is that, or the serial bound;
        without others on its resources (`extra` is 0) a branch is undisturbed.
        """
        g = self.graph
        return g.maximum([undisturbed, g.times(g.compare("<", g.zero, extra), bound)])

    def loop(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: Cost) -> Cost:
        """`seq` or `par` (index = low, high) body."""
        g = self.graph
        closing = self._closing(kind, index, low, high, body)
        demands = {
            f: merged(g, self.members, f, [close(g, self.members, f, d, closing) for d in found])
            for f, found in body.demands.items()
        }
        filled = g.compare("<=", low, high)
        least = [r._replace(node=min_over(g, index, low, high, r.node)) for r in body.requirements]
        requirements = tuple(r._replace(node=g.times(filled, r.node)) for r in least)
        total = summation(g, index, low, high)
        serial = total(body.serial)
        if kind == "seq":
            lower, upper = total(body.lower), total(body.upper)
            return Cost(total(body.t0), lower, upper, serial, demands, body.waits, requirements)
        return self._at_once(closing, body, demands, serial)._replace(requirements=requirements)

    def _closing(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: Cost) -> Loop:
        if kind == "par":
            return Loop(index, low, high, None)
        g, known = self.graph, list[tuple[NodeId, NodeId]]()

        def others() -> tuple[NodeId, NodeId]:
            if not known:
                before = self._spent(body, index, low, g.shift(index, -1))
                known.append((before, self._spent(body, index, g.shift(index, 1), high)))
            return known[0]

        return Loop(index, low, high, others)

    def _spent(self, body: Cost, index: NodeId, first: NodeId, last: NodeId) -> NodeId:
        """The least time that the iterations from first to last take."""
        g = self.graph
        j = g.index_like(index, first, last)
        return sum_over(g, j, first, last, substitute(g, body.lower, {index: j}))

    def _at_once(self, loop: Loop, body: Cost, demands: Demands, serial: NodeId) -> Cost:
        """`par (i = low, high) body`."""
        g = self.graph

        def most(node: NodeId) -> NodeId:
            return max_over(g, loop.index, loop.low, loop.high, node)

        shared = [f for f in demands if not _alone(g, loop.index, body.demands[f])]
        heads = [peak(g, self.servers, f, demands[f], "lower") for f in shared]
        lower = g.maximum([most(body.lower), *heads])
        extra = interference(g, self.servers, body.demands, totals(g, shared, demands))
        if body.waits:
            plain = self._plain(totals(g, shared, demands), body.waits)
            chain = g.plus(body.serial, interference(g, self.servers, body.demands, plain))
            longest = g.plus(most(chain), self._behind(body.waits, body.demands, demands))
            upper = self._waiting(most(body.upper), most(extra), g.minimum([longest, serial]))
        else:
            upper = g.minimum([most(g.plus(body.upper, extra)), serial])
        return Cost(most(body.t0), lower, upper, serial, demands, body.waits, ())

    def either(self, q: NodeId, a: Cost, b: Cost, required: tuple[Requirement, ...]) -> Cost:
        """`if (q) a else b`."""
        g, mode = self.graph, self.mode
        if mode == "average":
            q = g.const(HALF)
        rest = g.add([(q, -1)], 1)

        def weighed(x: NodeId, y: NodeId) -> NodeId:
            if mode == "best":
                return g.minimum([x, y])
            if mode == "worst":
                return g.maximum([x, y])
            return g.plus(g.times(q, x), g.times(rest, y)) if x != y else x

        demands: Demands = {}
        for family in (*a.demands, *(f for f in b.demands if f not in a.demands)):
            pair = a.demands.get(family, []), b.demands.get(family, [])
            demands[family] = self._either_demand(family, *pair, weighed)
        return Cost(
            weighed(a.t0, b.t0),
            g.minimum([a.lower, b.lower]),
            g.maximum([a.upper, b.upper]),
            g.maximum([a.serial, b.serial]),
            demands,
            a.waits | b.waits,
            (*required, *a.requirements, *b.requirements),
        )

    def _either_demand(
        self, family: str, a: list[Demand], b: list[Demand], weighed: Callable[[NodeId, NodeId], NodeId]
    ) -> list[Demand]:
        """The demands of either branch; those on the same members are compared, the others are a branch's own."""
        g, zero = self.graph, self.graph.zero
        other = {(d.binders, d.subscripts): d for d in b}
        found = []
        for mine in a:
            theirs = other.pop((mine.binders, mine.subscripts), None)
            if theirs is None:
                found.append(_possible(mine, weighed(mine.estimate, zero), zero))
                continue
            head, tail = g.minimum([mine.head, theirs.head]), g.minimum([mine.tail, theirs.tail])
            lower, upper = g.minimum([mine.lower, theirs.lower]), g.maximum([mine.upper, theirs.upper])
            estimate, guard = weighed(mine.estimate, theirs.estimate), g.times(mine.guard, theirs.guard)
            found.append(Demand(mine.binders, mine.subscripts, estimate, lower, upper, head, tail, guard))
        found += [_possible(d, weighed(zero, d.estimate), zero) for d in other.values()]
        return merged(g, self.members, family, found)


def _possible(demand: Demand, estimate: NodeId, zero: NodeId) -> Demand:
    return demand._replace(estimate=estimate, lower=zero, guard=zero)


def _alone(graph: Graph, index: NodeId, demands: list[Demand]) -> bool:
    """Whether every iteration of a loop has members of its own: one demand with subscript c + i or c - i."""
    if len(demands) != 1 or demands[0].binders:
        return False
    for subscript in demands[0].subscripts:
        sign = dict(graph.terms(subscript)[1]).get(index)
        if sign in (1, -1) and index not in graph.free[graph.add([(subscript, 1), (index, -sign)])]:
            return True
    return False
