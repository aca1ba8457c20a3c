"""Where in a process, and in which round of which loops, something goes wrong that its formulas do not place."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product

from apet.cost import Application, deep_recursion
from apet.cost import cost as requirements
from apet.cost.cost import Requirement
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model import terms
from apet.model.arithmetic import whole_range
from apet.model.errors import ValueOutsideDomain
from apet.model.evaluate import Evaluator, prepare
from apet.model.expression_text import expression_text
from apet.model.names import declaration
from apet.model.resolved import Call, Hold, Member, Message, Operation, Step
from apet.model.terms import Expression
from apet.model.walk import expressions, names_in, operands, parts
from apet.prediction.deployment import Deployment

MOST_POINTS = 64
"""Points of ranges that are tried."""
MOST_STEPS = 50_000
"""Steps that are looked at, those of each round of a loop."""

Scope = Mapping[str, Number | str]


class Witness(NamedTuple):
    """Where something is not as it must be: `number` is what the expression is there; `rounds` are the values of the
    indices and formals in it."""

    number: Number
    expression: str
    rounds: Mapping[str, Number | str]

    def __str__(self) -> str:
        rounds = ", ".join(f"{name} = {value}" for name, value in self.rounds.items())
        if self.expression in self.rounds:
            return f" ({rounds})"
        return f" ({self.expression} where {rounds})" if rounds else ""


def witness(
    app: Application, required: Requirement, deployment: Deployment, values: Mapping[str, Number | Interval]
) -> Witness | None:
    """The first round in which a requirement does not hold; None where it is not found soon."""
    points = {n: v for n, v in values.items() if not isinstance(v, Interval)}
    walk = _Walk(app, required, deployment, points)
    with deep_recursion():
        try:
            return next(walk.from_entry(), None)
        except (ApetError, ArithmeticError, LookupError, ValueError):
            return None


def without_value(app: Application, deployment: Deployment, values: Mapping[str, Number | Interval]) -> Span | None:
    """Where the first expression without a value stands, at some point of the ranges; None if it is not found soon."""
    names = list(values)
    for point in islice(product(*map(_points, values.values())), MOST_POINTS):
        walk = _Walk(app, None, deployment, dict(zip(names, point, strict=True)))
        try:
            with deep_recursion():
                deque(walk.from_entry(), maxlen=0)
        except ApetError as error:
            return next((d.span for d in error.diagnostics if isinstance(d, ValueOutsideDomain)), None)
        except (ArithmeticError, LookupError, ValueError):
            pass
    return None


def _points(value: Number | Interval) -> tuple[Number, ...]:
    """The ends of a range, its middle, and some whole numbers between them."""
    if not isinstance(value, Interval):
        return (value,)
    whole = range(math.ceil(value.lo), math.floor(value.hi) + 1)
    return tuple(dict.fromkeys((value.lo, value.hi, Fraction(value.lo + value.hi) / 2, *whole[:MOST_POINTS])))


def _holds(required: Requirement, number: Number, most: Number) -> bool:
    """Whether a number is what a requirement asks of it; `most`: processors there are, or entries of a table."""
    match required.kind:
        case requirements.FIRST | requirements.LAST:
            return 0 <= number <= most
        case requirements.ENTRY:
            return 1 <= number <= most
        case requirements.WHOLE:
            return number == int(number)
        case "probability":
            return 0 <= number <= 1
        case kind if kind in requirements.UNDEFINED:
            return True  # it has a value
        case _:
            return number >= 0


class _Walk:
    """The steps of a process in some order; what a requirement is about is looked at."""

    def __init__(
        self, app: Application, required: Requirement | None, deployment: Deployment, points: Mapping[str, Number]
    ) -> None:
        parameters = {"P": deployment.P, **points}
        self.app, self.model, self.required, self.P = app, app.model, required, deployment.P
        self._about: dict[int, list[Expression]] = {}
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

    def from_entry(self) -> Iterator[Witness]:
        yield from self.process(self.app.resolved.entry.body, self.parameters)

    def process(self, process: Step, scope: Scope) -> Iterator[Witness]:
        self.left -= 1
        if self.left < 0:
            raise LookupError("not found soon")

        yield from self._looked_at(process, scope)
        match process:
            case Operation() | Message():
                for expression in expressions(process):
                    self._argument(expression, scope)
            case Call(equation, values, _):
                names = (*equation.subscripts, *equation.formals)
                inner = {name: self._argument(e, scope) for name, e in zip(names, values, strict=True)}
                yield from self.process(equation.body, {**self.parameters, **inner})
            case Hold(member, body, _):
                self._check_servers(member, scope)
                yield from self.process(body, scope)
            case terms.Sequence() | terms.Parallel() | terms.PartGraph():
                inner_steps: tuple[Step, ...] = parts(process)
                for part in inner_steps:
                    yield from self.process(part, scope)
            case terms.Loop(_, index, low, high, body, _):
                for i in whole_range(self.value(low, scope), self.value(high, scope)):
                    yield from self.process(body, {**scope, index: i})
            case terms.Branch():
                yield from self._branch(process, scope)
            case terms.Delay():
                self.value(process.time, scope)

    def _branch(self, branch: terms.Branch[Step], scope: Scope) -> Iterator[Witness]:
        q = None if branch.probability is None else self.value(branch.probability, scope)
        if q != 0:
            yield from self.process(branch.then, scope)
        if q != 1:
            yield from self.process(branch.otherwise, scope)

    def _check_servers(self, member: Member, scope: Scope) -> None:
        """`ApetError` at the number of servers where it is 0, which loads are divided by."""
        declared = declaration(self.model, member.family)
        if declared is None or declared.servers is None:
            return
        values = [self._argument(e, scope) for e in member.subscripts]
        named = dict(zip(declared.subscripts, values, strict=True))
        if self.value(declared.servers, {**self.parameters, **named}) == 0:
            raise ApetError(ValueOutsideDomain(self.model.source, declared.servers.span, "no servers"))

    def _argument(self, expression: Expression, scope: Scope) -> Number | str:
        if isinstance(expression, terms.Name):
            return scope.get(expression.name, expression.name)
        return self.value(expression, scope)

    def _looked_at(self, process: Step, scope: Scope) -> Iterator[Witness]:
        """The rounds in which what is required of an expression of this process does not hold."""
        if self.required is None:
            return
        if id(process) not in self._about:
            self._about[id(process)] = [
                e for whole in expressions(process) for e in _inside(whole) if e.span == self.required.span
            ]

        for expression in self._about[id(process)]:
            about, most = expression, self.P
            if isinstance(expression, terms.Lookup):
                about, most = expression.index, len(expression.table.entries)
            try:
                number = self.value(about, scope)
                holds = _holds(self.required, number, most)
            except ApetError:
                if self.required.kind not in requirements.UNDEFINED:
                    raise
                number, holds = 0, False
            if not holds:
                names = dict.fromkeys(n for n in names_in(expression) if n in scope and n not in self.parameters)
                yield Witness(number, expression_text(expression), {n: scope[n] for n in names})


def _inside(expression: Expression) -> Iterator[Expression]:
    """An expression and all that it is made of; what a sum binds has no value there."""
    yield expression
    for inner in () if isinstance(expression, terms.SumOver) else operands(expression):
        yield from _inside(inner)
