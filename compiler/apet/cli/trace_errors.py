"""What can be wrong with a call of `apet trace`."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class UnknownFactor(Diagnostic):
    """A name that a platform cannot be multiplied by."""

    message: ClassVar[str] = "--set {name}: a platform has no such figure{near}"
    hint: ClassVar[str] = "one of {known}, as a multiple of what the platform file says: --set bandwidth=0.5..2"
    name: str
    near: str
    known: str


class NoFactor(Diagnostic):
    """A factor that is not above 0."""

    message: ClassVar[str] = "--set {name}={value}: it should be above 0"
    hint: ClassVar[str] = "1 is the platform as it is: --set {name}=2, or a range: --set {name}=0.5..2"
    name: str
    value: str


class FactorRange(Diagnostic):
    """A range where the longest path is asked for, which is another one at each end."""

    message: ClassVar[str] = "--set {name}={low:g}..{high:g}: the longest path is that for one value"
    hint: ClassVar[str] = "ask for both: --set {name}={low:g}, then --set {name}={high:g}"
    name: str
    low: float
    high: float
