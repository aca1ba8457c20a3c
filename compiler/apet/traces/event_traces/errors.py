"""What can be wrong with an event trace."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NoOtf2(Diagnostic):
    """The library that reads archives is missing."""

    message: ClassVar[str] = "reading {file} needs the Python package otf2"
    hint: ClassVar[str] = "pip install 'apet[otf2]', or convert what 'otf2-print -A {file}' prints"
    file: str


class BadArchive(Diagnostic):
    """An archive that the library refuses."""

    message: ClassVar[str] = "cannot read {file}: {reason}"
    hint: ClassVar[str] = "'otf2-print -A' reads more archives than its library: convert what it prints"
    file: str
    reason: str


class NoMpi(Diagnostic):
    """An event trace without MPI processes."""

    message: ClassVar[str] = "{file} names no MPI processes"
    hint: ClassVar[str] = "{advised}"
    file: str
    advised: str


class BadEvent(Diagnostic):
    """A line that the program which should have written it does not write."""

    message: ClassVar[str] = "{problem}"
    hint: ClassVar[str] = "lines read are those of {writer}"
    problem: str
    writer: str


class Incomplete(Diagnostic):
    """Collectives that do not fit together."""

    message: ClassVar[str] = "{file}: {problem}"
    hint: ClassVar[str] = "was the measurement ended early, or its buffer too small?"
    file: str
    problem: str
