"""The mistakes that reading a PAMELA-E text can find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from apet.diagnostics import Diagnostic


@dataclass(frozen=True)
class UnexpectedCharacter(Diagnostic):
    """A character that begins no token."""

    message: ClassVar[str] = "unexpected character {character!r}"
    hint: ClassVar[str] = "{advice_text}"
    character: str
    advice_text: str = ""


@dataclass(frozen=True)
class UnclosedComment(Diagnostic):
    """`/*` without `*/`."""

    message: ClassVar[str] = "this comment is never closed"
    hint: ClassVar[str] = "end it with */"


@dataclass(frozen=True)
class UnexpectedToken(Diagnostic):
    """A token that cannot stand where it does."""

    message: ClassVar[str] = "unexpected {found}; expected {expected}"
    hint: ClassVar[str] = "{advice_text}"
    found: str
    expected: str
    advice_text: str = ""


@dataclass(frozen=True)
class LooseProcess(Diagnostic):
    """A process before the first equation."""

    message: ClassVar[str] = "this process belongs to no equation"
    hint: ClassVar[str] = "begin with a name: L = …;"


@dataclass(frozen=True)
class MalformedEquation(Diagnostic):
    """A left side whose subscripts or parameters are not plain names."""

    message: ClassVar[str] = "the {what} of an equation are plain names; this is {found}"
    hint: ClassVar[str] = "write {name}[p] = … and put the expression where the equation is called"
    what: str
    found: str
    name: str


@dataclass(frozen=True)
class RepeatedFormal(Diagnostic):
    """The same formal name twice in one equation or resource."""

    message: ClassVar[str] = "'{name}' stands twice among the subscripts and parameters of '{equation}'"
    hint: ClassVar[str] = "give each its own name"
    name: str
    equation: str


@dataclass(frozen=True)
class Redefined(Diagnostic):
    """Two declarations of one name."""

    message: ClassVar[str] = "'{name}' is already defined in line {line} as {kind}"
    hint: ClassVar[str] = "rename one of the two"
    name: str
    kind: str
    line: int


@dataclass(frozen=True)
class ReservedName(Diagnostic):
    """A declaration of a name that means something already."""

    message: ClassVar[str] = "'{name}' is a built-in {kind} and cannot be declared"
    hint: ClassVar[str] = "choose another name"
    name: str
    kind: str


@dataclass(frozen=True)
class EmptyModel(Diagnostic):
    """No equation at all."""

    message: ClassVar[str] = "the model has no equation"
    hint: ClassVar[str] = "a model needs at least one: L = …;"


@dataclass(frozen=True)
class UnknownEntry(Diagnostic):
    """`--entry` names no equation."""

    message: ClassVar[str] = "there is no equation '{name}' to begin with{near}"
    hint: ClassVar[str] = "the equations are: {known}"
    name: str
    near: str
    known: str


@dataclass(frozen=True)
class EntryNeedsValues(Diagnostic):
    """The entry has formals, and nothing calls it with values."""

    message: ClassVar[str] = "the model begins with '{name}', which needs values for {formals}"
    hint: ClassVar[str] = "add L = {name}…; or choose another with --entry"
    name: str
    formals: str


@dataclass(frozen=True)
class WrongUnit(Diagnostic):
    """A unit that does not exist."""

    message: ClassVar[str] = "unknown unit '{unit}'{near}"
    hint: ClassVar[str] = "times: ns us ms s; sizes: B kB KiB MB MiB GB GiB"
    unit: str
    near: str
