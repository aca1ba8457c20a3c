"""Programs whose every execution of an operation takes a time of its own, independent of all others.

One walk over the process gives the distribution of the time without contention, that of the load on every resource, and
how often each operation is executed. Different parts of a program share no execution, so their times are independent:
sums have the sums of the cumulants, and the greatest of parallel branches has the product of their distribution
functions. What waiting for each other adds is not in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple, assert_never

from apet.cost import Application, deep_recursion
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.machine import Configuration
from apet.machine.spread import pieces_of
from apet.model import terms
from apet.questions.quantiles.dependence import Dependence
from apet.questions.quantiles.distributions import Law, Laws
from apet.questions.quantiles.errors import TooManyDifferent
from apet.questions.quantiles.pieces import operation_pieces, seconds_per_byte
from apet.questions.quantiles.uncertainty import Expected
from apet.simulator.composites import EquationCall, Ranged
from apet.simulator.engine import Engine, ResourceServer, Scope
from apet.simulator.leaves import Message, Operation, Pause
from apet.simulator.names import Names
from apet.simulator.program import Program

MOST_ITERATIONS = 200_000
"""Of loops whose iterations differ; loops of equal iterations are free."""
Held = frozenset[str]


class DelayParts(NamedTuple):
    """What is known of a process: the law of its time, the times that each resource is held for, and how often each
    (operation, p) or ("send", p, q) is executed."""

    law: Law
    loads: Mapping[str, Mapping[Law, float]]
    counts: Mapping[tuple[Hashable, ...], float]


class Walk:
    """Walks the process of an application on a configuration, for one value of each parameter."""

    def __init__(
        self, app: Application, configuration: Configuration, values: Mapping[str, Number], schedule: str
    ) -> None:
        engine = Engine(app.model.source, MOST_ITERATIONS)
        names = Names(app.model, configuration, engine, values, schedule)
        self.app = app
        self.configuration = configuration
        self.laws = Laws()
        self.program = Program(engine, names, configuration, "tmax", configuration.machines.network.topology)
        self.names = names
        self._dependence = Dependence()
        self._left = MOST_ITERATIONS
        self._known: dict[Hashable, DelayParts] = {}
        self._leaves: dict[Hashable, Law] = {}
        self._nothing = DelayParts(self.laws.nothing, {}, {})

    def parts(self) -> DelayParts:
        """The whole program."""
        with deep_recursion():
            return self._of(self.app.model.equations[self.app.model.entry].body, self.names.parameters, frozenset())

    def expected(self) -> Expected:
        """Mean and deviation of max(T0, T[r]) where the greatest mean decides."""
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
        shown = {name: (law.mean, law.deviation) for name, law in candidates.items()}
        return Expected(*shown[best], best, shown)

    def _of(self, term: terms.Process, scope: Scope, held: Held) -> DelayParts:
        key = (id(term), held, *(scope.get(name) for name in sorted(self._dependence.of(term))))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._made(term, scope, held)
        return known

    def _made(self, term: terms.Process, scope: Scope, held: Held) -> DelayParts:
        match term:
            case terms.Invoke() | terms.Delay():
                return self._leaf(term, scope, held)
            case terms.Use():
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
            case _:
                assert_never(term)

    # Leaves

    def _leaf(self, term: terms.Invoke | terms.Delay, scope: Scope, held: Held) -> DelayParts:
        node = self.program.node(term)
        if isinstance(node, EquationCall):
            inner = node.scope(scope)
            equation = self.names.model.equations[term.name]  # type: ignore[union-attr]  # a call is an Invoke
            return self._of(equation.body, inner, held)
        if isinstance(node, Message):
            return self._message(node, scope, held)

        if isinstance(node, Operation):
            p = self.names.processor(node.subscript(scope), term.span)
            node.cost(p)
            law = self._operation(node.term.name, p)
            part = DelayParts(law, {}, {(node.term.name, p): 1.0})
            return self._holding(self.names.cpu(p, term.span), part, held)
        assert isinstance(node, Pause)
        return DelayParts(self.laws.constant(node.seconds(scope)), {}, {})

    def _operation(self, name: str, p: int) -> Law:
        group = self.configuration.group(p)
        key = (name, group.name)
        if key not in self._leaves:
            self._leaves[key] = self.laws.leaf(operation_pieces(group, name))
        return self._leaves[key]

    def _message(self, node: Message, scope: Scope, held: Held) -> DelayParts:
        p, q = node.ends(scope)
        node.seconds(scope)
        if p == q:
            return self._nothing
        size = float(node.size(scope))
        sender, receiver = self.configuration.group(p).name, self.configuration.group(q).name
        key = ("send", sender, receiver, size)
        if key not in self._leaves:
            latency, bandwidth = self.configuration.machines.network.between(sender, receiver)
            laws = self.laws.leaf(pieces_of(latency)), self.laws.leaf(seconds_per_byte(bandwidth), size)
            self._leaves[key] = self.laws.total(Counter(laws))
        part = DelayParts(self._leaves[key], {}, {("send", p, q): 1.0})
        if self.program.topology == "bus":
            return self._holding(self.names.server("bus", ()), part, held)
        if self.program.topology == "switch":
            part = self._holding(self.names.server("rx", (q,)), part, held)
            return self._holding(self.names.server("tx", (p,)), part, held)

        return part

    # Composed processes

    def _holding(self, server: ResourceServer, body: DelayParts, held: Held) -> DelayParts:
        if server.label in held:
            return body
        mine = dict(body.loads.get(server.label, {}))
        mine[body.law] = mine.get(body.law, 0.0) + 1
        return body._replace(loads={**body.loads, server.label: mine})

    def _all(self, kind: str, parts: Iterable[tuple[DelayParts, int]]) -> DelayParts:
        laws: defaultdict[Law, float] = defaultdict(float)
        loads: dict[str, defaultdict[Law, float]] = {}
        counts: defaultdict[tuple[Hashable, ...], float] = defaultdict(float)

        for part, n in parts:
            laws[part.law] += n
            for label, held in part.loads.items():
                into = loads.setdefault(label, defaultdict(float))
                for law, m in held.items():
                    into[law] += n * m
            for key, m in part.counts.items():
                counts[key] += n * m
        return DelayParts((self.laws.total if kind == "seq" else self.laws.greatest)(laws), loads, counts)

    def _loop(self, term: terms.Loop, scope: Scope, held: Held) -> DelayParts:
        node = self.program.node(term)
        assert isinstance(node, Ranged)
        indices = node.indices(scope)
        number = max(0, indices.stop - indices.start)
        if not number:
            return self._nothing
        if term.index not in self._dependence.of(term.body):
            return self._all(term.kind, [(self._of(term.body, scope, held), number)])
        self._left -= number
        if self._left < 0:
            source = self.names.model.source
            raise ApetError(TooManyDifferent(source, term.span, term.index, MOST_ITERATIONS))
        rounds = []

        for i in indices:
            rounds.append((self._of(term.body, {**scope, term.index: i}, held), 1))
        return self._all(term.kind, rounds)

    def _branch(self, term: terms.Branch, scope: Scope, held: Held) -> DelayParts:
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
        return DelayParts(self.laws.either(q, a.law, b.law), loads, counts)

    def _probability(self, term: terms.Branch, scope: Scope) -> float:
        if term.probability is not None:
            return float(self.names.number(term.probability)(scope))
        name = next(name for name, span in self.app.free_branches.items() if span == term.span)
        return float(self.names.parameters[name])
