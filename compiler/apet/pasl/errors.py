"""Errors in task graphs and their tasks."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class UnexpectedText(Diagnostic):
    """A symbol that cannot stand where it does."""

    message: ClassVar[str] = "unexpected {symbol}; expected {expected}"
    hint: ClassVar[str] = "{advice_text}"
    symbol: str
    expected: str
    advice_text: str = ""


class MissingSemicolon(Diagnostic):
    """The next line begins something new, and nothing ended this one."""

    message: ClassVar[str] = "a ';' is missing after this"
    hint: ClassVar[str] = "declarations, flows and what stands in a batch end with ';'"


class NestsTooDeep(Diagnostic):
    """An expression that nests deeper than anybody writes."""

    message: ClassVar[str] = "this expression nests more than {most} levels deep"
    hint: ClassVar[str] = "give parts of it names: param part = …;"
    most: int


class NoBatch(Diagnostic):
    """A file without any batch."""

    message: ClassVar[str] = "there is no batch in this file"
    hint: ClassVar[str] = 'a task graph needs at least one: batch NAME[number] {{ task "Task.java"; }}'


class StatedTwice(Diagnostic):
    """Something that may stand once, a second time."""

    public_kind: ClassVar[str] = "Twice"
    message: ClassVar[str] = "{what} stands here for the second time; line {line} has it already"
    hint: ClassVar[str] = "{advice_text}"
    what: str
    line: int
    advice_text: str


class ReservedName(Diagnostic):
    """A name that means something in the model."""

    message: ClassVar[str] = "'{name}' cannot be the name of {kind}: it is {meaning}"
    hint: ClassVar[str] = "choose another name"
    name: str
    kind: str
    meaning: str


class NotFromOne(Diagnostic):
    """An index of tasks that does not begin with 1."""

    message: ClassVar[str] = "tasks are numbered from 1, not from {first}"
    hint: ClassVar[str] = "write [{name} = 1, number of tasks]"
    name: str
    first: str


class NoTask(Diagnostic):
    """A batch that names no task."""

    message: ClassVar[str] = "the batch '{name}' has no task"
    hint: ClassVar[str] = 'say what its tasks run: task "Task.java" Class.method;'
    name: str


class WrongWord(Diagnostic):
    """A word where one of a few is needed."""

    message: ClassVar[str] = "'{word}' is none of {words}{near}"
    hint: ClassVar[str] = "{advice_text}"
    word: str
    words: str
    near: str
    advice_text: str


class UnknownBatch(Diagnostic):
    """A flow from or to a batch that is not there."""

    message: ClassVar[str] = "there is no batch '{name}'{near}"
    hint: ClassVar[str] = "the batches are: {batches}"
    name: str
    near: str
    batches: str


class Cycle(Diagnostic):
    """Batches that wait for each other."""

    message: ClassVar[str] = "the flows go round in a circle: {path}"
    hint: ClassVar[str] = "a batch begins when those before it have ended, so none of these could begin; remove a flow"
    path: str


class NoMessages(Diagnostic):
    """Data of a batch that the coordinator runs itself."""

    message: ClassVar[str] = "'{name}' runs on the coordinator, so {what} travel nowhere"
    hint: ClassVar[str] = "remove this, or 'on coordinator'"
    name: str
    what: str


class MissingTask(Diagnostic):
    """A file of a task that cannot be read."""

    message: ClassVar[str] = "cannot read the task {path}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    path: str
    reason: str
    advice_text: str


class UnknownTaskLanguage(Diagnostic):
    """A task in a file of another kind."""

    message: ClassVar[str] = "the task {path} is neither Java (.java) nor a model (.pam)"
    hint: ClassVar[str] = "the ending says how the task is read"
    path: str


class TaskError(Diagnostic):
    """An error of a task as a whole, placed where the batch names it."""

    public_kind: ClassVar[str] = "TaskMistake"
    message: ClassVar[str] = "{path}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    path: str
    reason: str
    advice_text: str


class NoSuchEquation(Diagnostic):
    """An entry that the model of a task does not have, or cannot begin with."""

    message: ClassVar[str] = "{path} has no equation '{name}' with one subscript{near}"
    hint: ClassVar[str] = "a task is an equation of its processor: task[p] = …; {listed}"
    path: str
    name: str
    near: str
    listed: str


class UnknownBinding(Diagnostic):
    """`with` names nothing that the task needs."""

    message: ClassVar[str] = "the task has no parameter '{name}'{near}"
    hint: ClassVar[str] = "{listed}"
    name: str
    near: str
    listed: str


class MissingBinding(Diagnostic):
    """A value that the task's equation is called with."""

    message: ClassVar[str] = "the task needs a value for '{name}'"
    hint: ClassVar[str] = "add: with {name} = …"
    name: str


class OtherResource(Diagnostic):
    """Two tasks that declare one resource differently."""

    message: ClassVar[str] = "the tasks of '{first}' and of '{second}' declare the resource '{name}' differently"
    hint: ClassVar[str] = "declare it alike in both, or give it two names"
    name: str
    first: str
    second: str
