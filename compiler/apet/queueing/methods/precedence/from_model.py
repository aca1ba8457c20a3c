"""From a PAMELA-E model on a machine to a job over a network of queues.

Processors are stations with their cores as servers, the bus, the ports of a switch and declared resources stations too;
delays hold nobody up. Parts that hold one resource after the other become the steps of a task, `;` and `||` the tree
around them. What is held during something else is work at both, at the same time. Loops are folded: their work stays
what it is, in fewer pieces. Alternatives weigh by their probability, as a mean where they only work, as a choice where
they fork.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from apet.cost import Application, deep_recursion
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.machine.network import End
from apet.model import terms
from apet.model.free_names import FreeNames
from apet.model.names import BUS, RECEIVERS, SENDERS
from apet.model.precedence import AtOnce, InSeries, Order, decomposed, levels
from apet.model.resolved import Call, Hold, Message, Operation, Step
from apet.queueing import errors
from apet.queueing.data.jobs import Circulation, JobStation, Scenario
from apet.queueing.data.unrolling import JobTooBig, variants
from apet.queueing.methods.precedence.flows import (
    Either,
    Flow,
    Split,
    StationWork,
    chained,
    duration,
    job,
    looped,
    repeated,
    scaled,
    together,
)
from apet.simulator import errors as simulation_errors
from apet.simulator.composites import EquationCall, Ranged, decided_side
from apet.simulator.costs import Costs
from apet.simulator.engine import Engine, ResourceServer, Scope
from apet.simulator.graph_members import GraphMembers
from apet.simulator.leaves import Transfer
from apet.simulator.names import Names
from apet.simulator.program import Program

DELAY = "delays"
MOST_ROUNDS = 100_000
"""Rounds of loops that are looked at one by one."""
MOST_TASKS = 400
Held = frozenset[str]


def scenario(
    app: Application,
    configuration: Costs,
    end: End,
    values: Mapping[str, Number],
    schedule: str,
    jobs: int,
    think: float,
) -> Scenario:
    """`jobs` runs of the application at a time on one machine, each followed by `think` seconds of pause in the mean.

    Raises `ApetError` where a value has no meaning, or the job is too large.
    """
    walk = _FlowBuilder(app, configuration, end, values, schedule)
    with deep_recursion():
        flow = walk.flow(app.resolved.entry.body, walk.names.parameters, frozenset())
        try:
            job_variants = variants(job(flow, walk.labels))
        except JobTooBig as error:
            raise ApetError(errors.JobTooLarge(None, None, str(error))) from None

    largest = max(len(v.tasks) for v in job_variants)
    if largest > MOST_TASKS:
        raise ApetError(errors.JobTooLarge(None, None, f"{largest:,} parallel parts, more than {MOST_TASKS:,}"))
    stations = tuple(
        JobStation(label, "FCFS" if servers else "delay", servers or 1)
        for label, servers in zip(walk.labels, walk.servers, strict=True)
    )
    return Scenario(stations, (Circulation(app.name, jobs, think, job_variants),))


class _FlowBuilder:
    """Terms to flows; stations are numbered as they are met."""

    def __init__(self, app: Application, machine: Costs, end: End, values: Mapping[str, Number], schedule: str) -> None:
        engine = Engine(app.model.source, MOST_ROUNDS)
        self._free = FreeNames(app.resolved)
        self.model, self.branches = app.model, app.setting.branches
        self.names = Names(app.resolved, machine, engine, values, schedule)
        self.program = Program(engine, self.names, machine, end, app.setting.topology)
        self.labels: list[str] = [DELAY]
        self.servers: list[int] = [0]
        self.rounds = 0

    def flow(self, term: Step, scope: Scope, held: Held) -> Flow:
        """What a term does, inside the uses in `held`."""
        match term:
            case Call():
                call = self.program.node(term)
                assert isinstance(call, EquationCall)
                return self.flow(call.body, call.scope(scope), held)
            case Operation(name, processor, _, span):
                p = self.names.value(processor)(scope)
                return self._hold(self.names.cpu(p, span), self.program.operation_time(name, p, span), held)
            case Message():
                return self._message(term, scope, held)
            case terms.Delay(time, span):
                return (StationWork(0, self.program.duration(self.names.number(time)(scope), span)),)
            case Hold():
                server = self.names.resource(term.resource)(scope)
                return self._use(server, term.body, scope, held)

            case terms.Sequence(steps, _):
                return chained(self.flow(s, scope, held) for s in steps)
            case terms.Parallel(branches, _):
                return together([self.flow(b, scope, held) for b in branches], self.servers)

            case terms.Loop():
                return self._loop(term, scope, held)
            case terms.Branch():
                return self._branch(term, scope, held)
            case terms.PartGraph():
                members = GraphMembers(self.program, term).of(scope)
                flows = [self.flow(m.body, m.scope, held) for m in members]
                return self._ordered(decomposed([m.after for m in members]), flows)
            case _:
                assert_never(term)

    def _ordered(self, order: Order, flows: list[Flow]) -> Flow:
        """Flows in an order; where it is not series-parallel, level by level, which keeps it and adds to it."""
        if isinstance(order, int):
            return flows[order]
        parts = [self._ordered(inner, flows) for inner in order.parts]
        if isinstance(order, InSeries):
            return chained(parts)
        rows = [range(len(parts))] if isinstance(order, AtOnce) else levels(order)
        return chained(together([parts[k] for k in row], self.servers) for row in rows)

    def station(self, server: ResourceServer) -> int:
        """The number of a server's station."""
        if server.label not in self.labels:
            self.labels.append(server.label)
            self.servers.append(server.free)
        return self.labels.index(server.label)

    def _use(self, server: ResourceServer, body: Step, scope: Scope, held: Held) -> Flow:
        inside = self.flow(body, scope, held | {server.label})
        if server.label in held:
            return inside
        station = self.station(server)
        whole = (StationWork(station, duration(inside)),)
        others = [item for item in inside if not (isinstance(item, StationWork) and item.station == 0)]
        return (Split((whole, inside)),) if others else whole

    def _hold(self, server: ResourceServer, seconds: float, held: Held) -> Flow:
        """StationWork at a station; one that is held already gives its time."""
        return (StationWork(0 if server.label in held else self.station(server), seconds),)

    def _message(self, term: Message, scope: Scope, held: Held) -> Flow:
        transfer = self.program.node(term)
        assert isinstance(transfer, Transfer)
        (p, q), seconds = transfer.ends(scope), transfer.seconds(scope)
        if p == q or self.program.topology == "none":
            return (StationWork(0, seconds),)
        if self.program.topology == "bus":
            return self._hold(self.names.server(BUS, ()), seconds, held)
        ports = (self.names.server(SENDERS, (p,)), self.names.server(RECEIVERS, (q,)))
        return (Split(tuple(self._hold(port, seconds, held) for port in ports)),)

    def _loop(self, term: terms.Loop[Step], scope: Scope, held: Held) -> Flow:
        node = self.program.node(term)
        assert isinstance(node, Ranged)
        indices = node.indices(scope)
        if not indices:
            return ()

        # A body that does not depend on the index is done once, and folded.
        if term.index not in self._free.of(term.body):
            body = self.flow(term.body, {**scope, term.index: indices[0]}, held)
            if term.kind == "seq":
                return repeated(body, len(indices))
            self._count(len(indices))
            return together([body] * len(indices), self.servers)

        if term.kind == "seq" and self.rounds + len(indices) > MOST_ROUNDS:
            return self._sampled(term, scope, held, indices)
        self._count(len(indices))
        flows = [self.flow(term.body, {**scope, term.index: i}, held) for i in indices]
        return looped(flows) if term.kind == "seq" else together(flows, self.servers)

    def _count(self, rounds: int) -> None:
        self.rounds += rounds
        if self.rounds > MOST_ROUNDS:
            raise ApetError(errors.JobTooLarge(None, None, f"more than {MOST_ROUNDS:,} parallel rounds"))

    def _sampled(self, term: terms.Loop[Step], scope: Scope, held: Held, indices: range) -> Flow:
        """A loop too long to look at every round: a few rounds, each standing for those around it."""
        pieces, flows = 64, []
        for piece in range(pieces):
            first, last = (len(indices) * k // pieces for k in (piece, piece + 1))
            middle = indices[(first + last - 1) // 2]
            flows.append(scaled(self.flow(term.body, {**scope, term.index: middle}, held), last - first))
        return looped(flows)

    def _branch(self, term: terms.Branch[Step], scope: Scope, held: Held) -> Flow:
        taken = decided_side(self.names, term, scope)
        if taken is not None:
            return self.flow(taken, scope, held)
        then, otherwise = (self.flow(side, scope, held) for side in (term.then, term.otherwise))
        if self.branches in ("best", "worst"):
            choose = min if self.branches == "best" else max
            return choose((then, otherwise), key=duration)
        chance = self._chance(term, scope)
        if any(not isinstance(item, StationWork) for item in (*then, *otherwise)):
            return (Either(chance, then, otherwise),)
        return chained((scaled(then, chance), scaled(otherwise, 1 - chance)))

    def _chance(self, term: terms.Branch[Step], scope: Scope) -> float:
        if self.branches == "average":
            return 0.5
        if term.probability is None:
            raise ApetError(simulation_errors.FreeBranch(self.model.source, term.span))
        return float(self.names.number(term.probability)(scope))
