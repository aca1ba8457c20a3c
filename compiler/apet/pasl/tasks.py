"""What the tasks of a batch run: a Java file or a model, read as equations of one processor."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from apet.ground.diagnostics import Advisory, ApetError, Diagnostic, nearest
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.model.check import check
from apet.model.pamela.parse import declarations
from apet.model.terms import Equation, Expression, Invoke, Model, Name, Process
from apet.pasl import errors
from apet.pasl.syntax import Named, TaskBatch, TaskFile

TranslateJava = Callable[[Source, str | None, str], "JavaTask"]
"""Turns a Java source into a model at a level, from an entry (None: the usual one). Whoever calls brings it along, so
that task graphs know nothing of Java."""
MOST_SHOWN = 10
PROGRAM = re.compile(r"// .*?: ([\w.$]+)\(")
GIVEN = re.compile(r"[^:]*(?::\d+)?: (?:formal|field|length)\b")
"""Notes on parameters that a program is given; the others, a run can count."""
NOTE = re.compile(r"^param ([^\s;]+)[^;\n]*;\s*// (.*)$", re.MULTILINE)


class JavaTask(Protocol):
    """What there is to know of a translated Java task."""

    @property
    def text(self) -> str:
        """A PAMELA-E model."""

    @property
    def advice(self) -> tuple[Advisory, ...]:
        """What could only be counted."""

    @property
    def inputs(self) -> frozenset[str]:
        """The names of what the task, its constructors and its `setup` are given."""


class TaskModel(NamedTuple):
    """The model of a task, and how its entry is called: `arguments` are expressions of its parameters.

    `notes` say of parameters what they stand for. `path` is the file as the user knows it, `program` the class and the
    method that a Java task runs ("Task.run"), "" for a model; `inputs` are the names of what that, its constructors and
    its `setup` are given.
    """

    path: str
    model: Model
    entry: Equation[Process]
    arguments: tuple[Expression, ...]
    notes: Mapping[str, str]
    advice: tuple[Advisory, ...]
    program: str = ""
    inputs: frozenset[str] = frozenset()

    @property
    def bindable(self) -> list[str]:
        """The names that `with` may give values to."""
        called = self.entry.formals if self.arguments == () else ()
        return list(dict.fromkeys((*(n for n in self.model.parameters if n != "P"), *called)))


def read_task(file: TaskFile, batch: TaskBatch, level: str, translate_java: TranslateJava) -> TaskModel:
    """The model of a batch's task; `ApetError` with a place in the task graph, or in the task's own file."""
    name = batch.task.file
    ending = os.path.splitext(name.name)[1].lower()
    if ending not in (".java", ".pam"):
        raise ApetError(errors.UnknownTaskLanguage(file.source, name.span, name.name))

    path = os.path.join(os.path.dirname(file.source.name), name.name)
    try:
        source = read_source(path)
    except ApetError as error:
        reason = getattr(error.diagnostics[0], "reason", "it is not a text")
        raise ApetError(errors.MissingTask(file.source, name.span, path, reason, _near(path))) from None
    try:
        if ending == ".java":
            return _java(source, translate_java(source, batch.task.entry or None, level))
        return _model(source, file, batch)
    except ApetError as error:
        raise ApetError(_placed(file, batch, d) for d in error.diagnostics) from None


def _placed(file: TaskFile, batch: TaskBatch, diagnostic: Diagnostic) -> Diagnostic:
    """An error of a task's file as a whole stands where the batch names it; others keep their places."""
    if diagnostic.source is None or diagnostic.span is not None:
        return diagnostic
    return errors.TaskError(file.source, batch.task.span, diagnostic.source.name, diagnostic.text, diagnostic.advice)


def _near(path: str) -> str:
    """Files of the same ending beside the one that is missing."""
    folder, base = os.path.split(path)
    ending = os.path.splitext(base)[1]
    if not os.path.isdir(folder or "."):
        return f"there is no folder {folder}; paths begin where the task graph lies"
    beside = sorted(f for f in os.listdir(folder or ".") if f.endswith(ending))
    near = nearest(base, beside).removeprefix("; ")
    listed = f"in that folder there are: {', '.join(beside[:6])}" if beside else "paths begin where the task graph lies"
    return near or listed


def _java(source: Source, task: JavaTask) -> TaskModel:
    model = declarations(Source(f"{source.name} (translated)", task.text))
    call = model.equations.pop("L").body
    assert isinstance(call, Invoke)
    equation = model.equations[call.name]
    notes = {m[1]: m[2] for m in NOTE.finditer(task.text)}
    title = PROGRAM.match(task.text)
    program = title[1] if title else ""
    return TaskModel(source.name, model, equation, call.arguments or (), notes, task.advice, program, task.inputs)


def _model(source: Source, file: TaskFile, batch: TaskBatch) -> TaskModel:
    model = declarations(source)
    result = check(model._replace(entry=next(iter(model.equations), "")))
    wrong = [d for d in result.diagnostics if d.severity == "error"]
    if wrong:
        raise ApetError(wrong)

    fitting = [e for e in model.equations.values() if len(e.subscripts) == 1]
    wanted = batch.task.entry or ("task" if "task" in model.equations else fitting[0].name if fitting else "task")
    equation = model.equations.get(wanted)
    if equation is None or len(equation.subscripts) != 1:
        names = ", ".join(e.name for e in fitting[:MOST_SHOWN])
        listed = f"such equations are: {names}" if names else "the file has none"
        near = nearest(wanted, [e.name for e in fitting])
        span = batch.task.file.span if not batch.task.entry else batch.task.span
        raise ApetError(errors.NoSuchEquation(file.source, span, source.name, wanted, near, listed))
    return TaskModel(source.name, model, equation, (), {}, ())


def bound(file: TaskFile, batch: TaskBatch, task: TaskModel, counted: bool = False) -> dict[str, Expression]:
    """What each of the task's names is: as `with` says, else the parameter of the same name.

    `counted` leaves those open that a run of a Java task can count: rounds and probabilities.

    `ApetError` for names that the task does not have, and for formals that get no value.
    """
    names = task.bindable
    values: dict[str, Expression] = {n: Name(n, Span(0, 0)) for n in names if n in file.parameters}
    wrong: list[errors.UnknownBinding | errors.MissingBinding | errors.StatedTwice] = []
    seen: dict[str, Named] = {}
    for binding in batch.task.bindings:
        name, span = binding.name
        if name in seen:
            line = file.source.position(seen[name].span.start)[0]
            wrong.append(errors.StatedTwice(file.source, span, f"'{name}'", line, "a parameter has one value"))
        elif name not in names and name not in task.inputs:
            listed = f"its parameters are: {', '.join(names[:MOST_SHOWN])}" if names else "it has none"
            wrong.append(errors.UnknownBinding(file.source, span, name, nearest(name, names), listed))
        seen[name] = binding.name
        if name in names:  # a program may need what its cost does not depend on
            values[name] = binding.value

    if not task.arguments:
        wrong += [errors.MissingBinding(file.source, batch.task.span, n) for n in task.entry.formals if n not in values]
    if wrong:
        raise ApetError(wrong)
    if counted and task.program:
        return {n: e for n, e in values.items() if GIVEN.match(task.notes.get(n, ": formal"))}
    return values
