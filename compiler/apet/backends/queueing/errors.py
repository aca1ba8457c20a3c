"""What may be wrong with a queueing network."""

from __future__ import annotations

from typing import ClassVar

from apet.diagnostics import Diagnostic


class Overloaded(Diagnostic):
    """An open network without a steady state."""

    message: ClassVar[str] = "unstable: jobs arrive faster than they can be served ({stations})"
    hint: ClassVar[str] = "lower the arrival rates, or give these stations more servers or shorter service"
    stations: str


class TooLarge(Diagnostic):
    """A network whose exact solution would take too long."""

    message: ClassVar[str] = "the exact solution takes {size} numbers, more than {most}"
    hint: ClassVar[str] = "ask for --method linearizer (some percent off, immediate)"
    size: str
    most: str


class BoundsNeedClosed(Diagnostic):
    """Bounds asked of open classes."""

    message: ClassVar[str] = "bounds are those of closed classes, and some class here is open"
    hint: ClassVar[str] = "open networks are solved exactly at once: --method auto"


class BoundsNeedPlain(Diagnostic):
    """Bounds asked of multi-servers."""

    message: ClassVar[str] = "bounds are known for single servers and delays only, unlike {stations}"
    hint: ClassVar[str] = "ask for --method exact, or schweitzer"
    stations: str


class OnlyExact(Diagnostic):
    """An approximation that does not cover a network."""

    message: ClassVar[str] = "{method} does not cover open and closed classes at stations with several servers"
    hint: ClassVar[str] = "ask for --method exact"
    method: str


class MethodOfNetworks(Diagnostic):
    """A method asked of a problem that it does not cover."""

    message: ClassVar[str] = "the method '{method}' is for networks without precedence, not for {what}"
    hint: ClassVar[str] = "leave --method out"
    method: str
    what: str
