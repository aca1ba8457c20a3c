"""A model made ready to run: each term becomes a node when it is first reached, so deep models need no recursion."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import NoReturn, assert_never

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Number
from apet.ground.source import Span
from apet.machine.fitted import OutsideFit
from apet.machine.network import End
from apet.model import terms
from apet.model.resolved import Call, Hold, Message, Operation, Step
from apet.simulator import errors
from apet.simulator.composites import BranchChoice, Branches, EquationCall, Fork, Holding, Serial, Steps
from apet.simulator.costs import Costs
from apet.simulator.engine import Engine, ProgramNode, Scope
from apet.simulator.graph_run import GraphRun
from apet.simulator.leaves import MachineOperation, Pause, Transfer
from apet.simulator.names import Names, Value


class Program:
    """Nodes by term, and what they need in common."""

    def __init__(self, engine: Engine, names: Names, costs: Costs, end: End, topology: str) -> None:
        self.engine = engine
        self.names = names
        self.costs = costs
        self.end: End = end
        self.topology = topology
        self.choose: Callable[[terms.Branch[Step], Scope], bool] = lambda branch, scope: True
        self._nodes: dict[int, ProgramNode] = {}

    def node(self, term: Step) -> ProgramNode:
        """The node of a term, made at the first question."""
        node = self._nodes.get(id(term))
        if node is None:
            node = self._nodes[id(term)] = self._make(term)
        return node

    def _make(self, term: Step) -> ProgramNode:
        match term:
            case Call():
                return EquationCall(self, term)
            case Operation():
                return MachineOperation(self, term)
            case Message():
                return Transfer(self, term)
            case terms.Delay():
                return Pause(self, term.time)
            case Hold():
                return Holding(self, term)

            case terms.Sequence():
                return Steps(self, term)
            case terms.Parallel():
                return Branches(self, term)

            case terms.Loop():
                return Serial(self, term) if term.kind == "seq" else Fork(self, term)
            case terms.Branch():
                return BranchChoice(self, term)
            case terms.PartGraph():
                return GraphRun(self, term)
            case _:
                assert_never(term)

    def operation_time(self, name: str, p: Value, span: Span) -> float:
        """Seconds of an operation on processor p."""
        try:
            return self.duration(self.costs.time(name, self.names.processor(p, span), self.end), span)
        except OutsideFit as error:
            reason = f"{error.args[0]}: the simulation knows none"
            self.refuse(errors.NoCost(self.names.model.source, span, reason))
        except IndexError as error:
            self.refuse(errors.NoCost(self.names.model.source, span, str(error)))
        except (LookupError, ValueError):
            self.refuse(errors.NoCost(self.names.model.source, span, f"processor {p} has no operation '{name}'"))

    def message_time(self, p: int, q: int, size: Number, span: Span) -> float:
        """Seconds of a message of 0 bytes or more; 0 to itself."""
        if size < 0:
            self.refuse(errors.NegativeMessageSize(self.names.model.source, span, f"{float(size):g}"))
        if p == q:
            return 0.0
        try:
            return self.duration(self.costs.send(p, q, size, self.end), span)
        except (LookupError, ValueError) as error:
            reason = f"no message time from processor {p} to {q}: {error.args[0] if error.args else error}"
            self.refuse(errors.NoCost(self.names.model.source, span, reason))

    def duration(self, value: Number, span: Span) -> float:
        """Seconds as a float; an error if they are negative or not finite."""
        try:
            seconds = float(value)
        except OverflowError:
            seconds = float("inf")
        if not (seconds >= 0 and isfinite(seconds)):
            self.refuse(errors.NoDuration(self.names.model.source, span, f"{seconds:g} s"))
        return seconds

    def refuse(self, diagnostic: Diagnostic) -> NoReturn:
        """Stop the run."""
        raise ApetError(diagnostic) from None
