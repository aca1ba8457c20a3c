"""What a loop makes of the loads inside it.

A loop around a load either sums it (its subscript does not depend on the loop's index), or runs through the members:
where the subscript can be solved for the index, the binder becomes the member itself and no loop remains; else the loop
stays as a binder, and members are found by counting when numbers are known.

| subscript | index | load of member q |
|---|---|---|
| c + i, c - i | q - c, c - q | that of the one i |
| c + (i + d) % m | i0(q), i0(q) + m, … | sum over one residue class |
"""

from __future__ import annotations

from collections.abc import Callable

from apet.cost.loads import Demand, LoopRange, Members, height_of, mapped, raised, runs_through
from apet.formula.algebra.exclusions import met_in_some_round
from apet.formula.algebra.guards import may_divide
from apet.formula.algebra.reduction import max_over, min_over, substitute, sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Call, NodeId
from apet.ground.records import NamedTuple


def load_over_loop(graph: Graph, members: Members, family: str, demand: Demand, loop: LoopRange) -> Demand:
    """What a loop around a demand makes of it."""
    i = loop.index
    dimensions = [k for k, s in enumerate(demand.subscripts) if i in graph.free[s]]
    ranged = [b for b in demand.binders if i in graph.free[b.low] or i in graph.free[b.high]]
    if not dimensions and not ranged and _alike(graph, demand, i):
        # In order, the first use is in the first iteration and the last one in the last: nothing comes before or after.
        return _summed(graph, demand, loop)
    if not dimensions and not ranged:
        from_ends = _from_ends(graph, demand, loop)
        if from_ends is not None:
            return _summed(graph, from_ends, loop)
    if loop.others is not None:
        before, after = loop.others()
        demand = raised(graph, members, family, demand, max(graph.height[before], graph.height[after]))
        demand = demand._replace(head=graph.plus(before, demand.head), tail=graph.plus(after, demand.tail))
    if not dimensions and not ranged:
        return _summed(graph, demand, loop)

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


def _from_ends(graph: Graph, demand: Demand, loop: LoopRange) -> Demand | None:
    """The demand with its head and tail counted from the ends of a loop in order; None where that needs the others.

    The time before an iteration never falls with its index and is 0 before the first one. So a head that is the same in
    all iterations, or 0 in the first one, is least there; a tail likewise in the last one.
    """
    if loop.others is None:
        return None
    ends = []
    for node, end in ((demand.head, loop.low), (demand.tail, loop.high)):
        least = substitute(graph, node, {loop.index: end}) if loop.index in graph.free[node] else node
        if least not in (node, graph.zero):
            return None
        ends.append(least)
    return demand._replace(head=ends[0], tail=ends[1])


def _guard(graph: Graph, demand: Demand, index: NodeId, also: NodeId) -> NodeId:
    """The guard of a demand that a loop was closed around, under one more condition."""
    return graph.times(demand.guard, also) if _alike(graph, demand, index) else graph.zero


def summation(graph: Graph, index: NodeId, low: NodeId, high: NodeId) -> Callable[[NodeId], NodeId]:
    """The sum over a range, of one node after another; most of them are the same."""

    sums: dict[NodeId, NodeId] = {}

    def total(node: NodeId) -> NodeId:
        if node not in sums:
            sums[node] = sum_over(graph, index, low, high, node)
        return sums[node]

    return total


def _over(graph: Graph, loop: LoopRange, index: NodeId, low: NodeId, high: NodeId) -> LoopRange:
    """A part of a loop's range, with an index of its own."""
    return LoopRange(index, low, high, summation(graph, index, low, high), loop.others)


def _summed(graph: Graph, demand: Demand, loop: LoopRange) -> Demand:
    """The demand summed over the range of the loop's index, on which its members do not depend."""
    i, low, high, total, others = loop
    if others is not None and _alike(graph, demand, i):
        head, tail = (
            substitute(graph, node, {i: graph.maximum([low, end]) if may_divide(graph, i, node) else end})
            for node, end in ((demand.head, low), (demand.tail, high))
        )
    else:
        head, tail = (min_over(graph, i, low, high, n) if n != graph.zero else n for n in (demand.head, demand.tail))
    guard = _guard(graph, demand, i, graph.compare("<=", low, high))
    estimate, lower, upper = total(demand.estimate), total(demand.lower), total(demand.upper)
    return demand._replace(estimate=estimate, lower=lower, upper=upper, head=head, tail=tail, guard=guard)


