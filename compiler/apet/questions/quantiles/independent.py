"""Programs whose every execution of an operation takes a time of its own, independent of all others.

One walk over the process gives the distribution of the time without contention, that of the load on every resource, and
how often each operation is executed. Different parts of a program share no execution, so their times are independent:
sums have the sums of the cumulants, and the greatest of parallel branches has the product of their distribution
functions. What waiting for each other adds is not in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, assert_never

from apet.cost import Application, deep_recursion
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.machine import Configuration, End
from apet.machine.spread import pieces_of
from apet.model import terms
from apet.model.free_names import FreeNames
from apet.model.names import BUS, RECEIVERS, SENDERS
from apet.model.precedence import AtOnce, InSeries, Order, decomposed
from apet.model.resolved import Call, Hold, Message, Operation, Step
from apet.questions.quantiles.contention import BranchContention
from apet.questions.quantiles.distributions import Law, Laws
from apet.questions.quantiles.errors import TooManyDifferent
from apet.questions.quantiles.pieces import operation_pieces, seconds_per_byte
from apet.questions.quantiles.uncertainty import Expected
from apet.simulator.composites import EquationCall, Ranged, decided_side
from apet.simulator.engine import Engine, ResourceServer, Scope
from apet.simulator.graph_members import GraphMembers
from apet.simulator.leaves import MachineOperation, Pause, Transfer
from apet.simulator.names import Names
from apet.simulator.program import Program

MOST_ITERATIONS = 200_000
"""Of loops whose iterations differ; loops of equal iterations are free."""
TERMS = 2
"""Of the model that an iteration may take in the mean; what is the same in all iterations counts once."""
QUICK = 0.02
"""Share of a mean that does not matter where only branches are left to chance."""
Held = frozenset[str]


class DelayParts(NamedTuple):
    """The random quantities of a process.

    `law` is that of its time if nobody ever waits, `alone` that of its time where nothing else runs: its own parts wait
    for each other. `loads` are the times that each resource is held for, `counts` says how often each (operation, p) or
    ("send", p, q) is executed.
    """

    law: Law
    alone: Law
    loads: Mapping[str, Mapping[Law, float]]
    counts: Mapping[tuple[Hashable, ...], float]


class Walk:
    """Walks the process of an application on a configuration, for one value of each parameter.

    With an `end` every operation and message takes its time at that end, and only branches are left to chance.
    """

    def __init__(
        self,
        app: Application,
        configuration: Configuration,
        values: Mapping[str, Number],
        schedule: str,
        end: End | None = None,
        most_iterations: int = MOST_ITERATIONS,
    ) -> None:
        engine = Engine(app.model.source, most_iterations)
        names = Names(app.resolved, configuration, engine, values, schedule)
        self.app = app
        self.configuration = configuration

        self.laws = Laws(QUICK if end else 0.0)
        self.program = Program(engine, names, configuration, end or "tmax", configuration.machines.network.topology)
        self.names = names
        self.waiting: set[str] = set()  # labels of what is held while another resource is waited for
        self._drawn = end is None
        self._most = self._left = most_iterations
        self._terms = TERMS * most_iterations
        self._contention = BranchContention(self.laws, engine.servers)
        self._free = FreeNames(app.resolved)
        self._delays: dict[Hashable, DelayParts] = {}
        self._leaves: dict[Hashable, Law] = {}
        self._nothing = DelayParts(self.laws.nothing, self.laws.nothing, {}, {})

    @property
    def exact(self) -> bool:
        """Whether the law of the whole run, where nothing else runs, is exactly that: nothing waits but in turn."""
        return self._contention.exact

    def parts(self) -> DelayParts:
        """The whole program."""
        with deep_recursion():
            return self._of(self.app.resolved.entry.body, self.names.parameters, frozenset())

    def expected(self) -> Expected:
        """Mean and deviation of the whole run, and of T0 and each T[r], of which the greatest mean decides."""
        delay = self.parts()
        candidates = {"T0": delay.law}
        families: dict[str, Counter[Law]] = {}

        for label, held in delay.loads.items():
            servers = self.program.engine.servers[label].free
            law = self.laws.scaled(self.laws.total(held), 1 / servers)
            families.setdefault(label.split("[", 1)[0], Counter())[law] += 1

        for family, laws in families.items():
            candidates[f"T[{family}]"] = self.laws.greatest(laws)
        best = max(candidates, key=lambda name: (candidates[name].mean, name != "T0"))
        moments = {name: (law.mean, law.deviation) for name, law in candidates.items()}
        return Expected(delay.alone.mean, delay.alone.deviation, best, moments)

    def _of(self, term: Step, scope: Scope, held: Held) -> DelayParts:
        key = (id(term), held, *(scope.get(name) for name in sorted(self._free.of(term))))
        delay = self._delays.get(key)
        if delay is None:
            self._terms -= 1
            delay = self._delays[key] = self._delay_of(term, scope, held)
        return delay

    def _delay_of(self, term: Step, scope: Scope, held: Held) -> DelayParts:
        match term:
            case Call() | Operation() | Message() | terms.Delay():
                return self._leaf(term, scope, held)
            case Hold():
                server = self.names.resource(term.resource)(scope)
                return self._holding(server, self._of(term.body, scope, held | {server.label}), held)

            case terms.Sequence():
                return self._all("seq", [(self._of(p, scope, held), 1) for p in term.steps])
            case terms.Parallel():
                return self._all("par", [(self._of(p, scope, held), 1) for p in term.branches])

            case terms.Loop():
                return self._loop(term, scope, held)
            case terms.Branch():
                return self._branch(term, scope, held)
            case terms.PartGraph():
                return self._graph(term, scope, held)
            case _:
                assert_never(term)

    # Leaves

    def _leaf(self, term: Call | Operation | Message | terms.Delay, scope: Scope, held: Held) -> DelayParts:
        node = self.program.node(term)
        if isinstance(node, EquationCall):
            return self._of(node.body, node.scope(scope), held)
        if isinstance(node, Transfer):
            return self._message(node, scope, held)

        if isinstance(node, MachineOperation):
            p = self.names.processor(node.subscript(scope), term.span)
            seconds, _ = node.cost(p)
            law = self._operation(node.term.name, p) if self._drawn else self.laws.constant(seconds)
            part = DelayParts(law, law, {}, {(node.term.name, p): 1.0})
            return self._holding(self.names.cpu(p, term.span), part, held)
        assert isinstance(node, Pause)
        law = self.laws.constant(node.seconds(scope))
        return DelayParts(law, law, {}, {})

    def _operation(self, name: str, p: int) -> Law:
        group = self.configuration.group(p)
        key = (name, group.name)
        if key not in self._leaves:
            self._leaves[key] = self.laws.leaf(operation_pieces(group, name))
        return self._leaves[key]

    def _message(self, node: Transfer, scope: Scope, held: Held) -> DelayParts:
        p, q = node.ends(scope)
        seconds = node.seconds(scope)
        if p == q:
            return self._nothing
        law = self._message_law(p, q, float(node.size(scope))) if self._drawn else self.laws.constant(seconds)
        part = DelayParts(law, law, {}, {("send", p, q): 1.0})
        if self.program.topology == "bus":
            return self._holding(self.names.server(BUS, ()), part, held)
        if self.program.topology == "switch":
            part = self._holding(self.names.server(RECEIVERS, (q,)), part, held)
            return self._holding(self.names.server(SENDERS, (p,)), part, held)

        return part

    def _message_law(self, p: int, q: int, size: float) -> Law:
        sender, receiver = self.configuration.group(p).name, self.configuration.group(q).name
        key = ("send", sender, receiver, size)
        if key not in self._leaves:
            latency, bandwidth = self.configuration.machines.network.between(sender, receiver)
            laws = self.laws.leaf(pieces_of(latency)), self.laws.leaf(seconds_per_byte(bandwidth), size)
            self._leaves[key] = self.laws.total(Counter(laws))
        return self._leaves[key]

    # Composed processes

    def _holding(self, server: ResourceServer, body: DelayParts, held: Held) -> DelayParts:
        if server.label in held:
            return body
        if body.loads:
            self.waiting.add(server.label)
        mine = dict(body.loads.get(server.label, {}))
        mine[body.alone] = mine.get(body.alone, 0.0) + 1
        return body._replace(loads={**body.loads, server.label: mine})

    def _all(self, kind: str, parts: Sequence[tuple[DelayParts, int]]) -> DelayParts:
        laws: defaultdict[Law, float] = defaultdict(float)
        spans: defaultdict[Law, float] = defaultdict(float)
        loads: dict[str, defaultdict[Law, float]] = {}
        counts: defaultdict[tuple[Hashable, ...], float] = defaultdict(float)

        for part, n in parts:
            laws[part.law] += n
            spans[part.alone] += n
            for label, held in part.loads.items():
                into = loads.setdefault(label, defaultdict(float))
                for law, m in held.items():
                    into[law] += n * m
            for key, m in part.counts.items():
                counts[key] += n * m

        if kind == "seq":
            return DelayParts(self.laws.total(laws), self.laws.total(spans), loads, counts)
        alone = self._contention.at_once([(part.alone, part.loads, n) for part, n in parts])
        return DelayParts(self.laws.greatest(laws), alone, loads, counts)

    def _loop(self, term: terms.Loop[Step], scope: Scope, held: Held) -> DelayParts:
        node = self.program.node(term)
        assert isinstance(node, Ranged)
        indices = node.indices(scope)
        number = max(0, indices.stop - indices.start)
        if not number:
            return self._nothing
        if term.index not in self._free.of(term.body):
            return self._all(term.kind, [(self._of(term.body, scope, held), number)])
        self._left -= number
        rounds = []

        for i in indices:
            if self._left < 0 or self._terms < 0:
                raise ApetError(TooManyDifferent(self.names.model.source, term.span, term.index, self._most))
            rounds.append((self._of(term.body, {**scope, term.index: i}, held), 1))
        return self._all(term.kind, rounds)

    def _graph(self, term: terms.PartGraph[Step], scope: Scope, held: Held) -> DelayParts:
        """The parts of a graph.

        Paths that share parts are taken to be independent, as in PERT (D. G. Malcolm and others, Operations Research 7,
        1959): what grows with the same times is never further apart than that, so the mean is not below the true one.
        """
        members = GraphMembers(self.program, term).of(scope)
        delays = [self._of(m.body, m.scope, held) for m in members]
        order, whole = decomposed([m.after for m in members]), self._all("seq", [(d, 1) for d in delays])
        longest = self._ordered(order, [d.alone for d in delays])
        alone = self._contention.in_order(longest, whole.loads)
        return whole._replace(law=self._ordered(order, [d.law for d in delays]), alone=alone)

    def _ordered(self, order: Order, laws: list[Law]) -> Law:
        """The time of parts in an order."""
        if isinstance(order, int):
            return laws[order]
        parts = [self._ordered(inner, laws) for inner in order.parts]
        if isinstance(order, InSeries):
            return self.laws.total(Counter(parts))
        if isinstance(order, AtOnce):
            return self.laws.greatest(Counter(parts))

        ends: list[Law] = []
        for law, before in zip(parts, order.after, strict=True):
            begin = self.laws.greatest(Counter(ends[k] for k in before)) if before else self.laws.nothing
            ends.append(self.laws.total(Counter((begin, law))))
        inner_parts = {k for before in order.after for k in before}
        return self.laws.greatest(Counter(end for k, end in enumerate(ends) if k not in inner_parts))

    def _branch(self, term: terms.Branch[Step], scope: Scope, held: Held) -> DelayParts:
        taken = decided_side(self.names, term, scope)
        if taken is not None:
            return self._of(taken, scope, held)
        a, b = self._of(term.then, scope, held), self._of(term.otherwise, scope, held)
        mode = self.app.setting.branches
        if mode in ("best", "worst"):
            return min(a, b, key=lambda p: p.law.mean if mode == "best" else -p.law.mean)
        q = 0.5 if mode == "average" else self._probability(term, scope)
        loads = {}

        for label in {**a.loads, **b.loads}:
            sides = [self.laws.total(p.loads.get(label, {})) for p in (a, b)]
            loads[label] = {self.laws.either(q, *sides): 1.0}

        counts = {key: q * n for key, n in a.counts.items()}
        for key, n in b.counts.items():
            counts[key] = counts.get(key, 0.0) + (1 - q) * n
        return DelayParts(self.laws.either(q, a.law, b.law), self.laws.either(q, a.alone, b.alone), loads, counts)

    def _probability(self, term: terms.Branch[Step], scope: Scope) -> float:
        if term.probability is not None:
            return float(self.names.number(term.probability)(scope))
        name = next(name for name, span in self.app.free_branches.items() if span == term.span)
        return float(self.names.parameters[name])
