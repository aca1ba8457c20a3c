"""Names of a model: what each means, and everything that is wrong with them, in one go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from apet.diagnostics import Diagnostic, nearest
from apet.model import mistakes
from apet.model.names import held_process
from apet.model.terms import (
    BUILTINS,
    FUNCTIONS,
    Binary,
    Branch,
    Delay,
    Equation,
    Expression,
    Invoke,
    Loop,
    Model,
    Name,
    Number,
    Parallel,
    Process,
    Sequence,
    SumOver,
    Unary,
    Use,
)

Scope = Mapping[str, str]
"""Name in force to what it is, in words: "an index", "a parameter"."""

SEND_SUBSCRIPTS, SEND_ARGUMENTS = 2, 1


class Checked(NamedTuple):
    """What a check finds: all diagnostics, and the free names that are processors."""

    found: list[Diagnostic]
    processors: frozenset[str]


def check(model: Model) -> Checked:
    """Every mistake in the names of a model. Errors come before advice."""
    processors = free_subscripts(model)
    checker = _Checker(model, processors)
    for parameter in model.parameters.values():
        scope = dict.fromkeys(model.parameters, "a parameter")
        for expression in (parameter.value, parameter.low, parameter.high):
            if expression is not None:
                checker.number(expression, scope)
    for resource in model.resources.values():
        if resource.servers is not None:
            scope = dict.fromkeys(model.parameters, "a parameter") | dict.fromkeys(resource.subscripts, "a subscript")
            checker.number(resource.servers, scope)
    for equation in model.equations.values():
        checker.process(equation.body, checker.scope_of(equation))
    checker.found += _circles(model)
    return Checked(checker.found, processors)


def free_subscripts(model: Model) -> frozenset[str]:
    """Names that stand as subscripts and are bound by nothing: processors of that name."""
    found: set[str] = set()
    for equation in model.equations.values():
        bound = frozenset((*model.parameters, *equation.subscripts, *equation.formals))
        _collect(equation.body, bound, found)
    return frozenset(found - set(model.resources))


def _collect(process: Process, bound: frozenset[str], found: set[str]) -> None:
    if isinstance(process, Invoke):
        subscripts = process.subscripts or ()
        found.update(s.name for s in subscripts if isinstance(s, Name) and s.name not in bound)
    elif isinstance(process, Loop):
        _collect(process.body, bound | {process.index}, found)
    else:
        for inner in parts(process):
            _collect(inner, bound, found)


def parts(process: Process) -> tuple[Process, ...]:
    """The processes that a process is directly made of."""
    match process:
        case Invoke() | Delay():
            return ()
        case Use(_, body, _) | Loop(_, _, _, _, body, _):
            return (body,)
        case Sequence(found, _) | Parallel(found, _):
            return found
        case Branch(_, then, otherwise, _):
            return (then, otherwise)


class _Checker:
    def __init__(self, model: Model, processors: frozenset[str]) -> None:
        self.model = model
        self.processors = processors
        self.found: list[Diagnostic] = []

    def scope_of(self, equation: Equation) -> dict[str, str]:
        """The names in force in an equation's body."""
        scope = dict.fromkeys(self.model.parameters, "a parameter")
        return scope | dict.fromkeys((*equation.subscripts, *equation.formals), "a value given by the caller")

    def process(self, process: Process, scope: Scope) -> None:
        """Check a process and everything in it."""
        match process:
            case Invoke():
                self._step(process, scope)
            case Delay(time, _):
                self.quantity(time, scope, "time")
            case Use(resource, _, _):
                self._resource(resource, scope)
                self.process(held_process(process, scope), scope)
            case Loop(_, index, low, high, body, _):
                self.number(low, scope)
                self.number(high, scope)
                self._index(process, index)
                self.process(body, {**scope, index: "an index"})
            case Branch(probability, then, otherwise, _):
                if probability is not None:
                    self.number(probability, scope)
                self.process(then, scope)
                self.process(otherwise, scope)
            case Sequence(found, _) | Parallel(found, _):
                for inner in found:
                    self.process(inner, scope)

    def _index(self, loop: Loop, index: str) -> None:
        kind = "a function" if index in FUNCTIONS else "a value of the machine model" if index in BUILTINS else ""
        if kind:
            self.found.append(mistakes.HiddenName(self.model.source, loop.span, index, kind))

    def _step(self, step: Invoke, scope: Scope) -> None:
        name = step.name
        kind = scope.get(name) or ("a function" if name in FUNCTIONS else "")
        kind = kind or ("a resource" if name in self.model.resources else "")
        if kind or name in BUILTINS:
            kind = kind or "a value of the machine model"
            self.found.append(mistakes.NumberAsProcess(self.model.source, step.span, name, kind))
            return
        for s in step.subscripts or ():
            self.subscript(s, scope)
        equation = self.model.equations.get(name)
        if equation is not None:
            self._counts(step, len(equation.subscripts), len(equation.formals), "the equation")
            for a in step.arguments or ():
                self.subscript(a, scope)
        elif name == "send":
            self._counts(step, SEND_SUBSCRIPTS, SEND_ARGUMENTS, "a message: send[from, to](bytes)")
            for a in step.arguments or ():
                self.quantity(a, scope, "size")
        else:
            given = len(step.subscripts or ())
            if given != 1:
                self._count(step, "one subscript, its processor", given, f"write {name}[p]{self._near_equation(name)}")
            for a in step.arguments or ():
                self.number(a, scope)

    def _near_equation(self, name: str) -> str:
        return nearest(name, self.model.equations)

    def _counts(self, step: Invoke, subscripts: int, arguments: int, what: str) -> None:
        given = len(step.subscripts or ()), len(step.arguments or ())
        if given[0] != subscripts:
            self._count(step, _counted(subscripts, "subscript"), given[0], f"see {what}")
        if given[1] != arguments:
            self._count(step, _counted(arguments, "argument"), given[1], f"see {what}")

    def _count(self, step: Invoke, expected: str, given: int, advice: str) -> None:
        self.found.append(mistakes.WrongCount(self.model.source, step.span, step.name, expected, given, advice))

    def _resource(self, expression: Expression, scope: Scope) -> None:
        if isinstance(expression, Name) and expression.name not in scope:
            if expression.name in self.model.equations:
                self._as_number(expression, expression.name)
            declared = self.model.resources.get(expression.name)
            if declared is not None and declared.subscripts:
                shown = _counted(len(declared.subscripts), "subscript")
                given = mistakes.WrongCount(self.model.source, expression.span, expression.name, shown, 0)
                self.found.append(given)
        elif isinstance(expression, Invoke) and expression.subscripts is not None and expression.name not in BUILTINS:
            for s in expression.subscripts:
                self.subscript(s, scope)
            declared = self.model.resources.get(expression.name)
            if declared is not None and len(declared.subscripts) != len(expression.subscripts):
                self._count(expression, _counted(len(declared.subscripts), "subscript"), len(expression.subscripts), "")
        else:
            self.number(expression, scope)

    def subscript(self, expression: Expression, scope: Scope) -> None:
        """A number, or a free name: the processor of that name."""
        if isinstance(expression, Name) and expression.name not in scope and expression.name in self.processors:
            return
        self.number(expression, scope)

    def quantity(self, expression: Expression, scope: Scope, needed: str) -> None:
        """A number with the unit of a time or a size, or without one."""
        self.number(expression, scope)
        wrong = "B" if needed == "time" else "s"
        for literal in _literals(expression):
            if literal.unit == wrong:
                given = "size" if needed == "time" else "time"
                advice = "times are in seconds" if needed == "time" else "sizes are in bytes"
                wrong_unit = mistakes.WrongUnit(self.model.source, literal.span, given, needed, advice)
                self.found.append(wrong_unit)

    def number(self, expression: Expression, scope: Scope) -> None:
        """Check an expression that stands for a number."""
        match expression:
            case Number():
                return
            case Name(name, span):
                if name not in scope:
                    self._unknown(expression, name, scope)
            case Unary(_, operand, _):
                self.number(operand, scope)
            case Binary(_, left, right, _):
                self.number(left, scope)
                self.number(right, scope)
            case SumOver(index, low, high, body, _):
                self.number(low, scope)
                self.number(high, scope)
                self.number(body, {**scope, index: "an index"})
            case Invoke():
                self._call(expression, scope)

    def _unknown(self, at: Name, name: str, scope: Scope) -> None:
        if name in self.model.equations or name in self.model.resources:
            self._as_number(at, name)
            return
        near = nearest(name, scope)
        self.found.append(mistakes.UnknownName(self.model.source, at.span, name, near))

    def _as_number(self, at: Name | Invoke, name: str) -> None:
        kind = "an equation" if name in self.model.equations else "a resource"
        self.found.append(mistakes.ProcessAsNumber(self.model.source, at.span, name, kind))

    def _call(self, call: Invoke, scope: Scope) -> None:
        name = call.name
        if name in self.model.equations or name in self.model.resources:
            self._as_number(call, name)
        elif call.subscripts is not None:
            self._builtin(call, scope)
        elif name in FUNCTIONS:
            given = len(call.arguments or ())
            least, most = FUNCTIONS[name]
            if given < least or (most is not None and given > most):
                expected = _counted(least, "argument") if most == least else f"at least {_counted(least, 'argument')}"
                self._count(call, expected, given, "")
        else:
            known = [*FUNCTIONS, "sum", *BUILTINS]
            self.found.append(mistakes.UnknownFunction(self.model.source, call.span, name, nearest(name, known)))
        for a in call.arguments or ():
            self.number(a, scope)

    def _builtin(self, call: Invoke, scope: Scope) -> None:
        wanted = BUILTINS.get(call.name)
        subscripts = call.subscripts or ()
        if wanted is None or call.arguments is not None:
            near = nearest(call.name, BUILTINS)
            self.found.append(mistakes.UnknownFunction(self.model.source, call.span, f"{call.name}[…]", near))
        elif len(subscripts) != wanted:
            self._count(call, _counted(wanted, "subscript"), len(subscripts), "")
        for s in subscripts:
            self.subscript(s, scope)


