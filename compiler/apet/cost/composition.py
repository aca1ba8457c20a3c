"""How the costs of parts make those of `;`, `||`, `seq`, `par` and `if`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain

from apet.cost.alternatives import by_value, may_meet
from apet.cost.cost import UNDEFINED, Cost, Requirement, requirements_of, single_iteration
from apet.cost.decisions import Join, SidesOfBranch, negation
from apet.cost.interference import Totals, interference, total_load, totals
from apet.cost.loads import Demand, Demands, LoopRange, Members, added, merged, sums
from apet.cost.loop_loads import least_over, load_over_loop, summation
from apet.cost.peaks import Servers, all_apart, peak
from apet.cost.sequences import placed
from apet.cost.serial import node_of, sum_of
from apet.formula.algebra.reduction import max_over, substitute, sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId


class Composition:
    """Composes costs in one graph; `servers` gives the servers of resources, `mode` says how branches are weighed."""

    def __init__(self, graph: Graph, servers: Servers, mode: str) -> None:
        self.graph = graph
        self.servers = servers
        self.mode = mode
        self.members = Members(graph)
        z = graph.zero
        self.nothing = Cost(t0=z, lower=z, upper=z, serial=z, demands={})

    def merged(self, parts: Iterable[Demands]) -> Demands:
        """The demands of all parts, those on the same members made one; the list of a part where no other has one."""
        lists: dict[str, list[list[Demand]]] = {}
        for part in parts:
            for family, demands in part.items():
                lists.setdefault(family, []).append(demands)
        g, members = self.graph, self.members
        return {f: d[0] if len(d) == 1 else merged(g, members, f, chain.from_iterable(d)) for f, d in lists.items()}

    def sequence(self, parts: list[Cost], ends: bool) -> Cost:
        """`a; b; …`; without heads and tails where they are not needed (`ends` is False)."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.nothing

        g = self.graph
        demands = self.merged(placed(g, self.members, parts) if ends else (p.demands for p in parts))
        t0, lower, upper = sums(
            g, tuple([p.t0 for p in parts]), tuple([p.lower for p in parts]), tuple([p.upper for p in parts])
        )
        return self.together(parts, demands, t0, lower, upper)

    def together(self, parts: list[Cost], demands: Demands, t0: NodeId, lower: NodeId, upper: NodeId) -> Cost:
        """Parts that all run, in some order, with their demands and times as a whole."""
        return Cost(
            t0=t0,
            lower=lower,
            upper=upper,
            serial=sum_of(p.serial for p in parts),
            demands=demands,
            hold_and_wait=frozenset().union(*(p.hold_and_wait for p in parts)),
            requirements=requirements_of(self.graph, parts),
            disjoint_loads=all(p.disjoint_loads for p in parts),
        )

    def parallel(self, parts: list[Cost]) -> Cost:
        """`a || b || …`

        Lower bound: each branch alone takes its own; and no branch holds a resource before the least head has passed,
        its servers need total load / servers from then on, and whoever releases last has at least the least tail to go.
        These three spans do not overlap, so their sum is a lower bound as well.

        Upper bound (after R. L. Graham, SIAM J. Appl. Math. 17, 1969): follow the branch that ends last. Whenever it
        does not run it waits for a resource all of whose servers work, for its own parts (counted in its bound) or for
        others. The others work off their load on that resource at the rate of its servers, so they delay the branch by
        at most others' load / servers, summed over the resources that it uses. Where no time is counted in two loads,
        that is less than the others' serial time, so that the serial bound is no better.
        """
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.nothing

        g = self.graph
        demands = self.merged(p.demands for p in parts)
        users = Counter(f for p in parts for f in p.demands)
        shared = [f for f in demands if users[f] > 1]
        heads = [
            peak(g, self.servers, f, self.contended(f, demands[f], [p.demands for p in parts]), "lower") for f in shared
        ]
        serial, disjoint = sum_of(p.serial for p in parts), all(p.disjoint_loads for p in parts)
        waits = frozenset[str]().union(*(p.hold_and_wait for p in parts))

        together = totals(g, shared, demands, [p.demands for p in parts])
        extra = [interference(g, self.servers, p.demands, together) for p in parts]
        if waits:
            plain = self._without_holders(together, waits)
            delays = [interference(g, self.servers, p.demands, plain) for p in parts]
            behind = [self._load_behind_holders(waits, p.demands, demands) for p in parts]
            chains = [added(g, (node_of(g, p.serial), d, b)) for p, d, b in zip(parts, delays, behind, strict=True)]
            bound = g.minimum([g.maximum(chains), node_of(g, serial)])
            upper = self._with_waiting_chains(g.maximum([p.upper for p in parts]), g.maximum(extra), bound)
        else:
            delayed = g.maximum([added(g, (p.upper, e)) for p, e in zip(parts, extra, strict=True)])
            upper = delayed if disjoint else g.minimum([delayed, node_of(g, serial)])

        lower = g.maximum([*(p.lower for p in parts), *heads])
        cost = self.together(parts, demands, g.maximum([p.t0 for p in parts]), lower, upper)
        return cost._replace(serial=serial)

    def alone(self, cost: Cost) -> Cost:
        """The costs of a process beside which nothing runs: without heads and tails."""
        zero = self.graph.zero
        demands = {f: [d._replace(head=zero, tail=zero) for d in loads] for f, loads in cost.demands.items()}
        return cost._replace(demands=demands)

    def contended(self, family: str, demands: list[Demand], parts: list[Demands]) -> list[Demand]:
        """The demands on members that several branches use, where members can be told apart.

        Head, load and tail of a member that one branch uses are together no more than the lower bound of the branch.
        """
        if any(d.binders for d in demands) or not all_apart(self.graph, demands):
            return demands
        users = Counter(d.subscripts for p in parts for d in p.get(family, ()))
        return [d for d in demands if users[d.subscripts] > 1]

    @staticmethod
    def _without_holders(together: Totals, waits: frozenset[str]) -> Totals:
        """What is shared without anybody waiting for something else while holding it."""
        return Totals({f: d for f, d in together.demands.items() if f not in waits}, together.tables, together.pairs)

    def _load_behind_holders(self, waits: frozenset[str], own: Demands, demands: Demands) -> NodeId:
        """All load on the families in `waits`, if a branch uses one of them."""
        if not waits & own.keys():
            return self.graph.zero
        loads = (d for f in sorted(waits) if f in demands for d in demands[f])
        return added(self.graph, (total_load(self.graph, d) for d in loads))

    def _with_waiting_chains(self, undisturbed: NodeId, extra: NodeId, bound: NodeId) -> NodeId:
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

    def loop(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: Cost, ends: bool) -> Cost:
        """`seq` or `par` (index = low, high) body; without heads and tails where they are not needed."""
        g = self.graph
        loop = self._range_of(kind if ends else "par", index, low, high, body)
        demands = {
            f: merged(g, self.members, f, [load_over_loop(g, self.members, f, d, loop) for d in loads])
            for f, loads in body.demands.items()
        }

        filled = g.compare("<=", low, high)
        least = [(r, least_over(g, index, low, high, r.node)) for r in (r.guarded(g) for r in body.requirements)]
        requirements = tuple(r._replace(node=g.times(filled, node)) for r, node in least)

        total = loop.total
        serial = total(node_of(g, body.serial))
        if kind == "seq":
            return body._replace(
                lower=total(body.lower),
                upper=total(body.upper),
                t0=total(body.t0),
                serial=serial,
                demands=demands,
                requirements=requirements,
            )
        return self._parallel_loop(loop, body, demands, serial)._replace(requirements=requirements)

    def _range_of(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: Cost) -> LoopRange:
        g, total = self.graph, summation(self.graph, index, low, high)
        if kind == "par":
            return LoopRange(index, low, high, total, None)

        @cache
        def others() -> tuple[NodeId, NodeId]:
            before = self._spent(body, index, low, g.shift(index, -1))
            return before, self._spent(body, index, g.shift(index, 1), high)

        return LoopRange(index, low, high, total, others)

    def _spent(self, body: Cost, index: NodeId, first: NodeId, last: NodeId) -> NodeId:
        """The least time that the iterations from first to last take."""
        g = self.graph
        j = g.index_like(index, first, last)
        return sum_over(g, j, first, last, substitute(g, body.lower, {index: j}))

    def _parallel_loop(self, loop: LoopRange, body: Cost, demands: Demands, serial: NodeId) -> Cost:
        """`par (i = low, high) body`."""
        g = self.graph
        if any(b.index == loop.index for loads in demands.values() for d in loads for b in d.binders):
            # One iteration is set against all of them: its index must not be the one that runs through all.
            name = g.nodes[loop.index].name  # type: ignore[union-attr]
            one = g.index(name, loop.low, loop.high)
            loop, body = loop._replace(index=one), single_iteration(g, body, loop.index, one)

        @cache
        def most(node: NodeId) -> NodeId:
            return max_over(g, loop.index, loop.low, loop.high, node)

        shared = [f for f in demands if not _alone(g, loop.index, body.demands[f])]
        heads = [peak(g, self.servers, f, demands[f], "lower") for f in shared]
        lower = g.maximum([most(body.lower), *heads])
        extra = interference(g, self.servers, body.demands, totals(g, shared, demands))
        if body.hold_and_wait:
            plain = self._without_holders(totals(g, shared, demands), body.hold_and_wait)
            chain = g.plus(node_of(g, body.serial), interference(g, self.servers, body.demands, plain))
            longest = g.plus(most(chain), self._load_behind_holders(body.hold_and_wait, body.demands, demands))
            upper = self._with_waiting_chains(most(body.upper), most(extra), g.minimum([longest, serial]))
        else:
            upper = most(added(g, (body.upper, extra)))
            upper = upper if body.disjoint_loads else g.minimum([upper, serial])

        return body._replace(
            t0=most(body.t0), lower=lower, upper=upper, serial=serial, demands=demands, requirements=()
        )

    def either(self, sides: SidesOfBranch, a: Cost, b: Cost, required: tuple[Requirement, ...]) -> Cost:
        """`if (q) a else b`"""
        g = self.graph
        a, b = _guarded(g, sides.never, a), _guarded(g, sides.surely, b)

        demands: Demands = {}
        for family in (*a.demands, *(f for f in b.demands if f not in a.demands)):
            pair = [merged(g, self.members, family, side.demands.get(family, ())) for side in (a, b)]
            each = self._either_demand(pair[0], pair[1], sides)
            demands[family] = merged(g, self.members, family, each)
        return Cost(
            t0=sides.weighed(a.t0, b.t0),
            lower=sides.least(a.lower, b.lower),
            upper=sides.most(a.upper, b.upper),
            serial=sides.most(node_of(g, a.serial), node_of(g, b.serial)),
            demands=demands,
            hold_and_wait=a.hold_and_wait | b.hold_and_wait,
            requirements=(*required, *requirements_of(g, (a, b))),
            disjoint_loads=a.disjoint_loads
            and b.disjoint_loads
            and (sides.decided or _at_one_place(a.demands, b.demands)),
        )

    def _either_demand(self, a: list[Demand], b: list[Demand], sides: SidesOfBranch) -> list[Demand]:
        """The demands of either branch; those on the same members are compared, the others are a branch's own."""
        g, (_, _, _, weighed, least, most) = self.graph, sides
        other = {(d.binders, d.subscripts): d for d in b}
        joined = []

        for mine in a:
            theirs = other.pop((mine.binders, mine.subscripts), None)
            if theirs is None:
                joined.append(_possible(g, mine, sides, True))
                continue
            both = mine._replace(
                head=least(mine.head, theirs.head),
                tail=least(mine.tail, theirs.tail),
                lower=least(mine.lower, theirs.lower),
                upper=most(mine.upper, theirs.upper),
                estimate=weighed(mine.estimate, theirs.estimate),
                guard=least(mine.guard, theirs.guard),
            )
            joined.append(both)

        joined += [_possible(g, d, sides, False) for d in other.values()]
        return by_value(g, self.mode, joined, a, b, sides) if not sides.decided and may_meet(g, a, b) else joined


