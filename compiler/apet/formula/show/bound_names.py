"""Names for bound variables in a written formula: no two that meet in one scope share a name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Index, Interference, NodeId, Peak, Reduce, loads_of, operands_of_load

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
    free, form = graph.free, graph.nodes[node]
    if isinstance(form, Reduce):
        yield form.index, free[form.body]
    if not isinstance(form, Peak | Interference):
        return

    scope = frozenset(form.members)
    for load in loads_of(form):
        inner = frozenset(b.index for b in load.binders).union(*(free[n] for n, _ in operands_of_load(load)))
        for binder in load.binders:
            yield binder.index, inner
        scope |= inner
    for member in form.members:
        yield member, scope | free[form.servers]