def _counted(number: int, what: str) -> str:
    return f"no {what}s" if number == 0 else f"{number} {what}{'s' if number > 1 else ''}"


def _literals(expression: Expression) -> Iterator[Number]:
    """The literals of a sum or a literal itself, where a unit is the unit of the whole."""
    if isinstance(expression, Number):
        yield expression
    elif isinstance(expression, Binary) and expression.operator in "+-":
        yield from _literals(expression.left)
        yield from _literals(expression.right)


def _circles(model: Model) -> list[Diagnostic]:
    """Equations and parameters that need themselves."""
    found: list[Diagnostic] = []
    calls = {name: list(dict.fromkeys(called(e.body, model))) for name, e in model.equations.items()}
    cycle = first_cycle(calls)
    if cycle:
        at = model.equations[cycle[0]].span
        found.append(mistakes.Recursion(model.source, at, " -> ".join(cycle)))
    needs = {
        p.name: [n for n in dict.fromkeys(names_in(p.value)) if n in model.parameters] if p.value is not None else []
        for p in model.parameters.values()
    }
    cycle = first_cycle(needs)
    if cycle:
        at = model.parameters[cycle[0]].span
        found.append(mistakes.CircularParameters(model.source, at, " -> ".join(cycle)))
    return found


def called(process: Process, model: Model) -> Iterator[str]:
    """The names of the equations that a process calls, in order."""
    stack: list[Process] = [process]
    while stack:
        current = stack.pop()
        if isinstance(current, Invoke):
            if current.name in model.equations:
                yield current.name
        else:
            stack.extend(reversed(parts(current)))


