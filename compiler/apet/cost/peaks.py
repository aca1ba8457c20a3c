"""The most that any member of a resource family is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from apet.cost.cost import Requirement
from apet.cost.errors import TooFewServers
from apet.cost.expressions import Expressions
from apet.cost.loads import Demand, added, runs_through
from apet.formula.algebra.reduction import max_over, substitute
from apet.formula.graph.graph import FARTHEST, Graph
from apet.formula.graph.nodes import NodeId, Peak, Symbol
from apet.formula.show.text import text
from apet.ground.diagnostics import ApetError
from apet.model.errors import ValueOutsideDomain
from apet.model.names import OWN, PROCESSORS, declaration
from apet.model.terms import Model

MOST_COMPARED = 48


class Servers:
    """The number of servers of a resource, as a node: declared, or the cores of a processor, else one."""

    def __init__(self, graph: Graph, model: Model, expressions: Expressions, cores: bool) -> None:
        self.graph = graph
        self.model = model
        self.expressions = expressions
        self.cores = cores
        self._general: dict[tuple[str, int], tuple[tuple[NodeId, ...], NodeId]] = {}
        self._required: dict[str, list[Requirement]] = {}
        """By family, what must hold of any member for its number of servers to have a value."""

    def of(self, family: str, subscripts: tuple[NodeId, ...]) -> NodeId:
        """The servers of one member; 0 where their number has no value whatever the parameters."""
        members, count = self.general(family, len(subscripts))
        if any(self._fails(r) for r in self._defined(family, subscripts)):
            return self.graph.zero
        return substitute(self.graph, count, dict(zip(members, subscripts, strict=True)))

    def enough(self, family: str, subscripts: tuple[NodeId, ...], certain: bool) -> tuple[Requirement, ...]:
        """What must hold, so that a member in use has a whole number of servers, 1 or more.

        Without what always holds; `ApetError` for what never does, if every run uses the member, which is `certain`.
        """
        g, declared = self.graph, declaration(self.model, family)
        if declared is None or declared.servers is None:
            return ()

        count, defined = self.of(family, subscripts), self._defined(family, subscripts)
        node = g.minimum([g.shift(count, -1), g.scale(g.call("mod", [count, g.one]), -1)])
        if certain:
            for never in filter(self._fails, defined):
                raise ApetError(ValueOutsideDomain(self.model.source, never.span, never.kind))
            self._check(family, count, subscripts)
        required = (*defined, Requirement(node, "number of servers", declared.servers.span))
        return tuple(r for r in required if not g.nonnegative(r.node))

    def _defined(self, family: str, subscripts: tuple[NodeId, ...]) -> tuple[Requirement, ...]:
        """What must hold for the number of servers of a member to have a value."""
        members, _ = self.general(family, len(subscripts))
        put = dict(zip(members, subscripts, strict=True))
        required = self._required.get(family, ())
        return tuple(r._replace(node=substitute(self.graph, r.node, put)) for r in required)

    def _fails(self, required: Requirement) -> bool:
        value = self.graph.value(required.node)
        return value is not None and value < 0

    def share(self, load: NodeId, family: str, subscripts: tuple[NodeId, ...]) -> NodeId:
        """A load on a member, divided by its servers.

        Where a loop runs through members, or a condition guards one, some that nobody uses may have none, and load
        nothing: what is used has one or more, which `enough` requires. In n uses of n servers n must not cancel.
        """
        g, count = self.graph, self.of(family, subscripts)
        if declaration(self.model, family) is not None and (
            g.free[count] or g.value(count) is not None or symbols(g, count) & symbols(g, load)
        ):
            count = g.maximum([g.one, count])  # a processor always has a core
        return load if count == g.one else g.over(load, count)

    def general(self, family: str, dimensions: int) -> tuple[tuple[NodeId, ...], NodeId]:
        """Variables for a member's subscripts, and the servers in terms of them."""
        key = (family, dimensions)
        if key not in self._general:
            self._general[key] = self._make(family, dimensions)
        return self._general[key]

    def _make(self, family: str, dimensions: int) -> tuple[tuple[NodeId, ...], NodeId]:
        g, declared = self.graph, declaration(self.model, family)
        if declared is None or declared.servers is None:
            members = tuple(g.index("q", g.zero, g.symbol("P")) for _ in range(dimensions))
            return members, g.item("cores", members) if family == PROCESSORS and self.cores else g.one
        everywhere = g.const(-FARTHEST), g.const(FARTHEST)  # the members of a declared family are no processors
        members = tuple(g.index(name, *everywhere) for name in declared.subscripts)
        scope = dict(zip(declared.subscripts, members, strict=True))
        with self.expressions.recording() as self._required[family]:
            count = self.expressions.node(declared.servers, scope)
        self._check(family, count)
        return members, count

    def _check(self, family: str, count: NodeId, subscripts: tuple[NodeId, ...] = ()) -> None:
        """`ApetError` for a number of servers that is below 1 or not whole whatever the parameters."""
        value, declared = self.graph.value(count), declaration(self.model, family)
        assert declared is not None
        assert declared.servers is not None
        if value is not None and (value < 1 or value % 1):
            inside = f"[{', '.join(text(self.graph, s) for s in subscripts)}]" if subscripts else ""
            span, name = declared.servers.span, family.removeprefix(OWN) + inside
            raise ApetError(TooFewServers(self.model.source, span, name, text(self.graph, count)))


