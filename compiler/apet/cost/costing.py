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

from collections.abc import Container, Iterator
from contextlib import contextmanager

from apet.cost import errors
from apet.cost.composition import Composition
from apet.cost.cost import Cost, Requirement, single_iteration
from apet.cost.cost_model import Setting
from apet.cost.decisions import decided_sides, sides_by_chance
from apet.cost.expressions import Expressions, Names
from apet.cost.graph_costing import GraphCosting, Surroundings
from apet.cost.integers import own_expressions
from apet.cost.loads import Demand, Demands, merged
from apet.cost.open_shapes import KnownShape, ShapeRecord
from apet.cost.peaks import Servers, peak, unequal
from apet.cost.requirements import RequirementRules
from apet.cost.serial import node_of
from apet.cost.table_bounds import table_bounds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.formula.graph.signs import plainly_at_most
from apet.ground.diagnostics import ApetError
from apet.ground.source import Span
from apet.model.errors import ValueOutsideDomain
from apet.model.names import BUS, PROCESSORS, RECEIVERS, SENDERS, held_process, own_family
from apet.model.terms import (
    Branch,
    Delay,
    Equation,
    Expression,
    Invoke,
    Model,
    Name,
    Parallel,
    PartGraph,
    Process,
    Sequence,
    Use,
)
from apet.model.terms import Loop as LoopTerm

MOST_WEIGHED = 8
"""Peaks of a process that are compared with its time without contention, one by one."""
MOST_WRITTEN_OUT = 20_000
"""Rounds of a loop that are costed one by one."""
MOST_REMEMBERED = 64
"""Estimates of which it is kept what they are the maximum of."""
NOTHING: frozenset[NodeId] = frozenset()

Member = tuple[str, tuple[NodeId, ...]]
"""Of a resource family: its name, and subscripts."""
Held = tuple[Member, ...]


class ValueNames:
    """The names of values in force: bound ones and parameters."""

    def __init__(self, *names: Container[str]) -> None:
        self.names = names

    def __contains__(self, name: object) -> bool:
        return any(name in n for n in self.names)


