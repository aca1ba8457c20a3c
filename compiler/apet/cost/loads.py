"""The loads that a process puts on the members of resource families.

A load says: for all values of its binders, member `subscripts` is held for so long. Loads on the same members add.
What a loop makes of them is in `apet.cost.loop_loads`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from apet.formula.algebra.reduction import substitute
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Load, NodeId
from apet.ground.records import NamedTuple


class Demand(NamedTuple):
    """A load with its three amounts: as estimated, at the least, at the most (seconds).

    `guard` is 1 where the members are used in every run, 0 where that is not known: 1, 0, or a condition.
    """

    binders: tuple[Binder, ...]
    subscripts: tuple[NodeId, ...]
    estimate: NodeId
    lower: NodeId
    upper: NodeId
    head: NodeId
    tail: NodeId
    guard: NodeId

    @property
    def nodes(self) -> tuple[NodeId, ...]:
        """The amounts, head, tail and guard."""
        return self.estimate, self.lower, self.upper, self.head, self.tail, self.guard

    def load(self, graph: Graph, amount: NodeId, head: NodeId, tail: NodeId) -> Load:
        """The formula node's view of one of the amounts."""
        return Load(self.binders, self.subscripts, amount, head, tail, self.guard == graph.one)


Demands = dict[str, list[Demand]]
"""Per resource family, in order of first use."""


class LoopRange(NamedTuple):
    """A loop that is being closed. `total(node)` is the sum over its range, found once per node. `others()` gives the
    least times spent in the iterations before and after iteration `index`; None for `par`, and for a loop beside which
    nothing runs."""

    index: NodeId  # type: ignore[assignment]  # hides tuple.index, which no loop needs
    low: NodeId
    high: NodeId
    total: Callable[[NodeId], NodeId]
    others: Callable[[], tuple[NodeId, NodeId]] | None


