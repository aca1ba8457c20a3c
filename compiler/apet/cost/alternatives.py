"""The loads of the two sides of an `if` where the same member may be written in different sides.

`best` takes the lesser and `worst` the greater load of each member, so that it matters which members are one. The load
of a side on a member is a sum over all that the side uses; each member is counted where it is met first.
"""

from __future__ import annotations

from collections.abc import Callable

from apet.cost.decisions import SidesOfBranch
from apet.cost.loads import Demand, added, runs_through
from apet.cost.peaks import amount, apart, equal
from apet.formula.algebra.reduction import substitute, sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId

MOST_MET = 16
"""Demands of two branches whose members are compared by their values."""

Member = tuple[NodeId, ...]


def may_meet(graph: Graph, a: list[Demand], b: list[Demand]) -> bool:
    """Whether members that are written in different ways, one for each branch, may turn out to be one."""
    if len(a) + len(b) > MOST_MET:
        return False
    pairs = [(x, y) for x in a for y in b if (x.binders, x.subscripts) != (y.binders, y.subscripts)]
    return any(not apart(graph, x.subscripts, y.subscripts) for x, y in pairs)


def by_value(
    graph: Graph, mode: str, joined: list[Demand], a: list[Demand], b: list[Demand], sides: SidesOfBranch
) -> list[Demand]:
    """The demands of either branch, where the first one on a member has what both branches load on it.

    The estimate of a mean is the same either way. Bounds are sharpened where no loop makes that long, and for `best`,
    of which the estimate is a lower bound.
    """
    closed = not any(d.binders or graph.free[s] for d in joined for s in d.subscripts)
    demands = []
    for place, demand in enumerate(joined):
        meeting = _Meeting(graph, demand.subscripts)
        first = meeting.is_first(joined[:place], demand)

        def there(which: str, join: Callable[[NodeId, NodeId], NodeId]) -> NodeId:
            return graph.times(first, join(*(meeting.load(side, which) for side in (a, b))))  # noqa: B023

        if mode in ("best", "worst"):
            demand = demand._replace(estimate=there("estimate", sides.weighed))
        if closed or mode == "best":
            demand = demand._replace(lower=there("lower", sides.least), guard=graph.zero)
            demand = demand._replace(head=graph.zero, tail=graph.zero)
        if closed:
            heads, tails = [d.head for d in (*a, *b)], [d.tail for d in (*a, *b)]
            demand = demand._replace(head=graph.minimum(heads), tail=graph.minimum(tails))
            demand = demand._replace(upper=there("upper", sides.most))
        demands.append(demand)

    return demands


class _Meeting:
    """What demands have to do with one member."""

    def __init__(self, graph: Graph, member: Member) -> None:
        self.graph = graph
        self.member = member

    def load(self, side: list[Demand], which: str) -> NodeId:
        """What a side loads on the member."""
        return added(self.graph, (self._total(d, amount(d, which)) for d in side))

    def is_first(self, before: list[Demand], own: Demand) -> NodeId:
        """1 where no demand before meets the member; divided by how often `own` does."""
        g = self.graph
        first = g.times(*(g.compare("==", self._total(d, g.one), g.zero) for d in before))
        if runs_through(own):
            return first
        rounds = self._total(own, g.one)
        return g.over(first, g.maximum([g.one, rounds]))  # where there is no round, nothing counts it

    def _total(self, demand: Demand, number: NodeId) -> NodeId:
        """The sum of a number over all values of a demand's binders for which it meets the member."""
        g, fresh, ranges = self.graph, dict[NodeId, NodeId](), []
        for index, low, high in demand.binders:
            ends = substitute(g, low, fresh), substitute(g, high, fresh)
            name = g.nodes[index].name  # type: ignore[union-attr]
            fresh[index] = g.index(name, *ends)
            ranges.append((fresh[index], *ends))
        subscripts = [substitute(g, s, fresh) for s in demand.subscripts]
        total = g.times(equal(g, subscripts, self.member), substitute(g, number, fresh))
        for index, low, high in reversed(ranges):
            total = sum_over(g, index, low, high, total)
        return total
