"""A compiled application: its formulas, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from apet.cost.cost import UNDEFINED, Chance, Cost, Requirement
from apet.cost.cost_model import CostModel, Resource, Setting
from apet.cost.costing import Costing
from apet.cost.errors import DivisionByZero
from apet.cost.integers import whole_parameters
from apet.cost.loads import Demand, added, runs_through
from apet.cost.open_shapes import KnownShape
from apet.cost.peaks import all_apart, equal, peak
from apet.cost.serial import node_of
from apet.formula.algebra.reduction import substitute, sum_over
from apet.formula.formula import Formula
from apet.formula.graph.graph import FARTHEST, Graph
from apet.formula.graph.nodes import Binder, Index, NodeId, Peak, Symbol
from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.model.errors import ValueOutsideDomain
from apet.model.literals import literal_value
from apet.model.names import PROCESSORS, shown_family
from apet.model.resolve import resolve
from apet.model.resolved import ResolvedModel
from apet.model.terms import Model

DEEPEST = 200_000
MOST_NAMED = 16
"""Members of a family, some of them named processors, that are shown one by one."""


class Application(CostModel, kw_only=True):
    """What `compile` makes of a model of a process: a cost model in seconds, on machines.

    `T0` is the time without contention, `T[label]` the load per resource, `T_total = max(T0, max T[r])` the published
    estimate; `lower` and `upper` are the two sharper bounds. `serial` is all durations added up.
    """

    resolved: ResolvedModel
    serial: Formula
    chance: Chance = Chance.NONE
    kind: str = "model"
    quantity: str = "run time"

    on_machines: ClassVar[bool] = True

    @property
    def model(self) -> Model:
        """The model as it is written."""
        return self.resolved.model

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Advice on names."""
        return self.resolved.warnings

    @property
    def entry(self) -> str:
        """The equation that the model begins with."""
        return self.model.entry

    @property
    def counts_processors(self) -> bool:
        """A process runs on processors."""
        return True

    def term(self, label: str) -> str:
        """The name of what a resource with this label makes of the time."""
        return f"T[{label}]"

    def title(self, machines: str = "") -> str:
        """What, and where: `pi.pam on JoiN`."""
        return f"{self.name} on {machines}" if machines else self.name

    def heading(self, machines: str = "", network: str = "", schedule: str = "") -> str:
        """One line: what, where, and how it was read; without machines, where it begins."""
        branches = f"branches: {self.setting.branches}"
        if not machines:
            return f"{self.name} · entry: {self.entry} · {branches} · network: {self.setting.topology}"
        dealt = f" · schedule: {schedule}" if self.deals else ""
        return f"{self.title(machines)} · {branches} · network: {network}{dealt}"

    def description(self) -> dict[str, object]:
        """Further keys of JSON: none, as all others are about a run time."""
        return {}

    @property
    def has_base(self) -> bool:
        """The time without contention is always a term."""
        return True

    @property
    def is_greatest_term(self) -> bool:
        """The estimate is the greatest term by definition, of one as well."""
        return True

    def under(self, setting: Setting) -> Application:
        """The model compiled for a setting."""
        return self if self.setting == setting else analyse(self.resolved, setting)

    def shaped(self, known: KnownShape) -> Application:
        """The model compiled with values for all that its open shape depends on."""
        return analyse(self.resolved, self.setting, known).replace(fixed=self.shaping)


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


def analyse(
    model: Model | ResolvedModel, setting: Setting | None = None, known: KnownShape | None = None
) -> Application:
    """The formulas of a model; `ApetError` with everything that is wrong with it."""
    source = (model if isinstance(model, Model) else model.model).source
    try:
        with deep_recursion(), paused_collector():
            resolved = resolve(model) if isinstance(model, Model) else model
            costing = costing_of(resolved, setting or Setting(), known)
            cost = costing.equation(resolved.entry, (), ())
            try:
                return _application(costing, cost)
            except (ZeroDivisionError, ValueError) as error:
                raise ApetError(_without_value(costing, cost, error)) from None
    except ZeroDivisionError:
        raise ApetError(DivisionByZero(source, None)) from None
    except ValueError as error:
        raise ApetError(ValueOutsideDomain(source, None, str(error))) from None


def _without_value(costing: Costing, cost: Cost, error: Exception) -> Diagnostic:
    """Why a model has no formulas, at the expression that has no value; at its entry if none is known to have none."""
    g, source = costing.graph, costing.model.source
    failing = (r for r in cost.requirements if r.kind in UNDEFINED and (g.value(r.guarded(g).node) or 0) < 0)
    span = next((r.span for r in failing), costing.model.equations[costing.model.entry].span)
    if isinstance(error, ZeroDivisionError):
        return DivisionByZero(source, span)
    return ValueOutsideDomain(source, span, str(error))


def costing_of(resolved: ResolvedModel, setting: Setting, known: KnownShape | None = None) -> Costing:
    """What walks a model's processes, in a new graph that knows what the model says of its names."""
    graph = Graph()
    graph.integers |= whole_parameters(resolved)
    graph.assume("P", 1)
    for parameter in resolved.model.parameters.values():
        low, high = literal_value(parameter.low), literal_value(parameter.high)
        if parameter.low is not None:
            graph.assume(parameter.name, low, high)
    return Costing(resolved, graph, setting, known)


