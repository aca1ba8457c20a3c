"""What can be wrong with a call that predicts from runs."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class BadTarget(Diagnostic):
    """`--to` that is no list of numbers above 0."""

    message: ClassVar[str] = "--to {given}: {reason}"
    hint: ClassVar[str] = "numbers above 0, or ranges: --to 2000,4000 or --to 1000:16000:2x (doubling)"
    given: str
    reason: str


class BadLevel(Diagnostic):
    """`--efficiency` that is no share."""

    message: ClassVar[str] = "--efficiency {given}: not a number between 0 and 1"
    hint: ClassVar[str] = "write --efficiency 0.8,0.5"
    given: str


class NoFormula(Diagnostic):
    """A method without a formula."""

    message: ClassVar[str] = "{method} has no formula for these runs"
    hint: ClassVar[str] = "choose another with --method"
    method: str


class NothingToRead(Diagnostic):
    """A call without any file of runs."""

    message: ClassVar[str] = "no file of runs is named"
    hint: ClassVar[str] = "name one, a folder of profiles, or profiles with their n: --at 64=a.csv --at 128=b.csv"
