"""Graphs whose order depends on values: their costs are bounds until the values are known, and exact from then on.

Where no closed form is known for the longest path, a model is costed twice. Once in symbols: T0 is then a path that
the graph surely has, the bounds hold, and it is recorded what the order depends on. And once for each choice of the
recorded values (`KnownShape`): these stand for their names, loops around the graph whose index its order depends on are
written out, and members are set against each other one by one, as where a model has numbers in these places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Item, NodeId, Symbol
from apet.ground.interval import Number
from apet.ground.records import NamedTuple
from apet.ground.source import Span

Shares = Callable[[str, tuple[Number, ...], tuple[Number, ...]], Number]
"""How many tasks a processor has: name of the item, its subscripts and arguments."""


class OpenShape(NamedTuple):
    """What the order of members depends on: parameters by `names`, the indices of `loops`, how tasks are `dealt`.

    Until these are known T0 and the estimate are no more than they will be, and so are loads where `in_loads`: there a
    resource is held for the time of such a graph.
    """

    names: frozenset[str]
    loops: frozenset[Span]
    dealt: bool
    in_loads: bool


class KnownShape(NamedTuple):
    """Values for all that an `OpenShape` names."""

    values: Mapping[str, Number]
    loops: frozenset[Span]
    shares: Shares | None


class ShapeRecord:
    """What the orders of a model's graphs turn out to depend on, as it is costed."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.names = set[str]()
        self.indices = set[NodeId]()
        self.loops = set[Span]()
        self.dealt = self.is_open = self.in_loads = False

    def opened(self, nodes: Iterable[NodeId], own: Iterable[NodeId], held: bool) -> None:
        """An order that depends on these nodes; `own` are the indices of its members."""
        self.is_open = True
        self.in_loads |= held
        self._depends_on(nodes, own)

    def closed(self, loop: Span, index: NodeId, ends: Iterable[NodeId]) -> None:
        """A loop around what was costed: it is written out where an order depends on its index."""
        if index in self.indices:
            self.loops.add(loop)
            self._depends_on(ends, ())

    def _depends_on(self, nodes: Iterable[NodeId], own: Iterable[NodeId]) -> None:
        g = self.graph
        for node in nodes:
            self.indices |= g.free[node].difference(own)
            for inner in g.below(node):
                form = g.nodes[inner]
                if isinstance(form, Symbol):
                    self.names.add(form.name)
                elif isinstance(form, Item):
                    self.dealt = True
                    self.names |= set() if form.arguments else {"tasks"}

    @property
    def shape(self) -> OpenShape | None:
        """What was recorded; None where the order of every graph is known."""
        if not self.is_open:
            return None
        return OpenShape(frozenset(self.names), frozenset(self.loops), self.dealt, self.in_loads)
