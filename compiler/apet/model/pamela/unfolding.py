"""Functions and tables in the place of their names: what is left is numbers, names and `Lookup`s.

`def area(a, b) = a * b;` is put in where it is called, with the arguments for its formals. `len(size)` is a number.
"""

from __future__ import annotations

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.source import Source, Span
from apet.model import terms
from apet.model.errors import UnknownName, WrongCount
from apet.model.names import held_process
from apet.model.pamela import errors
from apet.model.putting_in import NEW, PuttingIn, Values
from apet.model.terms import Equation, Expression, Model, Process
from apet.model.walk import names_in

LENGTH = "len"
MOST_TERMS = 100_000
"""Terms that functions may become: each that calls another one twice doubles them."""


def unfolded(model: Model) -> tuple[Model, list[Diagnostic]]:
    """The model without calls of functions and names of tables, and what is wrong with these."""
    unfolding = _Unfolding(model)
    for function in model.functions.values():
        unfolding.check(function)
    if unfolding.diagnostics:
        return model, unfolding.diagnostics

    def value(e: Expression | None) -> Expression | None:
        return None if e is None else unfolding.expression(e, {})

    parameters = {
        n: p._replace(value=value(p.value), low=value(p.low), high=value(p.high)) for n, p in model.parameters.items()
    }
    resources = {
        n: r if r.servers is None else r._replace(servers=unfolding.expression(r.servers, _own_names(r.subscripts)))
        for n, r in model.resources.items()
    }
    equations = {n: unfolding.equation(e) for n, e in model.equations.items()}
    core = model._replace(parameters=parameters, resources=resources, equations=equations)
    return core, unfolding.diagnostics


def _own_names(names: tuple[str, ...]) -> dict[str, Expression]:
    return {name: terms.Name(name, Span(0, 0)) for name in names}


class _Unfolding(PuttingIn):
    """Names that something binds stand for themselves among the values, so that they hide tables."""

    def __init__(self, model: Model) -> None:
        self.source: Source = model.source
        self.parameters = model.parameters
        self.tables = model.tables
        self.functions = model.functions
        self.diagnostics: list[Diagnostic] = []
        bodies = ((f, n) for f in model.functions.values() for n in names_in(f.body))
        self.meant = frozenset(name for function, name in bodies if name not in function.formals)
        """Names in functions that mean parameters, whatever binds the same name where the function is called."""
        self._open: list[str] = []
        self._terms = 0

    def check(self, function: terms.UserFunction) -> None:
        """The names of a function, called or not: its formals and parameters are all it may name."""
        scope = {*function.formals, *self.parameters, *self.tables}
        for name in dict.fromkeys(names_in(function.body)):
            if name not in scope:
                near = nearest(name, scope)
                advice = f"a number is needed here; declare it: param {name};"
                self.diagnostics.append(UnknownName(self.source, function.body.span, name, near, advice))
        if not self.diagnostics:
            self._open = [function.name]
            self.expression(function.body, _own_names(function.formals))
            self._open = []

    def equation(self, equation: Equation[Process]) -> Equation[Process]:
        """An equation, whose own names hide tables and those of parameters."""
        values: Values = {}
        names = []
        for formal in (*equation.subscripts, *equation.formals):
            name, values = self.bound(formal, values)
            names.append(name)
        split = len(equation.subscripts)
        body = self.process(equation.body, values)
        return equation._replace(subscripts=tuple(names[:split]), formals=tuple(names[split:]), body=body)

    def expression(self, expression: Expression, values: Values) -> Expression:
        if self._open:
            self._terms += 1
            if self._terms > MOST_TERMS:
                span = self.functions[self._open[0]].span
                raise ApetError(errors.FunctionTooLong(self.source, span, self._open[0], MOST_TERMS))
        return super().expression(expression, values)

    def name(self, name: terms.Name, values: Values) -> Expression:
        if name.name in self.tables and name.name not in values:
            self.diagnostics.append(errors.TableAsNumber(self.source, name.span, name.name))
            return terms.Number(0, "", name.span)
        value = values.get(name.name)  # an argument is blamed where it stands in the call
        return value if value is not None and not isinstance(value, terms.Name) else super().name(name, values)

    def held(self, use: terms.Use, values: Values) -> Process:
        called = use.body
        if isinstance(called, terms.Invoke) and self._is_value(called, values):
            return terms.Delay(called, called.span)
        return held_process(use, values)

    def _is_value(self, call: terms.Invoke, values: Values) -> bool:
        if call.subscripts is None:
            is_length = self._measured(call, values) is not None
            return is_length or (call.arguments is not None and call.name in self.functions)
        return call.name in self.tables and call.name not in values

    def call(self, call: terms.Invoke, values: Values) -> Expression:
        table = self._measured(call, values)
        if table is not None:
            return terms.Number(len(table.entries), "", call.span)
        if not self._is_value(call, values):
            return super().call(call, values)
        if call.subscripts is not None:
            return self._lookup(call, values)
        return self._function(self.functions[call.name], call, values)

    def _measured(self, call: terms.Invoke, values: Values) -> terms.EntryTable | None:
        """The table of `len(table)`; None for other calls."""
        argument = call.arguments[0] if call.arguments and len(call.arguments) == 1 else None
        if call.name != LENGTH or not isinstance(argument, terms.Name) or argument.name in values:
            return None
        return self.tables.get(argument.name)

    def _lookup(self, call: terms.Invoke, values: Values) -> Expression:
        table, subscripts = self.tables[call.name], call.subscripts or ()
        if len(subscripts) != 1 or call.arguments is not None:
            number = str(len(subscripts))
            advice = f"write {call.name}[i], with i from 1 to {len(table.entries)}"
            self.diagnostics.append(
                WrongCount(self.source, call.span, call.name, "one subscript, the number of an entry", number, advice)
            )
            return terms.Number(0, "", call.span)
        return terms.Lookup(table, self.expression(subscripts[0], values), call.span)

    def _function(self, function: terms.UserFunction, call: terms.Invoke, values: Values) -> Expression:
        arguments, formals = call.arguments or (), function.formals
        if len(arguments) != len(formals):
            expected = f"{len(formals)} argument{'s' if len(formals) > 1 else ''}"
            line = self.source.line_of(function.span.start, call.span.start)
            advice = f"line {line} defines {function.name}({', '.join(formals)})"
            number = str(len(arguments) or "none")
            self.diagnostics.append(WrongCount(self.source, call.span, call.name, expected, number, advice))
            return terms.Number(0, "", call.span)
        if function.name in self._open:
            cycle = " -> ".join([*self._open[self._open.index(function.name) :], function.name])
            self.diagnostics.append(errors.RecursiveFunction(self.source, call.span, cycle))
            return terms.Number(0, "", call.span)

        put = {f: self.expression(a, values) for f, a in zip(formals, arguments, strict=True)}
        self._open.append(function.name)
        result = self.expression(function.body, put)
        self._open.pop()
        return result

    def bound(self, index: str, values: Values) -> tuple[str, Values]:
        name, inner = super().bound(index, values)
        if name == index and index in self.meant:
            name += NEW
        return name, {**inner, index: terms.Name(name, Span(0, 0))}