def symbols(graph: Graph, node: NodeId) -> set[NodeId]:
    """The parameters that a node depends on."""
    return {n for n in graph.below(node) if isinstance(graph.nodes[n], Symbol)}


def amount(demand: Demand, which: str) -> NodeId:
    """One of the three amounts of a demand, by name."""
    return demand.estimate if which == "estimate" else demand.lower if which == "lower" else demand.upper


def peak(graph: Graph, servers: Servers, family: str, demands: Sequence[Demand], which: str) -> NodeId:
    """The greatest over the members of a family of load / servers, heads and tails added for `which="lower"`."""
    if len(demands) == 1 and which != "lower" and not demands[0].binders:
        return servers.share(amount(demands[0], which), family, demands[0].subscripts)

    demands = [d for d in demands if amount(d, which) != graph.zero]
    if not demands:
        return graph.zero
    if len(demands) == 1 and runs_through(demands[0]):
        return _over_ranges(graph, servers, family, demands[0], which)
    if not any(d.binders for d in demands) and all_apart(graph, demands):
        return graph.maximum([graph.zero, *(_term(graph, servers, family, d, which) for d in demands)])
    zero = graph.zero
    ends = [(d.head, d.tail) if which == "lower" else (zero, zero) for d in demands]
    loads = tuple(d.load(graph, amount(d, which), *e) for d, e in zip(demands, ends, strict=True))
    members, count = servers.general(family, len(demands[0].subscripts))
    return graph.intern(Peak(loads, members, count))


def all_apart(graph: Graph, demands: Sequence[Demand]) -> bool:
    """Whether no two demands can meet the same member."""
    if all(graph.value(s) is not None for d in demands for s in d.subscripts):
        return len({d.subscripts for d in demands}) == len(demands)
    if len(demands) > MOST_COMPARED:
        return False
    return all(apart(graph, a.subscripts, b.subscripts) for a, b in combinations(demands, 2))


def apart(graph: Graph, one: Sequence[NodeId], other: Sequence[NodeId]) -> bool:
    """Whether two lists of subscripts are proved to differ."""
    return any(graph.compare("!=", a, b) == graph.one for a, b in zip(one, other, strict=True))


def equal(graph: Graph, one: Sequence[NodeId], other: Sequence[NodeId]) -> NodeId:
    """1 where two lists of subscripts name one member, else 0."""
    return graph.times(*(graph.compare("==", a, b) for a, b in zip(one, other, strict=True)))


def unequal(graph: Graph, one: Sequence[NodeId], other: Sequence[NodeId]) -> NodeId:
    """1 where two lists of subscripts name two members, else 0."""
    if len(one) == 1:
        return graph.compare("!=", one[0], other[0])
    return graph.add([(equal(graph, one, other), -1)], 1)


def _term(graph: Graph, servers: Servers, family: str, demand: Demand, which: str) -> NodeId:
    """Head + load / servers + tail of a demand's members, 0 where they may not be used."""
    load = amount(demand, which)
    share = servers.share(load, family, demand.subscripts)
    if which != "lower":
        return share
    whole = added(graph, (demand.head, share, demand.tail))
    if whole == share:
        return whole
    if demand.guard == graph.zero:
        return graph.times(graph.compare("<", graph.zero, load), whole)
    ends = graph.plus(demand.head, demand.tail)  # what is loaded at all is a bound without them
    return whole if demand.guard == graph.one else graph.plus(share, graph.times(demand.guard, ends))


def _over_ranges(graph: Graph, servers: Servers, family: str, demand: Demand, which: str) -> NodeId:
    greatest = _term(graph, servers, family, demand, which)
    for binder in reversed(demand.binders):
        greatest = max_over(graph, binder.index, binder.low, binder.high, greatest)
    return greatest