def names_in(expression: Expression) -> Iterator[str]:
    """The names in an expression."""
    match expression:
        case Number():
            return
        case Name(name, _):
            yield name
        case Unary(_, operand, _):
            yield from names_in(operand)
        case Binary(_, left, right, _):
            yield from names_in(left)
            yield from names_in(right)
        case SumOver(index, low, high, body, _):
            yield from (n for e in (low, high) for n in names_in(e))
            yield from (n for n in names_in(body) if n != index)
        case Invoke(_, subscripts, arguments, _):
            for inner in (*(subscripts or ()), *(arguments or ())):
                yield from names_in(inner)


def first_cycle(edges: Mapping[str, list[str]]) -> list[str]:
    """A circle in a graph as names from one back to itself; empty if there is none."""
    done: set[str] = set()
    for start in edges:
        path: list[str] = []
        on_path: set[str] = set()
        stack = [(start, iter(edges[start]))] if start not in done else []
        if stack:
            path.append(start)
            on_path.add(start)
        while stack:
            node, following = stack[-1]
            step = next((n for n in following if n not in done), None)
            if step is None:
                done.add(node)
                on_path.discard(path.pop())
                stack.pop()
            elif step in on_path:
                return [*path[path.index(step) :], step]
            else:
                path.append(step)
                on_path.add(step)
                stack.append((step, iter(edges[step])))
    return []
