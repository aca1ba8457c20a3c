"""Loops over all machines as loops over kinds of machines.

In `max_{1<=p<=P} e(p)` the body often depends on p through machine quantities alone: `t_op[p]`, `share[p]`,
`t_send[0, p](8)`. Then it has one value per kind of machine, and a loop over a million machines is a maximum, minimum
or weighted sum of a few terms, in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.formula.algebra.polynomial import expand
from apet.formula.algebra.reduction import substitute
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Item, NodeId, Peak, Rational, Reduce, operands
from apet.ground.records import NamedTuple


class Representative(NamedTuple):
    """A machine that stands for `count` machines, itself among them: both are nodes."""

    machine: NodeId
    count: NodeId  # type: ignore[assignment]  # hides tuple.count, which no representative needs


class Kinds(NamedTuple):
    """Representatives of all machines in use; those in `dealt` agree in `share` as well. All shares sum to `tasks`."""

    equal: Sequence[Representative]
    dealt: Sequence[Representative]
    tasks: NodeId


def by_representatives(graph: Graph, node: NodeId, machines: str, kinds: Kinds) -> NodeId:
    """The node with every loop from 1 to the symbol `machines` written out over kinds, where that is the same.

    So is the greatest load of a family whose members are the machines, each met once, and perhaps machine 0.
    Messages between two machines of which neither is 0 are left alone: a message to oneself is free.
    """
    node = _peaks_as_loops(graph, node, machines)
    replacement: dict[NodeId, NodeId] = {}
    last = graph.symbol(machines)
    for n in graph.below(node):
        reduction = graph.nodes[n]
        if not isinstance(reduction, Reduce) or reduction.low != graph.one or reduction.high != last:
            continue
        body = substitute(graph, reduction.body, replacement) if replacement else reduction.body
        if _only_in_quantities(graph, body, reduction.index) and not _deals_its_own(graph, body):
            loop = reduction._replace(body=body)
            if "share" not in _quantities(graph, body):
                replacement[n] = _written_out(graph, loop, kinds.equal)
            elif loop.kind == "sum":
                replacement[n] = _sum(graph, loop, kinds)
            else:
                replacement[n] = _written_out(graph, loop, kinds.dealt)

    return substitute(graph, node, replacement) if replacement else node


def _peaks_as_loops(graph: Graph, node: NodeId, machines: str) -> NodeId:
    """The node with the greatest load of a family as a loop, where each machine is a member once, and 0 perhaps too."""
    replacement: dict[NodeId, NodeId] = {}
    for n in graph.below(node):
        form = graph.nodes[n]
        if isinstance(form, Peak) and len(form.members) == 1:
            loop = _peak_as_loop(graph, form, machines)
            if loop is not None:
                replacement[n] = loop
    return substitute(graph, node, replacement) if replacement else node


def _peak_as_loop(graph: Graph, peak: Peak, machines: str) -> NodeId | None:
    low, high = graph.one, graph.symbol(machines)
    index = graph.index("p", low, high)
    each, alone = [], []
    for load in peak.loads:
        if (load.head, load.tail) != (graph.zero, graph.zero) or not graph.nonnegative(load.load):
            return None
        match load.binders:
            case () if load.subscripts == (graph.zero,):
                alone.append(load.load)
            case (binder,) if binder[1:] == (low, high) and load.subscripts == (binder.index,):
                each.append(substitute(graph, load.load, {binder.index: index}))
            case _:
                return None
    (member,) = peak.members
    shares = []
    for loads, place in ((each, index), (alone, graph.zero)):
        servers = substitute(graph, peak.servers, {member: place})
        shares.append(graph.over(graph.plus(*loads), servers))

    return graph.maximum([graph.intern(Reduce("max", index, low, high, shares[0])), shares[1]])


def _written_out(graph: Graph, loop: Reduce, kinds: Sequence[Representative]) -> NodeId:
    bodies = [substitute(graph, loop.body, {loop.index: kind.machine}) for kind in kinds]
    if loop.kind == "sum":
        return graph.plus(*(graph.times(kind.count, body) for kind, body in zip(kinds, bodies, strict=True)))
    if loop.kind == "min":
        return graph.minimum(bodies)
    if not all(graph.nonnegative(body) for body in bodies):
        bodies.append(graph.zero)  # a maximum over a loop begins at 0
    return graph.maximum(bodies)


def _sum(graph: Graph, loop: Reduce, kinds: Kinds) -> NodeId:
    """A sum term by term: what is multiplied with `share[p]` and is the same for all machines counts `tasks` times."""
    constant, terms = graph.terms(expand(graph, loop.body))
    summands: list[tuple[NodeId, Rational]] = [(kind.count, constant) for kind in kinds.equal]
    share = graph.item("share", [loop.index])
    for term, coefficient in terms:
        rest = graph.over(term, share)
        if loop.index not in graph.free[rest]:
            summands.append((graph.times(kinds.tasks, rest), coefficient))
            continue
        among = kinds.dealt if "share" in _quantities(graph, term) else kinds.equal
        summands.append((_written_out(graph, loop._replace(body=term), among), coefficient))
    return graph.add(summands)


def _quantities(graph: Graph, node: NodeId) -> set[str]:
    nodes = (graph.nodes[n] for n in graph.below(node))
    return {n.name for n in nodes if isinstance(n, Item)}


def _deals_its_own(graph: Graph, node: NodeId) -> bool:
    """Whether `share[p](m)` occurs: machines that agree in `share[p]` need not agree in it."""
    nodes = (graph.nodes[n] for n in graph.below(node))
    return any(isinstance(n, Item) and n.name == "share" and n.arguments for n in nodes)


def _only_in_quantities(graph: Graph, body: NodeId, index: NodeId) -> bool:
    """Whether a body depends on the index as a whole subscript of machine quantities only."""
    stack, seen = [body], set[NodeId]()
    while stack:
        n = stack.pop()
        if n in seen or index not in graph.free[n]:
            continue
        seen.add(n)
        form = graph.nodes[n]
        if n == index or (isinstance(form, Reduce) and index in graph.free[form.low] | graph.free[form.high]):
            return False
        if isinstance(form, Item) and index in form.subscripts:
            others = [s for s in form.subscripts if s != index]
            if len(others) + 1 < len(form.subscripts) or any(s != graph.zero for s in others):
                return False
            stack += form.arguments
        else:
            stack += operands(form)

    return True
