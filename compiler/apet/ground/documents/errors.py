"""What can be wrong with a file of keys and values."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class Unreadable(Diagnostic):
    """A file that cannot be opened."""

    message: ClassVar[str] = "cannot read {file}: {reason}"
    file: str
    reason: str


class NotText(Diagnostic):
    """A file that is no text."""

    message: ClassVar[str] = "{file} is no text file: byte {byte} is not UTF-8"
    file: str
    byte: int


class TooBig(Diagnostic):
    """A file beyond all use."""

    message: ClassVar[str] = "{file} is larger than {megabytes} MiB"
    file: str
    megabytes: int


class BadSyntax(Diagnostic):
    """A text that is neither TOML nor JSON."""

    message: ClassVar[str] = "this is not {form}: {problem}"
    hint: ClassVar[str] = "files named *.toml are read as TOML, all others as JSON"
    form: str
    problem: str


class TooDeep(Diagnostic):
    """A text of thousands of brackets in each other."""

    message: ClassVar[str] = "arrays or tables are nested too deeply"


class NotATable(Diagnostic):
    """A file that holds an array or a number."""

    message: ClassVar[str] = "this should be {expected}"
    expected: str


class Wrong(Diagnostic):
    """A mistake at a key."""

    message: ClassVar[str] = "{path}: {problem}"
    hint: ClassVar[str] = "{advised}"
    path: str
    problem: str
    advised: str