def _solved(
    graph: Graph, members: Members, family: str, demand: Demand, loop: LoopRange, dimension: int
) -> Demand | None:
    """The demand by member, where the subscript of one dimension can be solved for the loop's index."""
    subscript = demand.subscripts[dimension]
    if any(b.index in graph.free[subscript] for b in demand.binders):
        return None

    solution = _shifted(graph, subscript, loop) or _dealt_round(graph, subscript, loop)
    if solution is None:
        return None

    name = graph.nodes[loop.index].name  # type: ignore[union-attr]
    height = height_of(graph, demand) + 2
    variable = members.variable(family, dimension, solution.low, solution.high, height, name)
    return solution.of_member(demand, variable, dimension)


class _ServerMembers(NamedTuple):
    """The members run from low to high; `of_member` gives the demand of one of them."""

    low: NodeId
    high: NodeId
    of_member: Callable[[Demand, NodeId, int], Demand]


def _placed(demand: Demand, binder: Binder, dimension: int) -> Demand:
    subscripts = list(demand.subscripts)
    subscripts[dimension] = binder.index
    return demand._replace(binders=(binder, *demand.binders), subscripts=tuple(subscripts))


def _shifted(graph: Graph, subscript: NodeId, loop: LoopRange) -> _ServerMembers | None:
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
        own = mapped(demand, lambda n: substitute(graph, n, {loop.index: index}))
        return _placed(own, Binder(variable, low, high), dimension)

    return _ServerMembers(low, high, of_member)


def least_over(graph: Graph, index: NodeId, low: NodeId, high: NodeId, node: NodeId) -> NodeId:
    """The least of a node over a loop; of one that repeats after m iterations, as in `(i + d) % m`, over m of them."""
    calls = [n for n, _ in graph.terms(node)[1] if index in graph.free[n]]
    if len(calls) == 1 and isinstance(call := graph.nodes[calls[0]], Call) and call.function == "mod":
        inside, modulus = call.operands
        repeats = index not in graph.free[graph.minus(inside, index)] | graph.free[modulus]
        if repeats and graph.integral[modulus] and graph.at_most(graph.one, modulus):
            high = graph.minimum([high, graph.shift(graph.plus(low, modulus), -1)])
    opposite = graph.scale(node, -1)
    if graph.nonnegative(opposite):  # the greatest of what is not negative has more closed forms
        met = met_in_some_round(graph, index, low, high, opposite)
        return graph.scale(max_over(graph, index, low, high, opposite) if met is None else met, -1)
    return min_over(graph, index, low, high, node)


def _dealt_round(graph: Graph, subscript: NodeId, loop: LoopRange) -> _ServerMembers | None:
    """c + (i + d) % m: member q gets i0(q), i0(q) + m, … up to the loop's end."""
    calls = [n for n, c in graph.terms(subscript)[1] if loop.index in graph.free[n] and c == 1]
    mod = graph.nodes[calls[0]] if len(calls) == 1 else None
    if not isinstance(mod, Call) or mod.function != "mod":
        return None
    (call,), (inside, modulus) = calls, mod.operands
    rest = graph.minus(subscript, call)
    if loop.index in graph.free[rest]:
        return None
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
        own = mapped(demand, lambda n: substitute(graph, n, {call: residue, loop.index: index}))
        if loop.index in graph.free[demand.head]:  # a member without a round would have one beyond the loop's end
            within = graph.minimum([index, loop.high])
            own = own._replace(head=substitute(graph, demand.head, {call: residue, loop.index: within}))
        own = _summed(graph, own, _over(graph, loop, turn, graph.zero, rounds))
        everyone = graph.compare("<=", modulus, graph.shift(graph.minus(loop.high, loop.low), 1))
        own = own._replace(guard=_guard(graph, demand, loop.index, everyone))
        return _placed(own, Binder(variable, low, high), dimension)

    return _ServerMembers(low, high, of_member)


def _inverted(graph: Graph, demand: Demand, loop: LoopRange, binder: Binder) -> Demand | None:
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
    summed = _summed(graph, moved._replace(guard=graph.zero), _over(graph, loop, inner, first, last))
    subscripts = tuple(substitute(graph, s, {binder.index: variable}) for s in demand.subscripts)
    return summed._replace(binders=(Binder(variable, low, high),), subscripts=subscripts)