def _application(costing: Costing, cost: Cost) -> Application:
    g = costing.graph
    resources = tuple(r for f, d in cost.demands.items() for r in _resources(costing, f, d))

    def formula(node: NodeId) -> Formula:
        return Formula(g, node)

    total = g.maximum([cost.t0, *(r.peak.node for r in resources)])
    return Application(
        resolved=costing.resolved,
        source=costing.model.source,
        graph=g,
        setting=costing.setting,
        T0=formula(cost.t0),
        T_total=formula(total),
        lower=formula(cost.lower),
        upper=formula(cost.upper),
        serial=formula(node_of(g, cost.serial)),
        resources=resources,
        requirements=_open_requirements(g, cost),
        declared=costing.model.parameters,
        whole=frozenset(g.integers & costing.model.parameters.keys()),
        free_branches=costing.free_branches,
        processors=costing.processors,
        chance=costing.chance,
        open_shape=costing.record.shape,
    )


def _open_requirements(graph: Graph, cost: Cost) -> tuple[Requirement, ...]:
    """What must hold in every run; without what does whatever the parameters."""
    required = (r.guarded(graph) for r in cost.requirements)
    return tuple(r for r in required if not graph.nonnegative(r.node))


def _resources(costing: Costing, family: str, demands: list[Demand]) -> list[Resource]:
    """The resources of a family to show: single ones by name, or the family as a whole."""
    g, servers = costing.graph, costing.servers
    demands = [d for d in demands if d.estimate != g.zero]
    single = not any(d.binders for d in demands)
    separate = single and all_apart(g, demands)  # each loads its own member alone

    if separate or (single and _named(costing, demands)):
        resources = []
        for demand in demands:
            there = demand.estimate if separate else added(g, _loads_at(g, demand.subscripts, demands))
            load = servers.share(there, family, demand.subscripts)
            label = _label(costing, family, demand.subscripts)
            resources.append(Resource(label, family, (), (), Formula(g, load), Formula(g, load), None))
        return resources

    return [_family(costing, family, demands)]


def _named(costing: Costing, demands: list[Demand]) -> bool:
    """Whether some of a few members are named processors: each is shown, as if it were none of the others."""
    subscripts = (costing.graph.nodes[s] for d in demands for s in d.subscripts)
    names = (s.name for s in subscripts if isinstance(s, Symbol))
    return len(demands) <= MOST_NAMED and any(name in costing.processors for name in names)


def _loads_at(graph: Graph, member: tuple[NodeId, ...], demands: list[Demand]) -> Iterator[NodeId]:
    """What each demand loads on a member, if its own member is that one."""
    return (graph.times(equal(graph, d.subscripts, member), d.estimate) for d in demands)


def _label(costing: Costing, family: str, subscripts: Sequence[NodeId]) -> str:
    g = costing.graph
    if family == PROCESSORS:
        member = g.nodes[subscripts[0]]
        if isinstance(member, Symbol) and member.name in costing.processors:
            return member.name
    subscripts_text = ", ".join(Formula(g, s).text() for s in subscripts)
    name = shown_family(costing.resolved, family)
    return f"{name}[{subscripts_text}]" if subscripts else name


def _family(costing: Costing, family: str, demands: list[Demand]) -> Resource:
    g = costing.graph
    ranged = next((d for d in demands if d.binders and runs_through(d)), None)
    if ranged is not None and len(demands) == 1:
        members, ranges, load = ranged.subscripts, ranged.binders, ranged.estimate
    else:
        members, ranges, load = _of_any_member(costing, family, demands)

    general, count = costing.servers.general(family, len(members))
    zero = g.zero
    table = g.intern(Peak(tuple(d.load(g, d.estimate, zero, zero) for d in demands), general, count))
    top = peak(g, costing.servers, family, demands, "estimate")
    label = _label(costing, family, members)
    return Resource(
        label, family, members, ranges, Formula(g, costing.servers.share(load, family, members)), Formula(g, top), table
    )


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
        through = [b.index for b in binders] if runs_through(demand) else []
        itself = {i: members[demand.subscripts.index(i)] for i in through}
        for mine, member in zip(demand.subscripts, members, strict=True):
            own = next((b for b in binders if b.index == mine and mine in itself), None)
            if own is not None:
                binders.remove(own)
                amount = substitute(g, amount, {mine: member})
                low, high = (substitute(g, end, itself) for end in (own.low, own.high))
                inside += [g.compare("<=", low, member), g.compare("<=", member, high)]
            else:
                inside.append(g.compare("==", substitute(g, mine, itself), member))
        amount = g.times(*inside, amount)
        for binder in reversed(binders):
            amount = sum_over(g, binder.index, binder.low, binder.high, amount)
        parts.append(amount)
    return members, (), g.plus(*parts)


def _member(costing: Costing, subscript: NodeId, dimension: int) -> NodeId:
    g = costing.graph
    node = g.nodes[subscript]
    name = node.name if isinstance(node, Index) else "p" if dimension == 0 else "q"
    return g.index(name, g.const(-FARTHEST), g.const(FARTHEST))
