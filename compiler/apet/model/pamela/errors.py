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

    message: ClassVar[str] = "unexpected {found}; expected {expected}"
    hint: ClassVar[str] = "{advice_text}"
    found: str
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

    message: ClassVar[str] = "the {what} of an equation are plain names; this is {found}"
    hint: ClassVar[str] = "write {name}[p] = … and put the expression where the equation is called"
    what: str
    found: str
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
    line: int


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
    hint: ClassVar[str] = "the equations are: {known}"
    name: str
    near: str
    known: str


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
