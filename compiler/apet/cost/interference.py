"""How long the other branches of a `par` can keep one branch waiting: their load on the resources that it uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apet.cost.loads import Demand, Demands, added, runs_through
from apet.cost.peaks import Servers, apart
from apet.formula.algebra.reduction import substitute, sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Interference, NodeId
from apet.ground.records import NamedTuple

Table = dict[tuple[NodeId, ...], NodeId]
"""The load of every member of a family, where all members are plain numbers."""


class Totals(NamedTuple):
    """The load of all branches together, by family; with tables where members can be looked up.

    `pairs` has the two loads of a member that two branches use: what is not the one's is the other's.
    """

    demands: Demands
    tables: dict[str, Table]
    pairs: dict[str, dict[tuple[NodeId, ...], list[NodeId]]]


def totals(graph: Graph, families: Iterable[str], demands: Demands, parts: Sequence[Demands] = ()) -> Totals:
    """The load of all branches on the families that they share; `parts` are the demands of each."""
    tables, pairs = {}, dict[str, dict[tuple[NodeId, ...], list[NodeId]]]()
    for family in families:
        loads = demands[family]
        if all(not d.binders and all(graph.value(s) is not None for s in d.subscripts) for d in loads):
            tables[family] = {d.subscripts: d.upper for d in loads}
            users = pairs[family] = dict[tuple[NodeId, ...], list[NodeId]]()
            for demand in (d for p in parts for d in p.get(family, ())):
                users.setdefault(demand.subscripts, []).append(demand.upper)
    return Totals({f: demands[f] for f in families}, tables, pairs)


def interference(graph: Graph, servers: Servers, own: Demands, total: Totals) -> NodeId:
    """The sum over the members that `own` uses of (total load - own load) / servers, in seconds."""
    return added(graph, (_in_family(graph, servers, f, own[f], total) for f in total.demands if own.get(f)))


def _in_family(graph: Graph, servers: Servers, family: str, own: list[Demand], totals: Totals) -> NodeId:
    table, total = totals.tables.get(family), totals.demands[family]
    if table is not None and all(d.subscripts in table and not d.binders for d in own):
        users = totals.pairs[family]
        others = [(d, _without(graph, table[d.subscripts], users.get(d.subscripts, ()), d.upper)) for d in own]
        return added(graph, (servers.share(o, family, d.subscripts) for d, o in others))
    loads = [_others(graph, servers, family, demand, own, total) for demand in own]
    if None not in loads:
        return added(graph, (n for n in loads if n is not None))

    zero = graph.zero
    members, count = servers.general(family, len(own[0].subscripts))
    mine, everyone = (tuple(d.load(graph, d.upper, zero, zero) for d in loads) for loads in (own, total))
    return graph.intern(Interference(mine, everyone, members, count))


def _without(graph: Graph, total: NodeId, users: Sequence[NodeId], own: NodeId) -> NodeId:
    """The total load on a member without one's own."""
    if len(users) == 2 and own in users:
        return users[0] if own == users[1] else users[1]
    return graph.minus(total, own)


def _others(
    graph: Graph, servers: Servers, family: str, demand: Demand, own: list[Demand], total: list[Demand]
) -> NodeId | None:
    """What others load on the one member of a demand; None where members cannot be told apart."""
    if demand.binders:
        return None
    if any(d is not demand and (d.binders or not apart(graph, d.subscripts, demand.subscripts)) for d in own):
        return None
    there = [_load_on(graph, d, demand.subscripts) for d in total]
    if None in there:
        return None
    others = graph.minus(graph.plus(*(t for t in there if t is not None)), demand.upper)
    return servers.share(others, family, demand.subscripts)


def _load_on(graph: Graph, demand: Demand, member: tuple[NodeId, ...]) -> NodeId | None:
    """The load of a demand on a member; None where it cannot be told."""
    if not demand.binders:
        if demand.subscripts == member:
            return demand.upper
        return graph.zero if apart(graph, demand.subscripts, member) else None
    if not runs_through(demand):
        return None

    ranges = {b.index: b for b in demand.binders}
    put = {mine: theirs for mine, theirs in zip(demand.subscripts, member, strict=True) if mine in ranges}
    inside = [graph.one]
    for mine, theirs in zip(demand.subscripts, member, strict=True):
        if mine not in ranges or put[mine] != theirs:
            here = substitute(graph, mine, put)
            if here != theirs:
                return graph.zero if apart(graph, (here,), (theirs,)) else None
            continue
        low, high = (substitute(graph, end, put) for end in ranges[mine][1:])
        inside += [graph.compare("<=", low, theirs), graph.compare("<=", theirs, high)]
    there = graph.times(*inside)
    if there == graph.zero:
        return there
    try:
        return graph.times(there, substitute(graph, demand.upper, put))
    except ZeroDivisionError:  # no round that takes so long may be there: who evaluates each round can tell
        return None


def total_load(graph: Graph, demand: Demand) -> NodeId:
    """The load of a demand on all its members together."""
    load = demand.upper
    for index, low, high in reversed(demand.binders):
        load = sum_over(graph, index, low, high, load)
    return load
