"""Names and units in the expressions of a model: what each means, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping

from apet.ground.diagnostics import Diagnostic, nearest
from apet.ground.units import PRODUCTS, QUANTITIES
from apet.model import errors, terms
from apet.model.literals import literal_unit, literal_value
from apet.model.terms import BUILTIN_ARGUMENTS, BUILTINS, FUNCTIONS, Expression, Model, Parameter

Scope = Mapping[str, str]
"""Name in force to what it is, in words: "an index", "a parameter"."""


class ExpressionChecker:
    """Checks expressions; `diagnostics` grows with what is wrong."""

    def __init__(self, model: Model, processors: frozenset[str]) -> None:
        self.model = model
        self.processors = processors
        self.diagnostics: list[Diagnostic] = []

    def subscript(self, expression: Expression, scope: Scope) -> None:
        """A plain number, or a free name: the processor of that name."""
        if not self._named(expression, scope):
            self.plain(expression, scope)

    def argument(self, expression: Expression, scope: Scope) -> None:
        """A value for an equation: any number, or the name of a processor."""
        if not self._named(expression, scope):
            self.number(expression, scope)

    def _named(self, expression: Expression, scope: Scope) -> bool:
        return (
            isinstance(expression, terms.Name) and expression.name not in scope and expression.name in self.processors
        )

    def quantity(self, expression: Expression, scope: Scope, needed: str) -> None:
        """A number with the unit of a time or a size, or without one; for "plain number" without one."""
        unit = self.number(expression, scope)
        if needed != "plain number":  # sizes and work in parameters may be counted, as lines of a cache are
            unit = unit or self._declared(expression, scope)
        actual = QUANTITIES.get(unit, needed)
        if actual != needed:
            advice = {"time": "times are in seconds", "size": "sizes are in bytes"}.get(needed, "leave the unit out")
            self.diagnostics.append(errors.WrongUnit(self.model.source, expression.span, actual, needed, advice))

    def plain(self, expression: Expression, scope: Scope) -> None:
        """A number without a unit: a bound, a subscript, a probability, a number of servers."""
        self.quantity(expression, scope, "plain number")

    def range(self, parameter: Parameter) -> None:
        """A range that is empty, or does not hold the parameter's own value, as far as they are literals."""
        low, value, high = (literal_value(e) for e in (parameter.low, parameter.value, parameter.high))
        if low is not None and high is not None and low > high:
            reason = "its range is empty: the lower end is above the upper one"
        elif value is not None and ((low is not None and value < low) or (high is not None and value > high)):
            reason = "its own value is outside its range"
        else:
            return
        self.diagnostics.append(errors.EmptyBounds(self.model.source, parameter.span, parameter.name, reason))

    def number(self, expression: Expression, scope: Scope) -> str:
        """Check an expression that stands for a number; its basic unit, or "" where it has none or any."""
        match expression:
            case terms.Number(_, unit, _):
                if unit.endswith("/s") and "s" in scope:
                    self.diagnostics.append(errors.RateOrQuotient(self.model.source, expression.span, scope["s"]))
                    return ""
                return unit
            case terms.Name(name, _):
                if name not in scope:
                    self._unknown(expression, name, scope)
            case terms.Unary(_, operand, _):
                return self.number(operand, scope)
            case terms.Binary():
                return self._binary(expression, scope)
            case terms.SumOver(index, low, high, body, _):
                self.plain(low, scope)
                self.plain(high, scope)
                return self.number(body, {**scope, index: "an index"})
            case terms.Lookup(table, index, _):
                self.plain(index, scope)
                return table.unit
            case terms.Invoke():
                self._call(expression, scope)

        return ""

    def _declared(self, expression: Expression, scope: Scope) -> str:
        """The unit of a parameter's own value, where it stands alone: multiplied, its numbers may mean anything."""
        if isinstance(expression, terms.Name) and scope.get(expression.name) == "a parameter":
            return literal_unit(self.model.parameters[expression.name].value)
        return ""

    def _binary(self, expression: terms.Binary, scope: Scope) -> str:
        left, right = self.number(expression.left, scope), self.number(expression.right, scope)
        if left and right and expression.operator in "*/":
            return PRODUCTS.get((left, expression.operator, right), "")
        if expression.operator == "*":
            plain = expression.right if left else expression.left
            return left + right if isinstance(plain, terms.Number) else ""
        if expression.operator == "/":
            return left if isinstance(expression.right, terms.Number) and not right else ""
        if expression.operator == "^":
            return ""
        both = left or self._declared(expression.left, scope), right or self._declared(expression.right, scope)
        if all(both) and both[0] != both[1]:
            kinds = QUANTITIES[both[0]], QUANTITIES[both[1]]
            self.diagnostics.append(errors.MixedUnits(self.model.source, expression.span, *kinds, expression.operator))
            return ""

        return (left or right) if expression.operator in "+-%" else ""

    def _unknown(self, at: terms.Name, name: str, scope: Scope) -> None:
        if name in self.model.equations or name in self.model.resources:
            self._as_number(at, name)
            return
        if name in BUILTINS:
            self.count(at, counted(BUILTINS[name], "subscript"), 0, f"write {name}[p]")
            return
        near = nearest(name, scope)
        self.diagnostics.append(errors.UnknownName(self.model.source, at.span, name, near))

    def _as_number(self, at: terms.Name | terms.Invoke, name: str) -> None:
        kind = "an equation" if name in self.model.equations else "a resource"
        self.diagnostics.append(errors.ProcessAsNumber(self.model.source, at.span, name, kind))

    def _call(self, call: terms.Invoke, scope: Scope) -> None:
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
        else:
            functions = [*FUNCTIONS, "sum", *BUILTINS, *self.model.functions]
            self.diagnostics.append(
                errors.UnknownFunction(self.model.source, call.span, name, nearest(name, functions))
            )

        for a in call.arguments or ():
            self.number(a, scope)

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
        elif call.name == "share" and call.arguments is None and "tasks" not in self.model.parameters:
            self.diagnostics.append(errors.NoTasks(self.model.source, call.span))

        for s in subscripts:
            self.subscript(s, scope)

    def count(self, step: terms.Name | terms.Invoke, expected: str, actual: int, advice: str) -> None:
        """A name with another number of subscripts or arguments than it has where it is declared."""
        number = str(actual or "none")
        self.diagnostics.append(errors.WrongCount(self.model.source, step.span, step.name, expected, number, advice))


def counted(number: int, what: str) -> str:
    """`no arguments`, `1 argument`, `2 arguments`."""
    return f"no {what}s" if number == 0 else f"{number} {what}{'s' if number > 1 else ''}"
