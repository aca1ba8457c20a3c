"""From a process to its costs: T0, loads, and the two sharper bounds, in one walk.

Per process five things are kept, each a node of the formula graph:

- `t0`: the time without contention. `;` and `seq` add, `||` and `par` take the maximum, `if` weighs (van Gemund, IEEE
  TPDS 14(2), 2003; Yero & Henriques, Performance Evaluation 2006).
- `lower`: a time that no schedule beats.
- `upper`: a time that every schedule meets that leaves no server idle while work for it waits. `composition` argues for
  both where processes run at once, `part_graphs` where parts of a graph do.
- `serial`: the sum of all durations, which nothing that does not deadlock exceeds.
- `demands`: the load on every resource, with heads and tails.

Branches: `t0` and the estimated loads weigh them as the mode says; `lower` takes the best and `upper` the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from apet.cost import errors
from apet.cost.composition import Composition
from apet.cost.cost import Chance, Cost, Requirement, single_iteration, undefined_kind
from apet.cost.cost_model import Setting
from apet.cost.decisions import decided_sides, sides_by_chance
from apet.cost.expressions import Expressions, Names
from apet.cost.loads import Demand, Demands, merged
from apet.cost.open_shapes import KnownShape, ShapeRecord
from apet.cost.peaks import Servers, peak, unequal
from apet.cost.requirements import RequirementRules
from apet.cost.serial import node_of
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.source import Span
from apet.model.errors import ValueOutsideDomain
from apet.model.names import BUS, PROCESSORS, RECEIVERS, SENDERS
from apet.model.resolved import Call, Hold, Message, Operation, ResolvedModel, Step
from apet.model.terms import Branch, Delay, Equation, Expression, Parallel, PartGraph, Sequence
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


class Costing:
    """Walks a model's processes; equations called with the same values are walked once."""

    def __init__(
        self, resolved: ResolvedModel, graph: Graph, setting: Setting, known: KnownShape | None = None
    ) -> None:
        model, processors = resolved.model, resolved.processors
        self.resolved = resolved
        self.model = model
        self.graph = graph
        self.setting = setting
        self.expressions = Expressions(graph, model.source, processors, known)
        self.known = known
        self.record = ShapeRecord(graph)
        self.processors = processors
        self.servers = Servers(graph, model, self.expressions, setting.cores)

        self.free_branches: dict[str, Span] = {}
        self.rules = RequirementRules(self.expressions)
        self.composition = Composition(graph, self.servers, setting.branches)
        self.at_once = False
        """Whether something runs beside what is walked; else no head or tail is needed."""
        self.chance = Chance.NONE

        self._known: dict[tuple[object, ...], Cost] = {}
        self._greatest: dict[int, tuple[list[Demand], NodeId]] = {}
        self._estimates: dict[NodeId, frozenset[NodeId]] = {}

    def equation(self, equation: Equation[Step], arguments: tuple[NodeId, ...], held: Held) -> Cost:
        """The costs of an equation's body with values for its subscripts and formals."""
        key = (equation.name, arguments, held, self.at_once, self.rules.is_guarded)
        if key not in self._known:
            scope = dict(zip((*equation.subscripts, *equation.formals), arguments, strict=True))
            self._known[key] = self.process(equation.body, scope, held)
        return self._known[key]

    def process(self, process: Step, scope: Names, held: Held) -> Cost:
        """The costs of a process inside the uses in `held`."""
        with self.expressions.recording() as recorded:
            try:
                cost = self._process(process, scope, held)
            except (ZeroDivisionError, ValueError) as error:
                return self._without_value(process, error)
        if not recorded:
            return cost

        free = frozenset[NodeId]().union(*(self.graph.free[n] for n in scope.values()))
        there = tuple(r for r in recorded if self.graph.free[r.node] <= free)  # not of the members of a graph's part
        return cost._replace(requirements=(*cost.requirements, *there)) if there else cost

    def _process(self, process: Step, scope: Names, held: Held) -> Cost:
        match process:
            case Call():
                return self._call(process, scope, held)
            case Operation():
                return self._operation(process, scope, held)
            case Message():
                return self._message(process, scope, held)
            case Delay(time, _):
                return self._delay(time, scope)
            case Hold():
                return self._hold(process, scope, held)

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

    def _call(self, process: Call, scope: Names, held: Held) -> Cost:
        values = tuple([self.expressions.subscript(v, scope) for v in process.values])
        cost = self.equation(process.equation, values, held)
        subscripts = process.values[: len(process.equation.subscripts)]
        required = self.rules.members(values[: len(subscripts)], [s.span for s in subscripts])
        return cost._replace(requirements=(*cost.requirements, *required)) if required else cost

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

    def _operation(self, process: Operation, scope: Names, held: Held) -> Cost:
        x = self.expressions
        processor = x.subscript(process.processor, scope)
        arguments = tuple([x.node(a, scope) for a in process.arguments])

        key = (process.name, processor, arguments, held, self.rules.is_guarded)
        cost = self._known.get(key)
        if cost is None:
            leaf = self._leaf(self.graph.item(f"t_{process.name}", (processor,), arguments))
            there = self.rules.processors_of((processor,), [process.processor.span])
            cost = self._held((PROCESSORS, (processor,)), leaf, held)
            cost = self._known[key] = cost._replace(requirements=there) if there else cost
        return cost

    def _message(self, process: Message, scope: Names, held: Held) -> Cost:
        x = self.expressions
        ends = (x.subscript(process.sender, scope), x.subscript(process.receiver, scope))
        size = x.node(process.size, scope)
        there = (
            *self.rules.processors_of(ends, [process.sender.span, process.receiver.span]),
            *self.rules.amount(size, "size", process.size.span),
        )
        cost = self._transfer(ends, size, held)
        return cost._replace(requirements=(*cost.requirements, *there)) if there else cost

    def _transfer(self, ends: tuple[NodeId, NodeId], size: NodeId, held: Held) -> Cost:
        if ends[0] == ends[1]:
            return self.composition.nothing
        key = ("send", ends, size, held, self.rules.is_guarded)
        if key not in self._known:
            self._known[key] = self._through_network(ends, size, held)
        return self._known[key]

    def _through_network(self, ends: tuple[NodeId, NodeId], size: NodeId, held: Held) -> Cost:
        leaf = self._leaf(self.graph.item("t_send", ends, (size,)))
        if self.setting.topology == "bus":
            return self._held((BUS, ()), leaf, held)
        if self.setting.topology == "switch":
            sender, receiver = (SENDERS, ends[:1]), (RECEIVERS, ends[1:])
            return self._held(sender, self._held(receiver, leaf, (*held, sender)), held)
        return leaf

    # Holding

    def _hold(self, process: Hold, scope: Names, held: Held) -> Cost:
        there, x = process.resource, self.expressions
        resource = there.family, tuple([x.subscript(s, scope) for s in there.subscripts])
        within = held if resource in held else (*held, resource)
        cost = self._held(resource, self.process(process.body, scope, within), held)
        required = self._there(resource, [s.span for s in there.subscripts])
        return cost._replace(requirements=(*cost.requirements, *required)) if required else cost

    def _there(self, resource: Member, spans: list[Span]) -> tuple[Requirement, ...]:
        """What must hold of the subscripts of a resource."""
        if resource[0] == PROCESSORS:
            return self.rules.processors_of(resource[1], spans)
        certain = not (self.rules.is_guarded or self.expressions.is_conditional)
        enough = self.servers.enough(*resource, certain=certain)
        return *self.rules.members(resource[1], spans), *enough

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
            candidates = [n for n in candidates if n != body.t0 and g.facts.plainly_at_most(n, body.t0) is not True]
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

    def _loop(self, process: LoopTerm[Step], scope: Names, held: Held) -> Cost:
        g, x = self.graph, self.expressions
        low, high = x.whole(process.low, scope, "ceil"), x.whole(process.high, scope, "floor")
        if g.compare("<=", low, high) == g.zero:
            return self.composition.nothing
        if self.known is not None and process.span in self.known.loops and g.value(g.minus(high, low)) is not None:
            return self._written_out(process, scope, held, range(int(g.value(low) or 0), int(g.value(high) or 0) + 1))
        index = g.index(process.index, low, high)

        surely = g.compare("<=", low, high) == g.one
        with self._beside_others(process.kind == "par"), nullcontext() if surely else x.guarded():
            body = self.process(process.body, {**scope, process.index: index}, held)
        self.record.closed(process.span, index, (low, high))
        if low == high:
            return single_iteration(g, body, index, low)
        try:
            cost = self.composition.loop(process.kind, index, low, high, body, self.at_once)
        except (ZeroDivisionError, ValueError) as error:
            if surely:
                raise
            nowhere = Requirement(g.scale(g.compare("<=", low, high), -1), undefined_kind(error), process.span)
            return self.composition.nothing._replace(requirements=(nowhere,))
        return cost if self.at_once or process.kind == "seq" else self.composition.alone(cost)

    def _without_value(self, process: Step, error: ArithmeticError | ValueError) -> Cost:
        """A process of which a part, or a round, never has a value: an error, unless a condition may exclude it."""
        source, span, divided = self.model.source, process.span, isinstance(error, ZeroDivisionError)
        if self.rules.is_guarded:
            never = Requirement(self.graph.const(-1), undefined_kind(error), span)
            return self.composition.nothing._replace(requirements=(never,))
        if divided and isinstance(process, LoopTerm):
            raise ApetError(errors.ZeroInLoop(source, span, process.index)) from None
        if divided:
            raise ApetError(errors.DivisionByZero(source, span)) from None
        raise ApetError(ValueOutsideDomain(source, span, str(error))) from None

    def _written_out(self, loop: LoopTerm[Step], scope: Names, held: Held, rounds: range) -> Cost:
        """A loop around a graph whose order depends on the round."""
        if len(rounds) > MOST_WRITTEN_OUT:
            raise ApetError(errors.TooManyRounds(self.model.source, loop.span, len(rounds), MOST_WRITTEN_OUT))
        with self._beside_others(loop.kind == "par" and len(rounds) > 1):
            costs = [self.process(loop.body, {**scope, loop.index: self.graph.const(k)}, held) for k in rounds]
        if loop.kind == "seq":
            return self.composition.sequence(costs, self.at_once)
        cost = self.composition.parallel(costs)
        return cost if self.at_once else self.composition.alone(cost)

    def _graph(self, process: PartGraph[Step], scope: Names, held: Held) -> Cost:
        from apet.cost.graph_costing import GraphCosting, Surroundings  # few models have a graph

        around = Surroundings(scope, bool(held), self.record, self.known)
        with self._beside_others(True):
            walk = GraphCosting(
                self.composition, self.expressions, lambda p, names: self.process(p, names, held), process, around
            )
            cost = walk.cost()
        return cost if self.at_once else self.composition.alone(cost)

    def _branch(self, process: Branch[Step], scope: Names, held: Held) -> Cost:
        g, mode = self.graph, self.setting.branches
        q, required = self._probability(process, scope)
        if g.value(q) in (0, 1):
            return self.process(process.then if q == g.one else process.otherwise, scope, held)

        if g.integral[q]:
            sides = decided_sides(g, q)
        else:
            unknown = process.probability is None and mode != "probability"
            sides = sides_by_chance(g, None if unknown else q, mode)
            self.chance = max(self.chance, Chance.AT_ONCE if self.at_once else Chance.IN_TURN)
        with self.expressions.guarded():
            then, otherwise = (self.process(p, scope, held) for p in (process.then, process.otherwise))
        return self.composition.either(sides, then, otherwise, required)

    def _probability(self, process: Branch[Step], scope: Names) -> tuple[NodeId, tuple[Requirement, ...]]:
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
