"""Numbers put into expressions.

`prepare` turns an expression into a Python closure once, for whoever evaluates it a million times; `evaluate` is the
single use. A scope maps names to numbers; a `str` in it is a processor that has only that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn, assert_never

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.exact import reduced
from apet.ground.interval import Number, in_short
from apet.ground.source import Source, Span
from apet.model import errors, terms
from apet.model.arithmetic import BINARY, CALLS, whole_range

Scope = Mapping[str, Number | str]
Builtin = Callable[[str, tuple[Number, ...]], Number]
"""The value of a built-in such as `share[p]`, from its subscripts and then its arguments; raises LookupError or
ValueError where it has none."""
Evaluator = Callable[[Scope], Number]

MOST_TERMS = 10_000_000
DOMAIN_ERRORS = (ZeroDivisionError, ValueError, OverflowError)


def no_builtin(name: str, subscripts: tuple[Number, ...]) -> Number:
    """The built-ins of an expression that may have none."""
    raise LookupError(f"'{name}' needs a machine model")


def evaluate(
    expression: terms.Expression, scope: Scope, builtin: Builtin = no_builtin, source: Source | None = None
) -> Number:
    """The value of the expression, exact where it can be; `ApetError` where it has none."""
    return prepare(expression, builtin, source)(scope)


def prepare(expression: terms.Expression, builtin: Builtin = no_builtin, source: Source | None = None) -> Evaluator:
    """A function from a scope to the value of the expression, which raises `ApetError` where it has none."""
    return _Preparer(builtin, source).of(expression)


def parameter_values(
    model: terms.Model, assigned: Mapping[str, Number | str], builtin: Builtin = no_builtin
) -> dict[str, Number | str]:
    """The given values and the defaults of the other parameters, which may refer to each other in any order.

    A parameter without a default is left out: it is an error only where it is used.
    """
    values = _Defaults(model, assigned, builtin)
    for name, parameter in model.parameters.items():
        if name not in values and parameter.value is not None:
            values[name]
    return dict(values)


def parameter_value(
    model: terms.Model, name: str, assigned: Mapping[str, Number | str], builtin: Builtin = no_builtin
) -> Number | str:
    """The value of one parameter, given or its default; KeyError if it has neither."""
    return _Defaults(model, assigned, builtin)[name]


class _Defaults(dict[str, Number | str]):
    """Values by name; a missing one is computed from its declaration when it is first needed."""

    def __init__(self, model: terms.Model, assigned: Mapping[str, Number | str], builtin: Builtin) -> None:
        super().__init__(assigned)
        self._model = model
        self._builtin = builtin
        self._open: set[str] = set()

    def __missing__(self, name: str) -> Number | str:
        parameter = self._model.parameters.get(name)
        if parameter is None or parameter.value is None:
            raise KeyError(name)
        if name in self._open:
            raise ApetError(errors.DependsOnItself(self._model.source, parameter.span, name))
        self._open.add(name)
        self[name] = evaluate(parameter.value, self, self._builtin, self._model.source)
        return self[name]


class _Preparer:
    def __init__(self, builtin: Builtin, source: Source | None) -> None:
        self.builtin = builtin
        self.source = source

    def of(self, e: terms.Expression) -> Evaluator:
        match e:
            case terms.Number():
                value = e.value
                return lambda scope: value
            case terms.Name():
                return self._name(e)

            case terms.Unary():
                return self._unary(e)
            case terms.Binary():
                return self._binary(e)
            case terms.Invoke():
                return self._builtin(e) if e.name in terms.BUILTINS else self._function(e)

            case terms.SumOver():
                return self._sum(e)
            case terms.Lookup():
                return self._lookup(e)
            case _:
                assert_never(e)

    def _lookup(self, e: terms.Lookup) -> Evaluator:
        index, entries, name = self.of(e.index), e.table.entries, e.table.name

        def value(scope: Scope) -> Number:
            i = reduced(index(scope))
            if not (i % 1 == 0 and 1 <= i <= len(entries)):
                reason = f"'{name}' has {len(entries)} entries; there is no {name}[{in_short(i)}]"
                self._undefined(e.span, ValueError(reason))
            return entries[int(i) - 1]

        return value

    def _name(self, e: terms.Name) -> Evaluator:
        name = e.name

        def value(scope: Scope) -> Number:
            try:
                number = scope[name]
            except KeyError:
                self._unbound(e, scope)
            if number.__class__ is str:
                raise ApetError(errors.NamedProcessorAsNumber(self.source, e.span, str(number)))
            return number  # type: ignore[return-value]  # not a str, by the test above that the checker cannot read

        return value

    def _unary(self, e: terms.Unary) -> Evaluator:
        operand = self.of(e.operand)
        return operand if e.operator == "+" else lambda scope: -operand(scope)

    def _binary(self, e: terms.Binary) -> Evaluator:
        left, right, apply, span = self.of(e.left), self.of(e.right), BINARY[e.operator], e.span

        def value(scope: Scope) -> Number:
            a, b = left(scope), right(scope)
            try:
                result = apply(a, b)
            except DOMAIN_ERRORS as error:
                self._undefined(span, error)
            return result if result.__class__ is int else reduced(result)

        return value

    def _function(self, e: terms.Invoke) -> Evaluator:
        function = CALLS.get(e.name)
        if function is None or e.arguments is None or e.subscripts is not None:
            functions, near = ", ".join(terms.FUNCTIONS), nearest(e.name, terms.FUNCTIONS)
            raise ApetError(errors.NoSuchFunction(self.source, e.span, e.name, near, functions))
        least, most = terms.FUNCTIONS[e.name]
        if len(e.arguments) < least or (most is not None and len(e.arguments) > most):
            wanted = f"{least} argument{'s' if least > 1 else ''}{'' if most else ' or more'}"
            raise ApetError(errors.WrongCount(self.source, e.span, e.name, wanted, str(len(e.arguments))))
        arguments, span = [self.of(a) for a in e.arguments], e.span

        def value(scope: Scope) -> Number:
            values = [a(scope) for a in arguments]
            try:
                return function(*values)
            except DOMAIN_ERRORS as error:
                self._undefined(span, error)

        return value

    def _builtin(self, e: terms.Invoke) -> Evaluator:
        wanted, operands = terms.BUILTINS[e.name], e.subscripts or ()
        number = str(len(operands))
        if len(operands) != wanted or len(e.arguments or ()) > terms.BUILTIN_ARGUMENTS[e.name]:
            raise ApetError(errors.WrongCount(self.source, e.span, e.name, f"{wanted} subscript(s)", number))
        subscripts, name, builtin = [self.of(s) for s in (*operands, *(e.arguments or ()))], e.name, self.builtin

        def value(scope: Scope) -> Number:
            values = tuple(s(scope) for s in subscripts)
            try:
                return builtin(name, values)
            except (LookupError, ValueError) as error:
                self._undefined(e.span, error)

        return value

    def _sum(self, e: terms.SumOver) -> Evaluator:
        low, high, body, index = self.of(e.low), self.of(e.high), self.of(e.body), e.index

        def value(scope: Scope) -> Number:
            try:
                indices = whole_range(low(scope), high(scope))
            except DOMAIN_ERRORS as error:
                self._undefined(e.span, error)
            # The bounds, not len(): a range of more than 2^63 members has no len().
            if indices.stop - indices.start > MOST_TERMS:
                self._undefined(e.span, ValueError(f"a sum of more than {MOST_TERMS:,} terms"))
            inner, total = dict(scope), 0
            for i in indices:
                inner[index] = i
                total += body(inner)  # type: ignore[assignment]  # the sum takes the widest type of its terms

            return reduced(total)

        return value

    def _undefined(self, span: Span, error: Exception) -> NoReturn:
        reason = str(error.args[0]) if error.args else str(error)
        raise ApetError(errors.ValueOutsideDomain(self.source, span, reason)) from None

    def _unbound(self, e: terms.Name, scope: Scope) -> NoReturn:
        raise ApetError(errors.UnboundName(self.source, e.span, e.name, nearest(e.name, scope))) from None
