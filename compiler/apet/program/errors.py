"""Errors and advice about programs, whatever their language."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class NoClass(Diagnostic):
    """A file without any class."""

    message = "there is no class in this file"
    hint = "a task is a class with a main or run method"


class NoEntry(Diagnostic):
    """No method to begin with, and none was named."""

    message = "there is no main or run {kind} to begin with"
    hint = "{advice_text}"
    kind: str
    advice_text: str


class AmbiguousEntry(Diagnostic):
    """Several methods to begin with."""

    message = "several methods could be the entry: {candidates}"
    hint = "choose one: --entry {first}"


class UnknownMember(Diagnostic):
    """`--entry` names no class or method of the file."""

    message = "there is no {kind} '{name}' in this file{near}"
    hint = "the {kinds} are: {members}"
    kind: str
    kinds: str
    name: str
    near: str
    members: str


class TwoMeanings(Diagnostic):
    """`--set` with a name that no formal of the entry has, and several fields or formals elsewhere."""

    message = "--set {name}: {name} is {first} and {second}"
    hint = "say which one: --set {qualified}=…"
    name: str
    first: str
    second: str
    qualified: str


class NoBody(Diagnostic):
    """The entry is abstract or native."""

    message = "the method '{name}' has no body to translate"
    hint = "name a method that has one: --entry Class.method"


class NotCounted(Advisory):
    """A construct whose cost is left to a parameter or an operation of its own."""

    message = "{what}"


class NotFollowed(NotCounted):
    """A jump to a place that is not known, or into a block: what runs after it is not known either."""

    line: int
