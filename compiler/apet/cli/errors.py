"""What can be wrong with a call."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class BadProcessors(Diagnostic):
    """`-P` that is no list of numbers and ranges."""

    message: ClassVar[str] = "-P {given}: {reason}"
    hint: ClassVar[str] = "numbers from 1 and ranges: -P 2,4,8 or -P 2:32:2 (step 2) or -P 2:32:2x (doubling)"
    given: str
    reason: str


class BadPopulation(Diagnostic):
    """`--population` that is no list of numbers and ranges."""

    message: ClassVar[str] = "--population {given}: {reason}"
    hint: ClassVar[str] = "numbers of jobs from 1 and ranges: --population 1:50 or 1:64:2x (doubling) or 1,2,5"
    given: str
    reason: str


class BadSetting(Diagnostic):
    """`--set` without a name or a value."""

    message: ClassVar[str] = "--set {given}: {reason}"
    hint: ClassVar[str] = "write --set n=1e9, or a range: --set q=0.1..0.3"
    given: str
    reason: str


class CannotWrite(Diagnostic):
    """An output file that cannot be written."""

    message: ClassVar[str] = "cannot write {path}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    path: str
    reason: str
    advice_text: str = ""


class UnknownPicture(Diagnostic):
    """A picture of a kind that APET does not draw."""

    message: ClassVar[str] = "cannot draw {path}: its ending is none of {known}"
    hint: ClassVar[str] = "the ending chooses the format: --plot prediction.svg"
    path: str
    known: str


class TooLong(Diagnostic):
    """A formula that would fill the memory as text."""

    message: ClassVar[str] = "{name} is too long to write out: {size} terms"
    hint: ClassVar[str] = "fold it (--longest 40), or take it as a graph: --emit json"
    name: str
    size: str


class NotTogether(Diagnostic):
    """An option that makes no sense with the others."""

    message: ClassVar[str] = "{option} {reason}"
    hint: ClassVar[str] = "{advice_text}"
    option: str
    reason: str
    advice_text: str


class LongFormula(Diagnostic):
    """A formula of a network that nobody would read."""

    message: ClassVar[str] = "{name} is too long to write out: {size} terms"
    hint: ClassVar[str] = "take fewer jobs, or source that shares parts: --emit python"
    name: str
    size: str


class NotWhole(Diagnostic):
    """An option that counts something, with something else."""

    message: ClassVar[str] = "{name} {given}: not a whole number of 0 or more"
    hint: ClassVar[str] = "write it in digits: {name} 256"
    name: str
    given: str


class NotForThisFile(Diagnostic):
    """An option that means nothing for a file of this kind."""

    message: ClassVar[str] = "{option} does not apply to {path}"
    hint: ClassVar[str] = "{advice_text}"
    option: str
    path: str
    advice_text: str


class UnknownLanguage(Diagnostic):
    """A source file of a kind that no front end reads."""

    message: ClassVar[str] = "cannot translate {path}: its ending is none of {known}"
    hint: ClassVar[str] = "the ending chooses the front end: apet translate Task.java"
    path: str
    known: str


class NeedsExtra(Diagnostic):
    """A library of an extra that is not installed."""

    message: ClassVar[str] = "{what} needs a library that is not installed"
    hint: ClassVar[str] = "install it: pip install 'apet[{extra}]'"
    what: str
    extra: str


class CannotServe(Diagnostic):
    """A port that cannot be had."""

    message: ClassVar[str] = "cannot serve on port {port}: {reason}"
    hint: ClassVar[str] = "take another, or leave --port out: a free one is found"
    port: int
    reason: str
