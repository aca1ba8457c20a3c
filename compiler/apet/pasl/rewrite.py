"""Terms of one model put into another: names replaced by expressions, equations renamed, nothing captured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from apet.ground.source import Span
from apet.model import terms
from apet.model.names import held_process
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Expression, Process
from apet.model.walk import own_ranges

Values = Mapping[str, Expression]
NOWHERE = Span(0, 0)


class Rewriter:
    """`values` replaces names, `equations` maps old names to new ones; `taken` are free names of the values.

    An index or formal that hides a name of `values` goes on hiding it; one that is in `taken` gets another name, which
    is in none of `taken` and `used`, the names of the terms themselves. `extra` are formals that every equation gets
    and hands on; they belong into `taken`.
    """

    def __init__(
        self,
        values: Values,
        equations: Mapping[str, str],
        taken: frozenset[str] = frozenset(),
        used: frozenset[str] = frozenset(),
        extra: tuple[str, ...] = (),
    ) -> None:
        self.values = dict(values)
        self.equations = equations
        self.taken = taken
        self.used = used
        self.extra = extra

    def equation(self, equation: Equation[Process]) -> Equation[Process]:
        """The same equation under its new name, with formals of its own."""
        inner, names = self._hidden((*equation.subscripts, *equation.formals))
        split = len(equation.subscripts)
        body = inner.process(equation.body)
        formals = (*names[split:], *self.extra)
        return Equation(self.equations[equation.name], names[:split], formals, body, equation.span)

    def process(self, process: Process) -> Process:
        """A process with its names replaced."""
        match process:
            case terms.Invoke():
                return self._invoke(process)
            case terms.Delay(time, span):
                return terms.Delay(self.number(time), span)
            case terms.Use(resource, _, span):
                return terms.Use(self._resource(resource), self.process(self._held(process)), span)

            case terms.Sequence(steps, span):
                return terms.Sequence(tuple(self.process(s) for s in steps), span)
            case terms.Parallel(branches, span):
                return terms.Parallel(tuple(self.process(b) for b in branches), span)

            case terms.Loop(kind, index, low, high, body, span):
                inner, (name,) = self._hidden((index,))
                return terms.Loop(kind, name, self.number(low), self.number(high), inner.process(body), span)
            case terms.Branch(probability, then, otherwise, span):
                q = None if probability is None else self.number(probability)
                return terms.Branch(q, self.process(then), self.process(otherwise), span)
            case terms.PartGraph(parts, span):
                return terms.PartGraph(tuple(self._part(p) for p in parts), span)
            case _:
                assert_never(process)

    def _part(self, part: terms.GraphPart[Process]) -> terms.GraphPart[Process]:
        """A part of a graph, with the names of its own indices in what it comes after as well."""
        inner = self
        for loop in own_ranges(part):
            inner, _ = inner._hidden((loop.index,))
        after = tuple(a._replace(subscripts=inner._all(a.subscripts)) for a in part.after)
        return part._replace(body=self.process(part.body), after=after)

    def number(self, expression: Expression) -> Expression:
        """An expression with its names replaced."""
        match expression:
            case terms.Number():
                return expression
            case terms.Name(name, _):
                return self.values.get(name, expression)

            case terms.Unary(operator, operand, span):
                return terms.Unary(operator, self.number(operand), span)
            case terms.Binary(operator, left, right, span):
                return terms.Binary(operator, self.number(left), self.number(right), span)
            case terms.Invoke():
                return self._invoke(expression)
            case terms.Lookup(table, index, span):
                return terms.Lookup(table, self.number(index), span)

            case terms.SumOver(index, low, high, body, span):
                inner, (name,) = self._hidden((index,))
                return terms.SumOver(name, self.number(low), self.number(high), inner.number(body), span)
            case _:
                assert_never(expression)

    def _invoke(self, term: terms.Invoke) -> terms.Invoke:
        name = term.name if term.name in (*FUNCTIONS, *BUILTINS) else self.equations.get(term.name, term.name)
        arguments = self._all(term.arguments)
        if self.extra and term.name in self.equations:
            arguments = (*(arguments or ()), *(terms.Name(n, NOWHERE) for n in self.extra))
        return terms.Invoke(name, self._all(term.subscripts), arguments, term.span)

    def _all(self, expressions: Iterable[Expression] | None) -> tuple[Expression, ...] | None:
        return None if expressions is None else tuple(self.number(e) for e in expressions)

    def _resource(self, resource: Expression) -> Expression:
        """What is held: an `Invoke` with subscripts is a resource, which keeps its name."""
        if isinstance(resource, terms.Invoke) and resource.subscripts is not None:
            return terms.Invoke(
                resource.name, self._all(resource.subscripts), self._all(resource.arguments), resource.span
            )
        return self.number(resource)

    def _held(self, use: terms.Use) -> Process:
        return held_process(use, self.values)

    def _hidden(self, names: tuple[str, ...]) -> tuple[Rewriter, tuple[str, ...]]:
        """A rewriter for where these names are bound, and the names that they are bound by."""
        if not any(n in self.values or n in self.taken for n in names):
            return self, names
        values, inner_names = dict(self.values), list[str]()

        for name in names:
            values.pop(name, None)
        for name in names:
            fresh = name
            while fresh in self.taken or (fresh != name and fresh in self.used):
                fresh += "_"
            if fresh != name:
                values[name] = terms.Name(fresh, NOWHERE)
            inner_names.append(fresh)
        return Rewriter(values, self.equations, self.taken, self.used, self.extra), tuple(inner_names)


def bound_names(equation: Equation[Process]) -> frozenset[str]:
    """All indices and formals of an equation."""
    names = {*equation.subscripts, *equation.formals}
    stack: list[object] = [equation.body]
    while stack:
        one = stack.pop()
        if isinstance(one, terms.Loop | terms.SumOver):
            names.add(one.index)
        if isinstance(one, tuple) and not isinstance(one, Span):
            stack.extend(one)
    return frozenset(names)
