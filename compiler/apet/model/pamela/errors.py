"""The errors that reading a PAMELA-E text can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class UnexpectedCharacter(Diagnostic):
    """A character that begins no token."""

    message: ClassVar[str] = "unexpected character {character!r}"
    hint: ClassVar[str] = "{advice_text}"
    character: str
    advice_text: str = ""


class UnclosedComment(Diagnostic):
    """`/*` without `*/`."""

    message: ClassVar[str] = "this comment is never closed"
    hint: ClassVar[str] = "end it with */"


class UnexpectedToken(Diagnostic):
    """A token that cannot stand where it does."""

    message: ClassVar[str] = "unexpected {token}; expected {expected}"
    hint: ClassVar[str] = "{advice_text}"
    token: str
    expected: str
    advice_text: str = ""


class UnexpectedEnd(Diagnostic):
    """The text ends in the middle of something."""

    message: ClassVar[str] = "the text ends here; expected {expected}"
    hint: ClassVar[str] = "{advice_text}"
    expected: str
    advice_text: str = ""


class MissingModelSemicolon(Diagnostic):
    """The next line begins something new, and nothing ended this one."""

    public_kind: ClassVar[str] = "MissingSemicolon"
    message: ClassVar[str] = "a ';' is missing after this"
    hint: ClassVar[str] = "processes, equations and declarations end with ';'"


class LooseProcess(Diagnostic):
    """A process before the first equation."""

    message: ClassVar[str] = "this process belongs to no equation"
    hint: ClassVar[str] = "begin with a name: L = …;"


class MalformedEquation(Diagnostic):
    """A left side whose subscripts or parameters are not plain names."""

    message: ClassVar[str] = "the {what} of an equation are plain names; this is {expression}"
    hint: ClassVar[str] = "write {name}[p] = … and put the expression where the equation is called"
    what: str
    expression: str
    name: str


class RepeatedFormal(Diagnostic):
    """The same formal name twice in one equation or resource."""

    message: ClassVar[str] = "'{name}' stands twice among the subscripts and parameters of '{equation}'"
    hint: ClassVar[str] = "give each its own name"
    name: str
    equation: str


class Redefined(Diagnostic):
    """Two declarations of one name."""

    message: ClassVar[str] = "'{name}' is already defined in line {line} as {kind}"
    hint: ClassVar[str] = "rename one of the two"
    name: str
    kind: str
    line: str


class ReservedModelName(Diagnostic):
    """A declaration of a name that means something already."""

    public_kind: ClassVar[str] = "ReservedName"
    message: ClassVar[str] = "'{name}' is a built-in {kind} and cannot be declared"
    hint: ClassVar[str] = "choose another name"
    name: str
    kind: str


class EmptyModel(Diagnostic):
    """No equation at all."""

    message: ClassVar[str] = "the model has no equation"
    hint: ClassVar[str] = "a model needs at least one: L = …;"


class UnknownEntry(Diagnostic):
    """`--entry` names no equation."""

    message: ClassVar[str] = "there is no equation '{name}' to begin with{near}"
    hint: ClassVar[str] = "the equations are: {equations}"
    name: str
    near: str
    equations: str


class EntryNeedsValues(Diagnostic):
    """The entry has formals, and nothing calls it with values."""

    message: ClassVar[str] = "the model begins with '{name}', which needs values for {formals}"
    hint: ClassVar[str] = "add L = {name}…; or choose another with --entry"
    name: str
    formals: str


class UnknownModelUnit(Diagnostic):
    """A unit that does not exist."""

    public_kind: ClassVar[str] = "WrongUnit"
    message: ClassVar[str] = "unknown unit '{unit}'{near}"
    hint: ClassVar[str] = "{advice_text}"
    unit: str
    near: str
    advice_text: str


class UnreasonableNumber(Diagnostic):
    """A literal with so many digits that arithmetic with it would not end."""

    message: ClassVar[str] = "this number has more than {most} digits"
    hint: ClassVar[str] = "write it shorter, or with a smaller exponent"
    most: int


class TableAsNumber(Diagnostic):
    """A table where a number is needed."""

    message: ClassVar[str] = "'{name}' is a table, not a number"
    hint: ClassVar[str] = "an entry is {name}[i], with i from 1 to len({name})"
    name: str


class BadTableEntry(Diagnostic):
    """An entry of a table that is no number, or has another unit than those before it."""

    message: ClassVar[str] = "entry {number} of the table '{name}' {reason}"
    hint: ClassVar[str] = "entries are numbers, all times, all sizes or all plain: param {name} = [4 kB, 8 kB];"
    name: str
    number: int
    reason: str


class TableTooLong(Diagnostic):
    """More entries than formulas can hold."""

    message: ClassVar[str] = "the table '{name}' has {number:,} entries; {most:,} is the most"
    hint: ClassVar[str] = "group equal or similar entries, or write a formula for them"
    name: str
    number: int
    most: int


class RecursiveFunction(Diagnostic):
    """Functions that call each other in a circle."""

    message: ClassVar[str] = "functions may not be recursive: {cycle}"
    hint: ClassVar[str] = "write a repetition as sum(i = 1, n, e)"
    cycle: str


class FunctionTooLong(Diagnostic):
    """Functions that call others so often that the expression is enormous."""

    message: ClassVar[str] = "'{name}' and the functions that it calls become more than {most:,} terms"
    hint: ClassVar[str] = "name parts of it once, as a param or the argument of an equation"
    name: str
    most: int


class IncludeWithoutFile(Diagnostic):
    """`include` in a text that is in no file of its own."""

    message: ClassVar[str] = "'{path}' cannot be included: this text is not read from a model file"
    hint: ClassVar[str] = "paths of include are relative to the file that they stand in; save the model, and name it"
    path: str


class BadInclude(Diagnostic):
    """An `include` that cannot be followed."""

    message: ClassVar[str] = "'{path}' cannot be included: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    path: str
    reason: str
    advice_text: str = ""


class NoSuchTable(Diagnostic):
    """A table that is given to a model without one of that name."""

    message: ClassVar[str] = "the model declares no '{name}' that could be a table{near}"
    hint: ClassVar[str] = "declare it in the model: param {name} = [1, 2, 3]; or param {name};"
    name: str
    near: str
