"""Names and units in the expressions of a model: what each means, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.interval import Number
from apet.ground.source import Span
from apet.ground.units import PRODUCTS, QUANTITIES, UNITS
from apet.model import errors, terms
from apet.model.literals import literal_unit, literal_value
from apet.model.terms import BUILTIN_ARGUMENTS, BUILTINS, FUNCTIONS, Expression, Model, Parameter
from apet.model.walk import names_in, operands

Scope = Mapping[str, str]
"""Name in force to what it is, in words: "an index", "a parameter"."""


GIVEN, PARAMETER = "a value given by the caller", "a parameter"
KEEPING = ("min", "max", "abs", "floor", "ceil")
"""Functions whose value has the unit of what they are given."""

Units = tuple[str, str]
"""The basic unit of the literals in an expression, and that with the units of parameters' own values: multiplied, their
numbers may mean anything, and counted, as lines of a cache are, so may sizes."""
NO_UNIT: Units = "", ""

Formal = tuple[str, str]
"""An equation, and one of its formals."""


class ExpressionChecker:
    """Checks expressions; `diagnostics` grows with what is wrong."""

    def __init__(self, model: Model, processors: frozenset[str]) -> None:
        self.model = model
        self.processors = processors
        self.diagnostics: list[Diagnostic] = []
        self.indices: dict[str, Span] = {}
        """The indices of loops before this one, with the places of these, in the equation that is checked."""
        self.equation = ""
        """The equation whose body is checked."""
        self.parameter = ""
        """The parameter whose value or range is checked."""
        self._needed: dict[Formal, str] = {}
        """What formals stand for, where that is a time or a size: as they are used, or handed on to those that are."""
        self._passed: list[tuple[Expression, str, Formal]] = []
        self._handed_on: dict[Formal, dict[Formal, None]] = {}

    def subscript(self, expression: Expression, scope: Scope) -> None:
        """A plain number, or a free name: the processor of that name."""
        if not self._named(expression, scope):
            self.plain(expression, scope)

    def argument(self, expression: Expression, scope: Scope, formal: Formal) -> None:
        """A value for a formal of an equation: any number, or the name of a processor."""
        if self._named(expression, scope):
            return
        unit = self._units(expression, scope)[1]
        if unit:
            self._passed.append((expression, unit, formal))
        for name in summands(expression):
            if scope.get(name) == GIVEN:
                self._handed_on.setdefault(formal, {})[self.equation, name] = None

    def passed_units(self) -> None:
        """Values whose unit is not that of what the formal stands for, in the equation that is called or behind it."""
        waiting = list(self._needed)
        while waiting:
            formal = waiting.pop()
            for before in self._handed_on.get(formal, ()):
                if before not in self._needed:
                    self._needed[before] = self._needed[formal]
                    waiting.append(before)
        for expression, unit, formal in self._passed:
            self._fits(expression, unit, self._needed.get(formal, QUANTITIES[unit]))

    def _named(self, expression: Expression, scope: Scope) -> bool:
        return (
            isinstance(expression, terms.Name) and expression.name not in scope and expression.name in self.processors
        )

    def quantity(self, expression: Expression, scope: Scope, needed: str) -> None:
        """A number with the unit of a time or a size, or without one; for "plain number" without one."""
        unit, declared = self._units(expression, scope)
        if needed != "plain number":
            unit = declared
            for name in summands(expression):
                if scope.get(name) == GIVEN:
                    self._needed.setdefault((self.equation, name), needed)
        self._fits(expression, unit, needed)

    def _fits(self, expression: Expression, unit: str, needed: str) -> None:
        actual = QUANTITIES.get(unit, needed)
        if actual != needed:
            advice = {"time": "times are in seconds", "size": "sizes are in bytes"}.get(needed, "leave the unit out")
            self.diagnostics.append(errors.WrongUnit(self.model.source, expression.span, actual, needed, advice))

    def plain(self, expression: Expression, scope: Scope) -> None:
        """A number without a unit: a bound, a subscript, a probability, a number of servers."""
        self.quantity(expression, scope, "plain number")

    def range(self, parameter: Parameter) -> None:
        """A range that is empty, or does not hold the parameter's own value, as far as they depend on no parameter."""
        low, value, high = (_constant(e) for e in (parameter.low, parameter.value, parameter.high))
        if low is not None and high is not None and low > high:
            reason = "its range is empty: the lower end is above the upper one"
        elif value is not None and ((low is not None and value < low) or (high is not None and value > high)):
            reason = "its own value is outside its range"
        else:
            return
        self.diagnostics.append(errors.EmptyBounds(self.model.source, parameter.span, parameter.name, reason))

    def number(self, expression: Expression, scope: Scope) -> str:
        """Check an expression that stands for a number; its basic unit, or "" where it has none or any."""
        return self._units(expression, scope)[0]

    def _units(self, expression: Expression, scope: Scope) -> Units:
        match expression:
            case terms.Number(_, unit, _):
                if unit.endswith("/s") and "s" in scope:
                    self.diagnostics.append(errors.RateOrQuotient(self.model.source, expression.span, scope["s"]))
                    return NO_UNIT
                return unit, unit
            case terms.Name(name, _):
                if name not in scope:
                    self._unknown(expression, name, scope)
                return "", literal_unit(self.model.parameters[name].value) if scope.get(name) == PARAMETER else ""
            case terms.Unary(_, operand, _):
                return self._units(operand, scope)
            case terms.Binary():
                return self._binary(expression, scope)
            case terms.SumOver(index, low, high, body, _):
                self.plain(low, scope)
                self.plain(high, scope)
                return self._units(body, {**scope, index: "an index"})
            case terms.Lookup(table, index, _):
                self.plain(index, scope)
                return table.unit, table.unit
            case terms.Invoke():
                return self._call(expression, scope)
            case _:
                assert_never(expression)

    def _joined(self, at: terms.Binary | terms.Invoke, units: Sequence[Units], by: str) -> Units:
        """The units of quantities that are added or compared, or of which one is taken."""
        kinds = list(dict.fromkeys(QUANTITIES[unit] for _, unit in units if unit))
        if len(kinds) > 1:
            self.diagnostics.append(errors.MixedUnits(self.model.source, at.span, kinds[0], kinds[1], by))
            return NO_UNIT
        own, declared = (next(filter(None, side), "") for side in zip(*units, strict=True)) if units else NO_UNIT
        return own, declared

    def _binary(self, expression: terms.Binary, scope: Scope) -> Units:
        operator = expression.operator
        one, other = self._units(expression.left, scope), self._units(expression.right, scope)
        if operator not in "*/^":
            units = self._joined(expression, (one, other), operator)
            return units if operator in "+-%" else NO_UNIT

        left, right, unit = one[0], other[0], ""
        if left and right:
            unit = PRODUCTS.get((left, operator, right), "")
        elif operator == "*":
            unit = left + right if isinstance(expression.right if left else expression.left, terms.Number) else ""
        elif operator == "/":
            unit = left if isinstance(expression.right, terms.Number) else ""
        return unit, unit

    def _unknown(self, at: terms.Name, name: str, scope: Scope) -> None:
        if name in self.model.equations or name in self.model.resources:
            self._as_number(at, name)
            return
        if name in BUILTINS:
            self.count(at, counted(BUILTINS[name], "subscript"), 0, f"write {name}[p]")
            return
        near, advice = nearest(name, scope), f"a number is needed here; declare it: param {name};"
        if name in self.indices:
            line = self.model.source.line_of(self.indices[name].start, at.span.start)
            advice = f"the loop in line {line} gives it a value inside only: put this into its braces"
        elif name in UNITS:
            near = ""
            advice = f"a unit stands right behind a number, as in 3 {name}"
            advice += f"; a rate is one unit: 10 MB/{name}" if f"MB/{name}" in UNITS else ""
        self.diagnostics.append(errors.UnknownName(self.model.source, at.span, name, near, advice))

    def _as_number(self, at: terms.Name | terms.Invoke, name: str) -> None:
        kind = "an equation" if name in self.model.equations else "a resource"
        self.diagnostics.append(errors.ProcessAsNumber(self.model.source, at.span, name, kind))

    def _call(self, call: terms.Invoke, scope: Scope) -> Units:
        name = call.name
        if name in self.model.equations or name in self.model.resources:
            self._as_number(call, name)
        elif call.subscripts is not None:
            self._builtin(call, scope)
        elif name in FUNCTIONS:
            number = len(call.arguments or ())
            least, most = FUNCTIONS[name]
            if number < least or (most is not None and number > most):
                expected = counted(least, "argument") if most == least else f"at least {counted(least, 'argument')}"
                self.count(call, expected, number, "")
        elif name in BUILTINS:
            self.count(call, counted(BUILTINS[name], "subscript"), 0, f"write {name}[p]")
        elif name in self.model.tables:
            number = len(self.model.tables[name].entries)
            self.diagnostics.append(errors.TableCalled(self.model.source, call.span, name, number))
        else:
            functions = [*FUNCTIONS, "sum", *BUILTINS, *self.model.functions]
            self.diagnostics.append(
                errors.UnknownFunction(self.model.source, call.span, name, nearest(name, functions))
            )

        units = [self._units(a, scope) for a in call.arguments or ()]
        return self._joined(call, units, name) if name in KEEPING else NO_UNIT

    def _builtin(self, call: terms.Invoke, scope: Scope) -> None:
        wanted = BUILTINS.get(call.name)
        subscripts = call.subscripts or ()

        if wanted is None or (call.arguments is not None and len(call.arguments) != BUILTIN_ARGUMENTS[call.name]):
            near = nearest(call.name, (*BUILTINS, *self.model.tables))
            if call.name in scope:
                self.diagnostics.append(errors.NotATableName(self.model.source, call.span, call.name, scope[call.name]))
            else:
                self.diagnostics.append(errors.UnknownFunction(self.model.source, call.span, f"{call.name}[…]", near))
        elif len(subscripts) != wanted:
            self.count(call, counted(wanted, "subscript"), len(subscripts), f"write {call.name}[p]")
        elif self.parameter:
            self.diagnostics.append(errors.DealtDefault(self.model.source, call.span, self.parameter, call.name))
        elif call.name == "share" and call.arguments is None and "tasks" not in self.model.parameters:
            self.diagnostics.append(errors.NoTasks(self.model.source, call.span))

        for s in subscripts:
            self.subscript(s, scope)

    def count(self, step: terms.Name | terms.Invoke, expected: str, actual: int, advice: str) -> None:
        """A name with another number of subscripts or arguments than it has where it is declared."""
        number = str(actual or "none")
        self.diagnostics.append(errors.WrongCount(self.model.source, step.span, step.name, expected, number, advice))


def summands(expression: Expression) -> Iterator[str]:
    """The names that have the unit of an expression: it itself, or what it adds or takes one of."""
    stack = [expression]
    while stack:
        one = stack.pop()
        if isinstance(one, terms.Name):
            yield one.name
        elif _keeps_unit(one):
            stack += operands(one)


def _keeps_unit(expression: Expression) -> bool:
    match expression:
        case terms.Unary() | terms.Binary("+" | "-"):
            return True
        case terms.Invoke(function, None, _, _):
            return function in KEEPING
        case _:
            return False


def counted(number: int, what: str) -> str:
    """`no arguments`, `1 argument`, `2 arguments`."""
    return f"no {what}s" if number == 0 else f"{number} {what}{'s' if number > 1 else ''}"


def _constant(expression: Expression | None) -> Number | None:
    """The value of an expression without names; None of others, and where it has none."""
    literal = literal_value(expression)
    if literal is not None or expression is None or any(True for _ in names_in(expression)):
        return literal
    from apet.model.evaluate import evaluate  # for few models

    try:
        return evaluate(expression, {})
    except ApetError:
        return None  # said elsewhere
