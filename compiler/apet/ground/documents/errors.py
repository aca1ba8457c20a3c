"""What can be wrong with a file of keys and values. `path` is the key path, arrays counted from 1."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class BadSyntax(Diagnostic):
    """A text that is neither TOML nor JSON."""

    message: ClassVar[str] = "this is not {form}: {problem}"
    hint: ClassVar[str] = "files named *.toml are read as TOML, all others as JSON"
    form: str
    problem: str


class DocumentTooDeep(Diagnostic):
    """A text of thousands of brackets in each other."""

    message: ClassVar[str] = "arrays or tables are nested too deeply"


class NotATable(Diagnostic):
    """A file that holds an array or a number."""

    message: ClassVar[str] = "this should be {expected}"
    expected: str


class Wrong(Diagnostic):
    """An error at a key."""

    message: ClassVar[str] = "{path}: {problem}"
    hint: ClassVar[str] = "{advised}"
    path: str
    problem: str
    advised: str


class UnknownKey(Diagnostic):
    """A key that does not exist."""

    message: ClassVar[str] = "{path}: there is no such key{suggestion}"
    hint: ClassVar[str] = "keys here: {known}"
    path: str
    suggestion: str
    known: str


class UnitInKey(Diagnostic):
    """A key that lacks its unit, or carries another."""

    message: ClassVar[str] = "{path}: {problem}; the key is '{right}', in {unit}"
    hint: ClassVar[str] = "{conversion}"
    path: str
    problem: str
    right: str
    unit: str
    conversion: str


class MissingKey(Diagnostic):
    """A key that must be there."""

    message: ClassVar[str] = "{path} is missing"
    hint: ClassVar[str] = "{example}"
    path: str
    example: str


class WrongType(Diagnostic):
    """A value of another type."""

    message: ClassVar[str] = "{path} should be {expected}, not {found}"
    path: str
    expected: str
    found: str


class TextForNumber(Diagnostic):
    """A text where a number belongs."""

    message: ClassVar[str] = "{path} should be a number, not the text '{text_given}'"
    hint: ClassVar[str] = "{remedy}"
    path: str
    text_given: str
    remedy: str


class NotFinite(Diagnostic):
    """Infinity, not-a-number, or too great an integer."""

    message: ClassVar[str] = "{path} should be a finite number, not {value}"
    path: str
    value: str


class OutOfRange(Diagnostic):
    """A number that its key does not allow."""

    message: ClassVar[str] = "{path} is {value}, but should be {allowed}"
    path: str
    value: str
    allowed: str


class EndsExchanged(Diagnostic):
    """An interval from its upper to its lower end."""

    message: ClassVar[str] = "{path}: the lower end {low} is greater than the upper end {high}"
    hint: ClassVar[str] = "an interval is written [lower, upper]"
    path: str
    low: str
    high: str


class DuplicateName(Diagnostic):
    """A name that is taken."""

    message: ClassVar[str] = "{path}: the name '{name}' is taken by {other}"
    hint: ClassVar[str] = "{remedy}"
    path: str
    name: str
    other: str
    remedy: str
