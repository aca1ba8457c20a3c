"""What can be wrong with a prediction from runs."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class TooFew(Diagnostic):
    """Fewer runs than a method needs."""

    message: ClassVar[str] = "the method {method} needs runs at {needed} different n or more; there {found}"
    hint: ClassVar[str] = "{advised}"
    method: str
    needed: int
    found: str
    advised: str


class UnknownMethod(Diagnostic):
    """A method that does not exist for this kind of runs."""

    message: ClassVar[str] = "no method for {kind} is named {method}{nearest}"
    hint: ClassVar[str] = "methods are {known}"
    kind: str
    method: str
    nearest: str
    known: str


class OutOfReach(Diagnostic):
    """A prediction beyond all numbers."""

    message: ClassVar[str] = "the run time at n = {n} is beyond all numbers"
    hint: ClassVar[str] = "the largest run has n = {largest}; nothing can be said so far away"
    n: str
    largest: str
