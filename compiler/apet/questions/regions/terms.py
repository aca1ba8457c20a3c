"""The terms of the estimate as alternatives in one graph, for the numbers of processors of one segment.

T is the maximum of T0 and one T[r] per resource. Loops over machines are written out over kinds of machines, defaults
that depend on what varies are put in as formulas, and each term is taken apart into alternatives without maximum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from apet.cost import CostModel
from apet.cost.expressions import Expressions
from apet.formula.algebra.alternatives import alternatives
from apet.formula.algebra.reduction import substitute
from apet.formula.algebra.representatives import Kinds, Representative, by_representatives
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.evaluation import Plan
from apet.formula.extremes.monotone import Steepness
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import imported
from apet.formula.graph.nodes import Extreme, Interference, Item, NodeId, Peak, Rational, Reduce, Symbol
from apet.ground.interval import Number
from apet.model.walk import names_in
from apet.prediction.deployment import Deployment
from apet.questions.regions.environment import GroupSymbols
from apet.questions.regions.segments import Dealing, ProcessorSegment

LATENCY, BANDWIDTH = "latency_s", "bandwidth_B_per_s"


class Terms(NamedTuple):
    """What decides, by name, in the order in which equal ones count; `sign` is -1 where the least of them decides.

    `formulas` are those to show; `of` is "estimate", "lower" or "upper".
    """

    names: tuple[str, ...]
    nodes: tuple[NodeId, ...]
    formulas: tuple[Formula, ...]
    sign: int
    of: str

    @property
    def of_resources(self) -> bool:
        """Whether all terms but the last are those of the application's resources, in order."""
        return self.of == "estimate"


def terms_of(app: CostModel, what: str) -> Terms:
    """The terms of the estimate, resources before T0; or what the "lower" or "upper" bound is an extreme of."""
    if what == "estimate":
        names = (*(app.term(r.label) for r in app.resources), app.base)
        nodes = (*(r.peak.node for r in app.resources), app.T0.node)
        terms = Terms(names, nodes, (*(r.load for r in app.resources), app.T0), 1, what)
        if app.resources and app.T0.node == app.graph.zero:
            return terms._replace(names=names[:-1], nodes=nodes[:-1], formulas=terms.formulas[:-1])
        return terms

    bound = app.lower if what == "lower" else app.upper
    extreme = app.graph.nodes[bound.node]
    nodes = extreme.operands if isinstance(extreme, Extreme) else (bound.node,)
    names = tuple(f"{what} {k}" for k in range(1, len(nodes) + 1)) if len(nodes) > 1 else (what,)
    sign = -1 if isinstance(extreme, Extreme) and extreme.kind == "min" else 1
    return Terms(names, nodes, tuple(Formula(app.graph, n) for n in nodes), sign, what)


