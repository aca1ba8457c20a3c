"""What can be wrong with a call for quantiles."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class BadLevels(Diagnostic):
    """Levels of quantiles that are none."""

    message: ClassVar[str] = "--quantiles {given}: {reason}"
    hint: ClassVar[str] = "write per cent between 0 and 100: --quantiles 5,50,95"
    given: str
    reason: str


class BadDraws(Diagnostic):
    """A number of draws that cannot be made."""

    message: ClassVar[str] = "--draws {given}: {reason}"
    hint: ClassVar[str] = "write a whole number: --draws 10000"
    given: str
    reason: str
