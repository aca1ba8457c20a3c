"""What is kept of a process: its times, its demands, and what must hold for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from apet.cost.loads import Demand, Demands, mapped
from apet.cost.serial import Serial, node_of
from apet.formula.algebra.reduction import substitute
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, NodeId
from apet.ground.source import Span


class Requirement(NamedTuple):
    """What must not be negative for the formulas to hold, and what it is about.

    `kind` is "duration", "size", "probability" or "number of servers".
    """

    node: NodeId
    kind: str
    span: Span


class Cost(NamedTuple):
    """The costs of a process, in seconds.

    `hold_and_wait` names the families of which members are held while others are waited for, or waited for while
    others are held, somewhere in it. `disjoint_loads` says that no time is counted in two loads, so that all loads
    together are no more than `serial`.
    """

    t0: NodeId
    lower: NodeId
    upper: NodeId
    serial: Serial
    demands: Demands
    hold_and_wait: frozenset[str] = frozenset()
    requirements: tuple[Requirement, ...] = ()
    disjoint_loads: bool = True


def requirements_of(parts: Iterable[Cost]) -> tuple[Requirement, ...]:
    """The requirements of all parts, each once."""
    return tuple(dict.fromkeys(r for p in parts for r in p.requirements))


def single_iteration(graph: Graph, body: Cost, index: NodeId, value: NodeId) -> Cost:
    """The costs of a loop's only iteration."""
    swap = {index: value}

    def put(node: NodeId) -> NodeId:
        return substitute(graph, node, swap)

    return body._replace(
        demands={f: [_demand_at(graph, d, swap) for d in demands] for f, demands in body.demands.items()},
        requirements=tuple(r._replace(node=put(r.node)) for r in body.requirements),
        t0=put(body.t0),
        lower=put(body.lower),
        upper=put(body.upper),
        serial=put(node_of(graph, body.serial)),
    )


def _demand_at(graph: Graph, demand: Demand, swap: dict[NodeId, NodeId]) -> Demand:
    binders, inner = [], dict(swap)
    for index, low, high in demand.binders:
        ends = substitute(graph, low, inner), substitute(graph, high, inner)
        fresh = graph.index_like(index, *ends)
        if fresh != index:
            inner[index] = fresh
        binders.append(Binder(fresh, *ends))
    moved = mapped(demand, lambda node: substitute(graph, node, inner))
    subscripts = tuple(substitute(graph, s, inner) for s in demand.subscripts)
    return moved._replace(binders=tuple(binders), subscripts=subscripts)
