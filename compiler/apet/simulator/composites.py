"""The nodes that are made of others: they push what is to be begun next on the stack of the process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING

from apet.ground.diagnostics import ApetError
from apet.model import terms
from apet.model.arithmetic import whole_range
from apet.model.resolved import Call, Hold, Step
from apet.simulator import errors
from apet.simulator.engine import Process, ProgramNode, Scope
from apet.simulator.holding import begin_hold
from apet.simulator.leaves import Pause
from apet.simulator.names import Names

if TYPE_CHECKING:
    from apet.simulator.program import Program


class Holding:
    """`use(r, body)`."""

    __slots__ = ("body", "program", "resource", "span")

    def __init__(self, program: Program, term: Hold) -> None:
        self.program = program
        self.resource = program.names.resource(term.resource)
        self.body = term.body
        self.span = term.span

    def begin(self, process: Process, scope: Scope) -> bool:
        program, server = self.program, self.resource(scope)
        body = program.node(self.body)
        if isinstance(body, Pause):
            return program.engine.spend(process, body.seconds(scope), server, self.span)
        return begin_hold(program.engine, process, server, body, scope, self.span)


class Steps:
    """`a ; b`."""

    __slots__ = ("nodes", "program", "term")

    def __init__(self, program: Program, term: terms.Sequence[Step]) -> None:
        self.program = program
        self.term = term
        self.nodes: tuple[ProgramNode, ...] | None = None

    def begin(self, process: Process, scope: Scope) -> bool:
        if self.nodes is None:
            self.nodes = tuple(map(self.program.node, self.term.steps))
        process.stack.append((iter(self.nodes), scope))
        return False


class Branches:
    """`a || b`."""

    __slots__ = ("program", "term")

    def __init__(self, program: Program, term: terms.Parallel[Step]) -> None:
        self.program = program
        self.term = term

    def begin(self, process: Process, scope: Scope) -> bool:
        engine = self.program.engine
        for place, branch in enumerate(self.term.branches):
            engine.spawn(process, place, (iter((self.program.node(branch),)), scope))
        return bool(self.term.branches)


class Ranged:
    """What both loops share."""

    __slots__ = ("high", "low", "program", "term")

    def __init__(self, program: Program, term: terms.Loop[Step]) -> None:
        self.program = program
        self.term = term
        self.low = program.names.number(term.low, rounded=True)
        self.high = program.names.number(term.high, rounded=True)

    def indices(self, scope: Scope) -> range:
        low, high = self.low(scope), self.high(scope)
        if low.__class__ is int and high.__class__ is int:
            return range(low, high + 1)
        try:
            return whole_range(low, high)
        except (ValueError, OverflowError):
            program = self.program
            program.refuse(errors.RangeNotWhole(program.names.model.source, self.term.span, f"{low} to {high}"))


class Serial(Ranged):
    """`seq (i = a, b) body`: the indices are never listed, and one scope serves them all."""

    __slots__ = ()

    def begin(self, process: Process, scope: Scope) -> bool:
        inner = dict(scope)
        process.stack.append((self._iterations(inner, self.indices(scope)), inner))
        return False

    def _iterations(self, inner: Scope, indices: range) -> Iterator[ProgramNode]:
        body, index, count = self.program.node(self.term.body), self.term.index, self.program.engine.count
        span = self.term.span
        for i in indices:
            inner[index] = i
            count(span)
            yield body


class Fork(Ranged):
    """`par (i = a, b) body`."""

    __slots__ = ()

    def begin(self, process: Process, scope: Scope) -> bool:
        engine, body, index = self.program.engine, self.program.node(self.term.body), self.term.index
        place = -1
        for place, i in enumerate(self.indices(scope)):
            engine.count(self.term.span)
            engine.spawn(process, place, (iter((body,)), {**scope, index: i}))
        return place >= 0


class BranchChoice:
    """`if (q) a else b`."""

    __slots__ = ("program", "term")

    def __init__(self, program: Program, term: terms.Branch[Step]) -> None:
        self.program = program
        self.term = term

    def begin(self, process: Process, scope: Scope) -> bool:
        taken = decided_side(self.program.names, self.term, scope)
        if taken is None:
            taken = self.term.then if self.program.choose(self.term, scope) else self.term.otherwise
        process.stack.append((iter((self.program.node(taken),)), scope))
        return False


class EquationCall:
    """A call of an equation: its body sees the parameters and its own formals, nothing of the caller."""

    __slots__ = ("body", "names", "program", "span", "values")

    def __init__(self, program: Program, term: Call) -> None:
        self.names = (*term.equation.subscripts, *term.equation.formals)
        self.program = program
        self.span = term.span
        self.values = [program.names.value(e) for e in term.values]
        self.body = term.equation.body

    def scope(self, scope: Scope) -> Scope:
        inner = self.program.names.parameters
        if self.values:
            inner = {**inner, **{name: value(scope) for name, value in zip(self.names, self.values, strict=True)}}
        return inner

    def begin(self, process: Process, scope: Scope) -> bool:
        self.program.engine.count(self.span)
        process.stack.append((iter((self.program.node(self.body),)), self.scope(scope)))
        return False


def decided_side(names: Names, branch: terms.Branch[Step], scope: Scope) -> Step | None:
    """The side that a branch surely takes, as its probability is 0 or 1; None where there is a choice."""
    if branch.probability is None:
        return None
    q = names.number(branch.probability)(scope)
    if 0 < q < 1:
        return None
    if q not in (0, 1):
        raise ApetError(errors.NoProbability(names.model.source, branch.probability.span, f"{float(q):g}"))
    return branch.then if q else branch.otherwise


def drawing(names: Names, random: Random, average: bool) -> Callable[[terms.Branch[Step], Scope], bool]:
    """A choice by chance: by the branch's own probability, or by 1/2."""

    def choose(branch: terms.Branch[Step], scope: Scope) -> bool:
        if average:
            return random.random() < 0.5
        if branch.probability is None:
            raise ApetError(errors.FreeBranch(names.model.source, branch.span))
        return random.random() < float(names.number(branch.probability)(scope))

    return choose
