"""The sum of all durations of a process, made only where somebody asks for it.

It serves as an upper bound where nothing better holds, which is seldom: yet in a model of n levels each level has a sum
of its own, as long as all that is below it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational


class PendingSum:
    """A sum of nodes and of other pending sums. `number` is above those of its parts."""

    __slots__ = ("node", "number", "parts")

    def __init__(self, parts: tuple[Serial, ...]) -> None:
        self.parts = parts
        self.number: int = 1 + max((p.number for p in parts if isinstance(p, PendingSum)), default=0)
        self.node: NodeId | None = None


Serial: TypeAlias = "NodeId | PendingSum"


def sum_of(parts: Iterable[Serial]) -> Serial:
    """The sum of serial times, pending."""
    return PendingSum(tuple(parts))


def node_of(graph: Graph, serial: Serial) -> NodeId:
    """The node of a serial time, made at the first question.

    Parts that occur many times are looked at once: from the highest number down, each hands on how often it occurs.
    """
    if not isinstance(serial, PendingSum):
        return serial

    if serial.node is None:
        times = {serial: 1}
        terms: list[tuple[NodeId, Rational]] = []
        for part in _below(serial):
            for inner in part.parts:
                if not isinstance(inner, PendingSum):
                    terms.append((inner, times[part]))
                elif inner.node is not None:
                    terms.append((inner.node, times[part]))
                else:
                    times[inner] = times.get(inner, 0) + times[part]
        serial.node = graph.add(terms)
    return serial.node


def _below(top: PendingSum) -> list[PendingSum]:
    """All pending sums in a sum that have no node yet, higher numbers first."""
    pending, stack = {top}, [top]
    while stack:
        for part in stack.pop().parts:
            if isinstance(part, PendingSum) and part.node is None and part not in pending:
                pending.add(part)
                stack.append(part)
    return sorted(pending, key=lambda p: -p.number)
