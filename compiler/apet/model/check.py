"""Names of a model: what each means, and everything that is wrong with them, in one go."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic
from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model import errors, terms
from apet.model.check_expressions import GIVEN, PARAMETER, ExpressionChecker, Scope, counted
from apet.model.depth import too_deep
from apet.model.familiar_words import advice_for
from apet.model.free_names import named_processors
from apet.model.graph_parts import misplaced_parts
from apet.model.names import held_process
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Expression, Model, Process
from apet.model.walk import SEND, called, first_cycle, names_in, own_indices

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
        scope, checker.parameter = dict.fromkeys(model.parameters, PARAMETER), parameter.name
        for expression in (parameter.value, parameter.low, parameter.high):
            if expression is not None:
                checker.number(expression, scope)
        checker.range(parameter)
    checker.parameter = ""
    for resource in model.resources.values():
        if resource.servers is not None:
            scope = dict.fromkeys(model.parameters, PARAMETER) | dict.fromkeys(resource.subscripts, "a subscript")
            checker.plain(resource.servers, scope)
    for equation in model.equations.values():
        checker.equation, checker.indices = equation.name, {}
        checker.process(equation.body, checker.scope_of(equation))
    checker.passed_units()
    checker.diagnostics += _circles(model)
    return CheckResult(checker.diagnostics, processors)


class _Checker(ExpressionChecker):
    """Checks processes, and the expressions in them."""

    def __init__(self, model: Model, processors: frozenset[str]) -> None:
        super().__init__(model, processors)
        self.first_uses: dict[str, tuple[int, Span]] = {}
        """Of resources without a declaration: the number of subscripts, and the place."""

    def scope_of(self, equation: Equation[Process]) -> dict[str, str]:
        """The names in force in an equation's body."""
        scope = dict.fromkeys(self.model.parameters, PARAMETER)
        return scope | dict.fromkeys((*equation.subscripts, *equation.formals), GIVEN)

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

    def _after(self, part: terms.GraphPart[Process], scope: Scope) -> None:
        """The subscripts of what a part comes after: plain numbers, in terms of its own indices too."""
        if any(a.subscripts for a in part.after):
            inner = {**scope, **dict.fromkeys(own_indices(part), "an index")}
            for subscript in (s for a in part.after for s in a.subscripts or ()):
                self.plain(subscript, inner)

    def _index(self, loop: terms.Loop[Process], index: str) -> None:
        self.indices[index] = loop.span
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
            self._counts(step, len(equation.subscripts), len(equation.formals), self._heading(equation, step))
            for formal, a in zip(equation.formals, step.arguments or (), strict=False):
                self.argument(a, scope, (name, formal))
        elif name == SEND:
            self._counts(step, SEND_SUBSCRIPTS, SEND_ARGUMENTS, "a message is written send[from, to](bytes)")
            for a in step.arguments or ():
                self.quantity(a, scope, "size")
        else:
            number = len(step.subscripts or ())
            if number != 1:
                advice = advice_for(name, self.model.equations)
                self.count(step, "one subscript, its processor", number, advice)
            for a in step.arguments or ():
                self.number(a, scope)

    def _heading(self, equation: Equation[Process], step: terms.Invoke) -> str:
        """How an equation is to be called, and where it is declared."""
        subscripts = f"[{', '.join(equation.subscripts)}]" if equation.subscripts else ""
        formals = f"({', '.join(equation.formals)})" if equation.formals else ""
        line = self.model.source.line_of(equation.span.start, step.span.start)
        return f"line {line} defines {equation.name}{subscripts}{formals}"

    def _counts(self, step: terms.Invoke, subscripts: int, arguments: int, what: str) -> None:
        numbers = len(step.subscripts or ()), len(step.arguments or ())
        if numbers[0] != subscripts:
            self.count(step, counted(subscripts, "subscript"), numbers[0], what)
        if numbers[1] != arguments:
            self.count(step, counted(arguments, "argument"), numbers[1], what)

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
            line = self.model.source.line_of(span.start, at.span.start)
            verb = "declares" if declared else "uses"
            self.count(at, counted(number, "subscript"), len(subscripts), f"line {line} {verb} it")


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
