"""What can be wrong with asking for the formula of a file."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class TooManyJobs(Diagnostic):
    """A network whose formulas nobody would read."""

    message: ClassVar[str] = "this network is too large for formulas: {size} terms, and the most is {most}"
    hint: ClassVar[str] = "{advice_text}"
    size: str
    most: str
    advice_text: str


class NoFormulas(Diagnostic):
    """A queueing problem of a kind that has no formulas."""

    message: ClassVar[str] = "{what} has no formulas"
    hint: ClassVar[str] = "solve it in numbers: apet queue {path}"
    what: str
    path: str


class UnknownQuantity(Diagnostic):
    """A quantity that a file cannot be asked for."""

    message: ClassVar[str] = "--of {given}: {reason}{near}"
    hint: ClassVar[str] = "one of: {known}"
    given: str
    reason: str
    near: str
    known: str


class Unstable(Diagnostic):
    """An open network that has no steady state."""

    message: ClassVar[str] = "no steady state: jobs arrive faster than {stations} can serve them"
    hint: ClassVar[str] = "lower the arrival rate in the file, or solve it with other numbers: apet queue {path}"
    stations: str
    path: str
