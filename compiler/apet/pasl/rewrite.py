"""Terms of one model put into another: names replaced by expressions, equations renamed, nothing captured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apet.ground.source import Span
from apet.model import terms
from apet.model.putting_in import PuttingIn, Values
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Expression, Process
from apet.model.walk import bound_expressions, operands, scoped

NOWHERE = Span(0, 0)


class Rewriter(PuttingIn):
    """`equations` maps old names to new ones; `taken` are free names of the values that are put in.

    An index or formal that hides a name goes on hiding it; one that is in `taken` gets another name, which is in none
    of `taken` and `used`, the names of the terms themselves. `extra` are formals that every equation gets and hands on;
    they belong into `taken`.
    """

    def __init__(
        self, equations: Mapping[str, str], taken: frozenset[str], used: frozenset[str], extra: tuple[str, ...]
    ) -> None:
        self.equations = equations
        self.taken = taken
        self.used = used
        self.extra = extra

    def equation(self, equation: Equation[Process], values: Values) -> Equation[Process]:
        """The same equation under its new name, with formals of its own."""
        names = []
        for formal in (*equation.subscripts, *equation.formals):
            name, values = self.bound(formal, values)
            names.append(name)
        split = len(equation.subscripts)
        formals = (*names[split:], *self.extra)
        body = self.process(equation.body, values)
        return Equation(self.equations[equation.name], tuple(names[:split]), formals, body, equation.span)

    def name(self, name: terms.Name, values: Values) -> Expression:
        return values.get(name.name, name)

    def bound(self, index: str, values: Values) -> tuple[str, Values]:
        fresh, inner = index, {name: value for name, value in values.items() if name != index}
        while fresh in self.taken or (fresh != index and fresh in self.used):
            fresh += "_"
        if fresh != index:
            inner[index] = terms.Name(fresh, NOWHERE)
        return fresh, inner

    def call(self, call: terms.Invoke, values: Values) -> terms.Invoke:
        return self.step(call, values)

    def step(self, step: terms.Invoke, values: Values) -> terms.Invoke:
        name, subscripts, arguments, span = super().step(step, values)
        if name in self.equations and name not in FUNCTIONS and name not in BUILTINS:
            if self.extra:
                arguments = (*(arguments or ()), *(terms.Name(n, NOWHERE) for n in self.extra))
            name = self.equations[name]
        return terms.Invoke(name, subscripts, arguments, span)


def bound_names(equation: Equation[Process]) -> frozenset[str]:
    """All indices and formals of an equation."""
    names = {*equation.subscripts, *equation.formals}
    for process, bound in scoped({equation.name: equation}):
        names |= bound
        names.update(index for e, _ in bound_expressions(process) for index in _summed(e))
    return frozenset(names)


def _summed(expression: Expression) -> Iterator[str]:
    """The indices of sums in an expression."""
    if isinstance(expression, terms.SumOver):
        yield expression.index
    for operand in operands(expression):
        yield from _summed(operand)
