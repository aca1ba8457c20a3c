"""The loads that a process puts on the members of resource families, and what loops do to them.

A load says: for all values of its binders, member `subscripts` is held for so long. A loop around it either sums the
load (its subscript does not depend on the loop's index), or runs through the members: where the subscript can be
solved for the index, the binder becomes the member itself and no loop remains; else the loop stays as a binder, and
members are found by counting when numbers are known.

| subscript | index | load of member q |
|---|---|---|
| c + i, c - i | q - c, c - q | that of the one i |
| c + (i + d) % m | i0(q), i0(q) + m, … | sum over one residue class |
| c + floor((i + d) / w) | one block of w | sum over the block |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from apet.formula.graph import Graph
from apet.formula.nodes import Add, Binder, Call, Load, NodeId
from apet.formula.reduction import min_over, sum_over
from apet.formula.substitution import substitute


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

    def load(self, graph: Graph, amount: NodeId, head: NodeId, tail: NodeId) -> Load:
        """The formula node's view of one of the amounts."""
        return Load(self.binders, self.subscripts, amount, head, tail, self.guard == graph.one)


Demands = dict[str, list[Demand]]
"""Per resource family, in order of first use."""


class Loop(NamedTuple):
    """A loop that is being closed. `others()` gives the least times spent in the iterations before and after
    iteration `index`; None for `par`."""

    index: NodeId  # type: ignore[assignment]  # hides tuple.index, which no loop needs
    low: NodeId
    high: NodeId
    others: Callable[[], tuple[NodeId, NodeId]] | None


class Members:
    """The bound variables that stand for the members of families: one per range, so that equal loads are one."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._made: dict[tuple[str, int, NodeId, NodeId, int], NodeId] = {}

    def variable(self, family: str, dimension: int, low: NodeId, high: NodeId, height: int, name: str) -> NodeId:
        """The variable for a range; `height` keeps apart the variables of ranges that nest."""
        key = (family, dimension, low, high, height)
        if key not in self._made:
            self._made[key] = self.graph.member(name, low, high, height)
        return self._made[key]


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
    ranges = {b.index: (b.low, b.high) for b in demand.binders}
    return ("range", *(ranges.get(s, s) for s in demand.subscripts))


def _sum(graph: Graph, members: Members, family: str, group: list[Demand]) -> Demand:
    if group[0].binders and runs_through(group[0]):
        group = _one_variable(graph, members, family, group)
    first = group[0]
    return Demand(
        first.binders,
        first.subscripts,
        graph.plus(*(d.estimate for d in group)),
        graph.plus(*(d.lower for d in group)),
        graph.plus(*(d.upper for d in group)),
        graph.minimum([d.head for d in group]),
        graph.minimum([d.tail for d in group]),
        graph.maximum([d.guard for d in group]),
    )


def _one_variable(graph: Graph, members: Members, family: str, group: list[Demand]) -> list[Demand]:
    """The demands of one range over the same variables."""
    if len({d.binders for d in group}) == 1:
        return group
    height = max(_height(graph, d) for d in group)
    first, found = group[0], []
    for demand in group:
        for dimension, subscript in enumerate(demand.subscripts):
            binder = next((b for b in demand.binders if b.index == subscript), None)
            if binder is not None:
                name = graph.nodes[first.subscripts[dimension]].name  # type: ignore[union-attr]
                variable = members.variable(family, dimension, binder.low, binder.high, height, name)
                demand = renamed(graph, demand, binder, variable)
        found.append(demand)
    return found


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
    for position in range(len(demand.binders)):
        binder = demand.binders[position]
        if graph.height[binder.index] >= height:
            continue
        place = demand.subscripts.index(binder.index) if binder.index in demand.subscripts else -1 - position
        name = graph.nodes[binder.index].name  # type: ignore[union-attr]
        variable = members.variable(family, place, binder.low, binder.high, height, name)
        demand = renamed(graph, demand, binder, variable)
    return demand


def mapped(demand: Demand, change: Callable[[NodeId], NodeId]) -> Demand:
    """The demand with its amounts, head, tail and guard changed."""
    return demand._replace(
        estimate=change(demand.estimate),
        lower=change(demand.lower),
        upper=change(demand.upper),
        head=change(demand.head),
        tail=change(demand.tail),
        guard=change(demand.guard),
    )


def _height(graph: Graph, demand: Demand) -> int:
    return max(graph.height[n] for n in demand[2:8])


def close(graph: Graph, members: Members, family: str, demand: Demand, loop: Loop) -> Demand:
    """What a loop around a demand makes of it."""
    i = loop.index
    dimensions = [k for k, s in enumerate(demand.subscripts) if i in graph.free[s]]
    ranged = [b for b in demand.binders if i in graph.free[b.low] or i in graph.free[b.high]]
    if not dimensions and not ranged and _alike(graph, demand, i):
        # In order, the first use is in the first iteration and the last one in the last: nothing comes before or after.
        return _summed(graph, demand, loop, loop.low, loop.high)
    if loop.others is not None:
        before, after = loop.others()
        demand = raised(graph, members, family, demand, max(graph.height[before], graph.height[after]))
        demand = demand._replace(head=graph.plus(before, demand.head), tail=graph.plus(after, demand.tail))
    if not dimensions and not ranged:
        return _summed(graph, demand, loop, loop.low, loop.high)
    ranged = [b for b in demand.binders if i in graph.free[b.low] or i in graph.free[b.high]]
    solved = None
    if len(dimensions) == 1 and not ranged:
        solved = _solved(graph, members, family, demand, loop, dimensions[0])
    elif not dimensions and len(ranged) == 1:
        solved = _inverted(graph, demand, loop, ranged[0])
    if solved is not None:
        return solved
    binders = (Binder(i, loop.low, loop.high), *demand.binders)
    return demand._replace(binders=binders)


def _alike(graph: Graph, demand: Demand, index: NodeId) -> bool:
    """Whether all iterations use the demand's members, or none does."""
    return demand.guard != graph.zero and index not in graph.free[demand.guard]


