"""Where in a process, and in which round of which loops, something goes wrong that its formulas do not place."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from apet.cost import Application, deep_recursion
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval, Number
from apet.ground.source import Span
from apet.model.arithmetic import whole_range
from apet.model.errors import ValueOutsideDomain
from apet.model.evaluate import Evaluator, prepare
from apet.model.expression_text import expression_text
from apet.model.names import held_process
from apet.model.terms import Branch, Delay, Expression, Invoke, Loop, Name, Parallel, PartGraph, Process, Sequence, Use
from apet.model.walk import names_in, parts
from apet.prediction.deployment import Deployment

MOST_STEPS = 50_000
"""Steps that are looked at, those of each round of a loop."""

Scope = Mapping[str, Number | str]


class MissingProcessor(NamedTuple):
    """`number` is what the expression is; `rounds` are the values of the indices and formals in it."""

    number: Number
    expression: str
    rounds: Mapping[str, Number | str]

    def __str__(self) -> str:
        rounds = ", ".join(f"{name} = {value}" for name, value in self.rounds.items())
        if self.expression in self.rounds:
            return f" ({rounds})"
        return f" ({self.expression} where {rounds})" if rounds else ""


def missing_processor(
    app: Application, at: Span, deployment: Deployment, values: Mapping[str, Number | Interval]
) -> MissingProcessor | None:
    """The first round in which the subscript at this place is no processor; None where it is not found soon."""
    points = {n: v for n, v in values.items() if not isinstance(v, Interval)}
    walk = _Walk(app, at, deployment, points)
    with deep_recursion():
        try:
            return next(walk.from_entry(), None)
        except (ApetError, ArithmeticError, LookupError, ValueError):
            return None


def without_value(app: Application, deployment: Deployment, points: Mapping[str, Number]) -> Diagnostic | None:
    """The first expression that has no value, with its place and the reason; None where it is not found soon."""
    walk = _Walk(app, None, deployment, points)
    with deep_recursion():
        try:
            deque(walk.from_entry(), maxlen=0)
        except ApetError as error:
            return next((d for d in error.diagnostics if isinstance(d, ValueOutsideDomain)), None)
        except (ArithmeticError, LookupError, ValueError):
            return None

    # nothing that runs: what is left is a number of servers of which members are none that a loop reaches
    servers = (r.servers for r in app.model.resources.values() if r.servers is not None)
    span = next((s.span for s in servers if any(names_in(s))), None)
    return None if span is None else ValueOutsideDomain(app.model.source, span, "there may be no servers here")


class _Walk:
    """The steps of a process in some order; what stands at `at` is looked at."""

    def __init__(self, app: Application, at: Span | None, deployment: Deployment, points: Mapping[str, Number]) -> None:
        parameters = {"P": deployment.P, **points}
        self.model, self.at, self.P = app.model, at, deployment.P
        self.environment = deployment.environment("tmin", parameters, exact=True)
        self.parameters: Scope = parameters
        self.left = MOST_STEPS
        self._prepared: dict[int, Evaluator] = {}

    def value(self, expression: Expression, scope: Scope) -> Number:
        prepared = self._prepared.get(id(expression))
        if prepared is None:
            prepared = self._prepared[id(expression)] = prepare(expression, self._share, self.model.source)
        return prepared(scope)

    def _share(self, name: str, operands: tuple[Number, ...]) -> Number:
        return self.environment.item(name, operands[:1], operands[1:])

    def from_entry(self) -> Iterator[MissingProcessor]:
        yield from self.process(self.model.equations[self.model.entry].body, self.parameters)

    def process(self, process: Process, scope: Scope) -> Iterator[MissingProcessor]:
        self.left -= 1
        if self.left < 0:
            raise LookupError("not found soon")

        match process:
            case Invoke(name, subscripts, arguments, _):
                yield from self._looked_at(subscripts or (), scope)
                equation = self.model.equations.get(name)
                values = [self._argument(e, scope) for e in (*(subscripts or ()), *(arguments or ()))]
                if equation is not None:
                    names = (*equation.subscripts, *equation.formals)
                    yield from self.process(equation.body, {**self.parameters, **dict(zip(names, values, strict=True))})
            case Use(resource, _, _):
                yield from self._looked_at((resource,), scope)
                self._check_servers(resource, scope)
                yield from self.process(held_process(process, scope), scope)
            case Sequence() | Parallel() | PartGraph():
                for part in parts(process):
                    yield from self.process(part, scope)
            case Loop(_, index, low, high, body, _):
                for i in whole_range(self.value(low, scope), self.value(high, scope)):
                    yield from self.process(body, {**scope, index: i})
            case Branch():
                yield from self._branch(process, scope)
            case Delay():
                self.value(process.time, scope)

    def _branch(self, branch: Branch, scope: Scope) -> Iterator[MissingProcessor]:
        q = None if branch.probability is None else self.value(branch.probability, scope)
        if q != 0:
            yield from self.process(branch.then, scope)
        if q != 1:
            yield from self.process(branch.otherwise, scope)

    def _check_servers(self, resource: Expression, scope: Scope) -> None:
        """`ApetError` at the number of servers where it is 0, which loads are divided by."""
        if not isinstance(resource, Name | Invoke) or (declared := self.model.resources.get(resource.name)) is None:
            return
        if declared.servers is None or resource.name in scope:
            return
        members = () if isinstance(resource, Name) else resource.subscripts or ()
        values = [self.value(e, scope) for e in members]
        named = dict(zip(declared.subscripts, values, strict=True))
        if self.value(declared.servers, {**self.parameters, **named}) == 0:
            raise ApetError(ValueOutsideDomain(self.model.source, declared.servers.span, "no servers"))

    def _argument(self, expression: Expression, scope: Scope) -> Number | str:
        if isinstance(expression, Name):
            return scope.get(expression.name, expression.name)
        return self.value(expression, scope)

    def _looked_at(self, subscripts: tuple[Expression, ...], scope: Scope) -> Iterator[MissingProcessor]:
        for subscript in subscripts:
            if subscript.span == self.at:
                number = self.value(subscript, scope)
                if not 0 <= number <= self.P:
                    names = dict.fromkeys(n for n in names_in(subscript) if n not in self.parameters)
                    yield MissingProcessor(number, expression_text(subscript), {n: scope[n] for n in names})
