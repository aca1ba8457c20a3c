"""What can be wrong with a call of `regions`."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NotAnAxis(Diagnostic):
    """`--for` without a name or a range."""

    message: ClassVar[str] = "--for {given}: {reason}"
    hint: ClassVar[str] = "write --for P=1:5000, --for n=1e3..1e9, or --for P for all processors"
    given: str
    reason: str
