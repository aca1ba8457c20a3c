"""The interval in which a formula surely lies over a box, by the sharpest rule that applies."""

from __future__ import annotations

import re
from fractions import Fraction

from apet.formula.evaluate.box import Box
from apet.formula.evaluate.discontinuities import INEXACT, JUMPS
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.float_steps import Unsafe
from apet.formula.evaluate.rounding import down, infinite, up
from apet.formula.evaluate.widening import Endpoints, Ends
from apet.formula.extremes.extremes import extremes
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, Extreme, Item, Mul, NodeId, Symbol, operands
from apet.ground.interval import Interval, Number


def _exact(value: Number) -> Number:
    """A float as a fraction, with which a plan reckons exactly."""
    return Fraction(value) if isinstance(value, float) else value


class Enclosing:
    """How to enclose one formula: made once, asked for many boxes.

    In order: both end points in floats, widened (unless all ends are exact); both end points by interval arithmetic;
    corners, scan, or branch and bound (`formula.extremes`); plain interval arithmetic, also where an end is
    infinite.
    """

    def __init__(self, graph: Graph, node: NodeId, most_evaluations: int = 4000) -> None:
        """`most_evaluations` limits a search."""
        self.graph = graph
        self.most = most_evaluations
        self.node = node
        nodes = [graph.nodes[n] for n in graph.below(node)]
        self.symbols = [n.name for n in nodes if type(n) is Symbol]
        self.quantities = {n.name for n in nodes if type(n) is Item}
        self.endpoints = Endpoints(graph, node)
        self._exactly: Endpoints | None = None
        self._enclosure: Enclosure | None = None

    def run(self, box: Box) -> Ends:
        """The ends and how they were found; `EvaluationError` where some value may not exist, `KeyError` for a
        parameter or quantity that the box lacks."""
        if not box.exact:
            try:
                return self.endpoints.run(box)
            except Unsafe:
                pass
        if self._exactly is None:
            self._exactly = Endpoints(self.graph, self.node, floats=False)
            self._enclosure = Enclosure(self.graph, [self.node])
        try:
            return self._exactly.run(box)
        except Unsafe:
            return self._searched(box) or self._by_intervals(box)

    def _by_intervals(self, box: Box) -> Ends:
        assert self._enclosure is not None
        found = self._enclosure.run(box)[0]
        return Ends(down(found.lo), up(found.hi), "interval arithmetic")

    def _exact_points(self) -> bool:
        """Whether no jump (a rounding, a comparison, the end of a range) hangs on a value that is known nearly only."""
        nodes, near = self.graph.nodes, set[NodeId]()
        for n in self.graph.below(self.node):
            node = nodes[n]
            inside = any(o in near for o in operands(node))
            smooth = isinstance(node, Add | Mul | Extreme) or (type(node) is Call and node.function not in JUMPS)
            if inside and not smooth:
                return False
            if inside or (type(node) is Call and node.function in INEXACT):
                near.add(n)
        return True

    def _searched(self, box: Box) -> Ends | None:
        """By search over the parameters; None where quantities of the machine vary, or where there may be no value."""
        if not box.finite or not self._exact_points():
            return None
        mine = {name: Interval(*map(_exact, box.intervals[name])) for name in self.symbols}
        others = {name: x for name, x in box.intervals.items() if re.split(r"[\[(]", name)[0] in self.quantities}
        if not all(x.is_point for x in others.values()):
            return None
        fixed = {name: _exact(x.lo) for name, x in others.items()}
        plan, enclosure = Plan(self.graph, [self.node]), self._enclosure
        assert enclosure is not None

        def at(values: dict[str, Number]) -> Number:
            return plan.run(MappingEnvironment({**fixed, **{n: _exact(v) for n, v in values.items()}}))[0]

        def over(part: dict[str, Interval]) -> Interval:
            return enclosure.run(Box({**others, **part}))[0]

        whole = frozenset(self.graph.integers)
        try:
            found = extremes(self.graph, self.node, mine, whole, at, over, most_evaluations=self.most)  # type: ignore[arg-type]
        except (ArithmeticError, ValueError):
            return None
        if infinite(found.lo) or infinite(found.hi):
            return None
        exact = type(found.lo) is not float and type(found.hi) is not float
        ends = "exact endpoints" if exact else "endpoints, rounded outward"
        return Ends(down(found.lo), up(found.hi), ends if found.certificate == "endpoints" else found.certificate)