def _guard(graph: Graph, demand: Demand, index: NodeId, also: NodeId) -> NodeId:
    """The guard of a demand that a loop was closed around, under one more condition."""
    return graph.times(demand.guard, also) if _alike(graph, demand, index) else graph.zero


def summation(graph: Graph, index: NodeId, low: NodeId, high: NodeId) -> Callable[[NodeId], NodeId]:
    """The sum over a range, of one node after another; most of them are the same."""
    known: dict[NodeId, NodeId] = {}

    def total(node: NodeId) -> NodeId:
        found = known.get(node)
        if found is None:
            found = known[node] = sum_over(graph, index, low, high, node)
        return found

    return total


def _summed(graph: Graph, demand: Demand, loop: Loop, low: NodeId, high: NodeId) -> Demand:
    """The demand summed over low..high of the loop's index, on which its members do not depend."""
    i, in_order = loop.index, loop.others is not None

    total = summation(graph, i, low, high)
    if in_order and _alike(graph, demand, i):
        head, tail = substitute(graph, demand.head, {i: low}), substitute(graph, demand.tail, {i: high})
    else:
        head, tail = min_over(graph, i, low, high, demand.head), min_over(graph, i, low, high, demand.tail)
    return demand._replace(
        estimate=total(demand.estimate),
        lower=total(demand.lower),
        upper=total(demand.upper),
        head=head,
        tail=tail,
        guard=_guard(graph, demand, i, graph.compare("<=", low, high)),
    )


