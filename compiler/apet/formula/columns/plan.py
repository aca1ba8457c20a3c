"""Many configurations of a set of formulas at once.

What depends on no varied symbol is evaluated once, exactly; the rest on columns (`bands`), its decisions on numbers
that know whether they are exact (`decisions`). Each value depends on its own configuration alone and is rounded the
same way however a batch is cut. What cannot be told is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from apet.formula.columns import bands, decisions, families, loops
from apet.formula.columns.bands import Band
from apet.formula.columns.decisions import Exact
from apet.formula.columns.frames import Frame
from apet.formula.columns.kernel import kernels
from apet.formula.evaluate.environment import Environment, EvaluationError
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational, operands
from apet.formula.graph.properties import BINDING
from apet.ground.interval import Number


class Items(Protocol):
    """What supplies machine quantities for columns."""

    def item(self, name: str, subscripts: Sequence[Any], arguments: Sequence[Band]) -> Band:
        """Of processors given by arrays of numbers; NaN where there is no such processor."""
        ...


class Column(Protocol):
    """A varied symbol in some configurations, as arrays of shape (1, configurations)."""

    @property
    def band(self) -> Band:
        """Its values, with a bound that is the same for the whole batch, or one per entry where it may be negative."""
        ...

    @property
    def exact(self) -> Exact:
        """Its values and what rounding each of them to a float has cost."""
        ...


class BatchPlan:
    """How to evaluate nodes for many configurations; made once per set of varied symbols.

    `supported` says whether it can: the subscripts of held resources must not depend on the configuration.
    """

    def __init__(self, graph: Graph, roots: Sequence[NodeId], symbols: Iterable[str], items: Iterable[str]) -> None:
        self.graph = graph
        self.roots = tuple(roots)
        self.order = graph.below(*roots)
        self.binding = _binding(graph, self.order)
        self.varied = _varied(graph, self.order, frozenset(symbols), frozenset(items))
        self.supported = all(self._fixed_members(n) for n in self.order)
        self.scalars = self._scalars()
        self.together = Plan(graph, self.scalars, exact=True)
        self.kernels = kernels(graph, self.order, self.varied)

    def _fixed_members(self, node: NodeId) -> bool:
        return not any(self.varied[s] for load in kinds.loads_of(self.graph.nodes[node]) for s in load.subscripts)

    def _scalars(self) -> list[NodeId]:
        """What is one number for the whole batch and free of loops."""
        g = self.graph
        return [n for n in self.order if not (self.varied[n] or self.binding[n] or g.free[n])]

    def start(self, exact: Environment, items: Items) -> Batch:
        """Evaluate for one machine choice; `exact` supplies what does not vary."""
        return Batch(self, exact, items)


def _binding(graph: Graph, order: Sequence[NodeId]) -> dict[NodeId, bool]:
    binding: dict[NodeId, bool] = {}
    for n in order:
        node = graph.nodes[n]
        binding[n] = type(node) in BINDING or any(binding[o] for o in operands(node))
    return binding


def _varied(
    graph: Graph, order: Sequence[NodeId], symbols: frozenset[str], items: frozenset[str]
) -> dict[NodeId, bool]:
    """Which nodes depend on the configuration; a bound variable does if its range begins where that says."""
    lows: dict[NodeId, list[NodeId]] = {}
    for n in order:
        for binder in kinds.binders_of(graph.nodes[n]):
            lows.setdefault(binder.index, []).append(binder.low)

    varied = dict.fromkeys(order, False)
    changed = True
    while changed:
        changed = False
        for n in order:
            node = graph.nodes[n]
            if isinstance(node, kinds.Symbol):
                now = node.name in symbols
            elif isinstance(node, kinds.Index):
                now = any(varied[low] for low in lows.get(n, ()))
            else:
                now = (isinstance(node, kinds.Item) and node.name in items) or any(varied[o] for o in operands(node))
            if now and not varied[n]:
                varied[n] = changed = True

    return varied


class Batch:
    """A plan with the numbers that all configurations share."""

    def __init__(self, plan: BatchPlan, exact: Environment, items: Items) -> None:
        self.plan = plan
        self.graph = plan.graph
        self.items = items
        self.widest = 1  # the most lanes that a loop has had
        self.still = Frame(None, 1, {})
        for node, value in _exactly(plan, exact).items():
            self.still.values[node] = bands.of_number(value)
            self.still.exact[node] = decisions.of_number(value)

    def run(self, columns: Mapping[str, Column], count: int) -> list[Band]:
        """The roots for that many configurations, each a float or an array of shape (1, configurations)."""
        chunk, frame = Evaluation(self, columns, count), self._frame()
        return [chunk.value(r, frame) for r in self.plan.roots]

    def once(self) -> tuple[Evaluation, Frame]:
        """An evaluation of the only configuration of a batch in which nothing varies."""
        return Evaluation(self, {}, 1), self._frame()

    def decide(self, columns: Mapping[str, Column], count: int, nodes: Sequence[NodeId]) -> list[Exact]:
        """Nodes as numbers that know whether they are exact."""
        chunk, frame = Evaluation(self, columns, count), self._frame()
        return [chunk.decision(n, frame) for n in nodes]

    def _frame(self) -> Frame:
        frame = Frame(None, 1, {})
        frame.still = self.still
        return frame


class Evaluation:
    """One chunk of a batch."""

    def __init__(
        self, batch: Batch, columns: Mapping[str, Column], count: int, spend: Callable[[int], None] | None = None
    ) -> None:
        """`spend` is told how many rounds an inner loop will run, all lanes together, and may raise."""
        self.spend = spend
        self.batch = batch
        self.plan = batch.plan
        self.graph = batch.graph
        self.columns = columns
        self.count = count

    def value(self, node: NodeId, frame: Frame) -> Band:
        """The band of a node for the lanes of a frame."""
        if frame.outer is None and node in frame.values:
            return frame.values[node]
        home = frame.over(self.graph.free[node])
        if not self.plan.varied[node]:
            band = home.still.values.get(node)
            if band is None:
                band = home.still.values[node] = self._value(node, home.still)
        else:
            band = home.values.get(node)
            if band is None:
                band = home.values[node] = self._value(node, home)

        return home.lift_band(band, frame)

    def decision(self, node: NodeId, frame: Frame) -> Exact:
        """The exact value of a node, as far as it is known."""
        home = frame.over(self.graph.free[node])
        place = home if self.plan.varied[node] else home.still
        exact = place.exact.get(node)
        if exact is None:
            exact = place.exact[node] = self._decision(node, place)
        return home.lift_exact(exact, frame)

    def _value(self, node: NodeId, frame: Frame) -> Band:
        match self.graph.nodes[node]:
            case kinds.Const(value):
                return bands.of_number(value)
            case kinds.Symbol(name):
                return self.columns[name].band if self.plan.varied[node] else Band(math.nan)
            case kinds.Index():
                return decisions.whole_band(frame.indices[node], self.graph.nonnegative(node))
            case kinds.Item(name, subscripts, arguments):
                places = [self.decision(s, frame) for s in subscripts]
                return self.batch.items.item(
                    name, [loops.certain(p) for p in places], [self.value(a, frame) for a in arguments]
                )

            case kinds.Add(constant, terms):
                return self._sum(constant, terms, frame)
            case kinds.Mul(factors):
                return self._product(factors, frame)
            case kinds.Extreme(kind, inner):
                kernel = self.plan.kernels.get(node)
                fast = kernel.of(self) if kernel else None
                return fast or bands.extreme(kind, [self.value(n, frame) for n in inner])
            case kinds.Compare() | kinds.Call("floor" | "ceil" | "mod"):
                return self._decided(node, frame)
            case kinds.Call(function, inner):
                return _called(function, [self.value(n, frame) for n in inner])

            case kinds.Reduce() as reduce:
                return loops.reduce(self, node, reduce, frame)
            case kinds.Peak() as peak:
                return families.peak(self, node, peak, frame)
            case kinds.Interference() as interference:
                return families.interference(self, node, interference, frame)

    def _decided(self, node: NodeId, frame: Frame) -> Band:
        exact = self.decision(node, frame)
        if self.graph.integral[node] or isinstance(self.graph.nodes[node], kinds.Compare):
            return decisions.whole_band(Exact(loops.certain(exact)), self.graph.nonnegative(node))
        whole = isinstance(self.graph.nodes[node], kinds.Call) and self.graph.nodes[node].function != "mod"  # type: ignore[union-attr]
        if whole:
            return decisions.whole_band(exact, self.graph.nonnegative(node))
        return Band(exact.value, 0.0, exact.error)

    def _sum(self, constant: Rational, terms: Sequence[tuple[NodeId, Rational]], frame: Frame) -> Band:
        """Parts of one shape first, so that few operations are on whole tables."""
        parts = []
        for group in self._grouped(terms):
            if len(group) > 1:
                parts.append((bands.total(0, [(self.value(n, frame), c) for n, c in group]), 1))
            else:
                parts.append((self.value(group[0][0], frame), group[0][1]))
        return bands.total(constant, parts)

    def _product(self, factors: Sequence[tuple[NodeId, int]], frame: Frame) -> Band:
        parts: list[Band] = []
        for group in self._grouped([(n, e) for n, e in factors if e > 0]):
            part = bands.power(self.value(group[0][0], frame), int(group[0][1]))
            for n, e in group[1:]:
                part = bands.product(part, bands.power(self.value(n, frame), int(e)))
            parts.append(part)
        product = parts[0] if parts else Band(1.0)
        for part in parts[1:]:
            product = bands.product(product, part)
        for n, e in factors:
            if e < 0:
                product = bands.quotient(product, bands.power(self.value(n, frame), -e))

        return product

    def _grouped(self, terms: Iterable[tuple[NodeId, Any]]) -> list[list[tuple[NodeId, Any]]]:
        """The terms by whether they vary and whether they depend on an index."""
        groups: dict[tuple[bool, bool], list[tuple[NodeId, Any]]] = {}
        for n, c in terms:
            groups.setdefault((self.plan.varied[n], bool(self.graph.free[n])), []).append((n, c))
        return [groups[key] for key in sorted(groups)]

    def _decision(self, node: NodeId, frame: Frame) -> Exact:
        match self.graph.nodes[node]:
            case kinds.Const(value):
                return decisions.of_number(value)
            case kinds.Symbol(name):
                return self.columns[name].exact if self.plan.varied[node] else Exact(math.nan)
            case kinds.Index():
                return frame.indices[node]

            case kinds.Add(constant, terms):
                return decisions.total(constant, [(self.decision(n, frame), c) for n, c in terms])
            case kinds.Mul(factors):
                above, below = Exact(1.0), Exact(1.0)
                for n, e in factors:
                    part = decisions.power(self.decision(n, frame), abs(e))
                    if e > 0:
                        above = decisions.times(above, part)
                    else:
                        below = decisions.times(below, part)
                return above if all(e > 0 for _, e in factors) else decisions.over(above, below)
            case kinds.Extreme(kind, inner):
                return decisions.extreme(kind, [self.decision(n, frame) for n in inner])
            case kinds.Call("floor" | "ceil" as function, (inside,)):
                return decisions.rounded(function, self.decision(inside, frame))
            case kinds.Call("mod", (left, right)):
                return decisions.modulus(self.decision(left, frame), self.decision(right, frame))
            case kinds.Compare(operator, left, right):
                return decisions.compared(operator, self.decision(left, frame), self.decision(right, frame))
            case _:
                return decisions.of_band(self.value(node, frame))


def _exactly(plan: BatchPlan, environment: Environment) -> dict[NodeId, Any]:
    """The exact values of what does not vary; NaN for what has no value, which may turn out not to be needed."""
    try:
        return dict(zip(plan.scalars, plan.together.run(environment), strict=True))
    except (EvaluationError, LookupError, OverflowError):
        return {node: _alone(plan.graph, node, environment) for node in plan.scalars}


def _alone(graph: Graph, node: NodeId, environment: Environment) -> Number:
    try:
        return Plan(graph, [node], exact=True).run(environment)[0]
    except (EvaluationError, LookupError, OverflowError):
        return math.nan


def _called(function: str, arguments: Sequence[Band]) -> Band:
    match function:
        case "abs":
            return bands.magnitude(arguments[0])
        case "sqrt":
            return bands.root(arguments[0])
        case "pow":
            return bands.general_power(arguments[0], arguments[1])
        case "log":
            return bands.logarithm(arguments[0], math.log)
        case _:
            return bands.logarithm(arguments[0], math.log2)
