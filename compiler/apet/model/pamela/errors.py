"""The errors that reading a PAMELA-E text can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class UnexpectedCharacter(Diagnostic):
    """A character that begins no token."""

    message = "unexpected character {character!r}"
    hint = "{advice_text}"
    advice_text = ""


class UnclosedComment(Diagnostic):
    """`/*` without `*/`."""

    message = "this comment is never closed"
    hint = "end it with */"


class UnexpectedToken(Diagnostic):
    """A token that cannot stand where it does."""

    message = "unexpected {token}; expected {expected}"
    hint = "{advice_text}"
    advice_text = ""


class UnexpectedEnd(Diagnostic):
    """The text ends in the middle of something."""

    message = "the text ends here; expected {expected}"
    hint = "{advice_text}"
    advice_text = ""


class MissingModelSemicolon(Diagnostic):
    """The next line begins something new, and nothing ended this one."""

    public_kind: ClassVar[str] = "MissingSemicolon"
    message = "a ';' is missing after this"
    hint = "processes, equations and declarations end with ';'"


class LooseProcess(Diagnostic):
    """A process before the first equation."""

    message = "this process belongs to no equation"
    hint = "begin with a name: L = …;"


class MalformedEquation(Diagnostic):
    """A left side whose subscripts or parameters are not plain names."""

    message = "the {what} of an equation are plain names; this is {expression}"
    hint = "write {name}[p] = … and put the expression where the equation is called"


class RepeatedFormal(Diagnostic):
    """The same formal name twice in one equation or resource."""

    message = "'{name}' stands twice among the subscripts and parameters of '{equation}'"
    hint = "give each its own name"


class Redefined(Diagnostic):
    """Two declarations of one name."""

    message = "'{name}' is already defined in line {line} as {kind}"
    hint = "rename one of the two"
    name: str
    kind: str
    line: str


class ReservedModelName(Diagnostic):
    """A declaration of a name that means something already."""

    public_kind: ClassVar[str] = "ReservedName"
    message = "'{name}' is a built-in {kind} and cannot be declared"
    hint = "choose another name"


class EmptyModel(Diagnostic):
    """No equation at all."""

    message = "the model has no equation"
    hint = "a model needs at least one: L = …;"


class UnknownEntry(Diagnostic):
    """`--entry` names no equation."""

    message = "there is no equation '{name}' to begin with{near}"
    hint = "the equations are: {equations}"


class EntryNeedsValues(Diagnostic):
    """The entry has formals, and nothing calls it with values."""

    message = "the model begins with '{name}', which needs values for {formals}"
    hint = "add L = {name}…; or choose another with --entry"


class UnknownModelUnit(Diagnostic):
    """A unit that does not exist."""

    public_kind: ClassVar[str] = "WrongUnit"
    message = "unknown unit '{unit}'{near}"
    hint = "{advice_text}"


class UnreasonableNumber(Diagnostic):
    """A literal with so many digits that arithmetic with it would not end."""

    message = "this number has more than {most} digits"
    hint = "write it shorter, or with a smaller exponent"


class TableAsNumber(Diagnostic):
    """A table where a number is needed."""

    message = "'{name}' is a table, not a number"
    hint = "an entry is {name}[i], with i from 1 to len({name})"


class BadTableEntry(Diagnostic):
    """An entry of a table that is no number, or has another unit than those before it."""

    message = "entry {number} of the table '{name}' {reason}"
    hint = "entries are numbers, all times, all sizes or all plain: param {name} = [4 kB, 8 kB];"
    name: str
    number: int
    reason: str


class TableTooLong(Diagnostic):
    """More entries than formulas can hold."""

    message = "the table '{name}' has {number:,} entries; {most:,} is the most"
    hint = "group equal or similar entries, or write a formula for them"


class RecursiveFunction(Diagnostic):
    """Functions that call each other in a circle."""

    message = "functions may not be recursive: {cycle}"
    hint = "write a repetition as sum(i = 1, n, e)"


class FunctionTooLong(Diagnostic):
    """Functions that call others so often that the expression is enormous."""

    message = "'{name}' and the functions that it calls become more than {most:,} terms"
    hint = "name parts of it once, as a param or the argument of an equation"


class IncludeWithoutFile(Diagnostic):
    """`include` in a text that is in no file of its own."""

    message = "'{path}' cannot be included: this text is not read from a model file"
    hint = "paths of include are relative to the file that they stand in; save the model, and name it"


class BadInclude(Diagnostic):
    """An `include` that cannot be followed."""

    message = "'{path}' cannot be included: {reason}"
    hint = "{advice_text}"
    advice_text = ""


class NoSuchTable(Diagnostic):
    """A table that is given to a model without one of that name."""

    message = "the model declares no '{name}' that could be a table{near}"
    hint = "declare it in the model: param {name} = [1, 2, 3]; or param {name};"


class OtherUnitOfTable(Diagnostic):
    """A table that is given to a model, of another unit than its own."""

    public_kind: ClassVar[str] = "WrongUnit"
    message = "'{name}' is given as a table of {unit}s, and is one of {own}s in the model"
    hint = "write the entries as {own}s, or without a unit"
