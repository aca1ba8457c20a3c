"""The nodes that take time: delays, operations and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.ground.source import Span
from apet.model import terms
from apet.model.names import BUS, RECEIVERS, SENDERS
from apet.model.resolved import Message, Operation
from apet.simulator.engine import Engine, Process, ResourceServer, Scope
from apet.simulator.holding import begin_hold
from apet.simulator.names import Value

if TYPE_CHECKING:
    from apet.simulator.program import Program


class Pause:
    """`delay(t)`."""

    __slots__ = ("program", "span", "time")

    def __init__(self, program: Program, time: terms.Expression) -> None:
        self.program = program
        self.time = program.names.number(time)
        self.span = time.span

    def seconds(self, scope: Scope) -> float:
        return self.program.duration(self.time(scope), self.span)

    def begin(self, process: Process, scope: Scope) -> bool:
        return self.program.engine.spend(process, self.seconds(scope), None, self.span)


class MachineOperation:
    """`op[p]`: its arguments make no difference, since an operation with a fit is refused."""

    __slots__ = ("costs", "engine", "program", "subscript", "term")

    def __init__(self, program: Program, term: Operation) -> None:
        self.engine = program.engine
        self.program = program
        self.term = term
        self.subscript = program.names.value(term.processor)
        self.costs: dict[Value, tuple[float, ResourceServer]] = {}

    def seconds(self, scope: Scope) -> float:
        return self.cost(self.subscript(scope))[0]

    def cost(self, p: Value) -> tuple[float, ResourceServer]:
        """Seconds and server on processor p."""
        cost = self.costs.get(p)
        if cost is None:
            seconds = self.program.operation_time(self.term.name, p, self.term.span)
            cost = self.costs[p] = seconds, self.program.names.cpu(p, self.term.span)
        return cost

    def begin(self, process: Process, scope: Scope) -> bool:
        p = self.subscript(scope)
        seconds, server = self.costs.get(p) or self.cost(p)
        return self.engine.spend(process, seconds, server, self.term.span)


class Transfer:
    """`send[p, q](size)`: on a bus it holds the bus, through a switch `tx[p]` and then `rx[q]`."""

    __slots__ = ("program", "receiver", "sender", "size", "span")

    def __init__(self, program: Program, term: Message) -> None:
        self.program = program
        self.span = term.span
        self.sender, self.receiver = program.names.value(term.sender), program.names.value(term.receiver)
        self.size = program.names.number(term.size)

    def ends(self, scope: Scope) -> tuple[int, int]:
        names = self.program.names
        return names.processor(self.sender(scope), self.span), names.processor(self.receiver(scope), self.span)

    def seconds(self, scope: Scope) -> float:
        return self.program.message_time(*self.ends(scope), self.size(scope), self.span)

    def begin(self, process: Process, scope: Scope) -> bool:
        program = self.program
        p, q = self.ends(scope)
        seconds = program.message_time(p, q, self.size(scope), self.span)
        engine, names = program.engine, program.names
        if p == q or program.topology == "none":
            return engine.spend(process, seconds, None, self.span)
        if program.topology == "bus":
            return engine.spend(process, seconds, names.server(BUS, ()), self.span)
        arrival = Passing(engine, seconds, names.server(RECEIVERS, (q,)), self.span)
        return begin_hold(engine, process, names.server(SENDERS, (p,)), arrival, scope, self.span)


class Passing:
    """The second half of a message through a switch."""

    __slots__ = ("engine", "seconds", "server", "span")

    def __init__(self, engine: Engine, seconds: float, server: ResourceServer, span: Span) -> None:
        self.engine = engine
        self.seconds = seconds
        self.server = server
        self.span = span

    def begin(self, process: Process, scope: Scope) -> bool:
        return self.engine.spend(process, self.seconds, self.server, self.span)
