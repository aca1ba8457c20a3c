"""From a process to its costs: T0, loads, and the two sharper bounds, in one walk.

Per process five things are kept, each a node of the formula graph:

- `t0`: the time without contention. `;` and `seq` add, `||` and `par` take the maximum, `if` weighs (van Gemund, IEEE
  TPDS 14(2), 2003; Yero & Henriques, Performance Evaluation 2006).
- `lower`: a time that no schedule beats. For `||`/`par` the greatest of the branches' own, and for every resource
  least head + total load / servers + least tail: before its first use and after its last one nothing holds it, and
  between them its servers work off the load.
- `upper`: a time that every schedule meets that leaves no server idle while work for it waits. A branch is delayed
  only while all servers of a resource that it waits for work for others: its own time plus the others' load on the
  resources it uses, per server. Where one process holds a resource while it waits for another, that argument fails,
  and the serial bound takes its place.
- `serial`: the sum of all durations, which nothing that does not deadlock exceeds.
- `demands`: the load on every resource, with heads and tails.

Branches: `t0` and the estimated loads weigh them as the mode says; `lower` takes the best and `upper` the worst.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from fractions import Fraction
from typing import NamedTuple

from apet.analysis import errors
from apet.analysis.expressions import Expressions, Names
from apet.analysis.interference import interference
from apet.analysis.loads import Demand, Demands, Loop, Members, close, merged, summation
from apet.analysis.peaks import Servers, peak
from apet.diagnostics import ApetError, Diagnostic
from apet.formula.graph import Graph
from apet.formula.nodes import Binder, NodeId, Rational
from apet.formula.reduction import max_over, min_over, sum_over
from apet.formula.substitution import substitute
from apet.formula.text import text
from apet.model.names import held_process
from apet.model.terms import (
    Branch,
    Delay,
    Equation,
    Expression,
    Invoke,
    Model,
    Name,
    Parallel,
    Process,
    Sequence,
    Use,
)
from apet.model.terms import Loop as LoopTerm
from apet.source import Span

Resource = tuple[str, tuple[NodeId, ...]]
Held = tuple[Resource, ...]


HALF = Fraction(1, 2)


class _Values:
    """The names of values in force: bound ones and parameters."""

    def __init__(self, *names: Container[str]) -> None:
        self.names = names

    def __contains__(self, name: object) -> bool:
        return any(name in n for n in self.names)


class Requirement(NamedTuple):
    """What must not be negative for the formulas to hold, and what it is about: "duration" or "probability"."""

    node: NodeId
    kind: str
    span: Span


class Cost(NamedTuple):
    """The costs of a process. `waits` says that a resource is waited for while another one is held somewhere in it."""

    t0: NodeId
    lower: NodeId
    upper: NodeId
    serial: NodeId
    demands: Demands
    waits: bool
    requirements: tuple[Requirement, ...]


class Setting(NamedTuple):
    """How to read a model: the mode of branches, the network's topology, and whether processors have several cores."""

    branches: str = "probability"
    topology: str = "none"
    cores: bool = False