def _solved(
    graph: Graph, members: Members, family: str, demand: Demand, loop: Loop, dimension: int
) -> Demand | None:
    """The demand by member, where the subscript of one dimension can be solved for the loop's index."""
    subscript = demand.subscripts[dimension]
    if any(b.index in graph.free[subscript] for b in demand.binders):
        return None
    for solve in (_shifted, _dealt_round, _dealt_in_blocks):
        found = solve(graph, subscript, loop)
        if found is not None:
            break
    else:
        return None
    name = graph.nodes[loop.index].name  # type: ignore[union-attr]
    height = _height(graph, demand) + 2
    variable = members.variable(family, dimension, found.low, found.high, height, name)
    return found.of_member(demand, variable, dimension)


class _Solution(NamedTuple):
    """The members run from low to high; `of_member` gives the demand of one of them."""

    low: NodeId
    high: NodeId
    of_member: Callable[[Demand, NodeId, int], Demand]


def _placed(demand: Demand, binder: Binder, dimension: int) -> Demand:
    subscripts = list(demand.subscripts)
    subscripts[dimension] = binder.index
    return demand._replace(binders=(binder, *demand.binders), subscripts=tuple(subscripts))


def _shifted(graph: Graph, subscript: NodeId, loop: Loop) -> _Solution | None:
    """c + i and c - i."""
    _, terms = graph.terms(subscript)
    sign = dict(terms).get(loop.index)
    if sign not in (1, -1):
        return None
    rest = graph.add([(subscript, 1), (loop.index, -sign)])
    if loop.index in graph.free[rest]:
        return None
    ends = [graph.add([(rest, 1), (end, sign)]) for end in (loop.low, loop.high)]
    low, high = ends if sign == 1 else reversed(ends)

    def of_member(demand: Demand, variable: NodeId, dimension: int) -> Demand:
        index = graph.add([(variable, sign), (rest, -sign)])
        found = mapped(demand, lambda n: substitute(graph, n, {loop.index: index}))
        return _placed(found, Binder(variable, low, high), dimension)

    return _Solution(low, high, of_member)


def _single_call(graph: Graph, subscript: NodeId, index: NodeId, function: str) -> tuple[NodeId, NodeId] | None:
    """`rest + call` as (call, rest), where only the call depends on the index."""
    _, terms = graph.terms(subscript)
    calls = [n for n, c in terms if index in graph.free[n] and c == 1]
    if len(calls) != 1:
        return None
    found, rest = graph.nodes[calls[0]], graph.minus(subscript, calls[0])
    if not isinstance(found, Call) or found.function != function or index in graph.free[rest]:
        return None
    return calls[0], rest


def _dealt_round(graph: Graph, subscript: NodeId, loop: Loop) -> _Solution | None:
    """c + (i + d) % m: member q gets i0(q), i0(q) + m, … up to the loop's end."""
    split = _single_call(graph, subscript, loop.index, "mod")
    if split is None:
        return None
    call, rest = split
    inside, modulus = graph.nodes[call].operands  # type: ignore[union-attr]
    offset = graph.minus(inside, loop.index)
    if loop.index in graph.free[offset] | graph.free[modulus] or not graph.integral[modulus]:
        return None
    low, high = rest, graph.shift(graph.plus(rest, modulus), -1)

    def of_member(demand: Demand, variable: NodeId, dimension: int) -> Demand:
        residue = graph.minus(variable, rest)
        ahead = graph.call("mod", [graph.minus(residue, graph.plus(loop.low, offset)), modulus])
        first = graph.plus(loop.low, ahead)
        rounds = graph.call("floor", [graph.over(graph.minus(loop.high, first), modulus)])
        turn = graph.index("k", graph.zero, rounds)
        index = graph.plus(first, graph.times(turn, modulus))
        found = mapped(demand, lambda n: substitute(graph, n, {call: residue, loop.index: index}))
        found = _summed(graph, found, loop._replace(index=turn), graph.zero, rounds)
        everyone = graph.compare("<=", modulus, graph.shift(graph.minus(loop.high, loop.low), 1))
        found = found._replace(guard=_guard(graph, demand, loop.index, everyone))
        return _placed(found, Binder(variable, low, high), dimension)

    return _Solution(low, high, of_member)


