"""What can be wrong with a platform file or a host file."""

from __future__ import annotations

from typing import ClassVar

from apet.diagnostics import Advisory, Diagnostic


class Unreadable(Diagnostic):
    """A file that cannot be opened, or is no text."""

    message: ClassVar[str] = "cannot read {file}: {reason}"
    file: str
    reason: str


class NotXml(Diagnostic):
    """A text that is no XML."""

    message: ClassVar[str] = "this is not XML: {problem}"
    problem: str


class Entity(Diagnostic):
    """A file that declares entities."""

    message: ClassVar[str] = "a platform file may not declare entities ('{name}')"
    hint: ClassVar[str] = "write the text itself where the entity is used"
    name: str


class NotAPlatform(Diagnostic):
    """XML of another kind."""

    message: ClassVar[str] = "this is a <{found}>, not a <platform>"
    hint: ClassVar[str] = 'SimGrid\'s platform files begin with <platform version="4.1">'
    found: str


class UnknownElement(Diagnostic):
    """An element that is not read."""

    message: ClassVar[str] = "<{name}> is not known here{near}"
    hint: ClassVar[str] = "known: {known}"
    name: str
    near: str
    known: str


class MissingAttribute(Diagnostic):
    """An element without what it needs."""

    message: ClassVar[str] = "<{element}> needs the attribute {name}"
    hint: ClassVar[str] = "for example: {example}"
    element: str
    name: str
    example: str


class BadValue(Diagnostic):
    """An attribute that cannot be understood."""

    message: ClassVar[str] = "{name}={value!r}: {problem}"
    hint: ClassVar[str] = "{advised}"
    name: str
    value: str
    problem: str
    advised: str


class Unknown(Diagnostic):
    """A name of nothing."""

    message: ClassVar[str] = "there is no {what} '{name}'{near}"
    what: str
    name: str
    near: str


class Twice(Diagnostic):
    """A name given twice."""

    message: ClassVar[str] = "there is a {what} '{name}' already"
    hint: ClassVar[str] = "give each a name of its own"
    what: str
    name: str


class NoHosts(Diagnostic):
    """A platform without a computer."""

    message: ClassVar[str] = "this platform has no host"


class EmptyHostfile(Diagnostic):
    """A host file without hosts."""

    message: ClassVar[str] = "this host file names no host"


class Ignored(Advisory):
    """An element that changes nothing here."""

    message: ClassVar[str] = "<{name}> is not taken into account"
    name: str
