"""Which nodes of a formula may have no value, so that source code computes them only where they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, operands


class Weakness(IntEnum):
    """Why a node may have no value: it asks a machine for a member, or an operation has none (or an infinite one)."""

    SOUND = 0
    MEMBER = 1
    UNDEFINED = 2


def fragile_nodes(graph: Graph, nodes: Iterable[NodeId]) -> dict[NodeId, Weakness]:
    """The nodes, operands first, that may have no value for some values of their symbols."""
    fragile: dict[NodeId, Weakness] = {}
    for node in nodes:
        form = graph.nodes[node]
        weak = max((fragile.get(n, Weakness.SOUND) for n in operands(form)), default=Weakness.SOUND)
        weak = max(weak, _own_weakness(graph, form))
        if weak is not Weakness.SOUND:
            fragile[node] = weak
    return fragile


def _own_weakness(graph: Graph, form: kinds.Node) -> Weakness:
    match form:
        case kinds.Item(_, subscripts, _) if any(
            v is not None and (v < 0 or v % 1) for v in map(graph.value, subscripts)
        ):
            return Weakness.UNDEFINED  # no machine has such a member
        case kinds.Item(_, subscripts, _) if any(graph.value(s) is None for s in subscripts):
            return Weakness.MEMBER
        case kinds.Mul(factors) if any(e < 0 and not graph.facts.ranges.positive(n) for n, e in factors):
            return Weakness.UNDEFINED
        case kinds.Reduce("min"):
            return Weakness.UNDEFINED  # infinite over an empty range
        case kinds.Call("log" | "log2", (argument,)) | kinds.Call("mod", (_, argument)):
            return Weakness.SOUND if graph.facts.ranges.positive(argument) else Weakness.UNDEFINED
        case kinds.Call("sqrt", (argument,)):
            return Weakness.SOUND if graph.nonnegative(argument) else Weakness.UNDEFINED
        case kinds.Call("pow", (base, exponent)):
            positive = graph.nonnegative(base) and (graph.nonnegative(exponent) or graph.facts.ranges.positive(base))
            return Weakness.SOUND if positive else Weakness.UNDEFINED
        case _:
            return Weakness.SOUND