class Costing:
    """Walks a model's processes; equations called with the same values are walked once."""

    def __init__(self, model: Model, graph: Graph, setting: Setting, processors: frozenset[str]) -> None:
        self.model = model
        self.graph = graph
        self.setting = setting
        self.expressions = Expressions(graph, model.source, processors)
        self.processors = processors
        self.members = Members(graph)
        self.servers = Servers(graph, model, self.expressions, setting.cores)
        self.free_branches: dict[str, Span] = {}
        self._known: dict[tuple[object, ...], Cost] = {}
        z = graph.zero
        self.nothing = Cost(z, z, z, z, {}, False, ())

    def equation(self, equation: Equation, arguments: tuple[NodeId, ...], held: Held) -> Cost:
        """The costs of an equation's body with values for its subscripts and formals."""
        key = (equation.name, arguments, held)
        if key not in self._known:
            scope = dict(zip((*equation.subscripts, *equation.formals), arguments, strict=True))
            self._known[key] = self.process(equation.body, scope, held)
        return self._known[key]

    def process(self, process: Process, scope: Names, held: Held) -> Cost:
        """The costs of a process inside the uses in `held`."""
        match process:
            case Invoke():
                return self._invoke(process, scope, held)
            case Delay(time, _):
                return self._delay(time, scope)
            case Use():
                return self._use(process, scope, held)
            case Sequence(steps, _):
                return self._sequence([self.process(s, scope, held) for s in steps])
            case Parallel(branches, _):
                return self._parallel([self.process(b, scope, held) for b in branches])
            case LoopTerm():
                return self._loop(process, scope, held)
            case Branch():
                return self._branch(process, scope, held)

    # Leaves

    def _leaf(self, time: NodeId, requirements: tuple[Requirement, ...] = ()) -> Cost:
        return Cost(time, time, time, time, {}, False, requirements)

    def _delay(self, time: Expression, scope: Names) -> Cost:
        node = self.expressions.node(time, scope)
        return self._leaf(node, self._required(node, "duration", time.span))

    def _required(self, node: NodeId, kind: str, span: Span) -> tuple[Requirement, ...]:
        if self.graph.nonnegative(node):
            return ()
        value = self.graph.value(node)
        if value is not None:
            shown = text(self.graph, node)
            raise ApetError(self._negative(kind, span, shown))
        return (Requirement(node, kind, span),)

    def _negative(self, kind: str, span: Span, shown: str) -> Diagnostic:
        if kind == "duration":
            return errors.NegativeDuration(self.model.source, span, shown)
        return errors.ProbabilityOutside(self.model.source, span, self.model.source.text[span.start : span.end])

    def _invoke(self, process: Invoke, scope: Names, held: Held) -> Cost:
        x = self.expressions
        arguments = tuple(x.node(a, scope) for a in process.arguments or ())
        equation = self.model.equations.get(process.name)
        if equation is not None:
            given = tuple(x.subscript(s, scope) for s in process.subscripts or ())
            passed = tuple(x.subscript(a, scope) for a in process.arguments or ())
            return self.equation(equation, (*given, *passed), held)
        subscripts = tuple(x.subscript(s, scope) for s in process.subscripts or ())
        time = self.graph.item(f"t_{process.name}", subscripts, arguments)
        leaf = self._leaf(time)
        if process.name != "send":
            return self._held(("cpu", subscripts), leaf, held)
        if subscripts[0] == subscripts[1]:
            return self.nothing
        if self.setting.topology == "bus":
            return self._held(("bus", ()), leaf, held)
        if self.setting.topology == "switch":
            sender, receiver = ("tx", subscripts[:1]), ("rx", subscripts[1:])
            return self._held(sender, self._held(receiver, leaf, (*held, sender)), held)
        return leaf

    # Uses

    def _use(self, process: Use, scope: Names, held: Held) -> Cost:
        resource = self._resource(process.resource, scope)
        within = held if resource in held else (*held, resource)
        body = self.process(held_process(process, _Values(scope, self.model.parameters)), scope, within)
        return self._held(resource, body, held)

    def _resource(self, expression: Expression, scope: Names) -> Resource:
        x = self.expressions
        if isinstance(expression, Invoke) and expression.name not in ("share",) and expression.subscripts is not None:
            return expression.name, tuple(x.subscript(s, scope) for s in expression.subscripts)
        if isinstance(expression, Name) and expression.name not in scope:
            name = expression.name
            if name not in self.processors and name not in self.model.parameters:
                return name, ()
        return "cpu", (x.subscript(expression, scope),)

    def _held(self, resource: Resource, body: Cost, held: Held) -> Cost:
        """A process that holds a resource throughout; nothing more if an enclosing use holds it already."""
        if resource in held:
            return body
        g, family = self.graph, resource[0]
        if not body.demands:
            estimate, upper = body.t0, body.upper
        else:
            estimate = g.maximum([body.t0, *self._peaks(body.demands)])
            upper = body.serial
        amounts = [self._unless_held(resource, held, n) for n in (estimate, body.lower, upper)]
        guard = g.one if amounts[1] == body.lower else g.zero
        demand = Demand((), resource[1], *amounts, g.zero, g.zero, guard)
        demands = {f: list(d) for f, d in body.demands.items()}
        demands[family] = merged(g, self.members, family, [demand, *demands.get(family, ())])
        waits = body.waits or bool(body.demands)
        return body._replace(demands=demands, waits=waits)

    def _unless_held(self, resource: Resource, held: Held, amount: NodeId) -> NodeId:
        """The amount, times 0 where the subscripts turn out to be those of a held member."""
        for family, subscripts in held:
            if family == resource[0] and subscripts and len(subscripts) == len(resource[1]):
                for mine, theirs in zip(resource[1], subscripts, strict=True):
                    amount = self.graph.times(self.graph.compare("!=", mine, theirs), amount)
        return amount

    def _peaks(self, demands: Demands) -> list[NodeId]:
        return [peak(self.graph, self.servers, f, d, "estimate") for f, d in demands.items()]

    # Composition

    def _merged(self, parts: Iterable[Demands]) -> Demands:
        found: Demands = {}
        for part in parts:
            for family, demands in part.items():
                found.setdefault(family, []).extend(demands)
        return {f: merged(self.graph, self.members, f, d) for f, d in found.items()}

    def _sequence(self, parts: list[Cost]) -> Cost:
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.nothing
        g = self.graph
        t0, lower, upper, serial = (
            g.add([(p[k], 1) for p in parts]) for k in range(4)
        )
        demands = self._merged(p.demands for p in _placed(g, parts))
        waits = any(p.waits for p in parts)
        return Cost(t0, lower, upper, serial, demands, waits, _requirements(parts))

    def _parallel(self, parts: list[Cost]) -> Cost:
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return self.nothing
        g = self.graph
        demands = self._merged(p.demands for p in parts)
        shared = [f for f in demands if sum(f in p.demands for p in parts) > 1]
        heads = [peak(g, self.servers, f, demands[f], "lower") for f in shared]
        serial = g.plus(*(p.serial for p in parts))
        waits = any(p.waits for p in parts)
        if not shared:
            upper = g.maximum([p.upper for p in parts])
        else:
            extra = [interference(g, self.servers, shared, p.demands, demands) for p in parts]
            delayed = g.maximum([g.plus(p.upper, e) for p, e in zip(parts, extra, strict=True)])
            upper = self._delayed(waits, delayed, g.maximum(extra), serial)
        lower = g.maximum([*(p.lower for p in parts), *heads])
        return Cost(g.maximum([p.t0 for p in parts]), lower, upper, serial, demands, waits, _requirements(parts))

    def _delayed(self, waits: bool, delayed: NodeId, extra: NodeId, serial: NodeId) -> NodeId:
        """The upper bound of branches that others delay by up to `extra`: the serial bound where they wait holding."""
        g = self.graph
        if not waits:
            return g.minimum([delayed, serial])
        disturbed, alone = g.compare("<", g.zero, extra), g.compare("<=", extra, g.zero)
        return g.plus(g.times(disturbed, serial), g.times(alone, delayed))

    def _loop(self, process: LoopTerm, scope: Names, held: Held) -> Cost:
        g, x = self.graph, self.expressions
        low, high = x.whole(process.low, scope, "ceil"), x.whole(process.high, scope, "floor")
        if g.compare("<=", low, high) == g.zero:
            return self.nothing
        index = g.index(process.index, low, high)
        body = self.process(process.body, {**scope, process.index: index}, held)
        if low == high:
            return _at(g, body, index, low)
        closing = self._closing(process.kind, index, low, high, body)
        demands = {
            f: merged(g, self.members, f, [close(g, self.members, f, d, closing) for d in found])
            for f, found in body.demands.items()
        }
        closed = [r._replace(node=min_over(g, index, low, high, r.node)) for r in body.requirements]
        filled = g.compare("<=", low, high)
        requirements = tuple(r._replace(node=_guarded(g, filled, r.node)) for r in closed)

        total = summation(g, index, low, high)
        serial = total(body.serial)
        if process.kind == "seq":
            lower, upper = total(body.lower), total(body.upper)
            return Cost(total(body.t0), lower, upper, serial, demands, body.waits, requirements)
        return self._at_once(closing, body, demands, serial)._replace(requirements=requirements)

    def _closing(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: Cost) -> Loop:
        if kind == "par":
            return Loop(index, low, high, None)
        g, known = self.graph, list[tuple[NodeId, NodeId]]()

        def others() -> tuple[NodeId, NodeId]:
            if not known:
                known.append((self._spent(body, index, low, g.shift(index, -1)), self._spent(body, index, g.shift(index, 1), high)))
            return known[0]

        return Loop(index, low, high, others)

    def _spent(self, body: Cost, index: NodeId, first: NodeId, last: NodeId) -> NodeId:
        """The least time that the iterations from first to last take."""
        g = self.graph
        j = g.index_like(index, first, last)
        return sum_over(g, j, first, last, substitute(g, body.lower, {index: j}))

    def _at_once(self, loop: Loop, body: Cost, demands: Demands, serial: NodeId) -> Cost:
        """`par (i = low, high) body`."""
        g = self.graph

        def most(node: NodeId) -> NodeId:
            return max_over(g, loop.index, loop.low, loop.high, node)

        shared = [f for f in demands if not _alone(g, loop.index, body.demands[f])]
        heads = [peak(g, self.servers, f, demands[f], "lower") for f in shared]
        lower = g.maximum([most(body.lower), *heads])
        if not shared:
            upper = most(body.upper)
        else:
            extra = interference(g, self.servers, shared, body.demands, demands)
            upper = self._delayed(body.waits, most(g.plus(body.upper, extra)), most(extra), serial)
        return Cost(most(body.t0), lower, upper, serial, demands, body.waits, ())

    # Branches

    def _branch(self, process: Branch, scope: Names, held: Held) -> Cost:
        q, required = self._probability(process, scope)
        then, otherwise = (self.process(p, scope, held) for p in (process.then, process.otherwise))
        return self._either(q, then, otherwise, required)

    def _probability(self, process: Branch, scope: Names) -> tuple[NodeId, tuple[Requirement, ...]]:
        g = self.graph
        if process.probability is None:
            line, column = self.model.source.position(process.span.start)
            name = f"q_{line}" if self.free_branches.get(f"q_{line}", process.span) == process.span else f"q_{line}_{column}"
            self.free_branches[name] = process.span
            g.assumed.setdefault(name, (0, 1))
            return g.symbol(name), ()
        q, span = self.expressions.node(process.probability, scope), process.probability.span
        rest = g.add([(q, -1)], 1)
        return q, (*self._required(q, "probability", span), *self._required(rest, "probability", span))

    def _either(self, q: NodeId, a: Cost, b: Cost, required: tuple[Requirement, ...]) -> Cost:
        g, mode = self.graph, self.setting.branches
        if mode == "average":
            q = g.const(HALF)
        rest = g.add([(q, -1)], 1)

        def weighed(x: NodeId, y: NodeId) -> NodeId:
            if mode == "best":
                return g.minimum([x, y])
            if mode == "worst":
                return g.maximum([x, y])
            return g.plus(g.times(q, x), g.times(rest, y)) if x != y else x

        demands: Demands = {}
        for family in (*a.demands, *(f for f in b.demands if f not in a.demands)):
            pair = a.demands.get(family, []), b.demands.get(family, [])
            demands[family] = self._either_demand(family, *pair, weighed)
        return Cost(
            weighed(a.t0, b.t0),
            g.minimum([a.lower, b.lower]),
            g.maximum([a.upper, b.upper]),
            g.maximum([a.serial, b.serial]),
            demands,
            a.waits or b.waits,
            (*required, *a.requirements, *b.requirements),
        )

    def _either_demand(
        self, family: str, a: list[Demand], b: list[Demand], weighed: Callable[[NodeId, NodeId], NodeId]
    ) -> list[Demand]:
        """The demands of either branch; those on the same members are compared, the others are a branch's own."""
        g, zero = self.graph, self.graph.zero
        other = {(d.binders, d.subscripts): d for d in b}
        found = []
        for mine in a:
            theirs = other.pop((mine.binders, mine.subscripts), None)
            if theirs is None:
                found.append(_possible(mine, weighed(mine.estimate, zero), zero))
                continue
            head, tail = g.minimum([mine.head, theirs.head]), g.minimum([mine.tail, theirs.tail])
            lower, upper = g.minimum([mine.lower, theirs.lower]), g.maximum([mine.upper, theirs.upper])
            estimate, guard = weighed(mine.estimate, theirs.estimate), g.times(mine.guard, theirs.guard)
            found.append(Demand(mine.binders, mine.subscripts, estimate, lower, upper, head, tail, guard))
        found += [_possible(d, weighed(zero, d.estimate), zero) for d in other.values()]
        return merged(g, self.members, family, found)


