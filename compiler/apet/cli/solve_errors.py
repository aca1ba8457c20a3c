"""What can be wrong with a call of `solve` and `compare`."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class WrongLimit(Diagnostic):
    """A limit of another kind than the quantity."""

    message: ClassVar[str] = "{option}: {reason}"
    hint: ClassVar[str] = "give {other} instead"
    option: str
    reason: str
    other: str


class NothingSought(Diagnostic):
    """A model with several parameters, and none asked for."""

    message: ClassVar[str] = "what is asked for?"
    hint: ClassVar[str] = "name it with --for: {known}"
    known: str


class BadShare(Diagnostic):
    """`--within` that is no share."""

    message: ClassVar[str] = "--within {given}: it should lie between 0 and 100 %"
    hint: ClassVar[str] = "write --within 5%"
    given: str


class UnknownTime(Diagnostic):
    """A time in something that is no unit of time."""

    message: ClassVar[str] = "{name} {given}: there is no unit of time '{unit}'{near}"
    hint: ClassVar[str] = "times: {known}"
    name: str
    given: str
    unit: str
    near: str
    known: str


class NotARange(Diagnostic):
    """`--range` without two ends."""

    message: ClassVar[str] = "--range {given}: a range has two ends"
    hint: ClassVar[str] = "write --range 1..1e9"
    given: str


class NothingToCompare(Diagnostic):
    """A comparison of one thing, or of too many."""

    message: ClassVar[str] = "{reason}"
    hint: ClassVar[str] = "two models, two machine models after --machines, or one of each and --with NAME=VALUE"
    reason: str


class NotVaried(Diagnostic):
    """`--vary` without a name or a range."""

    message: ClassVar[str] = "--vary {given}: a name and a range are needed"
    hint: ClassVar[str] = "write --vary n=1..1e9"
    given: str
