"""Errors in task graphs and their tasks."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class UnexpectedText(Diagnostic):
    """A symbol that cannot stand where it does."""

    message = "unexpected {symbol}; expected {expected}"
    hint = "{advice_text}"
    advice_text = ""


class MissingSemicolon(Diagnostic):
    """The next line begins something new, and nothing ended this one."""

    message = "a ';' is missing after this"
    hint = "declarations, flows and what stands in a batch end with ';'"


class NestsTooDeep(Diagnostic):
    """An expression that nests deeper than anybody writes."""

    message = "this expression nests more than {most} levels deep"
    hint = "give parts of it names: param part = …;"


class NoBatch(Diagnostic):
    """A file without any batch."""

    message = "there is no batch in this file"
    hint = 'a task graph needs at least one: batch NAME[number] {{ task "Task.java"; }}'


class StatedTwice(Diagnostic):
    """Something that may stand once, a second time."""

    public_kind: ClassVar[str] = "Twice"
    message = "{what} stands here for the second time; line {line} has it already"
    hint = "{advice_text}"


class ReservedName(Diagnostic):
    """A name that means something in the model."""

    message = "'{name}' cannot be the name of {kind}: it is {meaning}"
    hint = "choose another name"


class NotFromOne(Diagnostic):
    """An index of tasks that does not begin with 1."""

    message = "tasks are numbered from 1, not from {first}"
    hint = "write [{name} = 1, number of tasks]"
    name: str
    first: str


class NoTask(Diagnostic):
    """A batch that names no task."""

    message = "the batch '{name}' has no task"
    hint = 'say what its tasks run: task "Task.java" Class.method;'


class WrongWord(Diagnostic):
    """A word where one of a few is needed."""

    message = "'{word}' is none of {words}{near}"
    hint = "{advice_text}"


class UnknownBatch(Diagnostic):
    """A flow from or to a batch that is not there."""

    message = "there is no batch '{name}'{near}"
    hint = "the batches are: {batches}"


class Cycle(Diagnostic):
    """Batches that wait for each other."""

    message = "the flows go round in a circle: {path}"
    hint = "a batch begins when those before it have ended, so none of these could begin; remove a flow"


class NoMessages(Diagnostic):
    """Data of a batch that the coordinator runs itself."""

    message = "'{name}' runs on the coordinator, so {what} travel nowhere"
    hint = "remove this, or 'on coordinator'"


class MissingTask(Diagnostic):
    """A file of a task that cannot be read."""

    message = "cannot read the task {path}: {reason}"
    hint = "{advice_text}"


class UnknownTaskLanguage(Diagnostic):
    """A task in a file of another kind."""

    message = "the task {path} is neither Java (.java) nor a model (.pam)"
    hint = "the ending says how the task is read"


class TaskError(Diagnostic):
    """An error of a task as a whole, placed where the batch names it."""

    public_kind: ClassVar[str] = "TaskMistake"
    message = "{path}: {reason}"
    hint = "{advice_text}"


class NoSuchEquation(Diagnostic):
    """An entry that the model of a task does not have, or cannot begin with."""

    message = "{path} has no equation '{name}' with one subscript{near}"
    hint = "a task is an equation of its processor: task[p] = …; {listed}"


class UnknownBinding(Diagnostic):
    """`with` names nothing that the task needs."""

    message = "the task has no parameter '{name}'{near}"
    hint = "{listed}"


class MissingBinding(Diagnostic):
    """A value that the task's equation is called with."""

    message = "the task needs a value for '{name}'"
    hint = "add: with {name} = …"


class OtherResource(Diagnostic):
    """Two tasks that declare one resource differently."""

    message = "the tasks of '{first}' and of '{second}' declare the resource '{name}' differently"
    hint = "declare it alike in both, or give it two names"
    name: str
    first: str
    second: str
