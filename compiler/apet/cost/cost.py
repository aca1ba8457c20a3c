"""What is kept of a process: its times, its demands, and what must hold for them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from itertools import chain

from apet.cost.loads import Demand, Demands, mapped
from apet.cost.serial import Serial, node_of
from apet.formula.algebra.exclusions import excluded
from apet.formula.algebra.reduction import substitute
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Binder, NodeId
from apet.ground.exact import OUTSIDE
from apet.ground.records import NamedTuple
from apet.ground.source import Span

WHOLE, FIRST, LAST = "whole subscript", "first processor", "last processor"
"""Kinds of requirements on subscripts: that they are whole; that a processor is not below the first, above the last."""

ENTRY = "table subscript"
SHARE = "processor with a share"
SPARE = "spare capacity of "
"""The beginning of a kind: what a station, named behind it, has left of its capacity."""

DIVISOR = "division by zero"
LOGARITHM, ROOT = OUTSIDE["log"], OUTSIDE["sqrt"]
BROKEN_POWER = "a fractional power of a negative number"
UNDEFINED = frozenset((DIVISOR, LOGARITHM, ROOT, BROKEN_POWER))
"""Kinds that say why an expression has no value; their nodes are -1 where that is so, else 0."""


def undefined_kind(error: Exception) -> str:
    """Which of these kinds an error of the formula graph is about, in whose words it speaks."""
    if isinstance(error, ZeroDivisionError):
        return DIVISOR
    return str(error) if str(error) in UNDEFINED else BROKEN_POWER


class Chance(IntEnum):
    """Whether a process has branches that no condition decides, and whether something runs at once with one: a maximum
    of means is less than the mean of the maximum."""

    NONE, IN_TURN, AT_ONCE = range(3)


class Requirement(NamedTuple):
    """What must not be negative for the formulas to hold, and what it is about.

    `kind` is "duration", "size", "probability", "number of servers" or one of the constants above. `guard` is positive
    in runs that reach the place, else 0; None of what every run reaches.
    """

    node: NodeId
    kind: str
    span: Span
    guard: NodeId | None = None

    def guarded(self, graph: Graph, guard: NodeId | None = None) -> Requirement:
        """The same where another guard holds, too; without one, as a requirement of every run."""
        if guard is None:
            if self.guard is None:
                return self
            never = excluded(graph, self.guard, self.node)
            return Requirement(graph.zero if never else graph.times(self.guard, self.node), self.kind, self.span)
        return self._replace(guard=guard if self.guard is None else graph.times(guard, self.guard))


class Cost(NamedTuple):
    """The costs of a process, in seconds.

    `hold_and_wait` names the families of which members are held while others are waited for, or waited for while
    others are held, somewhere in it. `disjoint_loads` says that no time is counted in two loads, so that all loads
    together are no more than `serial`.
    """

    t0: NodeId
    lower: NodeId
    upper: NodeId
    serial: Serial
    demands: Demands
    hold_and_wait: frozenset[str] = frozenset()
    requirements: tuple[Requirement, ...] = ()
    disjoint_loads: bool = True


def requirements_of(graph: Graph, parts: Iterable[Cost]) -> tuple[Requirement, ...]:
    """The requirements of all parts, each once: of equal ones the first place stands for all.

    What is required on several ways has the sum of their guards: an equation that is called on k ways inside one
    that is called on k ways would have k^2 requirements for each of its own.
    """
    ways: dict[tuple[NodeId, str], tuple[Requirement, dict[NodeId | None, None]]] = {}
    for r in chain.from_iterable(p.requirements for p in parts):
        ways.setdefault((r.node, r.kind), (r, {}))[1][r.guard] = None
    sums: dict[frozenset[NodeId | None], NodeId | None] = {}

    requirements = []
    for first, guards in ways.values():
        if len(guards) > 1:
            key = frozenset(guards)
            if key not in sums:
                sums[key] = None if None in key else graph.add([(guard, 1) for guard in guards if guard is not None])
            first = first._replace(guard=sums[key])
        requirements.append(first)
    return tuple(requirements)


def single_iteration(graph: Graph, body: Cost, index: NodeId, value: NodeId) -> Cost:
    """The costs of a loop's only iteration."""
    swap = {index: value}

    def put(node: NodeId) -> NodeId:
        return substitute(graph, node, swap)

    return body._replace(
        demands={f: [_demand_at(graph, d, swap) for d in demands] for f, demands in body.demands.items()},
        requirements=tuple(r._replace(node=put(r.node)) for r in (r.guarded(graph) for r in body.requirements)),
        t0=put(body.t0),
        lower=put(body.lower),
        upper=put(body.upper),
        serial=put(node_of(graph, body.serial)),
    )


def _demand_at(graph: Graph, demand: Demand, swap: dict[NodeId, NodeId]) -> Demand:
    binders, inner = [], dict(swap)
    for index, low, high in demand.binders:
        ends = substitute(graph, low, inner), substitute(graph, high, inner)
        fresh = graph.index_like(index, *ends)
        if fresh != index:
            inner[index] = fresh
        binders.append(Binder(fresh, *ends))
    moved = mapped(demand, lambda node: substitute(graph, node, inner))
    subscripts = tuple(substitute(graph, s, inner) for s in demand.subscripts)
    return moved._replace(binders=tuple(binders), subscripts=subscripts)