def _guarded(graph: Graph, never: NodeId, cost: Cost) -> Cost:
    """The costs of a branch, of which nothing is required where it is never taken."""
    if never == graph.zero:
        return cost
    possible = negation(graph, never)
    if any(r.kind in UNDEFINED for r in cost.requirements):
        cost = _where_possible(graph, possible, cost)
    # Many are required at one place: their guards are the same.
    before = dict.fromkeys(r.guard for r in cost.requirements)
    guards = {g: possible if g is None else graph.times(possible, g) for g in before}
    return cost._replace(requirements=tuple([r._replace(guard=guards[r.guard]) for r in cost.requirements]))


def _where_possible(graph: Graph, possible: NodeId, cost: Cost) -> Cost:
    """The costs of a branch that may have no value where it is never taken, with 0 there in place of the least times.

    The least of both branches is that of the other one there; all else is weighed anyway.
    """

    def there(node: NodeId) -> NodeId:
        return graph.times(possible, node)

    demands = {
        family: [d._replace(lower=there(d.lower), head=there(d.head), tail=there(d.tail)) for d in loads]
        for family, loads in cost.demands.items()
    }
    return cost._replace(lower=there(cost.lower), demands=demands)


def _at_one_place(a: Demands, b: Demands) -> bool:
    """Whether the loads of two branches are on one member at the most, or all of one branch.

    Otherwise the greater loads of both may together be more than the greater serial time.
    """
    return not a or not b or len({(f, d.binders, d.subscripts) for p in (a, b) for f in p for d in p[f]}) == 1


def _possible(graph: Graph, demand: Demand, sides: SidesOfBranch, first: bool) -> Demand:
    """The demand of one side alone."""

    def joined(join: Join, node: NodeId) -> NodeId:
        return join(node, graph.zero) if first else join(graph.zero, node)

    surely = sides.surely if first else sides.never
    if sides.decided:
        demand = demand._replace(head=joined(sides.least, demand.head), tail=joined(sides.least, demand.tail))
    return demand._replace(
        estimate=joined(sides.weighed, demand.estimate),
        lower=graph.times(surely, demand.lower),
        upper=joined(sides.most, demand.upper),
        guard=graph.times(surely, demand.guard),
    )


def _alone(graph: Graph, index: NodeId, demands: list[Demand]) -> bool:
    """Whether every iteration of a loop has members of its own: one demand with subscript c + i or c - i."""
    if len(demands) != 1 or demands[0].binders:
        return False
    for subscript in demands[0].subscripts:
        sign = dict(graph.terms(subscript)[1]).get(index)
        if sign in (1, -1) and index not in graph.free[graph.add([(subscript, 1), (index, -sign)])]:
            return True
    return False
