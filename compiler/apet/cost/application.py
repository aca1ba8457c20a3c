"""A compiled application: its formulas, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from apet.cost.cost import Cost, Requirement
from apet.cost.costing import Costing, Setting
from apet.cost.errors import DivisionByZero, OutsideDomain
from apet.cost.integers import whole_parameters
from apet.cost.loads import Demand, runs_through
from apet.cost.peaks import all_apart, peak
from apet.cost.serial import node_of
from apet.formula.algebra.reduction import sum_over
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, Item, NodeId, Peak, Symbol
from apet.ground.diagnostics import ApetError, Diagnostic, raise_all
from apet.ground.source import Span
from apet.model.check import check
from apet.model.collection import paused_collector
from apet.model.terms import Model, Number, Unary

if TYPE_CHECKING:
    from apet.cost.formula_model import Closed

DEEPEST = 200_000


@dataclass(frozen=True)
class Resource:
    """The load on one resource, or on the members of a family.

    `label` names it as in `T[label]`; `load` is the time it is held in total divided by its servers, for a family that
    of the member `members`, which run through `ranges`. `peak` is the greatest over the members, `table` the node from
    which the loads of single members can be read (None for a single resource).
    """

    label: str
    family: str
    members: tuple[NodeId, ...]
    ranges: tuple[Binder, ...]
    load: Formula
    peak: Formula
    table: NodeId | None


class Application(NamedTuple):
    """What `compile` makes of a model. All formulas are in seconds and of one graph.

    `T0` is the time without contention, `T[label]` the load per resource, `T_total = max(T0, max T[r])` the published
    estimate; `lower` and `upper` are the two sharper bounds. `requirements` must not be negative for them to hold.
    `closed` says what formulas are about that were not made from a process.
    """

    model: Model
    graph: Graph
    setting: Setting
    T0: Formula
    T: dict[str, Formula]
    T_total: Formula
    lower: Formula
    upper: Formula
    serial: Formula
    resources: tuple[Resource, ...]
    requirements: tuple[Requirement, ...]
    free_branches: dict[str, Span]
    whole: frozenset[str]
    processors: frozenset[str]
    warnings: tuple[Diagnostic, ...]
    closed: Closed | None = None

    def term(self, label: str) -> str:
        """The name of what a resource with this label makes of the time."""
        return f"T[{label}]" if self.closed is None else label

    @property
    def base(self) -> str:
        """The name of the term that belongs to no resource."""
        return "T0" if self.closed is None else self.closed.base

    @property
    def name(self) -> str:
        """The file name of the model, without folders."""
        return self.model.source.name.replace("\\", "/").rsplit("/", 1)[-1]

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)

    @property
    def operations(self) -> tuple[str, ...]:
        """The machine operations that the formulas need, without the leading `t_`, sorted."""
        found = {n.name for n in self._items() if n.name.startswith("t_")}
        return tuple(sorted(name[2:] for name in found))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the formulas contain: declared ones first, in order, then free symbols."""
        nodes = (self.graph.nodes[n] for n in self.T_total.nodes() | self.lower.nodes() | self.upper.nodes())
        found = {n.name for n in nodes if isinstance(n, Symbol)}
        declared = [p for p in self.model.parameters if p in found]
        return (*declared, *sorted(found - set(declared)))

    @property
    def needs_shares(self) -> bool:
        """Whether `share[p]` occurs, which deals the tasks of the parameter `tasks`; `share[p](m)` does not need it."""
        return any(n.name == "share" and not n.arguments for n in self._items())

    @property
    def deals(self) -> bool:
        """Whether tasks are dealt at all, by `share[p]` or `share[p](m)`: the schedule matters."""
        return any(n.name == "share" for n in self._items())

    def _items(self) -> Iterator[Item]:
        nodes = self.T_total.nodes() | self.lower.nodes() | self.upper.nodes()
        return (n for n in (self.graph.nodes[i] for i in nodes) if isinstance(n, Item))


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for models nested thousands of levels deep; Python's own frames live on the heap."""
    import sys

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def analyse(model: Model, setting: Setting | None = None) -> Application:
    """The formulas of a model; `ApetError` with everything that is wrong with it."""
    try:
        return _analyse(model, setting)
    except ZeroDivisionError:
        raise ApetError(DivisionByZero(model.source, None)) from None
    except ValueError as error:
        raise ApetError(OutsideDomain(model.source, None, str(error))) from None


def _analyse(model: Model, setting: Setting | None) -> Application:
    with deep_recursion(), paused_collector():
        checked = check(model)
        raise_all(checked.found)
        whole = whole_parameters(model)
        costing = costing_of(model, setting or Setting(), checked.processors, whole)
        cost = costing.equation(model.equations[model.entry], (), ())
        return _application(costing, cost, tuple(checked.found), whole)


def costing_of(model: Model, setting: Setting, processors: frozenset[str], whole: frozenset[str]) -> Costing:
    """What walks a model's processes, in a new graph that knows what the model says of its names."""
    graph = Graph()
    graph.integers |= whole
    graph.distinct |= processors
    graph.assume("P", 1)
    for parameter in model.parameters.values():
        low, high = _literal(parameter.low), _literal(parameter.high)
        if parameter.low is not None:
            graph.assume(parameter.name, low, high)
    return Costing(model, graph, setting, processors)