def _dealt_in_blocks(graph: Graph, subscript: NodeId, loop: Loop) -> _Solution | None:
    """c + floor(a i + b) with 0 < a <= 1: member q gets one block of consecutive i."""
    split = _single_call(graph, subscript, loop.index, "floor")
    if split is None:
        return None
    call, rest = split
    inside = graph.nodes[call].operands[0]  # type: ignore[union-attr]
    slope = graph.minus(substitute(graph, inside, {loop.index: graph.shift(loop.index, 1)}), inside)
    slope = _expanded(graph, slope)
    if loop.index in graph.free[slope] or not _within_one(graph, slope):
        return None
    start = _expanded(graph, graph.minus(inside, graph.times(slope, loop.index)))
    if loop.index in graph.free[start]:
        return None
    width = graph.power(slope, -1)
    low, high = (substitute(graph, subscript, {loop.index: end}) for end in (loop.low, loop.high))

    def edge(block: NodeId) -> NodeId:
        return graph.call("ceil", [_expanded(graph, graph.times(graph.minus(block, start), width))])

    def of_member(demand: Demand, variable: NodeId, dimension: int) -> Demand:
        block = graph.minus(variable, rest)
        first = graph.maximum([loop.low, edge(block)])
        last = graph.minimum([loop.high, graph.shift(edge(graph.shift(block, 1)), -1)])
        found = mapped(demand, lambda n: substitute(graph, n, {call: block}))
        inner = graph.index_like(loop.index, first, last)
        found = mapped(found, lambda n: substitute(graph, n, {loop.index: inner}))
        found = _summed(graph, found, loop._replace(index=inner), first, last)
        guard = _guard(graph, demand, loop.index, graph.compare("<=", loop.low, loop.high))
        return _placed(found._replace(guard=guard), Binder(variable, low, high), dimension)

    return _Solution(low, high, of_member)


def _expanded(graph: Graph, node: NodeId) -> NodeId:
    from apet.formula.polynomial import expand

    return expand(graph, node)


def _within_one(graph: Graph, slope: NodeId) -> bool:
    """Whether 0 < slope <= 1 is sure: 1/w for a whole w >= 1."""
    value = graph.value(slope)
    if value is not None:
        return 0 < value <= 1
    width = graph.power(slope, -1)
    return type(graph.nodes[width]) is not Add and graph.integral[width] and graph.at_most(graph.one, width)


def _inverted(graph: Graph, demand: Demand, loop: Loop, binder: Binder) -> Demand | None:
    """`par (j = 1, i) w[j]` in a loop over i: member j is held in the iterations i >= j."""
    if not runs_through(demand) or len(demand.binders) != 1:
        return None
    i = loop.index
    offsets = [graph.minus(end, i) for end in (binder.low, binder.high)]
    moving_low, moving_high = (i in graph.free[end] for end in (binder.low, binder.high))
    if moving_low == moving_high or i in graph.free[offsets[0 if moving_low else 1]]:
        return None
    if moving_high:
        low, high = binder.low, graph.plus(loop.high, offsets[1])
    else:
        low, high = graph.plus(loop.low, offsets[0]), binder.high
    variable = graph.index_like(binder.index, low, high)
    moved = mapped(demand, lambda n: substitute(graph, n, {binder.index: variable}))
    if moving_high:
        first, last = graph.maximum([loop.low, graph.minus(variable, offsets[1])]), loop.high
    else:
        first, last = loop.low, graph.minimum([loop.high, graph.minus(variable, offsets[0])])
    inner = graph.index_like(i, first, last)
    moved = mapped(moved, lambda n: substitute(graph, n, {i: inner}))
    found = _summed(graph, moved._replace(guard=graph.zero), loop._replace(index=inner), first, last)
    subscripts = tuple(variable if s == binder.index else s for s in demand.subscripts)
    return found._replace(binders=(Binder(variable, low, high),), subscripts=subscripts)