class Costing:
    """Walks a model's processes; equations called with the same values are walked once."""

    def __init__(
        self,
        model: Model,
        graph: Graph,
        setting: Setting,
        processors: frozenset[str],
        known: KnownShape | None = None,
    ) -> None:
        self.model = model
        self.graph = graph
        self.setting = setting
        self.expressions = Expressions(graph, model.source, processors, known)
        self.known = known
        self.record = ShapeRecord(graph)
        self.processors = processors
        self.servers = Servers(graph, model, self.expressions, setting.cores)

        self.free_branches: dict[str, Span] = {}
        self.rules = RequirementRules(graph, model.source, processors)
        self.composition = Composition(graph, self.servers, setting.branches)
        self.at_once = False
        """Whether something runs beside what is walked; else no head or tail is needed."""

        self._known: dict[tuple[object, ...], Cost] = {}
        self._greatest: dict[int, tuple[list[Demand], NodeId]] = {}
        self._estimates: dict[NodeId, frozenset[NodeId]] = {}

    def equation(self, equation: Equation, arguments: tuple[NodeId, ...], held: Held) -> Cost:
        """The costs of an equation's body with values for its subscripts and formals."""
        key = (equation.name, arguments, held, self.at_once, self.rules.is_guarded)
        if key not in self._known:
            scope = dict(zip((*equation.subscripts, *equation.formals), arguments, strict=True))
            self._known[key] = self.process(equation.body, scope, held)
        return self._known[key]

    def process(self, process: Process, scope: Names, held: Held) -> Cost:
        """The costs of a process inside the uses in `held`."""
        cost = self._process(process, scope, held)
        if not self.model.tables:
            return cost
        own = (e for e, _ in own_expressions(process))
        there = tuple(r for e in own for r in table_bounds(self.expressions, e, scope))
        return cost._replace(requirements=(*cost.requirements, *there)) if there else cost

    def _process(self, process: Process, scope: Names, held: Held) -> Cost:
        match process:
            case Invoke():
                return self._invoke(process, scope, held)
            case Delay(time, _):
                return self._delay(time, scope)
            case Use():
                return self._use(process, scope, held)

            case Sequence(steps, _):
                return self.composition.sequence([self.process(s, scope, held) for s in steps], self.at_once)
            case Parallel(branches, _):
                with self._beside_others(len(branches) > 1):
                    parts = [self.process(b, scope, held) for b in branches]
                cost = self.composition.parallel(parts)
                return cost if self.at_once else self.composition.alone(cost)

            case LoopTerm():
                return self._loop(process, scope, held)
            case Branch():
                return self._branch(process, scope, held)
            case PartGraph():
                return self._graph(process, scope, held)

    @contextmanager
    def _beside_others(self, others: bool) -> Iterator[None]:
        before = self.at_once
        self.at_once = before or others
        yield
        self.at_once = before

    # Leaves

    def _leaf(self, time: NodeId, requirements: tuple[Requirement, ...] = ()) -> Cost:
        return Cost(t0=time, lower=time, upper=time, serial=time, demands={}, requirements=requirements)

    def _delay(self, time: Expression, scope: Names) -> Cost:
        node = self.expressions.node(time, scope)
        return self._leaf(node, self.rules.amount(node, "duration", time.span))

    def _invoke(self, process: Invoke, scope: Names, held: Held) -> Cost:
        x = self.expressions
        subscripts = tuple([x.subscript(s, scope) for s in process.subscripts or ()])
        equation = self.model.equations.get(process.name)
        if equation is not None:
            passed = tuple([x.subscript(a, scope) for a in process.arguments or ()])
            return self.equation(equation, (*subscripts, *passed), held)
        arguments = tuple([x.node(a, scope) for a in process.arguments or ()])
        sizes = self._sizes(process, arguments)
        key = (process.name, subscripts, arguments, held, self.rules.is_guarded)
        cost = self._known.get(key)
        if cost is None:
            cost = self._operation(process.name, subscripts, arguments, held)
            there = self.rules.processors_of(subscripts, [s.span for s in process.subscripts or ()])
            cost = self._known[key] = cost._replace(requirements=there) if there else cost

        return cost._replace(requirements=(*cost.requirements, *sizes)) if sizes else cost

    def _sizes(self, process: Invoke, arguments: tuple[NodeId, ...]) -> tuple[Requirement, ...]:
        """What a message must not have less than: 0 bytes."""
        if process.name != "send" or process.arguments is None:
            return ()
        return self.rules.amount(arguments[0], "size", process.arguments[0].span)

    def _operation(self, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...], held: Held) -> Cost:
        leaf = self._leaf(self.graph.item(f"t_{name}", subscripts, arguments))
        if name != "send":
            return self._held((PROCESSORS, subscripts), leaf, held)
        if subscripts[0] == subscripts[1]:
            return self.composition.nothing
        if self.setting.topology == "bus":
            return self._held((BUS, ()), leaf, held)
        if self.setting.topology == "switch":
            sender, receiver = (SENDERS, subscripts[:1]), (RECEIVERS, subscripts[1:])
            return self._held(sender, self._held(receiver, leaf, (*held, sender)), held)
        return leaf

    # Uses

    def _use(self, process: Use, scope: Names, held: Held) -> Cost:
        resource = self._resource(process.resource, scope)
        within = held if resource in held else (*held, resource)
        body = self.process(held_process(process, ValueNames(scope, self.model.parameters)), scope, within)
        cost = self._held(resource, body, held)
        there = self._there(process.resource, resource)
        return cost._replace(requirements=(*cost.requirements, *there)) if there else cost

    def _there(self, expression: Expression, resource: Member) -> tuple[Requirement, ...]:
        """What must hold of the subscripts of a resource."""
        if resource[0] == PROCESSORS:
            return self.rules.processors_of(resource[1], [expression.span])
        spans = [s.span for s in expression.subscripts or ()] if isinstance(expression, Invoke) else []
        members = self.rules.members(resource[1], spans)
        enough = self.servers.enough(*resource, certain=not self.rules.is_guarded)
        return members if enough is None else (*members, Requirement(enough[0], "number of servers", enough[1]))

    def _resource(self, expression: Expression, scope: Names) -> Member:
        x = self.expressions
        if isinstance(expression, Invoke) and expression.name != "share" and expression.subscripts is not None:
            return own_family(expression.name), tuple(x.subscript(s, scope) for s in expression.subscripts)
        if isinstance(expression, Name) and expression.name not in scope:
            name = expression.name
            if name not in self.processors and name not in self.model.parameters:
                return own_family(name), ()
        return PROCESSORS, (x.subscript(expression, scope),)

    def _held(self, resource: Member, body: Cost, held: Held) -> Cost:
        """A process that holds a resource throughout; nothing more if an enclosing use holds it already."""
        if resource in held:
            return body

        g, family = self.graph, resource[0]
        if not body.demands:
            estimate, upper = body.t0, body.upper
        else:
            estimate, upper = self._estimate(body), node_of(g, body.serial)
        lower, guard = body.lower, g.one
        if held:
            amounts = (estimate, lower, upper, guard)
            estimate, lower, upper, guard = (self._unless_held(resource, held, n) for n in amounts)
        demand = Demand(
            binders=(),
            subscripts=resource[1],
            estimate=estimate,
            lower=lower,
            upper=upper,
            head=g.zero,
            tail=g.zero,
            guard=guard,
        )
        inner = body.demands.get(family)
        demands = dict(body.demands)
        demands[family] = merged(g, self.composition.members, family, [demand, *inner]) if inner else [demand]
        nested = body.hold_and_wait.union((family,), body.demands) if body.demands else body.hold_and_wait
        return body._replace(demands=demands, hold_and_wait=nested, disjoint_loads=not body.demands)

    def _unless_held(self, resource: Member, held: Held, amount: NodeId) -> NodeId:
        """The amount, times 0 where all subscripts turn out to be those of a held member."""
        for family, subscripts in held:
            if family == resource[0]:
                amount = self.graph.times(unequal(self.graph, resource[1], subscripts), amount)
        return amount

    def _estimate(self, body: Cost) -> NodeId:
        """max(T0, T[r]) of a process, which is how long it is estimated to hold a resource.

        A use within the process has such an estimate, a maximum of peaks, as its load. Peaks that are operands of
        another peak's estimate cannot be greater than it, so they are left out of the new maximum: otherwise n nested
        uses would make maxima of n operands each.
        """
        g, held = self.graph, self._estimates
        peaks, within = self._peaks(body.demands), set[NodeId]()
        for node in reversed(peaks):
            if node not in within:
                within |= held.get(node, NOTHING)
        candidates = [n for n in peaks if n not in within]
        if len(candidates) <= MOST_WEIGHED:
            candidates = [n for n in candidates if n != body.t0 and plainly_at_most(g, n, body.t0) is not True]
        estimate = g.maximum([body.t0, *candidates])

        held[estimate] = frozenset(peaks).difference((estimate,))
        if len(held) > MOST_REMEMBERED:
            del held[next(iter(held))]
        return estimate

    def _peaks(self, demands: Demands) -> list[NodeId]:
        """The greatest load of each family, equal ones once: of many nested resources most are held equally long.

        A process around others has the very lists of demands that they have, so each list is looked at once.
        """
        cached, peaks = self._greatest, dict[NodeId, None]()
        for family, loads in demands.items():
            # The list is kept with its peak, so that its id is not given to another list.
            entry = cached.get(id(loads))
            if entry is None:
                entry = cached[id(loads)] = loads, peak(self.graph, self.servers, family, loads, "estimate")
            peaks[entry[1]] = None
        return list(peaks)

    # Composed processes

    def _loop(self, process: LoopTerm, scope: Names, held: Held) -> Cost:
        g, x = self.graph, self.expressions
        low, high = x.whole(process.low, scope, "ceil"), x.whole(process.high, scope, "floor")
        if g.compare("<=", low, high) == g.zero:
            return self.composition.nothing
        if self.known is not None and process.span in self.known.loops and g.value(g.minus(high, low)) is not None:
            return self._written_out(process, scope, held, range(int(g.value(low) or 0), int(g.value(high) or 0) + 1))
        index = g.index(process.index, low, high)

        with self._beside_others(process.kind == "par"):
            body = self.process(process.body, {**scope, process.index: index}, held)
        self.record.closed(process.span, index, (low, high))
        try:
            if low == high:
                return single_iteration(g, body, index, low)
            cost = self.composition.loop(process.kind, index, low, high, body, self.at_once)
            return cost if self.at_once or process.kind == "seq" else self.composition.alone(cost)
        except ZeroDivisionError:
            raise ApetError(errors.ZeroInLoop(self.model.source, process.span, process.index)) from None
        except ValueError as error:
            raise ApetError(ValueOutsideDomain(self.model.source, process.span, str(error))) from None

    def _written_out(self, loop: LoopTerm, scope: Names, held: Held, rounds: range) -> Cost:
        """A loop around a graph whose order depends on the round."""
        if len(rounds) > MOST_WRITTEN_OUT:
            raise ApetError(errors.TooManyRounds(self.model.source, loop.span, len(rounds), MOST_WRITTEN_OUT))
        with self._beside_others(loop.kind == "par" and len(rounds) > 1):
            costs = [self.process(loop.body, {**scope, loop.index: self.graph.const(k)}, held) for k in rounds]
        if loop.kind == "seq":
            return self.composition.sequence(costs, self.at_once)
        cost = self.composition.parallel(costs)
        return cost if self.at_once else self.composition.alone(cost)

    def _graph(self, process: PartGraph, scope: Names, held: Held) -> Cost:
        around = Surroundings(scope, bool(held), self.record, self.known)
        with self._beside_others(True):
            walk = GraphCosting(
                self.composition, self.expressions, lambda p, names: self.process(p, names, held), process, around
            )
            cost = walk.cost()
        return cost if self.at_once else self.composition.alone(cost)

    def _branch(self, process: Branch, scope: Names, held: Held) -> Cost:
        g, mode = self.graph, self.setting.branches
        q, required = self._probability(process, scope)
        if g.value(q) in (0, 1):
            return self.process(process.then if q == g.one else process.otherwise, scope, held)

        if g.integral[q]:
            sides = decided_sides(g, q)
        else:
            unknown = process.probability is None and mode != "probability"
            sides = sides_by_chance(g, None if unknown else q, mode)
        with self.rules.guarded():
            then, otherwise = (self.process(p, scope, held) for p in (process.then, process.otherwise))
        return self.composition.either(sides, then, otherwise, required)

    def _probability(self, process: Branch, scope: Names) -> tuple[NodeId, tuple[Requirement, ...]]:
        g = self.graph
        if process.probability is None:
            line, column = self.model.source.position(process.span.start)
            name = f"q_{line}"
            if self.free_branches.get(name, process.span) != process.span:
                name = f"q_{line}_{column}"
            self.free_branches[name] = process.span
            g.assumed.setdefault(name, (0, 1))
            return g.symbol(name), ()

        q, span = self.expressions.node(process.probability, scope), process.probability.span
        rest = g.add([(q, -1)], 1)
        return q, (*self.rules.amount(q, "probability", span), *self.rules.amount(rest, "probability", span))