def _literal(expression: object) -> int | Fraction | None:
    """The value of a signed literal, if an expression is one."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Unary):
        inner = _literal(expression.operand)
        return None if inner is None else -inner if expression.operator == "-" else inner
    return None


def _application(costing: Costing, cost: Cost, warnings: tuple[Diagnostic, ...], whole: frozenset[str]) -> Application:
    g = costing.graph
    resources = tuple(r for f, d in cost.demands.items() for r in _resources(costing, f, d))

    def formula(node: NodeId) -> Formula:
        return Formula(g, node)

    total = g.maximum([cost.t0, *(r.peak.node for r in resources)])
    return Application(
        costing.model,
        g,
        costing.setting,
        formula(cost.t0),
        {r.label: r.load for r in resources},
        formula(total),
        formula(cost.lower),
        formula(cost.upper),
        formula(node_of(g, cost.serial)),
        resources,
        (*cost.requirements, *_enough_servers(costing, cost)),
        costing.free_branches,
        whole,
        costing.processors,
        warnings,
    )


def _enough_servers(costing: Costing, cost: Cost) -> Iterator[Requirement]:
    """That the resources in use have a server, where their number depends on parameters."""
    g = costing.graph
    for name, declared in costing.model.resources.items():
        if name in cost.demands and declared.servers is not None and not declared.subscripts:
            spare = g.shift(costing.servers.of(name, ()), -1)
            if not g.nonnegative(spare):
                yield Requirement(spare, "number of servers", declared.servers.span)


def _resources(costing: Costing, family: str, demands: list[Demand]) -> list[Resource]:
    """The resources of a family to show: single ones by name, or the family as a whole."""
    g, servers = costing.graph, costing.servers
    demands = [d for d in demands if d.estimate != g.zero]
    if not any(d.binders for d in demands) and all_apart(g, demands):
        found = []
        for demand in demands:
            load = servers.share(demand.estimate, family, demand.subscripts)
            label = _label(costing, family, demand.subscripts)
            found.append(Resource(label, family, (), (), Formula(g, load), Formula(g, load), None))
        return found
    return [_family(costing, family, demands)]


def _label(costing: Costing, family: str, subscripts: Sequence[NodeId]) -> str:
    g = costing.graph
    if family == "cpu" and isinstance(g.nodes[subscripts[0]], Symbol):
        found = g.nodes[subscripts[0]]
        if isinstance(found, Symbol) and found.name in costing.processors:
            return found.name
    shown = ", ".join(Formula(g, s).text() for s in subscripts)
    return f"{family}[{shown}]" if subscripts else family


def _family(costing: Costing, family: str, demands: list[Demand]) -> Resource:
    g = costing.graph
    ranged = next((d for d in demands if d.binders and runs_through(d)), None)
    if ranged is not None and len(demands) == 1:
        members, ranges, load = ranged.subscripts, ranged.binders, ranged.estimate
    else:
        members, ranges, load = _of_any_member(costing, family, demands)
    general, count = costing.servers.general(family, len(members))
    servers = costing.servers.of(family, members)
    zero = g.zero
    table = g.intern(Peak(tuple(d.load(g, d.estimate, zero, zero) for d in demands), general, count))
    top = peak(g, costing.servers, family, demands, "estimate")
    label = _label(costing, family, members)
    return Resource(label, family, members, ranges, Formula(g, g.over(load, servers)), Formula(g, top), table)


def _of_any_member(
    costing: Costing, family: str, demands: list[Demand]
) -> tuple[tuple[NodeId, ...], tuple[Binder, ...], NodeId]:
    """The load of a member that stands for all: each demand counts where it meets the member."""
    g = costing.graph
    names = next((d for d in demands if d.binders), demands[0]).subscripts
    members = tuple(_member(costing, s, k) for k, s in enumerate(names))
    parts = []
    for demand in demands:
        amount, inside, binders = demand.estimate, [g.one], list(demand.binders)
        from apet.formula.algebra.reduction import substitute

        for mine, member in zip(demand.subscripts, members, strict=True):
            own = next((b for b in binders if b.index == mine), None)
            if own is not None and runs_through(demand):
                binders.remove(own)
                amount = substitute(g, amount, {own.index: member})
                inside += [g.compare("<=", own.low, member), g.compare("<=", member, own.high)]
            else:
                inside.append(g.compare("==", mine, member))
        amount = g.times(*inside, amount)
        for binder in reversed(binders):
            amount = sum_over(g, binder.index, binder.low, binder.high, amount)
        parts.append(amount)
    return members, (), g.plus(*parts)


def _member(costing: Costing, subscript: NodeId, dimension: int) -> NodeId:
    g = costing.graph
    found = g.nodes[subscript]
    name = "p" if dimension == 0 else "q"
    if type(found).__name__ == "Index":
        name = found.name  # type: ignore[union-attr]
    return g.index(name, g.const(-(10**30)), g.const(10**30))
