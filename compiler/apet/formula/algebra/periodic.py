"""Sums and extremes of what depends on the index only through `(index + d) % m`: one period tells all."""

from __future__ import annotations

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, NodeId
from apet.ground.records import NamedTuple


class Period(NamedTuple):
    """The `mod` node that a body depends on its index by, its modulus m, and the offset d."""

    node: NodeId
    modulus: NodeId
    offset: NodeId


def period(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> Period | None:
    """The period of a body over low..high; None if it has none, or if the range may be known to be no longer."""
    calls = [n for n in graph.depending(body, index) if _is_modulus(graph, n)]
    if len(calls) != 1:
        return None
    left, modulus = graph.nodes[calls[0]].operands  # type: ignore[union-attr]
    offset = graph.minus(left, index)
    if index in graph.free[offset] | graph.free[modulus] or not graph.integral[modulus]:
        return None
    if not (graph.free[offset] | graph.free[modulus]) - {index} <= graph.free[body]:
        return None  # another loop inside of the body binds what it depends on
    if not graph.integral[offset] or not graph.at_most(graph.one, modulus):
        return None
    if graph.at_most(graph.shift(graph.minus(high, low), 1), modulus):
        return None
    if index in graph.depending(body, index, past=calls[0]):
        return None

    return Period(calls[0], modulus, offset)


def _is_modulus(graph: Graph, node: NodeId) -> bool:
    form = graph.nodes[node]
    return type(form) is Call and form.function == "mod"


def one_turn(graph: Graph, low: NodeId, high: NodeId, turn: Period) -> NodeId:
    """The end of the first period from low, or the range's end if that comes first."""
    return graph.minimum([high, graph.shift(graph.plus(low, turn.modulus), -1)])


def times_met(graph: Graph, index: NodeId, high: NodeId, turn: Period) -> NodeId:
    """How often the value of the body at an index of the first period comes back up to high, itself included."""
    return graph.shift(graph.call("floor", [graph.over(graph.minus(high, index), turn.modulus)]), 1)
