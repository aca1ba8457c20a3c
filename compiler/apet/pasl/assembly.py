"""Tasks of several files as equations and parameters of one model: every name is one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source import Span
from apet.model import terms
from apet.model.expression_text import expression_text
from apet.model.printer import print_process
from apet.model.putting_in import put_into
from apet.model.terms import BUILTINS, FUNCTIONS, Equation, Expression, Model, Parameter
from apet.model.walk import names_in, reached
from apet.pasl import errors
from apet.pasl.check import KEYWORDS
from apet.pasl.rewrite import Rewriter, bound_names
from apet.pasl.syntax import TaskBatch, TaskFile
from apet.pasl.tasks import TaskModel, bound

NOWHERE = Span(0, 0)
MEANT = frozenset((*KEYWORDS, *FUNCTIONS, *BUILTINS, "send", "L", "P"))


class PlacedTask(NamedTuple):
    """A batch's task in the model: the name of its equation, and the arguments that it is called with.

    `numbered`: what a task costs depends on its number, which is its last argument.
    """

    equation: str
    arguments: tuple[Expression, ...]
    numbered: bool


class Assembly:
    """Collects what tasks bring along. `taken` are all names in use: no two things share one."""

    def __init__(self, file: TaskFile) -> None:
        self.file = file
        self.taken = {*MEANT, *file.parameters}
        self.parameters: dict[str, tuple[Parameter, str]] = {}
        self.resources: dict[str, tuple[terms.ResourceDeclaration, str]] = {}
        self.equations: dict[str, list[Equation[terms.Process]]] = {}
        self._shared: dict[tuple[str, str, str], str] = {}

    def reserve(self, models: Iterable[Model]) -> None:
        """Names of operations and resources mean the same everywhere, so that no equation may take them."""
        for model in models:
            self.taken |= set(model.resources)
            for equation in model.equations.values():
                self.taken |= {n for n in _invoked(equation) if n not in model.equations}

    def name(self, *wanted: str) -> str:
        """The first of the names that is free, else the last with a number; taken from now on."""
        free = next((n for n in wanted if n not in self.taken), "")
        number = 2
        while not free or free in self.taken:
            free = f"{wanted[-1]}_{number}"
            number += 1
        self.taken.add(free)
        return free

    def add(self, batch: TaskBatch, task: TaskModel, counted: bool = False) -> PlacedTask:
        """Take in the task of a batch; `counted` leaves open what a run can count."""
        title = batch.name.name
        values = bound(self.file, batch, task, counted)
        own = [p for p in task.model.parameters.values() if p.name not in values and p.name != "P"]
        values = self._renamed(batch, task, own, values)
        equations = dict.fromkeys(reached(task.model, task.entry.name), "")

        for name in equations:
            equations[name] = self.name(f"{title}_{'task' if name == task.entry.name else name}")
        index = batch.index.name if batch.index else ""
        taken = frozenset(n for e in values.values() for n in names_in(e)) | {"P", *([index] if index else ())}
        inside = [task.model.equations[n] for n in equations]
        used = frozenset(n for e in inside for n in bound_names(e)) | set(task.model.parameters)
        numbered = bool(index) and any(index in names_in(e) for e in bound(self.file, batch, task, counted).values())
        rewriter = Rewriter(equations, taken, used, (index,) if numbered else ())
        self.equations[title] = [rewriter.equation(e, values) for e in inside]
        self._declare(batch, task)
        arguments = task.arguments or tuple(terms.Name(f, NOWHERE) for f in task.entry.formals)
        return PlacedTask(equations[task.entry.name], tuple(put_into(a, values) for a in arguments), numbered)

    def _renamed(
        self, batch: TaskBatch, task: TaskModel, own: list[Parameter], values: dict[str, Expression]
    ) -> dict[str, Expression]:
        """The values, with a name for each parameter that keeps none; one and the same parameter has one name."""
        title = batch.name.name
        waiting = dict.fromkeys(p.name for p in own)
        renamed = dict(values)
        middle = {batch.index.name: middle_index(batch)} if batch.index else {}

        while waiting:
            ready = [p for p in own if p.name in waiting and not _needs(p) & set(waiting) - {p.name}]
            for parameter in ready or own[:1]:
                del waiting[parameter.name]
                moved = self._parameter(title, task, parameter, renamed, middle)
                renamed[parameter.name] = terms.Name(moved, NOWHERE)
        return renamed

    def _parameter(
        self, title: str, task: TaskModel, old: Parameter, values: dict[str, Expression], middle: dict[str, Expression]
    ) -> str:
        """Its name in the model. What depends on the number of a task is put in for the middle one."""
        values = {name: put_into(value, middle) for name, value in values.items()}
        value, low, high = (None if e is None else put_into(e, values) for e in (old.value, old.low, old.high))
        numbers = "/".join("" if e is None else expression_text(e) for e in (value, low, high))
        key = (task.path, old.name, numbers)
        if key not in self._shared:
            name = self._shared[key] = self.name(old.name, f"{title}_{old.name}")
            note = task.notes.get(old.name, f"{task.path}: parameter {old.name}")
            self.parameters[name] = Parameter(name, value, low, high, NOWHERE), note

        return self._shared[key]

    def _declare(self, batch: TaskBatch, task: TaskModel) -> None:
        for name, new in task.model.resources.items():
            if name in self.resources:
                old, path = self.resources[name]
                if _declared(old) != _declared(new):
                    span, first, second = batch.task.file.span, path, task.path
                    raise ApetError(errors.OtherResource(self.file.source, span, name, first, second))
            self.resources[name] = new, task.path


def middle_index(batch: TaskBatch) -> Expression:
    """The mean of 1 to the number of tasks."""
    one, two = terms.Number(1, "", NOWHERE), terms.Number(2, "", NOWHERE)
    return terms.Binary("/", terms.Binary("+", batch.count, one, NOWHERE), two, NOWHERE)


def equation_text(equation: Equation[terms.Process]) -> str:
    """An equation as a line, or several."""
    subscripts = f"[{', '.join(equation.subscripts)}]" if equation.subscripts else ""
    formals = f"({', '.join(equation.formals)})" if equation.formals else ""
    return f"{equation.name}{subscripts}{formals} = {print_process(equation.body)};"


def _invoked(equation: Equation[terms.Process]) -> list[str]:
    """Names of everything invoked in a body, in order: operations, equations and resources."""
    names: dict[str, None] = {}
    stack: list[object] = [equation.body]
    while stack:
        one = stack.pop()
        if isinstance(one, terms.Invoke):
            names[one.name] = None
        if isinstance(one, tuple) and not isinstance(one, Span):
            stack.extend(reversed(one))
    return list(names)


def _needs(parameter: Parameter) -> set[str]:
    names: set[str] = set()
    for expression in (parameter.value, parameter.low, parameter.high):
        names |= set() if expression is None else set(names_in(expression))
    return names


def _declared(resource: terms.ResourceDeclaration) -> tuple[int, str]:
    servers = "" if resource.servers is None else expression_text(resource.servers)
    return len(resource.subscripts), servers