class Members:
    """The bound variables that stand for the members of families: one per range, so that equal loads are one."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._variables: dict[tuple[str, int, NodeId, NodeId, int], NodeId] = {}

    def variable(self, family: str, dimension: int, low: NodeId, high: NodeId, height: int, name: str) -> NodeId:
        """The variable for a range; `height` keeps apart the variables of ranges that nest."""
        key = (family, dimension, low, high, height)
        if key not in self._variables:
            self._variables[key] = self.graph.member(name, low, high, height)
        return self._variables[key]


def added(graph: Graph, nodes: Iterable[NodeId]) -> NodeId:
    """The sum of nodes; nothing is made where all but one are 0."""
    addends = [n for n in nodes if n != graph.zero]
    return graph.plus(*addends) if len(addends) != 1 else addends[0]


def sums(graph: Graph, *amounts: tuple[NodeId, ...]) -> list[NodeId]:
    """The sum of each of several lists of nodes, of equal ones once: estimate and bounds are often the same."""
    total_of = {nodes: added(graph, nodes) for nodes in dict.fromkeys(amounts)}
    return [total_of[nodes] for nodes in amounts]


def merged(graph: Graph, members: Members, family: str, demands: Iterable[Demand]) -> list[Demand]:
    """Demands with the same members made one: amounts add, the earlier head and the later tail hold."""
    groups: dict[tuple[object, ...], list[Demand]] = {}
    for demand in demands:
        groups.setdefault(kind(demand), []).append(demand)
    return [_sum(graph, members, family, group) if len(group) > 1 else group[0] for group in groups.values()]


def runs_through(demand: Demand) -> bool:
    """Whether the binders are just the members: each is one of the subscripts, the others are free of them."""
    indices = [b.index for b in demand.binders]
    return len(set(indices) & set(demand.subscripts)) == len(indices)


def kind(demand: Demand) -> tuple[object, ...]:
    """What two demands share that meet the same members."""
    if not demand.binders:
        return demand.subscripts
    if not runs_through(demand):
        return (demand.binders, demand.subscripts)
    place = demand.subscripts.index  # w[i, i] and w[i, j] are different members
    ranges = {b.index: (b.low, b.high, place(b.index)) for b in demand.binders}
    return ("range", *(ranges.get(s, s) for s in demand.subscripts))


def _sum(graph: Graph, members: Members, family: str, group: list[Demand]) -> Demand:
    if group[0].binders and runs_through(group[0]):
        group = _one_variable(graph, members, family, group)

    first = group[0]
    estimate, lower, upper = sums(
        graph,
        tuple([d.estimate for d in group]),
        tuple([d.lower for d in group]),
        tuple([d.upper for d in group]),
    )
    return Demand(
        binders=first.binders,
        subscripts=first.subscripts,
        estimate=estimate,
        lower=lower,
        upper=upper,
        head=graph.minimum([d.head for d in group]),
        tail=graph.minimum([d.tail for d in group]),
        guard=graph.maximum([d.guard for d in group]),
    )


def _one_variable(graph: Graph, members: Members, family: str, group: list[Demand]) -> list[Demand]:
    """The demands of one range over the same variables."""
    if len({d.binders for d in group}) == 1:
        return group

    height = max(height_of(graph, d) for d in group)
    first, renamings = group[0], []
    for demand in group:
        for dimension, subscript in enumerate(demand.subscripts):
            binder = next((b for b in demand.binders if b.index == subscript), None)
            if binder is not None:
                name = graph.nodes[first.subscripts[dimension]].name  # type: ignore[union-attr]
                variable = members.variable(family, dimension, binder.low, binder.high, height, name)
                demand = renamed(graph, demand, binder, variable)
        renamings.append(demand)
    return renamings


def renamed(graph: Graph, demand: Demand, binder: Binder, variable: NodeId) -> Demand:
    """The demand with another variable for one binder."""
    if binder.index == variable:
        return demand

    def put(node: NodeId) -> NodeId:
        return substitute(graph, node, {binder.index: variable})

    binders = tuple(
        Binder(variable if b.index == binder.index else b.index, put(b.low), put(b.high)) for b in demand.binders
    )
    subscripts = tuple(put(s) for s in demand.subscripts)
    return mapped(demand, put)._replace(binders=binders, subscripts=subscripts)


def raised(graph: Graph, members: Members, family: str, demand: Demand, height: int) -> Demand:
    """The demand with binders that no formula of this height binds: before such formulas join its head and tail.

    Without this, a variable would be bound inside the range of itself.
    """
    # Each binder is bound around those behind it: at one height, two loops over one range would share a variable.
    heights, least = list[int](), height
    for binder in reversed(demand.binders):
        heights.append(max(graph.height[binder.index], least))
        least = heights[-1] + 1

    for position, least in enumerate(reversed(heights)):
        binder = demand.binders[position]
        if graph.height[binder.index] >= least:
            continue
        place = demand.subscripts.index(binder.index) if binder.index in demand.subscripts else -1 - position
        name = graph.nodes[binder.index].name  # type: ignore[union-attr]
        variable = members.variable(family, place, binder.low, binder.high, least, name)
        demand = renamed(graph, demand, binder, variable)
    return demand


def mapped(demand: Demand, change: Callable[[NodeId], NodeId]) -> Demand:
    """The demand with its amounts, head, tail and guard changed. Its amounts are often one node, changed once."""
    changed = {node: change(node) for node in dict.fromkeys(demand.nodes)}
    return demand._replace(
        estimate=changed[demand.estimate],
        lower=changed[demand.lower],
        upper=changed[demand.upper],
        head=changed[demand.head],
        tail=changed[demand.tail],
        guard=changed[demand.guard],
    )


def height_of(graph: Graph, demand: Demand) -> int:
    """Above the heights of all that is bound in a demand's formulas."""
    return max(graph.height[n] for n in demand.nodes)
