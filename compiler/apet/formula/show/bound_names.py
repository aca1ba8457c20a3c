"""Names for bound variables in a written formula: no two that meet in one scope share a name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Index, Interference, Load, NodeId, Peak, Reduce

Renamed = Callable[[str, int], str]


def primed(name: str, attempt: int) -> str:
    """`i`, `i′`, `i′′`… for the attempts 0, 1, 2…"""
    return name + "′" * attempt


def bound_names(
    graph: Graph, nodes: Collection[NodeId], taken: Collection[str] = (), renamed: Renamed = primed
) -> dict[NodeId, str]:
    """A name for every bound variable among the nodes: its own, changed by `renamed` where one in its scope has it.

    Names in `taken` (those of parameters) are not given. Variables that never meet share a name.
    """
    rivals: dict[NodeId, set[NodeId]] = {n: set() for n in nodes if isinstance(graph.nodes[n], Index)}
    for node in nodes:
        for own, scope in _scopes(graph, node):
            for other in scope - {own}:
                rivals.setdefault(own, set()).add(other)
                rivals.setdefault(other, set()).add(own)
    names: dict[NodeId, str] = {}
    for index in sorted(rivals):
        variable = graph.nodes[index]
        assert isinstance(variable, Index)
        refused = {names[r] for r in rivals[index] if r in names}.union(taken)
        attempt = 0
        while renamed(variable.name, attempt) in refused:
            attempt += 1
        names[index] = renamed(variable.name, attempt)

    return names


def _scopes(graph: Graph, node: NodeId) -> Iterator[tuple[NodeId, frozenset[NodeId]]]:
    """Per variable that a node binds: the variables in use where it is."""
    free = graph.free
    match graph.nodes[node]:
        case Reduce(_, index, _, _, body):
            yield index, free[body]
        case Peak(loads, members, servers):
            yield from _scopes_of_family(graph, loads, members, servers)
        case Interference(own, total, members, servers):
            yield from _scopes_of_family(graph, (*own, *total), members, servers)
        case _:
            return


def _scopes_of_family(
    graph: Graph, loads: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId
) -> Iterator[tuple[NodeId, frozenset[NodeId]]]:
    free = graph.free
    scope = frozenset(members)
    for load in loads:
        inner = frozenset(b.index for b in load.binders)
        for part in (*load.subscripts, load.load, load.head, load.tail, *(n for b in load.binders for n in b[1:])):
            inner |= free[part]
        for binder in load.binders:
            yield binder.index, inner
        scope |= inner
    for member in members:
        yield member, scope | free[servers]
