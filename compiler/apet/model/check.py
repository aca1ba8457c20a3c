"""Names of a model: what each means, and everything that is wrong with them, in one go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.ground.diagnostics import Diagnostic, nearest
from apet.ground.source import Span
from apet.ground.units import PRODUCTS, QUANTITIES
from apet.model import errors, terms
from apet.model.depth import too_deep
from apet.model.familiar_words import advice_for
from apet.model.free_names import named_processors
from apet.model.graph_parts import misplaced_parts, own_indices
from apet.model.literals import literal_unit, literal_value
from apet.model.names import held_process
from apet.model.terms import BUILTIN_ARGUMENTS, BUILTINS, FUNCTIONS, Equation, Expression, Model, Parameter, Process
from apet.model.walk import called, first_cycle, names_in

Scope = Mapping[str, str]
"""Name in force to what it is, in words: "an index", "a parameter"."""

SEND_SUBSCRIPTS, SEND_ARGUMENTS = 2, 1


class CheckResult(NamedTuple):
    """What a check finds: all diagnostics, and the free names that are processors."""

    diagnostics: list[Diagnostic]
    processors: frozenset[str]


def check(model: Model) -> CheckResult:
    """Every error in the names of a model. Errors come before advice."""
    deep = too_deep(model)
    if deep is not None:
        return CheckResult([deep], frozenset())

    processors = named_processors(model)
    checker = _Checker(model, processors)
    for parameter in model.parameters.values():
        scope = dict.fromkeys(model.parameters, "a parameter")
        for expression in (parameter.value, parameter.low, parameter.high):
            if expression is not None:
                checker.number(expression, scope)
        checker.range(parameter)
    for resource in model.resources.values():
        if resource.servers is not None:
            scope = dict.fromkeys(model.parameters, "a parameter") | dict.fromkeys(resource.subscripts, "a subscript")
            checker.plain(resource.servers, scope)
    for equation in model.equations.values():
        checker.process(equation.body, checker.scope_of(equation))
    checker.diagnostics += _circles(model)
    return CheckResult(checker.diagnostics, processors)


class _Checker:
    def __init__(self, model: Model, processors: frozenset[str]) -> None:
        self.model = model
        self.processors = processors
        self.diagnostics: list[Diagnostic] = []
        self.first_uses: dict[str, tuple[int, Span]] = {}
        """Of resources without a declaration: the number of subscripts, and the place."""

    def scope_of(self, equation: Equation) -> dict[str, str]:
        """The names in force in an equation's body."""
        scope = dict.fromkeys(self.model.parameters, "a parameter")
        return scope | dict.fromkeys((*equation.subscripts, *equation.formals), "a value given by the caller")

    def process(self, process: Process, scope: Scope) -> None:
        """Check a process and everything in it."""
        match process:
            case terms.Invoke():
                self._step(process, scope)
            case terms.Delay(time, _):
                self.quantity(time, scope, "time")
            case terms.Use(resource, _, _):
                self._resource(resource, scope)
                self.process(held_process(process, scope), scope)

            case terms.Loop(_, index, low, high, body, _):
                self.plain(low, scope)
                self.plain(high, scope)
                self._index(process, index)
                self.process(body, {**scope, index: "an index"})

            case terms.Branch(probability, then, otherwise, _):
                if probability is not None:
                    self.plain(probability, scope)
                self.process(then, scope)
                self.process(otherwise, scope)

            case terms.Sequence(processes, _) | terms.Parallel(processes, _):
                for inner in processes:
                    self.process(inner, scope)
            case terms.PartGraph(parts, _):
                self.diagnostics += misplaced_parts(self.model.source, parts)
                for part in parts:
                    self.process(part.body, scope)
                    self._after(part, scope)

    def _after(self, part: terms.GraphPart, scope: Scope) -> None:
        """The subscripts of what a part comes after: plain numbers, in terms of its own indices too."""
        if any(a.subscripts for a in part.after):
            inner = {**scope, **dict.fromkeys(own_indices(part), "an index")}
            for subscript in (s for a in part.after for s in a.subscripts or ()):
                self.plain(subscript, inner)

    def _index(self, loop: terms.Loop, index: str) -> None:
        kind = "a function" if index in FUNCTIONS else "a value of the machine model" if index in BUILTINS else ""
        if kind:
            self.diagnostics.append(errors.HiddenName(self.model.source, loop.span, index, kind))

    def _step(self, step: terms.Invoke, scope: Scope) -> None:
        name = step.name
        kind = scope.get(name) or ("a function" if name in FUNCTIONS or name in self.model.functions else "")
        kind = kind or ("a resource" if name in self.model.resources else "")
        if kind or name in BUILTINS:
            kind = kind or "a value of the machine model"
            text = self.model.source.text[step.span.start : step.span.end]
            held = kind == "a resource"
            advice = f"to hold it write use({text}, process)" if held else f"to let time pass write delay({text})"
            self.diagnostics.append(errors.NumberAsProcess(self.model.source, step.span, name, kind, advice))
            return
        for s in step.subscripts or ():
            self.subscript(s, scope)

        equation = self.model.equations.get(name)
        if equation is not None:
            self._counts(step, len(equation.subscripts), len(equation.formals), self._heading(equation))
            for a in step.arguments or ():
                self.argument(a, scope)
        elif name == "send":
            self._counts(step, SEND_SUBSCRIPTS, SEND_ARGUMENTS, "a message is written send[from, to](bytes)")
            for a in step.arguments or ():
                self.quantity(a, scope, "size")
        else:
            number = len(step.subscripts or ())
            if number != 1:
                advice = advice_for(name, self.model.equations)
                self._count(step, "one subscript, its processor", number, advice)
            for a in step.arguments or ():
                self.number(a, scope)

    def _heading(self, equation: Equation) -> str:
        """How an equation is to be called, and where it is declared."""
        subscripts = f"[{', '.join(equation.subscripts)}]" if equation.subscripts else ""
        formals = f"({', '.join(equation.formals)})" if equation.formals else ""
        line = self.model.source.line_of(equation.span.start)
        return f"line {line} defines {equation.name}{subscripts}{formals}"

    def _counts(self, step: terms.Invoke, subscripts: int, arguments: int, what: str) -> None:
        numbers = len(step.subscripts or ()), len(step.arguments or ())
        if numbers[0] != subscripts:
            self._count(step, _counted(subscripts, "subscript"), numbers[0], what)
        if numbers[1] != arguments:
            self._count(step, _counted(arguments, "argument"), numbers[1], what)

    def _count(self, step: terms.Name | terms.Invoke, expected: str, actual: int, advice: str) -> None:
        number = str(actual or "none")
        self.diagnostics.append(errors.WrongCount(self.model.source, step.span, step.name, expected, number, advice))

    def _resource(self, expression: Expression, scope: Scope) -> None:
        if isinstance(expression, terms.Name) and expression.name not in scope:
            self._member(expression, expression.name, ())
        elif (
            isinstance(expression, terms.Invoke)
            and expression.subscripts is not None
            and expression.name not in BUILTINS
        ):
            for s in expression.subscripts:
                self.subscript(s, scope)
            self._member(expression, expression.name, expression.subscripts)
        else:
            self.plain(expression, scope)

    def _member(self, at: terms.Name | terms.Invoke, name: str, subscripts: tuple[Expression, ...]) -> None:
        """A resource by name, with as many subscripts as it is declared with, or else first used with."""
        if name in self.model.equations:
            self.diagnostics.append(errors.EquationAsResource(self.model.source, at.span, name))
        declared = self.model.resources.get(name)
        if declared is None:
            number, span = self.first_uses.setdefault(name, (len(subscripts), at.span))
        else:
            number, span = len(declared.subscripts), declared.span
        if number != len(subscripts):
            line, verb = self.model.source.line_of(span.start), "declares" if declared else "uses"
            self._count(at, _counted(number, "subscript"), len(subscripts), f"line {line} {verb} it")

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
            self._count(at, _counted(BUILTINS[name], "subscript"), 0, f"write {name}[p]")
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
                expected = _counted(least, "argument") if most == least else f"at least {_counted(least, 'argument')}"
                self._count(call, expected, number, "")
        elif name in BUILTINS:
            self._count(call, _counted(BUILTINS[name], "subscript"), 0, f"write {name}[p]")
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
            self._count(call, _counted(wanted, "subscript"), len(subscripts), f"write {call.name}[p]")
        elif call.name == "share" and call.arguments is None and "tasks" not in self.model.parameters:
            self.diagnostics.append(errors.NoTasks(self.model.source, call.span))

        for s in subscripts:
            self.subscript(s, scope)


def _counted(number: int, what: str) -> str:
    return f"no {what}s" if number == 0 else f"{number} {what}{'s' if number > 1 else ''}"


def _circles(model: Model) -> list[Diagnostic]:
    """Equations and parameters that need themselves."""
    diagnostics: list[Diagnostic] = []
    calls = {name: list(dict.fromkeys(called(e.body, model))) for name, e in model.equations.items()}
    cycle = first_cycle(calls)
    if cycle:
        at = model.equations[cycle[0]].span
        diagnostics.append(errors.Recursion(model.source, at, " -> ".join(cycle)))
    needs = {
        p.name: [n for n in dict.fromkeys(names_in(p.value)) if n in model.parameters] if p.value is not None else []
        for p in model.parameters.values()
    }
    cycle = first_cycle(needs)
    if cycle:
        at = model.parameters[cycle[0]].span
        diagnostics.append(errors.CircularParameters(model.source, at, " -> ".join(cycle)))

    return diagnostics
