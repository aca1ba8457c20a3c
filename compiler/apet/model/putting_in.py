"""Expressions put in for names, in processes and expressions; what binds a name of theirs gets another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from apet.model.names import held_process
from apet.model.terms import (
    Binary,
    Branch,
    Delay,
    Expression,
    GraphPart,
    Invoke,
    Lookup,
    Loop,
    Name,
    Number,
    Parallel,
    PartGraph,
    Process,
    Sequence,
    SumOver,
    Unary,
    Use,
)
from apet.model.walk import names_in

Values = Mapping[str, Expression]
NEW = "$"
"""What ends the new name of an index; Java's compilers mark their own names so."""


def put_into(expression: Expression, values: Values) -> Expression:
    """An expression with values in place of names."""
    return PuttingIn().expression(expression, values) if values else expression


class PuttingIn:
    """Walks terms with the values of the names in force; a value gets the place of the name that it replaces."""

    def expression(self, expression: Expression, values: Values) -> Expression:
        """An expression with values in place of names."""
        match expression:
            case Number():
                return expression
            case Name():
                return self.name(expression, values)
            case Unary(operator, operand, span):
                return Unary(operator, self.expression(operand, values), span)
            case Binary(operator, left, right, span):
                return Binary(operator, self.expression(left, values), self.expression(right, values), span)
            case Invoke():
                return self.call(expression, values)
            case Lookup(table, index, span):
                return Lookup(table, self.expression(index, values), span)
            case SumOver(index, low, high, body, span):
                name, inner = self.bound(index, values)
                ends = self.expression(low, values), self.expression(high, values)
                return SumOver(name, *ends, self.expression(body, inner), span)
            case _:
                assert_never(expression)

    def name(self, name: Name, values: Values) -> Expression:
        """What is put in for a name."""
        return values[name.name]._replace(span=name.span) if name.name in values else name

    def call(self, call: Invoke, values: Values) -> Expression:
        """A function, or a value with subscripts."""
        return self._step(call, values)

    def process(self, process: Process, values: Values) -> Process:
        """A process with values in place of names."""
        match process:
            case Invoke():
                return self._step(process, values)
            case Delay(time, span):
                return Delay(self.expression(time, values), span)
            case Use(resource, _, span):
                held = self.process(self.held(process, values), values)
                return Use(self.resource(resource, values), held, span)
            case Sequence(steps, span):
                return Sequence(tuple([self.process(s, values) for s in steps]), span)
            case Parallel(branches, span):
                return Parallel(tuple([self.process(b, values) for b in branches]), span)
            case Loop(kind, index, low, high, body, span):
                name, inner = self.bound(index, values)
                ends = self.expression(low, values), self.expression(high, values)
                return Loop(kind, name, *ends, self.process(body, inner), span)
            case Branch(probability, then, otherwise, span):
                q = None if probability is None else self.expression(probability, values)
                return Branch(q, self.process(then, values), self.process(otherwise, values), span)
            case PartGraph(parts, span):
                return PartGraph(tuple([self.part(p, values) for p in parts]), span)
            case _:
                assert_never(process)

    def part(self, part: GraphPart, values: Values) -> GraphPart:
        """A part of a graph; in what it comes after its indices mean what they mean in its body."""
        body, inner = part.body, values
        for _ in range(part.dimensions):
            assert isinstance(body, Loop)
            inner = self.bound(body.index, inner)[1]
            body = body.body
        after = tuple([self._step(a, inner) for a in part.after])
        return part._replace(body=self.process(part.body, values), after=after)

    def held(self, use: Use, values: Values) -> Process:
        """What a use holds its resource for: a lone name with a value is a time."""
        return held_process(use, values)

    def resource(self, resource: Expression, values: Values) -> Expression:
        """What a use holds: a name with subscripts is a resource."""
        if isinstance(resource, Invoke) and resource.subscripts is not None:
            return self._step(resource, values)
        return self.expression(resource, values)

    def bound(self, index: str, values: Values) -> tuple[str, Values]:
        """The name that an index is bound by where values are put in, and the values inside: none is captured."""
        inner = {name: value for name, value in values.items() if name != index}
        taken = frozenset(n for value in inner.values() for n in names_in(value))
        if index not in taken:
            return index, inner
        fresh = index + NEW
        while fresh in taken:
            fresh += NEW
        inner[index] = Name(fresh, next(iter(inner.values())).span)
        return fresh, inner

    def _step(self, step: Invoke, values: Values) -> Invoke:
        subscripts, arguments = self._each(step.subscripts, values), self._each(step.arguments, values)
        return Invoke(step.name, subscripts, arguments, step.span)

    def _each(self, expressions: Iterable[Expression] | None, values: Values) -> tuple[Expression, ...] | None:
        return None if expressions is None else tuple([self.expression(e, values) for e in expressions])