def _possible(demand: Demand, estimate: NodeId, zero: NodeId) -> Demand:
    return demand._replace(estimate=estimate, lower=zero, guard=zero)


def _requirements(parts: Iterable[Cost]) -> tuple[Requirement, ...]:
    return tuple(dict.fromkeys(r for p in parts for r in p.requirements))


def _guarded(graph: Graph, filled: NodeId, node: NodeId) -> NodeId:
    return node if filled == graph.one else graph.times(filled, node)


def _at(graph: Graph, body: Cost, index: NodeId, value: NodeId) -> Cost:
    """The costs of a loop's only iteration."""
    swap = {index: value}

    def put(node: NodeId) -> NodeId:
        return substitute(graph, node, swap)

    demands = {f: [_demand_at(graph, d, swap) for d in found] for f, found in body.demands.items()}
    times = [put(n) for n in body[:4]]
    requirements = tuple(r._replace(node=put(r.node)) for r in body.requirements)
    return Cost(*times, demands, body.waits, requirements)


def _demand_at(graph: Graph, demand: Demand, swap: dict[NodeId, NodeId]) -> Demand:
    binders, inner = [], dict(swap)
    for index, low, high in demand.binders:
        ends = substitute(graph, low, inner), substitute(graph, high, inner)
        fresh = graph.index_like(index, *ends)
        if fresh != index:
            inner[index] = fresh
        binders.append(Binder(fresh, *ends))
    nodes = [substitute(graph, n, inner) for n in demand[2:8]]
    subscripts = tuple(substitute(graph, s, inner) for s in demand.subscripts)
    return Demand(tuple(binders), subscripts, *nodes)


