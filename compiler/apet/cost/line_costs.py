"""Where in a model the time goes: the work of each statement, over all the times that it is carried out."""

from __future__ import annotations

from collections.abc import Mapping

from apet.cost.application import Application, costing_of, deep_recursion
from apet.cost.costing import Costing
from apet.cost.decisions import half_unless_decided
from apet.formula.algebra.reduction import sum_over
from apet.formula.formula import Formula
from apet.formula.graph.nodes import Binder, NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.records import NamedTuple
from apet.model.resolved import Call, Hold, Message, Operation, Step
from apet.model.terms import Branch, Delay, Equation, Loop, Parallel, PartGraph, Sequence
from apet.model.walk import parts

MOST_VISITS = 20_000
"""Statements that are looked at, those of an equation once for each call; beyond, the rest is left out."""


class LineCosts(NamedTuple):
    """The work of the lines of a model, in seconds, by line number from 1: all executions on all processors together.

    A branch weighs by its probability; a free one, and every one where branches are averaged, by 1/2. `complete` is
    False where statements were left out.
    """

    lines: Mapping[int, Formula]
    complete: bool


class _Context(NamedTuple):
    scope: Mapping[str, NodeId]
    binders: tuple[Binder, ...]
    weight: NodeId


def line_costs(app: Application) -> LineCosts:
    """The work of every line that takes time itself: operations, messages, delays, uses for a time."""
    with deep_recursion():
        costing = costing_of(app.resolved, app.setting)
        walker = _Walker(costing)
        walker.equation(app.resolved.entry, (), _Context({}, (), costing.graph.one))
        graph = costing.graph
        lines = {line: Formula(graph, graph.plus(*nodes)) for line, nodes in sorted(walker.seconds.items())}
        return LineCosts(lines, not walker.stopped)


class _Walker:
    def __init__(self, costing: Costing) -> None:
        self.costing = costing
        self.graph = costing.graph
        self.model = costing.model
        self.seconds: dict[int, list[NodeId]] = {}
        self.visits = 0
        self.stopped = False

    def equation(self, equation: Equation[Step], arguments: tuple[NodeId, ...], context: _Context) -> None:
        scope = dict(zip((*equation.subscripts, *equation.formals), arguments, strict=True))
        self.process(equation.body, context._replace(scope=scope))

    def process(self, process: Step, context: _Context) -> None:
        self.visits += 1
        if self.visits > MOST_VISITS:
            self.stopped = True
            return

        x, scope = self.costing.expressions, context.scope
        match process:
            case Call(equation, values, _):
                self.equation(equation, tuple([x.subscript(v, scope) for v in values]), context)
            case Operation(name, processor, arguments, span):
                node = self.graph.item(
                    f"t_{name}", (x.subscript(processor, scope),), [x.node(a, scope) for a in arguments]
                )
                self._put(span.start, node, context)
            case Message():
                self._message(process, context)
            case Delay(time, span):
                self._put(span.start, x.node(time, scope), context)
            case Hold() | Sequence() | Parallel() | PartGraph():
                for part in parts(process):
                    self.process(part, context)
            case Loop(_, index, low, high, body, _):
                ends = x.whole(low, scope, "ceil"), x.whole(high, scope, "floor")
                if self.graph.compare("<=", *ends) == self.graph.zero:
                    return
                bound = self.graph.index(index, *ends)
                binders = (*context.binders, Binder(bound, *ends))
                self.process(body, context._replace(scope={**scope, index: bound}, binders=binders))
            case Branch():
                self._branch(process, context)

    def _message(self, message: Message, context: _Context) -> None:
        x, scope = self.costing.expressions, context.scope
        ends = (x.subscript(message.sender, scope), x.subscript(message.receiver, scope))
        if ends[0] != ends[1]:
            self._put(message.span.start, self.graph.item("t_send", ends, (x.node(message.size, scope),)), context)

    def _branch(self, process: Branch[Step], context: _Context) -> None:
        g = self.graph
        weight = g.over(g.one, g.const(2))
        if process.probability is not None:
            q = self.costing.expressions.node(process.probability, context.scope)
            averaged = self.costing.setting.branches == "average" and not g.integral[q]
            weight = half_unless_decided(g, q) if averaged else q
        rest = g.add([(weight, -1)], 1)
        self.process(process.then, context._replace(weight=g.times(context.weight, weight)))
        self.process(process.otherwise, context._replace(weight=g.times(context.weight, rest)))

    def _put(self, offset: int, seconds: NodeId, context: _Context) -> None:
        g = self.graph
        total = g.times(context.weight, seconds)
        try:
            for index, low, high in reversed(context.binders):
                total = sum_over(g, index, low, high, total)
        except (ApetError, ValueError, ZeroDivisionError):
            self.stopped = True
            return
        line, _ = self.model.source.position(offset)
        self.seconds.setdefault(line, []).append(total)
