"""Expressions put in for names, in processes and expressions; what binds a name of theirs gets another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from apet.model import terms
from apet.model.names import held_process
from apet.model.terms import Expression, Process
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
            case terms.Number():
                return expression
            case terms.Name():
                return self.name(expression, values)

            case terms.Unary(operator, operand, span):
                return terms.Unary(operator, self.expression(operand, values), span)
            case terms.Binary(operator, left, right, span):
                return terms.Binary(operator, self.expression(left, values), self.expression(right, values), span)
            case terms.Invoke():
                return self.call(expression, values)
            case terms.Lookup(table, index, span):
                return terms.Lookup(table, self.expression(index, values), span)

            case terms.SumOver(index, low, high, body, span):
                name, inner = self.bound(index, values)
                ends = self.expression(low, values), self.expression(high, values)
                return terms.SumOver(name, *ends, self.expression(body, inner), span)
            case _:
                assert_never(expression)

    def name(self, name: terms.Name, values: Values) -> Expression:
        """What is put in for a name."""
        return values[name.name]._replace(span=name.span) if name.name in values else name

    def call(self, call: terms.Invoke, values: Values) -> Expression:
        """A function, or a value with subscripts."""
        return self.step(call, values)

    def process(self, process: Process, values: Values) -> Process:
        """A process with values in place of names."""
        match process:
            case terms.Invoke():
                return self.step(process, values)
            case terms.Delay(time, span):
                return terms.Delay(self.expression(time, values), span)
            case terms.Use(resource, _, span):
                held = self.process(self.held(process, values), values)
                return terms.Use(self.resource(resource, values), held, span)

            case terms.Sequence(steps, span):
                return terms.Sequence(tuple([self.process(s, values) for s in steps]), span)
            case terms.Parallel(branches, span):
                return terms.Parallel(tuple([self.process(b, values) for b in branches]), span)

            case terms.Loop(kind, index, low, high, body, span):
                name, inner = self.bound(index, values)
                ends = self.expression(low, values), self.expression(high, values)
                return terms.Loop(kind, name, *ends, self.process(body, inner), span)

            case terms.Branch(probability, then, otherwise, span):
                q = None if probability is None else self.expression(probability, values)
                return terms.Branch(q, self.process(then, values), self.process(otherwise, values), span)
            case terms.PartGraph(parts, span):
                return terms.PartGraph(tuple([self.part(p, values) for p in parts]), span)
            case _:
                assert_never(process)

    def part(self, part: terms.GraphPart[Process], values: Values) -> terms.GraphPart[Process]:
        """A part of a graph; in what it comes after its indices mean what they mean in its body."""
        body, inner = part.body, values
        for _ in range(part.dimensions):
            assert isinstance(body, terms.Loop)
            inner = self.bound(body.index, inner)[1]
            body = body.body
        after = tuple([self._each_of(a, inner) for a in part.after])
        return part._replace(body=self.process(part.body, values), after=after)

    def held(self, use: terms.Use, values: Values) -> Process:
        """What a use holds its resource for: a lone name with a value is a time."""
        return held_process(use, values)

    def resource(self, resource: Expression, values: Values) -> Expression:
        """What a use holds: a name with subscripts is a resource."""
        if isinstance(resource, terms.Invoke) and resource.subscripts is not None:
            return self._each_of(resource, values)
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
        inner[index] = terms.Name(fresh, next(iter(inner.values())).span)
        return fresh, inner

    def step(self, step: terms.Invoke, values: Values) -> terms.Invoke:
        """A call of an equation, or an operation."""
        return self._each_of(step, values)

    def _each_of(self, step: terms.Invoke, values: Values) -> terms.Invoke:
        subscripts, arguments = self._each(step.subscripts, values), self._each(step.arguments, values)
        return terms.Invoke(step.name, subscripts, arguments, step.span)

    def _each(self, expressions: Iterable[Expression] | None, values: Values) -> tuple[Expression, ...] | None:
        return None if expressions is None else tuple([self.expression(e, values) for e in expressions])