def _alone(graph: Graph, index: NodeId, demands: list[Demand]) -> bool:
    """Whether every iteration of a loop has members of its own: one demand with subscript c + i or c - i."""
    if len(demands) != 1 or demands[0].binders:
        return False
    for subscript in demands[0].subscripts:
        sign = dict(graph.terms(subscript)[1]).get(index)
        if sign in (1, -1) and index not in graph.free[graph.add([(subscript, 1), (index, -sign)])]:
            return True
    return False


def _placed(graph: Graph, parts: list[Cost]) -> Iterable[Cost]:
    """The parts of a sequence with their heads and tails counted from the sequence's ends."""
    heads = _offsets(graph, parts, "head")
    tails = reversed(_offsets(graph, list(reversed(parts)), "tail"))
    for part, head, tail in zip(parts, heads, tails, strict=True):
        demands = {
            f: [d._replace(head=h, tail=t) for d, h, t in zip(found, head[f], tail[f], strict=True)]
            for f, found in part.demands.items()
        }
        yield part._replace(demands=demands)


def _offsets(graph: Graph, parts: list[Cost], end: str) -> list[dict[str, list[NodeId]]]:
    """Per part and demand, the least time from the sequence's start (or end) to its first (or last) use.

    A use after a certain one on the same members cannot be the first; it gets the first one's time, so that a long
    sequence costs no more than its length.
    """
    running, first, found = _RunningSum(graph), dict[tuple[object, ...], NodeId](), []
    for part in parts:
        row: dict[str, list[NodeId]] = {}
        for family, demands in part.demands.items():
            row[family] = []
            for demand in demands:
                key = (family, demand.binders, demand.subscripts)
                node = first.get(key)
                if node is None:
                    node = graph.plus(running.node(), demand.head if end == "head" else demand.tail)
                    if demand.guard == graph.one:
                        first[key] = node
                row[family].append(node)
        running.add(part.lower)
        found.append(row)
    return found


class _RunningSum:
    """A sum that grows term by term and becomes a node only when asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._terms: dict[NodeId, Rational] = {}
        self._constant: Rational = 0

    def add(self, node: NodeId) -> None:
        """One more addend."""
        constant, terms = self.graph.terms(node)
        self._constant += constant
        for atom, coefficient in terms:
            self._terms[atom] = self._terms.get(atom, 0) + coefficient

    def node(self) -> NodeId:
        """The sum so far."""
        return self.graph.add(self._terms.items(), self._constant)
