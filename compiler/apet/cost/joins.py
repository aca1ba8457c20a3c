"""The end of the last of some paths: maxima of sums, of which there are many in large graphs.

Whether one path is never longer than another takes a proof. Values at some points tell first where there is none: a sum
that is greater at one point and less at another dominates nothing, so most pairs need no proof, the others one of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.dominance import MOST_COMPARED
from apet.formula.graph.graph import FARTHEST, Graph
from apet.formula.graph.nodes import Const, Extreme, NodeId
from apet.ground.interval import Number

POINTS = 6
Values = tuple[float, ...]
"""Of a node, at each point."""


class SamplePoint:
    """Values for all symbols and machine quantities, within what is known of them; equal questions, equal answers."""

    def __init__(self, graph: Graph, number: int) -> None:
        self.graph, self.number = graph, number

    def symbol(self, name: str) -> Number:
        """A value in the declared range, or from 1 to 16."""
        low, high = self.graph.assumed.get(name, (1, None))
        if low < -FARTHEST / 2 or high is None:
            low, high = max(low, 1), max(low, 1) + 15
        value = low + (high - low) * Fraction(Random(f"{self.number} {name}").randrange(1 << 20), 1 << 20)
        return int(value) if name in self.graph.integers else float(value)

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """A number of seconds."""
        return Random(f"{self.number} {name} {subscripts} {arguments}").uniform(0, 16)


class Joins:
    """Maxima of nodes with values that they are known to have; `of` gives those of some nodes to begin with."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def of(self, nodes: Sequence[NodeId]) -> list[Values] | None:
        """The values of nodes; None where they have none by themselves."""
        distinct = list(dict.fromkeys(nodes))
        if any(self.graph.free[n] for n in distinct):
            return None
        try:
            plan = Plan(self.graph, distinct)
            rows = [plan.run(SamplePoint(self.graph, number)) for number in range(POINTS)]
            values = dict(zip(distinct, zip(*(map(float, row) for row in rows), strict=True), strict=True))
        except (EvaluationError, ArithmeticError, LookupError):
            return None
        return [values[n] for n in nodes]

    def greatest(self, ends: dict[NodeId, Values]) -> NodeId:
        """The maximum of nodes that have these values."""
        g = self.graph
        if len(ends) == 1:
            return next(iter(ends))
        if len(ends) > MOST_COMPARED or any(isinstance(g.nodes[n], Extreme | Const) for n in ends):
            return g.maximum(ends)
        rivals: list[NodeId] = []
        for node, values in ends.items():
            if not any(self._dominates(other, ends[other], node, values) for other in rivals):
                rivals = [other for other in rivals if not self._dominates(node, values, other, ends[other])]
                rivals.append(node)
        return rivals[0] if len(rivals) == 1 else g.intern(Extreme("max", tuple(sorted(rivals))))

    def _dominates(self, one: NodeId, values: Values, other: NodeId, less: Values) -> bool:
        """Whether a node is proved to be at least another one; sums at a point are rounded."""
        if any(a < b * (1 - 1e-9) for a, b in zip(values, less, strict=True)):
            return False
        return self.graph.at_most(other, one)
