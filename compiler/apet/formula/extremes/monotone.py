"""In which direction a formula moves with a parameter over a box, from enclosures of its difference quotients.

For a < b in a symbol's interval, other symbols anywhere, the slope is [f(b) - f(a)] / (b - a). Slopes of sums,
products and maxima follow from those of their parts, also where there is no derivative: floor has slopes from 0 up. All
enclosures are made in one pass without running a loop: a bound variable stands for its whole range. Machine quantities
need not be known; they are never negative and rise with their arguments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from apet.formula.evaluate.arithmetic import Step
from apet.formula.evaluate.enclosure import IntervalEnvironment, Intervals
from apet.formula.evaluate.rounding import EVERYTHING, NONNEGATIVE, ZERO, infinite, multiply
from apet.formula.extremes.slopes import ITEMS_OF_PARAMETERS, Slopes, SlopesIn, counts
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import reachable
from apet.formula.graph.nodes import Index, Interference, Item, NodeId, Peak, Reduce, Symbol, binders_of, operands
from apet.ground.interval import Interval, Number


def direction_of_symbol(graph: Graph, node: NodeId, name: str, box: Mapping[str, Interval]) -> int | None:
    """1 if a node never falls as the symbol rises in the box, -1 if it never rises, 0 if it stays; None if unproved.

    The other symbols are anywhere in their intervals; a symbol that the box leaves out, where the graph assumes it.
    """
    return sign(Steepness(graph, node).slopes(box, [name])[name])


def sign(slope: Interval) -> int | None:
    """The direction that an interval of slopes proves."""
    if slope.lo >= 0:
        return 1 if slope.hi > 0 else 0
    return -1 if slope.hi <= 0 else None


class UnknownMachine:
    """Symbols from a box; of machine quantities nothing is known but that they are not negative."""

    def __init__(self, graph: Graph, box: Mapping[str, Interval]) -> None:
        self.graph = graph
        self.box = box

    def symbol(self, name: str) -> Interval:
        """From the box, else what the graph assumes."""
        if name in self.box:
            return self.box[name]
        low, high = self.graph.assumed.get(name, (0, None))
        return Interval(low, math.inf if high is None else high)

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """0 or more."""
        return NONNEGATIVE

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """0 or more."""
        return NONNEGATIVE


class Steepness:
    """Values and slopes of a node over boxes; made once, asked for many boxes."""

    def __init__(self, graph: Graph, node: NodeId) -> None:
        self.graph = graph
        self.node = node
        self.order = reachable(graph, [node])
        self.unranged = _unranged(graph, self.order)
        binding = (Index, Reduce, Peak, Interference)
        arithmetic = Intervals(graph, lenient=True)
        self._steps: dict[NodeId, Step] = {
            n: arithmetic.step(n) for n in self.order if type(graph.nodes[n]) not in binding
        }

    def values(self, box: Mapping[str, Interval], environment: IntervalEnvironment | None = None) -> list[Interval]:
        """An enclosure of every node by number, where it has a value; without limits where nothing is known."""
        enclosures: list[Interval] = [EVERYTHING] * len(self.graph)
        around = environment or UnknownMachine(self.graph, box)
        for n in self.order:
            try:
                if n in self._steps:
                    self._steps[n](enclosures, around)
                else:
                    enclosures[n] = self._binding(n, enclosures)
            except (ArithmeticError, ValueError):
                enclosures[n] = EVERYTHING
        return enclosures

    def slopes(
        self, box: Mapping[str, Interval], names: list[str], environment: IntervalEnvironment | None = None
    ) -> Slopes:
        """An enclosure of the slopes of the node in each symbol."""
        values = self.values(box, environment)
        by_node: dict[NodeId, Slopes] = {}
        rules = {name: SlopesIn(self.graph, name, values, by_node) for name in names}
        for n in self.order:
            by_node[n] = {}
            for name in self._moving(n, names, by_node):
                slope = rules[name].of(n)
                if slope != ZERO:
                    by_node[n][name] = slope
        return {name: by_node[self.node].get(name, ZERO) for name in names}

    def _moving(self, n: NodeId, names: list[str], by_node: dict[NodeId, Slopes]) -> set[str]:
        """The symbols that a node depends on."""
        match self.graph.nodes[n]:
            case Symbol(name):
                return {name} & set(names)
            case Item(name, _, _) as item:
                moving = set(ITEMS_OF_PARAMETERS.get(name, ())) & set(names)
                return moving.union(*(by_node[o] for o in operands(item)))
            case found_node:
                return set[str]().union(*(by_node[o] for o in operands(found_node)))

    def _binding(self, n: NodeId, values: list[Interval]) -> Interval:
        match self.graph.nodes[n]:
            case Index():
                return EVERYTHING if n in self.unranged else _ranged(*(values[e] for e in self.graph.ranges[n]))
            case Reduce(kind, _, low, high, body):
                return _reduced(kind, counts(values[low], values[high]), values[body])
            case _:
                return NONNEGATIVE


def _unranged(graph: Graph, order: list[NodeId]) -> set[NodeId]:
    """The variables whose recorded range is not the one they run over: members of families, which have none."""
    variables = set[NodeId]()
    for n in order:
        node = graph.nodes[n]
        variables.update(b.index for b in binders_of(node) if graph.ranges[b.index] != (b.low, b.high))
        variables.update(node.members if isinstance(node, Peak | Interference) else ())
    return variables


def _ranged(low: Interval, high: Interval) -> Interval:
    first = low.lo if infinite(low.lo) else math.ceil(low.lo)
    last = high.hi if infinite(high.hi) else math.floor(high.hi)
    return Interval(first, max(first, last))


def _reduced(kind: str, count: Interval, body: Interval) -> Interval:
    """The value of a `Reduce` over that many bodies."""
    if kind == "sum":
        return multiply(count, body)
    if kind == "max":
        return Interval(max(0, body.lo) if count.lo > 0 else 0, max(0, body.hi) if count.hi > 0 else 0)
    return Interval(body.lo if count.hi > 0 else math.inf, body.hi if count.lo > 0 else math.inf)
