"""The mistakes that reading and translating Java can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class JavaSyntax(Diagnostic):
    """Java that does not parse."""

    message: ClassVar[str] = "{reason}"
    hint: ClassVar[str] = "{advice_text}"
    reason: str
    advice_text: str = ""


class JavaNestsTooDeep(Diagnostic):
    """Java that nests deeper than anybody writes."""

    message: ClassVar[str] = "this nests more than {most} levels deep"
    hint: ClassVar[str] = "give parts of it names of their own"
    most: int


class NoClass(Diagnostic):
    """A file without any class."""

    message: ClassVar[str] = "there is no class in this file"
    hint: ClassVar[str] = "a task is a class with a main or run method"


class NoEntry(Diagnostic):
    """No method to begin with, and none was named."""

    message: ClassVar[str] = "there is no main or run method to begin with"
    hint: ClassVar[str] = "choose one with --entry Class.method: {known}"
    known: str


class AmbiguousEntry(Diagnostic):
    """Several methods to begin with."""

    message: ClassVar[str] = "several methods could be the entry: {found}"
    hint: ClassVar[str] = "choose one: --entry {first}"
    found: str
    first: str


class UnknownMember(Diagnostic):
    """`--entry` names no class or method of the file."""

    message: ClassVar[str] = "there is no {kind} '{name}' in this file{near}"
    hint: ClassVar[str] = "the {kinds} are: {known}"
    kind: str
    kinds: str
    name: str
    near: str
    known: str


class NoBody(Diagnostic):
    """The entry is abstract or native."""

    message: ClassVar[str] = "the method '{name}' has no body to translate"
    hint: ClassVar[str] = "name a method that has one: --entry Class.method"
    name: str


class NotCounted(Advisory):
    """A construct whose cost is left to a parameter or an operation of its own."""

    message: ClassVar[str] = "{what}"
    what: str