class SegmentTerms:
    """The terms for one segment; `choices[k]` are the alternatives of which term k is the maximum.

    `varied` are the names of the axes; `fixed` the latency or bandwidth that stays where the other one varies.
    """

    def __init__(
        self,
        app: CostModel,
        terms: Terms,
        deployment: Deployment,
        segment: ProcessorSegment,
        varied: Sequence[str],
        settings: Mapping[str, Number],
        fixed: Mapping[str, Rational],
        static: bool,
    ) -> None:
        self.app = app
        self.varied = varied
        self._dealt: dict[NodeId, frozenset[str]] = {}
        self.deployment = deployment
        self.segment = segment
        self.dealing = Dealing(deployment, segment.filling) if static else None
        self._steep: dict[NodeId, Steepness] = {}
        self._plans: dict[NodeId, Plan] = {}

        # a graph of its own: symbols of machines and what is assumed of them hold in this segment only
        self.graph = g = Graph()
        g.assumed |= app.graph.assumed
        g.integers |= app.graph.integers
        g.distinct |= app.graph.distinct
        self.derived = _derived(app, g, varied, settings)
        self.tasks = substitute(g, g.symbol("tasks"), self.derived)
        self.names = self._names("P" in varied)
        self.choices: list[tuple[NodeId, ...]] = []

        for root in terms.nodes:
            node = g.scale(substitute(g, imported(g, app.graph, root), self.derived), terms.sign)
            if deployment.groups and (static or not app.needs_shares):
                node = by_representatives(g, node, "P", self.names.kinds)
            node = _with_quantities(g, node, varied, fixed)
            self.choices.append(alternatives(g, node))

        self.nodes = tuple(n for choice in self.choices for n in choice)
        self.root = g.intern(Extreme("max", tuple(sorted(set(self.nodes)))))

    def _names(self, growing: bool) -> GroupSymbols:
        """Symbols for the machines of each group in use, and how many there are."""
        g, groups = self.graph, self.deployment.groups
        taken = {*self.app.parameters, *self.app.declared, *self.app.free_branches, *self.app.processors, "P"}
        first, last, more = [], [], []

        for used in groups:
            name = "p" if len(groups) == 1 else used.group.name
            while name in taken:
                name += "'"
            taken |= {name, f"{name}, last", f"more({name})"}
            first.append(name)
            last.append(f"{name}, last")
            more.append(f"more({name})")

        g.integers |= {*first, *last, *more}
        for name in (*first, *last):
            g.assume(name, 1)
        sizes = [g.last - g.first + 1 for g in groups]
        counts = [g.const(n) for n in sizes]

        if growing and groups:
            others = sum(sizes) - sizes[self.segment.filling]
            counts[self.segment.filling] = g.shift(g.symbol("P"), -others)

        # a loop over machines becomes one product for each group; where tasks are dealt, two: the first `more` of
        # a group get one task more than its last
        equal = [Representative(g.symbol(n), c) for n, c in zip(first, counts, strict=True)]
        dealt = [Representative(g.symbol(n), g.symbol(m)) for n, m in zip(first, more, strict=True)]
        dealt += [
            Representative(g.symbol(n), g.minus(c, g.symbol(m))) for n, m, c in zip(last, more, counts, strict=True)
        ]
        return GroupSymbols(first, last, more, Kinds(equal, dealt, self.tasks))

    @cached_property
    def plan(self) -> Plan:
        """The values of all alternatives, term by term."""
        return Plan(self.graph, self.nodes, exact=True)

    @cached_property
    def enclosure(self) -> Enclosure:
        """Enclosures of all alternatives that run through loops."""
        return Enclosure(self.graph, self.nodes)

    def plan_of(self, node: NodeId) -> Plan:
        """The exact value of a node, planned once."""
        if node not in self._plans:
            self._plans[node] = Plan(self.graph, [node], exact=True)
        return self._plans[node]

    def steep(self, node: NodeId) -> Steepness:
        """Slopes of a node, planned once."""
        if node not in self._steep:
            self._steep[node] = Steepness(self.graph, node)
        return self._steep[node]

    @cached_property
    def steepness(self) -> Steepness:
        """Enclosures of all alternatives in one pass."""
        return Steepness(self.graph, self.root)

    @cached_property
    def machine_numbers(self) -> tuple[bool, list[int]]:
        """Whether machine quantities have subscripts that are computed, and the numbers that others have."""
        g, own = self.graph, {*self.names.first, *self.names.last}
        computed, numbers = False, set[int]()
        for n in g.below(self.root):
            item = g.nodes[n]
            for s in item.subscripts if isinstance(item, Item) else ():
                value, inner = g.value(s), g.nodes[s]
                if value is not None:
                    numbers.add(int(value))
                elif not (isinstance(inner, Symbol) and inner.name in own):
                    computed = True
        return computed, sorted(numbers)

    def moved_by_dealing(self, node: NodeId) -> frozenset[str]:
        """The axes that change how many tasks the machines in a node get."""
        if node not in self._dealt:
            g, more = self.graph, set(self.names.more)
            nodes = [g.nodes[n] for n in g.below(node)]

            kinds = any(
                (isinstance(n, Item) and n.name == "share") or (isinstance(n, Symbol) and n.name in more) for n in nodes
            )
            own = any(isinstance(n, Item) and n.name == "share" and n.arguments for n in nodes)
            computed = own or self.tasks != g.symbol("tasks")
            self._dealt[node] = frozenset(self.varied if computed else ("P", "tasks")) if kinds else frozenset()
        return self._dealt[node]

    @cached_property
    def loops(self) -> bool:
        """Whether there are loops without closed form."""
        kinds = (Reduce, Peak, Interference)
        return any(isinstance(self.graph.nodes[n], kinds) for n in self.graph.below(self.root))


def _derived(
    app: CostModel, graph: Graph, varied: Sequence[str], settings: Mapping[str, Number]
) -> dict[NodeId, NodeId]:
    """The defaults that depend on what varies, in terms of it."""
    derived: dict[NodeId, NodeId] = {}
    moving, settled = set(varied), {*varied, *settings, "P"}
    expressions = Expressions(graph, app.source, app.processors)

    def settle(name: str) -> None:
        parameter = app.declared.get(name)
        if name in settled or parameter is None or parameter.value is None:
            return
        settled.add(name)

        # first what the default refers to, so that its own formula is one of what varies
        needed = list(names_in(parameter.value))
        for other in needed:
            settle(other)
        if moving.intersection(needed):
            moving.add(name)
            derived[graph.symbol(name)] = substitute(graph, expressions.node(parameter.value, {}), derived)

    for name in app.declared:
        settle(name)
    return derived


def _with_quantities(graph: Graph, node: NodeId, varied: Sequence[str], fixed: Mapping[str, Rational]) -> NodeId:
    """The node with quantities of machines that vary as symbols: one operation's time, or what messages take."""
    names = {n for n in varied if n.startswith("t_")}
    messages = LATENCY in varied or BANDWIDTH in varied
    replaced: dict[NodeId, NodeId] = {}

    for n in graph.below(node) if names or messages else ():
        item = graph.nodes[n]
        if isinstance(item, Item) and item.name in names:
            replaced[n] = graph.symbol(item.name)
        elif isinstance(item, Item) and item.name == "t_send" and messages:
            latency, bandwidth = (
                graph.const(fixed[name]) if name in fixed else graph.symbol(name) for name in (LATENCY, BANDWIDTH)
            )
            size = substitute(graph, item.arguments[0], replaced) if replaced else item.arguments[0]
            seconds = graph.plus(latency, graph.over(size, bandwidth))
            replaced[n] = graph.times(graph.compare("!=", *item.subscripts), seconds)
    return substitute(graph, node, replaced) if replaced else node
